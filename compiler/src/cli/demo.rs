//! `dsh-build demo`.

use std::path::PathBuf;

use super::build::compile_and_build;
use super::output::Output;
use super::{REFUSED, USAGE};
use crate::build::Optimization;
use crate::compile::Source;
use crate::demo::{Verdict, run};
use crate::index::Network;
use crate::workspace::Workspace;

/// The profile that has a scripted model.
const PROFILE: &str = "demo";

/// Builds the profile `demo`, lets it mend a small program and says whether it did.
pub(super) fn demo(workspace: &Workspace, network: Network, output: &Output) -> u8 {
    let source = Source { profile: PROFILE.to_owned(), patches: Vec::new() };
    let binary: PathBuf = match compile_and_build(workspace, &source, Optimization::Release, None, network, output) {
        Ok(binary) => binary,
        Err(status) => return status,
    };
    let script = workspace.profiles().join(PROFILE).join("script.yml");
    let script = match std::fs::read_to_string(&script) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("error: `{}` cannot be read: {error}", script.display());
            return USAGE;
        }
    };
    match run(&binary, &script) {
        Ok(verdict) => {
            println!("{}", words(&verdict));
            println!("log: {}", verdict.sessions.display());
            if verdict.is_success() { 0 } else { REFUSED }
        }
        Err(error) => {
            eprintln!("error: the demonstration cannot run: {error}");
            USAGE
        }
    }
}

fn words(verdict: &Verdict) -> &'static str {
    match (verdict.failed_before, verdict.completed, verdict.passes_after) {
        (true, true, true) => "verdict: the test failed before, the agent mended the program, the test passes now",
        (true, false, true) => "verdict: the test passes now, but the agent did not complete its task",
        (true, _, false) => "verdict: the test still fails",
        (false, _, _) => "verdict: the test passed before the agent did anything, so this shows nothing",
    }
}
