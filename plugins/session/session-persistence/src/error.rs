//! What can be wrong with stored sessions.

use std::io;
use std::path::PathBuf;

use dsh_message::SessionId;
use dsh_session::SeedError;

/// Why a stored session is not available.
#[derive(Debug, thiserror::Error)]
pub enum PersistenceError {
    /// Nothing is stored under the id.
    #[error("session \"{0}\" not found")]
    NotFound(SessionId),
    /// Somebody writes it now: this process or another.
    #[error("session \"{id}\" is already owned by an active write handle{}: {}", of_process(*.writer), path.display())]
    InUse {
        /// The session.
        id: SessionId,
        /// What its writer holds.
        path: PathBuf,
        /// Number of the process that writes it, where the system tells.
        writer: Option<u32>,
    },
    /// What was loaded is no log.
    #[error("session \"{id}\" cannot be taken up: {source}")]
    Seed {
        /// The session.
        id: SessionId,
        /// What is wrong with it.
        source: SeedError,
    },
    /// It was written in a form that this version does not read. It is not damaged.
    #[error("session \"{id}\" cannot be read by this version: {reason}: {}", path.display())]
    Unsupported {
        /// The session.
        id: SessionId,
        /// What is unsupported: found and supported version, an unknown type of event, a compression.
        reason: String,
        /// The log.
        path: PathBuf,
    },
    /// It is damaged in a way that no crash of its writer explains.
    #[error("the stored log of session \"{id}\" is corrupt: {reason}: {}", path.display())]
    Corrupt {
        /// The session.
        id: SessionId,
        /// Which rule is broken where.
        reason: String,
        /// The log.
        path: PathBuf,
    },
    /// A file outside the store is no log that can be read.
    #[error("the log {} cannot be read: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Which rule is broken where, or what is unsupported.
        reason: String,
    },
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// What it was about.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
}

fn of_process(writer: Option<u32>) -> String {
    writer.map(|process| format!(" of process {process}")).unwrap_or_default()
}
