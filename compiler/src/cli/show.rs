//! `dsh-build show`.

use super::compiled::compile;
use super::output::Output;
use super::search::Search;
use crate::ask::Document;
use crate::compile::Source;
use crate::index::Network;

/// Writes the rows of a profile as a patch list that says where each came from.
pub(super) fn show(search: &Search, source: Source, network: Network, output: &Output) -> Result<(), u8> {
    let compiled = compile(search, source, network, output)?;
    output.report(&Document::new(&compiled.composed()))
}
