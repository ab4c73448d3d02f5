//! Signals that end a run, caught so that what was begun is ended in order.

use std::pin::pin;

use rustix::process::Signal;
use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

use super::BuildError;

/// From when it is made, a signal does not end the process: it is told to what waits for it.
pub(crate) struct Signals {
    runtime: Runtime,
    caught: Caught,
}

/// The signals that came.
pub(crate) struct Caught([(Signal, Stream); 4]);

impl Signals {
    /// Catches signals from now on. A child that has a process group of its own hears of a closed terminal and of its keys through
    /// this process alone.
    pub(crate) fn catch() -> Result<Self, BuildError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(BuildError::Start)?;
        let entered = runtime.enter();
        let stream = |number: Signal, kind: SignalKind| signal(kind).map(|stream| (number, stream)).map_err(BuildError::Start);
        let caught = Caught([
            stream(Signal::INT, SignalKind::interrupt())?,
            stream(Signal::TERM, SignalKind::terminate())?,
            stream(Signal::HUP, SignalKind::hangup())?,
            stream(Signal::QUIT, SignalKind::quit())?,
        ]);
        drop(entered);
        Ok(Self { runtime, caught })
    }

    /// Runs something that may wait for signals.
    pub(super) fn run<T>(&mut self, work: impl AsyncFnOnce(&mut Caught) -> T) -> T {
        self.runtime.block_on(work(&mut self.caught))
    }

    /// Fails when a signal came.
    pub(crate) fn check(&mut self) -> Result<(), BuildError> {
        let caught = &mut self.caught;
        let signal = self.runtime.block_on(async {
            let next = pin!(caught.next());
            tokio::select! {
                biased;
                signal = next => Some(signal),
                () = std::future::ready(()) => None,
            }
        });
        signal.map_or(Ok(()), |signal| Err(BuildError::Interrupted { signal }))
    }
}

impl Caught {
    /// The number of the next signal that comes, or came already.
    pub(super) async fn next(&mut self) -> u8 {
        let [interrupt, terminate, hangup, quit] = &mut self.0;
        let signal = tokio::select! {
            _ = interrupt.1.recv() => interrupt.0,
            _ = terminate.1.recv() => terminate.0,
            _ = hangup.1.recv() => hangup.0,
            _ = quit.1.recv() => quit.0,
        };
        u8::try_from(signal.as_raw()).unwrap_or(u8::MAX)
    }
}
