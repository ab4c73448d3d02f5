//! `dsh-build --profile NAME`.

use std::path::PathBuf;

use super::arguments::BuildArguments;
use super::compiled::compile;
use super::output::Output;
use crate::build::{BuildError, BuildOptions, Keep, Optimization, RunLock, build as build_binary};
use crate::compile::Source;
use crate::index::Network;
use crate::workspace::Workspace;

/// Builds a profile; the last line on standard output is the binary's path.
pub(super) fn build(workspace: &Workspace, source: &Source, arguments: &BuildArguments, network: Network, output: &Output) -> u8 {
    match compile_and_build(workspace, source, arguments.optimization(), arguments.out.clone(), network, output) {
        Ok(path) => {
            println!("{}", path.display());
            0
        }
        Err(status) => status,
    }
}

/// Builds a profile and yields the binary's path. Problems are shown.
///
/// # Errors
/// The exit status.
pub(super) fn compile_and_build(
    workspace: &Workspace,
    source: &Source,
    optimization: Optimization,
    out: Option<PathBuf>,
    network: Network,
    output: &Output,
) -> Result<PathBuf, u8> {
    let said = |error: BuildError| {
        eprintln!("error: {error}");
        error.exit_status()
    };
    let lock = RunLock::take(workspace).map_err(said)?;
    let (compiler, compiled) = compile(workspace, source, network, output)?;
    let keep = if source.patches.is_empty() && compiled.shipped { Keep::Generated } else { Keep::Scratch };
    let options = BuildOptions { keep, optimization, network, out };
    build_binary(workspace, &compiled.plan, &compiler.metadata, &options, &lock).map_err(said)
}
