//! What every command about one profile starts with: the profile, compiled, its problems shown.

use super::output::Output;
use super::search::Search;
use crate::compile::{Compiled, Compiler, Source};
use crate::diagnostics::Diagnostics;
use crate::index::Network;

/// Compiles a profile and shows what is wrong with it.
///
/// # Errors
/// The exit status, when the problems end the run.
pub(super) fn compile(search: &Search, source: Source, network: Network, output: &Output) -> Result<Compiled, u8> {
    let (workspace, source) = search.of(source)?;
    compile_in(&mut Compiler::new(&workspace, network), &source, output)
}

/// The same where the workspace is known.
pub(super) fn compile_in(compiler: &mut Compiler, source: &Source, output: &Output) -> Result<Compiled, u8> {
    let mut diagnostics = Diagnostics::new();
    let compiled = compiler.compile(source, &mut diagnostics);
    output.show(&diagnostics)?;
    // A composition is refused with an error or not at all, and errors have ended the run above.
    Ok(compiled.expect("a composition without errors is planned"))
}
