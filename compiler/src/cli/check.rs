//! `dsh-build check`.

use super::compiled::compile;
use super::output::{Output, counted};
use super::search::Search;
use crate::compile::Source;
use crate::console::say;
use crate::index::Network;

/// Says what is wrong with a profile. Builds nothing and runs no code of a crate.
pub(super) fn check(search: &Search, source: Source, network: Network, output: &Output) -> Result<(), u8> {
    let plan = compile(search, source, network, output)?.plan;
    if !output.is_json() {
        let rows = counted(plan.rows.len(), "row");
        say(format_args!("dsh-build: profile `{}` is right: {rows}, composition {}", plan.profile, plan.digest));
    }
    Ok(())
}
