//! The thread that a composition lives on.

use std::sync::mpsc::Sender;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::call::{Ordered, Said};
use super::{EmbedError, Exit, TeardownReport};
use crate::boot::{Boot, Entries, Wire, conduct};
use crate::context::Surroundings;
use crate::entry::{Identity, ServeSession};

/// Bytes that a verb may be ahead of who passes on what it prints.
const AHEAD: usize = 64 * 1024;
/// How long a caller who takes nothing may hold up the end of a call that is cancelled.
const TAKING_LIMIT: Duration = Duration::from_secs(2);

/// Mounts, runs what is ordered, one after the other, and undoes everything.
pub(super) fn live(
    identity: &'static Identity,
    wire: Wire,
    surroundings: Surroundings,
    mounted: &Sender<Result<(), EmbedError>>,
    ordered: UnboundedReceiver<Ordered>,
) -> TeardownReport {
    let tell = |outcome| {
        // Whoever started it waits for this.
        let _ = mounted.send(outcome);
    };
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            tell(Err(EmbedError::Thread(error)));
            return TeardownReport::default();
        }
    };
    runtime.block_on(async {
        let mut boot = Boot::new(identity.profile, surroundings.clone());
        match wire(&mut boot).await {
            Ok(entries) => {
                tell(Ok(()));
                serve(&entries, ordered, &surroundings).await;
                boot.teardown().await
            }
            Err(error) => {
                let report = boot.teardown().await;
                tell(Err(error.into()));
                report
            }
        }
    })
}

async fn serve(entries: &Entries, mut ordered: UnboundedReceiver<Ordered>, surroundings: &Surroundings) {
    loop {
        let order = tokio::select! {
            biased;
            () = surroundings.shutdown.cancelled() => return,
            order = ordered.recv() => order,
        };
        match order {
            Some(order) => carry_out(entries, order).await,
            None => return,
        }
    }
}

/// Runs a verb and passes on what it prints, line by line.
async fn carry_out(entries: &Entries, order: Ordered) {
    let Ordered { verb, words, said, exit, cancel } = order;
    if cancel.is_cancelled() {
        let _ = exit.send(Exit::GAVE_UP);
        return;
    }
    let ((output, printed), (errors, told)) = (tokio::io::duplex(AHEAD), tokio::io::duplex(AHEAD));
    let session =
        ServeSession { input: Box::pin(tokio::io::empty()), output: Box::pin(output), errors: Box::pin(errors), shutdown: cancel.clone() };
    let mut passing = JoinSet::new();
    passing.spawn(pass_on(printed, said.clone(), Said::Output, cancel.clone()));
    passing.spawn(pass_on(told, said, Said::Error, cancel.clone()));
    let ended = match entries.verb(verb, words, session) {
        Some(entry) => conduct(entry, &cancel).await,
        // A condition of the composition switched the row off.
        None => Exit::ENVIRONMENT,
    };
    while passing.join_next().await.is_some() {}
    // Whoever called may have gone.
    let _ = exit.send(ended);
}

/// Passes lines on until their writer ends or nobody takes them any more; then the writer is told so by its next line.
async fn pass_on(stream: impl AsyncRead + Unpin, said: mpsc::Sender<Said>, kind: fn(String) -> Said, cancel: CancellationToken) {
    let mut lines = BufReader::new(stream);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).await.is_ok_and(|length| length > 0) {
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        let taken = tokio::select! {
            taken = said.send(kind(String::from_utf8_lossy(&line).into_owned())) => taken.is_ok(),
            () = overdue(&cancel) => false,
        };
        if !taken {
            return;
        }
        line.clear();
    }
}

async fn overdue(cancel: &CancellationToken) {
    cancel.cancelled().await;
    tokio::time::sleep(TAKING_LIMIT).await;
}
