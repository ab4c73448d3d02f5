//! From a plan to a binary: writes the generated crate, drives cargo, puts the binary where the user finds it.

mod artifact;
mod cargo_run;
mod error;
mod lock;
mod messages;
mod progress;
mod scratch;

pub use error::BuildError;
pub use lock::RunLock;

use std::fs;
use std::path::{Path, PathBuf};

use crate::agent_names::{binary, package};
use crate::console::say;
use crate::emit::{Generated, emit};
use crate::index::{Metadata, Network};
use crate::plan::Plan;
use crate::replace::replace;
use crate::sync::write_generated;
use crate::workspace::Workspace;
use artifact::Destination;

/// The cargo profile of a build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimization {
    /// `dev`: for tests and debuggers.
    Debug,
    /// `release`: small, relinked within seconds.
    #[default]
    Release,
    /// `ship`: the smallest, with link-time optimisation.
    Ship,
}

impl Optimization {
    /// The name of the cargo profile.
    fn cargo_profile(self) -> &'static str {
        match self {
            Self::Debug => "dev",
            Self::Release => "release",
            Self::Ship => "ship",
        }
    }

    /// The folder of finished binaries, below the compiler's own.
    fn folder(self, own: &Path) -> PathBuf {
        match self {
            Self::Debug => own.join("debug"),
            Self::Release => own.to_owned(),
            Self::Ship => own.join("ship"),
        }
    }
}

/// Where the generated crate of a build is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keep {
    /// In `generated/` of the workspace, to be reviewed and committed.
    Generated,
    /// In `generated/` of this folder, with a lock file of its own: the profile lies there, outside of the workspace.
    Beside(PathBuf),
    /// Nowhere: a build with patches is no one else's.
    Scratch,
}

/// How to build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Where the generated crate goes.
    pub keep: Keep,
    /// Which cargo profile.
    pub optimization: Optimization,
    /// What cargo may do.
    pub network: Network,
    /// Where the binary goes instead of `target/dsh/`.
    pub out: Option<PathBuf>,
}

/// Builds a plan and yields the absolute path of its binary. The lock shows that no other run works in the workspace.
///
/// # Errors
/// See [`BuildError`].
pub fn build(
    workspace: &Workspace,
    plan: &Plan,
    metadata: &Metadata,
    options: &BuildOptions,
    _lock: &RunLock,
) -> Result<PathBuf, BuildError> {
    let destination = match &options.out {
        Some(path) => path.clone(),
        None => options.optimization.folder(&workspace.own()).join(binary(&plan.profile)),
    };
    let destination = Destination::prepare(&destination)?;
    let building = Building { workspace, plan, metadata, options };
    let generated = emit(plan);
    let made = match &options.keep {
        Keep::Generated => {
            write_kept(workspace, &workspace.generated(), &generated)?;
            building.cargo(workspace.root(), options.network)?
        }
        Keep::Beside(folder) => building.beside(folder, &generated)?,
        Keep::Scratch => {
            let mirror = scratch::prepare(workspace, &generated, &workspace.lock_file())?;
            building.cargo(mirror.root(), unlocked(options.network))?
        }
    };
    destination.place(&made)
}

/// For a mirror whose lock file has to change, since it does not list the crate yet.
fn unlocked(network: Network) -> Network {
    Network { locked: false, ..network }
}

/// Writes a crate that is kept below `folder`.
fn write_kept(workspace: &Workspace, folder: &Path, generated: &Generated) -> Result<(), BuildError> {
    let folder = folder.join(&generated.profile);
    if write_generated(&folder, &generated.files)? {
        say(format_args!("dsh-build: wrote {}", workspace.relative(&folder)));
    }
    Ok(())
}

struct Building<'a> {
    workspace: &'a Workspace,
    plan: &'a Plan,
    metadata: &'a Metadata,
    options: &'a BuildOptions,
}

impl Building<'_> {
    /// Builds in a mirror that has the lock file of the profile's folder, and keeps what became of it there.
    fn beside(&self, folder: &Path, generated: &Generated) -> Result<PathBuf, BuildError> {
        let own = folder.join("Cargo.lock");
        let (lock_file, network) = match own.is_file() {
            true => (own.clone(), self.options.network),
            false => (self.workspace.lock_file(), unlocked(self.options.network)),
        };
        write_kept(self.workspace, &folder.join("generated"), generated)?;
        let mirror = scratch::prepare(self.workspace, generated, &lock_file)?;
        let made = self.cargo(mirror.root(), network)?;
        let used = mirror.root().join("Cargo.lock");
        if fs::read(&used).unwrap_or_default() != fs::read(&own).unwrap_or_default() {
            replace(&own, |new| fs::copy(&used, new).map(drop)).map_err(BuildError::io(&own))?;
            say(format_args!("dsh-build: wrote {}", self.workspace.relative(&own)));
        }
        Ok(made)
    }

    /// Has cargo build in the workspace at `root`, and yields the path of its binary.
    fn cargo(&self, root: &Path, network: Network) -> Result<PathBuf, BuildError> {
        cargo_run::run(&cargo_run::Order {
            root,
            package: package(&self.plan.profile),
            binary: binary(&self.plan.profile),
            target: self.workspace.own().join("build"),
            cargo_profile: self.options.optimization.cargo_profile(),
            network,
            expected: packages_in(self.plan, self.metadata),
        })
    }
}

/// How many packages the binary is made of, for the progress.
fn packages_in(plan: &Plan, metadata: &Metadata) -> usize {
    let mut seen = vec![false; metadata.packages.len()];
    let named = |name: &str| plan.crates.contains_key(name);
    let mut open: Vec<usize> = (0..seen.len()).filter(|place| named(&metadata.packages[*place].name)).collect();
    while let Some(place) = open.pop() {
        if !std::mem::replace(&mut seen[place], true) {
            open.extend(metadata.packages[place].deps.values());
        }
    }
    // The generated crate itself is one more.
    seen.into_iter().filter(|seen| *seen).count() + 1
}
