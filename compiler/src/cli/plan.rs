//! `dsh-build plan`.

use super::compiled::compile;
use super::output::Output;
use crate::compile::Source;
use crate::index::Network;
use crate::plan::Report;
use crate::workspace::Workspace;

/// Shows the plan of a profile on standard output, as JSON in one line after the problems. Builds nothing and runs no code of a
/// crate.
pub(super) fn plan(workspace: &Workspace, source: &Source, network: Network, output: &Output) -> Result<(), u8> {
    output.report(&Report::new(&compile(workspace, source, network, output)?.1.plan))
}
