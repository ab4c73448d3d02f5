//! `dsh-build check`.

use super::compiled::compile;
use super::output::{Output, counted};
use crate::compile::Source;
use crate::index::Network;
use crate::workspace::Workspace;

/// Says what is wrong with a profile. Builds nothing and runs no code of a crate.
pub(super) fn check(workspace: &Workspace, source: &Source, network: Network, output: &Output) -> u8 {
    let plan = match compile(workspace, source, network, output) {
        Ok((_, compiled)) => compiled.plan,
        Err(status) => return status,
    };
    if !output.is_json() {
        eprintln!("dsh-build: profile `{}` is right: {}, composition {}", plan.profile, counted(plan.rows.len(), "row"), plan.digest);
    }
    0
}
