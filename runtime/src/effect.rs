//! Effects: every registration is undone in reverse order, once, and awaited. There is no async drop, so this is explicit.

use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::BoxFuture;

/// Longest time that undoing one effect may take.
const EFFECT_LIMIT: Duration = Duration::from_secs(5);

enum Undo {
    Sync(Box<dyn FnOnce() + Send>),
    Async(Box<dyn FnOnce() -> BoxFuture<'static, ()> + Send>),
}

/// What an owner (a row or an agent's scope) has to undo.
pub struct EffectStack {
    owner: String,
    effects: Mutex<Vec<Undo>>,
}

/// What teardown could not finish.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TeardownReport {
    /// Owners of effects that took longer than their limit or panicked, in the order of teardown.
    pub failed: Vec<String>,
}

impl EffectStack {
    /// An empty stack; `owner` names it in reports.
    #[must_use]
    pub fn new(owner: &str) -> Self {
        Self { owner: owner.to_owned(), effects: Mutex::default() }
    }

    /// Records how to undo something that was done just now.
    pub fn push_sync(&self, undo: impl FnOnce() + Send + 'static) {
        self.lock().push(Undo::Sync(Box::new(undo)));
    }

    /// The same for an undo that waits.
    pub fn push<F>(&self, undo: impl FnOnce() -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.lock().push(Undo::Async(Box::new(move || Box::pin(undo()))));
    }

    /// Undoes everything in reverse order. What was undone once is not undone again; effects recorded meanwhile are undone too.
    pub async fn unwind(&self) -> TeardownReport {
        let mut report = TeardownReport::default();
        loop {
            let next = self.lock().pop();
            let done = match next {
                None => return report,
                Some(Undo::Sync(undo)) => std::panic::catch_unwind(std::panic::AssertUnwindSafe(undo)).is_ok(),
                // A task of its own, so that a panic inside is contained.
                Some(Undo::Async(undo)) => {
                    let task = tokio::spawn(async move { undo().await });
                    let abort = task.abort_handle();
                    match tokio::time::timeout(EFFECT_LIMIT, task).await {
                        Ok(joined) => joined.is_ok(),
                        Err(_) => {
                            abort.abort();
                            false
                        }
                    }
                }
            };
            if !done {
                tracing::warn!(owner = %self.owner, "an effect was not undone within its limit or panicked");
                report.failed.push(self.owner.clone());
            }
        }
    }

    /// Whether nothing is left to undo.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Undo>> {
        self.effects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
