//! `dsh-build plan`.

use super::FAULT;
use super::compiled::compile;
use super::output::Output;
use crate::compile::Source;
use crate::index::Network;
use crate::plan::Report;
use crate::workspace::Workspace;

/// Shows the plan of a profile on standard output, as JSON in one line after the problems. Builds nothing and runs no code of a
/// crate.
pub(super) fn plan(workspace: &Workspace, source: &Source, network: Network, output: &Output) -> u8 {
    let report = match compile(workspace, source, network, output) {
        Ok((_, compiled)) => Report::new(&compiled.plan),
        Err(status) => return status,
    };
    if !output.is_json() {
        print!("{report}");
        return 0;
    }
    match serde_json::to_string(&report) {
        Ok(text) => println!("{text}"),
        Err(error) => {
            eprintln!("dsh-build: the plan cannot be written as JSON: {error}");
            return FAULT;
        }
    }
    0
}
