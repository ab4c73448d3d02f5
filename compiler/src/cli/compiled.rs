//! What every command but `sync` starts with: one profile, compiled, its problems shown.

use super::output::Output;
use crate::compile::{Compiled, Compiler, Source};
use crate::diagnostics::Diagnostics;
use crate::index::Network;
use crate::workspace::Workspace;

/// Compiles a profile and shows what is wrong with it.
///
/// # Errors
/// The exit status, when the problems end the run.
pub(super) fn compile(workspace: &Workspace, source: &Source, network: Network, output: &Output) -> Result<(Compiler, Compiled), u8> {
    let mut diagnostics = Diagnostics::new();
    let compiler = Compiler::open(workspace, network, &mut diagnostics);
    let compiled = compiler.compile(source, &mut diagnostics);
    output.show(&diagnostics)?;
    // A composition is refused with an error or not at all, and errors have ended the run above.
    Ok((compiler, compiled.expect("a composition without errors is planned")))
}
