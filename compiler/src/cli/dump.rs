//! `dsh-build dump`, also called `show`, and the flags of the same meaning.

use super::compiled::compile;
use super::output::Output;
use crate::ask::Document;
use crate::compile::{Source, request};
use crate::diagnostics::Diagnostics;
use crate::index::Network;
use crate::load::load;
use crate::workspace::Workspace;

/// Writes the rows of a profile as a patch list that says where each came from.
pub(super) fn dump(workspace: &Workspace, source: &Source, network: Network, output: &Output) -> Result<(), u8> {
    let (compiler, compiled) = compile(workspace, source, network, output)?;
    output.report(&Document::new(&compiled.composed(&compiler.index)))
}

/// Writes what the profile's bundles alone give, whatever else is wrong with the profile.
pub(super) fn dump_bundles(workspace: &Workspace, source: &Source, output: &Output) -> Result<(), u8> {
    let mut diagnostics = Diagnostics::new();
    let loaded = load(&request(workspace, source), &mut diagnostics);
    output.show(&diagnostics)?;
    // Without an error there is a profile.
    output.report(&Document::of_bundles(&loaded.expect("a profile without errors is loaded")))
}
