//! Waiting, with an end when the process is asked to end.

use std::time::Duration;

use dsh_runtime::CancellationToken;

/// Waits for `work`, and once `shutdown` is asked for no longer than `limit` from then on. Yields nothing when it took longer.
pub(crate) async fn unless_overdue<F: Future>(shutdown: &CancellationToken, limit: Duration, work: F) -> Option<F::Output> {
    let overdue = async {
        shutdown.cancelled().await;
        tokio::time::sleep(limit).await;
    };
    tokio::select! {
        biased;
        done = work => Some(done),
        () = overdue => None,
    }
}
