//! The catalogs for which a profile's binary must be asked what it is.

use std::path::Path;
use std::process::Command;

use dsh_declare::digest::{combine, fnv1a};

use super::USAGE;
use super::output::said;
use crate::build::{BuildError, BuildOptions, Keep, Optimization, RunLock, build};
use crate::catalog::Described;
use crate::compile::Compiled;
use crate::console::say;
use crate::index::Network;
use crate::inventory::Inventory;
use crate::kept;
use crate::workspace::Workspace;

/// Changes whenever the question or the form of its answer does.
const FORM: u64 = 1;

/// A harness home that is nowhere: the answer must not depend on who asks.
const NO_HOME: &str = "/nonexistent/dsh-home";

/// A profile whose catalogs are made.
pub(super) struct Describing<'a> {
    pub workspace: &'a Workspace,
    pub compiled: &'a Compiled,
    pub inventory: &'a Inventory,
}

impl Describing<'_> {
    /// What the catalogs have, when that was made from the same sources and the same composition.
    ///
    /// # Errors
    /// The exit status, when a source cannot be read.
    pub(super) fn current(&self) -> Result<Option<Described>, u8> {
        let Some(kept) = kept::described(self.workspace, self.compiled) else { return Ok(None) };
        let is_current = !Described::must_be_asked(&self.compiled.plan) || kept.inputs == self.inputs()?;
        Ok(is_current.then_some(kept))
    }

    /// Builds the binary for tests and asks it.
    ///
    /// # Errors
    /// The exit status, when it cannot be built or started.
    pub(super) fn build_and_ask(&self, network: Network, lock: &RunLock) -> Result<Described, u8> {
        let Compiled { plan, declarations, elsewhere, .. } = self.compiled;
        say(format_args!("dsh-build: asks `{}` what it is", plan.profile));
        let options = BuildOptions {
            keep: elsewhere.clone().map_or(Keep::Generated, Keep::Beside),
            crates_of: self.compiled.crates_folder(),
            optimization: Optimization::Debug,
            // Of what kind the file is changes nothing that is asked.
            is_static: false,
            network,
            out: None,
        };
        // What changes while it is built was not asked.
        let inputs = self.inputs()?;
        let binary = build(self.workspace, plan, &declarations.metadata, &options, lock).map_err(said)?;
        ask(&binary, inputs)
    }

    /// Asks a binary of the profile.
    ///
    /// # Errors
    /// The exit status, when it cannot be started.
    pub(super) fn ask(&self, binary: &Path) -> Result<Described, u8> {
        ask(binary, self.inputs()?)
    }

    /// Digest of all that the answer may depend on: the composition and the sources.
    fn inputs(&self) -> Result<String, u8> {
        let sources = self.inventory.source_digest().map_err(|(folder, source)| said(BuildError::Io { path: folder, source }))?;
        Ok(format!("{:016x}", combine(&[FORM, fnv1a(self.compiled.plan.digest.as_bytes()), sources])))
    }
}

fn ask(binary: &Path, inputs: String) -> Result<Described, u8> {
    let mut command = Command::new(binary);
    command.arg("--self-describe").current_dir("/").env_clear().env("DSH_HOME", NO_HOME);
    let output = command.output().map_err(BuildError::io(binary)).map_err(said)?;
    if !output.status.success() {
        return Ok(Described::unknown(inputs, String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Described::of_answer(inputs, &output.stdout).map_err(|error| {
        say(format_args!("error: `{} --self-describe` wrote what cannot be read: {error}", binary.display()));
        USAGE
    })
}
