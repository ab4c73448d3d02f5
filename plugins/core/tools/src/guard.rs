//! Guards: the last word before a call runs. They deny or abstain; no value of theirs allows.

use crate::ToolExecution;

/// What a guard says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The call does not run; the reason is for the model.
    Deny(String),
    /// Nothing against it.
    Abstain,
}

/// Checks every call that policy let pass.
pub trait Guard: Send + Sync {
    /// Its verdict. A guard that panics denies.
    fn check(&self, call: &ToolExecution) -> Verdict;
}
