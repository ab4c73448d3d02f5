//! Gates: rules of the repository that a machine checks. No stage of the compiler; they look at the tree as it lies there.

mod exemptions;
mod gate;
mod gates;
mod run;
mod rust_file;
mod tree;

pub use exemptions::Exempted;
pub use gate::{Check, Cost, Gate, GateError, Scope};
pub use gates::gates;
pub use run::{Outcome, run};
pub use rust_file::{RustFile, Target};
pub use tree::Tree;

use crate::diagnostics::Rule;

/// The rules behind the gates and the rule about their exemptions.
pub(crate) fn rules() -> impl Iterator<Item = &'static Rule> {
    gates().iter().map(|gate| &gate.rule).chain(exemptions::ALL.iter().copied())
}
