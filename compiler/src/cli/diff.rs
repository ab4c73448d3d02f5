//! `dsh-build diff`.

use super::output::Output;
use crate::ask::Difference;
use crate::compile::{Compiler, Source};
use crate::diagnostics::Diagnostics;
use crate::index::Network;
use crate::workspace::Workspace;

/// Says how two profiles differ, which is no failure.
pub(super) fn diff(workspace: &Workspace, left: &str, right: &str, network: Network, output: &Output) -> Result<(), u8> {
    let mut problems = Diagnostics::new();
    let compiler = Compiler::open(workspace, network, &mut problems);
    let [left, right] =
        [left, right].map(|profile| compiler.compile(&Source { profile: profile.to_owned(), patches: Vec::new() }, &mut problems));
    output.show(&problems)?;
    // A composition is refused with an error or not at all, and errors have ended the run above.
    let [left, right] = [left, right].map(|compiled| compiled.expect("a composition without errors is planned"));
    output.report(&Difference::new(&left.composed(&compiler.index), &right.composed(&compiler.index)))
}
