//! `dsh-build diff`.

use super::output::Output;
use super::search::Search;
use crate::ask::Difference;
use crate::compile::{Compiled, Compiler, Source};
use crate::diagnostics::Diagnostics;
use crate::index::Network;

/// Says how two profiles differ, which is no failure.
pub(super) fn diff(search: &Search, left: &str, right: &str, network: Network, output: &Output) -> Result<(), u8> {
    let mut problems = Diagnostics::new();
    let mut compiler: Option<Compiler> = None;
    let mut compiled: Vec<Option<Compiled>> = Vec::new();
    for profile in [left, right] {
        let (workspace, source) = search.of(Source::of(profile))?;
        if compiler.as_ref().is_none_or(|compiler| *compiler.workspace() != workspace) {
            compiler = Some(Compiler::new(&workspace, network));
        }
        compiled.extend(compiler.as_mut().map(|compiler| compiler.compile(&source, &mut problems)));
    }
    output.show(&problems)?;
    // A composition is refused with an error or not at all, and errors have ended the run above.
    let compiled: Vec<Compiled> = compiled.into_iter().map(|compiled| compiled.expect("a composition without errors is planned")).collect();
    output.report(&Difference::new(&compiled[0].composed(), &compiled[1].composed()))
}
