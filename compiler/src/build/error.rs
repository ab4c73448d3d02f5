//! Why there is no binary, and what exit status that gives.

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
            Self::Io { .. } | Self::Destination { .. } | Self::Start(_) => 2,
            Self::Cargo(_) | Self::NoBinary(_) => 101,
            Self::Interrupted { signal } => 128 + signal,
        }
    }
}
