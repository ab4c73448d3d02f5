//! From a plan to a binary: writes the generated crate, drives cargo, puts the binary where the user finds it.

mod artifact;
mod before;
mod cargo_run;
mod error;
mod lock;
mod lock_beside;
mod messages;
mod progress;
pub(crate) mod rules;
mod scratch;
mod signals;
mod standing;
mod toolchain;

pub use error::BuildError;
pub use lock::RunLock;
pub(crate) use lock_beside::{lock_beside, stale_lock_beside};

use std::any::Any;
use std::path::{Path, PathBuf};

use crate::agent_names::{binary, package};
use crate::console::say;
use crate::emit::{Form, emit};
use crate::index::{Metadata, Network};
use crate::inventory::Inventory;
use crate::plan::Plan;
use crate::sync::write_generated;
use crate::workspace::Workspace;
use artifact::Destination;
use before::Before;
use lock_beside::keep_lock_file;
pub(crate) use signals::Signals;
use standing::Standing;
use toolchain::Toolchain;

/// The variable by which a binary knows the cargo profile that it is built with.
pub(crate) const CARGO_PROFILE: &str = "DSH_CARGO_PROFILE";

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
    /// Nowhere: a composition that patches or flags change is no one else's.
    Scratch,
}

/// How to build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Where the generated crate goes.
    pub keep: Keep,
    /// The profile's folder, when it lists crates from outside the workspace.
    pub crates_of: Option<PathBuf>,
    /// Which cargo profile.
    pub optimization: Optimization,
    /// Whether the binary needs no shared library.
    pub is_static: bool,
    /// What cargo may do.
    pub network: Network,
    /// Where the binary goes instead of `target/dsh/`.
    pub out: Option<PathBuf>,
}

/// Builds a plan and yields the absolute path of its binary. The lock shows that no other run works in the workspace. A build that
/// fails or is interrupted leaves generated files, lock files and the binary as they were.
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
    let inventory = Inventory::of_profile(plan, metadata, workspace);
    let mut building = Building { workspace, plan, inventory, options, signals: Signals::catch()? };
    let made = match &options.keep {
        Keep::Generated => building.in_place()?,
        Keep::Beside(folder) => building.beside(folder)?,
        Keep::Scratch => {
            let (root, _held) = building.scratch(&workspace.lock_file())?;
            building.cargo(&root, unlocked(options.network))?
        }
    };
    destination.place(&made)
}

/// The form of the generated crate that is kept for a profile of a workspace.
pub(crate) fn kept_form(workspace: &Workspace) -> Form<'static> {
    if workspace.has_plugins() { Form::Member } else { Form::Standing }
}

/// For a scratch workspace whose lock file has to change, since it does not list the crate yet.
fn unlocked(network: Network) -> Network {
    Network { locked: false, ..network }
}

struct Building<'a> {
    workspace: &'a Workspace,
    plan: &'a Plan,
    inventory: Inventory,
    options: &'a BuildOptions,
    signals: Signals,
}

impl Building<'_> {
    /// Builds in the workspace. What was written for it is taken back when that fails.
    fn in_place(&mut self) -> Result<PathBuf, BuildError> {
        let generated = emit(self.plan, &self.inventory, kept_form(self.workspace));
        let folder = self.workspace.generated().join(&generated.profile);
        let before = Before::of(&folder, &self.workspace.lock_file())?;
        let made = write_generated(&folder, &generated.files).and_then(|wrote| {
            let made = self.cargo(self.workspace.root(), self.options.network)?;
            if wrote {
                say(format_args!("dsh-build: wrote {}", self.workspace.relative(&folder)));
            }
            Ok(made)
        });
        if made.is_err() {
            before.restore()?;
        }
        made
    }

    /// Builds in a scratch workspace that has the lock file of the profile's folder, and keeps what became of it there.
    fn beside(&mut self, folder: &Path) -> Result<PathBuf, BuildError> {
        let own = folder.join("Cargo.lock");
        let (lock_file, network) = match own.is_file() {
            true => (own.clone(), self.options.network),
            false => (self.workspace.lock_file(), unlocked(self.options.network)),
        };
        let (root, _held) = self.scratch(&lock_file)?;
        let made = self.cargo(&root, network)?;
        let generated = emit(self.plan, &self.inventory, kept_form(self.workspace));
        let kept = folder.join("generated").join(&generated.profile);
        if write_generated(&kept, &generated.files)? {
            say(format_args!("dsh-build: wrote {}", self.workspace.relative(&kept)));
        }
        if keep_lock_file(&root, &own)? {
            say(format_args!("dsh-build: wrote {}", self.workspace.relative(&own)));
        }
        Ok(made)
    }

    /// A scratch workspace with the generated crate, whose lock file starts as a copy of `lock_file`: its root, and what holds it for
    /// this process.
    fn scratch(&self, lock_file: &Path) -> Result<(PathBuf, Box<dyn Any>), BuildError> {
        match &self.options.crates_of {
            Some(profile) => {
                let standing = Standing::prepare(self.workspace, self.plan, &self.inventory, profile, lock_file)?;
                Ok((standing.root().to_owned(), Box::new(standing)))
            }
            None => {
                let mirror = scratch::prepare(self.workspace, &emit(self.plan, &self.inventory, Form::Member), lock_file)?;
                Ok((mirror.root().to_owned(), Box::new(mirror)))
            }
        }
    }

    /// Has cargo build in the workspace at `root`, and yields the path of its binary.
    fn cargo(&mut self, root: &Path, network: Network) -> Result<PathBuf, BuildError> {
        let order = cargo_run::Order {
            root,
            package: package(&self.plan.profile),
            binary: binary(&self.plan.profile),
            target: self.workspace.own().join("build"),
            cargo_profile: self.options.optimization.cargo_profile(),
            toolchain: Toolchain::of(self.options, self.workspace.root()),
            network,
            // The generated crate is one more, and so are the macros.
            expected: self.inventory.components.len() + 1,
        };
        cargo_run::run(&order, &mut self.signals)
    }
}
