//! `dsh-build dump`, also called `show`, and the flags of the same meaning.

use super::compiled::compile;
use super::output::Output;
use super::search::Search;
use crate::ask::Document;
use crate::compile::{Compiler, Source};
use crate::diagnostics::Diagnostics;
use crate::index::Network;

/// Writes the rows of a profile as a patch list that says where each came from.
pub(super) fn dump(search: &Search, source: Source, network: Network, output: &Output) -> Result<(), u8> {
    let compiled = compile(search, source, network, output)?;
    output.report(&Document::new(&compiled.composed()))
}

/// Writes what the profile's bundles alone give, whatever else is wrong with the profile.
pub(super) fn dump_bundles(search: &Search, source: Source, network: Network, output: &Output) -> Result<(), u8> {
    let mut diagnostics = Diagnostics::new();
    let (workspace, source) = search.of(source)?;
    let loaded = Compiler::new(&workspace, network).load(&source, &mut diagnostics);
    output.show(&diagnostics)?;
    // Without an error there is a profile.
    output.report(&Document::of_bundles(&loaded.expect("a profile without errors is loaded")))
}
