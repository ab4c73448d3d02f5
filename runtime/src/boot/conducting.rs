//! Running an entry point.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::BoxFuture;
use crate::entry::Exit;

/// Longest time that an entry point may take to return once it is asked to end.
const ENTRY_LIMIT: Duration = Duration::from_secs(10);

/// Runs an entry point to its end. One that panics, or does not end soon after `shutdown` asked for it, is a fault of the program.
pub(crate) async fn conduct(entry: BoxFuture<'static, Exit>, shutdown: &CancellationToken) -> Exit {
    // A task of its own, so that a panic inside still tears the composition down.
    let mut task = tokio::spawn(entry);
    let overdue = async {
        shutdown.cancelled().await;
        tokio::time::sleep(ENTRY_LIMIT).await;
    };
    tokio::select! {
        ended = &mut task => ended.unwrap_or(Exit::BUG),
        () = overdue => {
            task.abort();
            tracing::warn!("the entry point did not return when it was asked to end");
            Exit::BUG
        }
    }
}
