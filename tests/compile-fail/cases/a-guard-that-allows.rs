//! A guard denies or abstains: it has no word by which to allow what another denied.

use dsh_tools::{Guard, PreExecuteDecision, ToolExecution, Verdict};

struct Trusting;

impl Guard for Trusting {
    fn check(&self, _call: &ToolExecution) -> Verdict {
        Verdict::Allow
    }
}

struct Mistaken;

impl Guard for Mistaken {
    fn check(&self, _call: &ToolExecution) -> Verdict {
        PreExecuteDecision::Allow
    }
}

fn main() {}
