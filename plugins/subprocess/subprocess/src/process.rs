//! A running process tree, seen from outside.

use dsh_runtime::BoxFuture;

use crate::{CleanupError, Signal};

/// Number of a process or of a process group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(pub u32);

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitOutcome {
    /// It left with this code.
    Exited(i32),
    /// A signal killed it.
    Killed(Signal),
}

/// A child (the leader) and all that came from it. Dropping the last handle ends nothing: the provider owns the tree until it
/// is gone, terminated or the provider is torn down.
pub trait ProcessTree: Send + Sync {
    /// The leader's process.
    fn leader(&self) -> ProcessId;

    /// Waits for the leader's end and, where output is collected, for the end of that output (at most the tree's grace period
    /// longer, since a process that outlives the leader may hold a pipe). Any number of callers may wait; dropping the future
    /// changes nothing.
    fn exited(&self) -> BoxFuture<'_, ExitOutcome>;

    /// How the leader ended, when it has. Output may still be on its way.
    fn outcome(&self) -> Option<ExitOutcome>;

    /// Waits until no process of the tree is left; a zombie counts as gone.
    fn gone(&self) -> BoxFuture<'_, ()>;

    /// Ends the whole tree: asks politely, waits for at most the grace period, then kills until nothing is left. It returns as
    /// soon as all are gone; calling it again, or dropping the future half-way and calling it again, is harmless.
    fn terminate(&self) -> BoxFuture<'_, Result<(), CleanupError>>;
}
