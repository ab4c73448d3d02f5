//! From a plan to a binary: writes the generated crate, drives cargo, puts the binary where the user finds it.

mod artifact;
mod cargo_run;
mod lock;
mod messages;
mod progress;
mod scratch;

pub use lock::RunLock;

use std::path::{Path, PathBuf};

use crate::emit::{self, Generated};
use crate::index::{Metadata, Network};
use crate::plan::Plan;
use crate::sync::write_generated;
use crate::workspace::Workspace;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// In `generated/`, to be reviewed and committed.
    Generated,
    /// In a scratch workspace: a build with patches, or of a profile that the workspace does not ship, is no one else's.
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

/// Why there is no binary.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file or folder could not be read or written.
    #[error("`{path}`: {source}", path = path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Cargo did not start or could not be followed.
    #[error("cargo cannot be run: {0}")]
    Start(std::io::Error),
    /// The composition was found right and cargo failed all the same; what it said was shown as it came.
    #[error("cargo failed ({0}) although the composition was found right; what it said stands above")]
    Cargo(std::process::ExitStatus),
    /// Cargo succeeded and named no binary.
    #[error("cargo made no binary `{0}`")]
    NoBinary(String),
    /// The user interrupted the build; cargo and what it started have ended.
    #[error("interrupted")]
    Interrupted {
        /// Number of the signal.
        signal: u8,
    },
}

impl BuildError {
    /// Wraps an IO error with its path.
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    /// The exit status of a run that this ended.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Io { .. } | Self::Start(_) => 2,
            Self::Cargo(_) | Self::NoBinary(_) => 101,
            Self::Interrupted { signal } => 128 + signal,
        }
    }
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
    let generated = emit::emit(plan);
    let root = place_crate(workspace, &generated, options)?;
    let order = cargo_run::Order {
        root: &root,
        package: emit::package(&plan.profile),
        binary: emit::binary(&plan.profile),
        target: workspace.own().join("build"),
        cargo_profile: options.optimization.cargo_profile(),
        network: Network { locked: options.network.locked && options.keep == Keep::Generated, ..options.network },
        expected: packages_in(plan, metadata),
    };
    let made = cargo_run::run(&order)?;
    let destination = match &options.out {
        Some(path) => path.clone(),
        None => options.optimization.folder(&workspace.own()).join(emit::binary(&plan.profile)),
    };
    artifact::place(&made, &destination)
}

/// Writes the generated crate and yields the root of the workspace to build in.
fn place_crate(workspace: &Workspace, generated: &Generated, options: &BuildOptions) -> Result<PathBuf, BuildError> {
    match options.keep {
        Keep::Generated => {
            let folder = workspace.generated().join(&generated.profile);
            if write_generated(&folder, generated)? {
                eprintln!("dsh-build: wrote {}", workspace.relative(&folder));
            }
            Ok(workspace.root().to_owned())
        }
        Keep::Scratch => scratch::prepare(workspace, generated),
    }
}

/// How many packages the binary is made of, for the progress.
fn packages_in(plan: &Plan, metadata: &Metadata) -> usize {
    let mut seen = vec![false; metadata.packages.len()];
    let named = |name: &str| plan.crates.contains_key(name) || name == "dsh-runtime";
    let mut open: Vec<usize> = (0..seen.len()).filter(|place| named(&metadata.packages[*place].name)).collect();
    while let Some(place) = open.pop() {
        if !std::mem::replace(&mut seen[place], true) {
            open.extend(metadata.packages[place].deps.values());
        }
    }
    // The generated crate itself is one more.
    seen.into_iter().filter(|seen| *seen).count() + 1
}
