//! `dsh-build plan`.

use super::FAULT;
use super::compiled::compile;
use super::output::Output;
use crate::compile::Source;
use crate::console::say;
use crate::index::Network;
use crate::plan::Report;
use crate::workspace::Workspace;

/// Shows the plan of a profile on standard output, as JSON in one line after the problems. Builds nothing and runs no code of a
/// crate.
pub(super) fn plan(workspace: &Workspace, source: &Source, network: Network, output: &Output) -> Result<(), u8> {
    let report = Report::new(&compile(workspace, source, network, output)?.1.plan);
    if !output.is_json() {
        return output.answer(&report.to_string());
    }
    let text = serde_json::to_string(&report).map_err(|error| {
        say(format_args!("dsh-build: the plan cannot be written as JSON: {error}"));
        FAULT
    })?;
    output.answer(&(text + "\n"))
}
