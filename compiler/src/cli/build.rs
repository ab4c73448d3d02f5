//! `dsh-build --profile NAME`.

use std::path::PathBuf;

use super::arguments::BuildArguments;
use super::compiled::compile;
use super::output::{Output, said};
use super::schema::write_schemas;
use crate::build::{BuildOptions, Keep, Optimization, RunLock, build as build_binary};
use crate::compile::Source;
use crate::index::Network;
use crate::workspace::Workspace;

/// Builds a profile; the last line on standard output is the binary's path.
pub(super) fn build(
    workspace: &Workspace,
    source: &Source,
    arguments: &BuildArguments,
    network: Network,
    output: &Output,
) -> Result<(), u8> {
    let path = compile_and_build(workspace, source, arguments.optimization(), arguments.out.clone(), network, output)?;
    output.answer(&format!("{}\n", path.display()))
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
    let lock = RunLock::take(workspace).map_err(said)?;
    let (compiler, compiled) = compile(workspace, source, network, output)?;
    let keep = match compiled.elsewhere {
        _ if !source.patches.is_empty() => Keep::Scratch,
        Some(folder) => Keep::Beside(folder),
        None => Keep::Generated,
    };
    // What `sync --check` looks at with the crate is kept with it.
    let kept = match &keep {
        Keep::Generated => Some(workspace.generated()),
        Keep::Beside(folder) => Some(folder.join("generated")),
        Keep::Scratch => None,
    };
    if let Some(folder) = kept {
        write_schemas(workspace, &folder, &compiler, &lock)?;
    }
    let options = BuildOptions { keep, optimization, network, out };
    build_binary(workspace, &compiled.plan, &compiler.metadata, &options, &lock).map_err(said)
}
