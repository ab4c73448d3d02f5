//! `dsh-build demo`.

use super::build::compile_and_build;
use super::output::Output;
use super::search::Search;
use super::{REFUSED, USAGE};
use crate::build::Optimization;
use crate::compile::Source;
use crate::console::say;
use crate::demo::{Verdict, run};
use crate::index::Network;

/// The profile that has a scripted model.
const PROFILE: &str = "demo";

/// Builds the profile `demo`, lets it mend a small program and says whether it did.
pub(super) fn demo(search: &Search, network: Network, output: &Output) -> Result<(), u8> {
    let source = Source::of(PROFILE);
    let binary = compile_and_build(search, source, Optimization::Release, None, network, output)?;
    let script = search.workspace()?.profiles().join(PROFILE).join("script.yml");
    let text = std::fs::read_to_string(&script).map_err(|error| {
        say(format_args!("error: `{}` cannot be read: {error}", script.display()));
        USAGE
    })?;
    let verdict = run(&binary, &text).map_err(|error| {
        say(format_args!("error: the demonstration cannot run: {error}"));
        USAGE
    })?;
    output.answer(&format!("{}\nlog: {}\n", words(&verdict), verdict.sessions.display()))?;
    if verdict.is_success() { Ok(()) } else { Err(REFUSED) }
}

fn words(verdict: &Verdict) -> &'static str {
    match (verdict.failed_before, verdict.completed, verdict.passes_after) {
        (true, true, true) => "verdict: the test failed before, the agent mended the program, the test passes now",
        (true, false, true) => "verdict: the test passes now, but the agent did not complete its task",
        (true, _, false) => "verdict: the test still fails",
        (false, _, _) => "verdict: the test passed before the agent did anything, so this shows nothing",
    }
}
