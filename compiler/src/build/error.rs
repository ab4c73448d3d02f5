//! Why there is no binary, and what exit status that gives.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
    /// A binary cannot be put where it was asked for.
    #[error("the binary cannot be put at `{path}`: {why}", path = path.display())]
    Destination {
        /// Where.
        path: PathBuf,
        /// What is in the way.
        why: &'static str,
    },
    /// Cargo did not start or could not be followed.
    #[error("cargo cannot be run: {0}")]
    Start(std::io::Error),
    /// The composition was found right and cargo failed all the same; what it said was shown as it came.
    #[error("cargo failed ({0}) although the composition was found right; what it said stands above")]
    Cargo(std::process::ExitStatus),
    /// Packages do not compile; what the compiler said was shown as it came.
    #[error("these packages do not compile: {}", .0.iter().map(String::as_str).collect::<Vec<_>>().join(", "))]
    Packages(BTreeSet<String>),
    /// Cargo may not fetch or write what it has to.
    #[error("cargo was kept from what it had to do ({0}); what it said stands above")]
    Hindered(std::process::ExitStatus),
    /// The machine lacks what a static binary is linked with.
    #[error(
        "a static binary cannot be linked here ({0}); what the linker said stands above\n\
         help: install the C library in its static form: it comes with `libc6-dev` on Debian, `glibc-static` on Fedora"
    )]
    NoStaticLibrary(std::process::ExitStatus),
    /// A lock file cannot be brought up to date.
    #[error("`{path}` cannot be brought up to date: {why}", path = path.display())]
    Lock {
        /// Which.
        path: PathBuf,
        /// What cargo said.
        why: String,
    },
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
            Self::Packages(_) => 1,
            Self::Io { .. }
            | Self::Destination { .. }
            | Self::Start(_)
            | Self::Hindered(_)
            | Self::NoStaticLibrary(_)
            | Self::Lock { .. } => 2,
            Self::Cargo(_) | Self::NoBinary(_) => 101,
            Self::Interrupted { signal } => 128 + signal,
        }
    }
}
