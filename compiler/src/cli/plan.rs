//! `dsh-build plan`.

use super::compiled::compile;
use super::output::Output;
use super::search::Search;
use crate::compile::Source;
use crate::index::Network;
use crate::plan::Report;

/// Shows the plan of a profile on standard output, as JSON in one line after the problems. Builds nothing and runs no code of a
/// crate.
pub(super) fn plan(search: &Search, source: Source, network: Network, output: &Output) -> Result<(), u8> {
    output.report(&Report::new(&compile(search, source, network, output)?.plan))
}
