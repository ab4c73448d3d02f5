//! `dsh-build show`.

use super::compiled::compile;
use super::output::Output;
use crate::ask::Document;
use crate::compile::Source;
use crate::index::Network;
use crate::workspace::Workspace;

/// Writes the rows of a profile as a patch list that says where each came from.
pub(super) fn show(workspace: &Workspace, source: &Source, network: Network, output: &Output) -> Result<(), u8> {
    let (compiler, compiled) = compile(workspace, source, network, output)?;
    output.report(&Document::new(&compiled.composed(&compiler.index)))
}
