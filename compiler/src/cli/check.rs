//! `dsh-build check`.

use super::output::{Output, counted};
use crate::compile::{Compiler, Source};
use crate::diagnostics::Diagnostics;
use crate::index::Network;
use crate::workspace::Workspace;

/// Says what is wrong with a profile. Builds nothing and runs no code of a crate.
pub(super) fn check(workspace: &Workspace, source: &Source, network: Network, output: &Output) -> u8 {
    let mut diagnostics = Diagnostics::new();
    let compiler = Compiler::open(workspace, network, &mut diagnostics);
    let compiled = compiler.compile(source, &mut diagnostics);
    if let Err(status) = output.show(&diagnostics) {
        return status;
    }
    let compiled = compiled.expect("a composition without errors is planned");
    if !output.is_json() {
        let plan = &compiled.plan;
        eprintln!("dsh-build: profile `{}` is right: {}, composition {}", plan.profile, counted(plan.rows.len(), "row"), plan.digest);
    }
    0
}
