//! `dsh-build plan`.

use super::FAULT;
use super::output::Output;
use crate::compile::{Compiler, Source};
use crate::diagnostics::Diagnostics;
use crate::index::Network;
use crate::plan::Report;
use crate::workspace::Workspace;

/// Shows the plan of a profile on standard output, as JSON in one line after the problems. Builds nothing and runs no code of a
/// crate.
pub(super) fn plan(workspace: &Workspace, source: &Source, network: Network, output: &Output) -> u8 {
    let mut diagnostics = Diagnostics::new();
    let compiler = Compiler::open(workspace, network, &mut diagnostics);
    let compiled = compiler.compile(source, &mut diagnostics);
    if let Err(status) = output.show(&diagnostics) {
        return status;
    }
    let report = Report::new(&compiled.expect("a composition without errors is planned").plan);
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
