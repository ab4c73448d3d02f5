//! Where a run keeps what outlives its process: a folder with the record of its start, and its verdict once it has ended.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dsh_json::JsString;
use dsh_message::{MessageId, SessionId, TokenUsage};
use dsh_runtime::Timestamp;
use dsh_sandbox_policy::SandboxMode;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::arguments::Place;
use crate::outcome::Outcome;

/// Version of both files' members.
const VERSION: u32 = 1;
const BEGUN: &str = "run.json";
const ENDED: &str = "verdict.json";
const LOCK: &str = "run.lock";

/// What a run is from its start on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Begun {
    version: u32,
    pub(crate) session_id: SessionId,
    /// Id of the message that brings the task.
    pub(crate) message_id: MessageId,
    pub(crate) task: String,
    pub(crate) started_at: Timestamp,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ended {
    pub(crate) version: u32,
    pub(crate) run_id: String,
    pub(crate) task_id: String,
    pub(crate) outcome: Outcome,
    /// Exit status.
    pub(crate) exit: u8,
    /// Why, in words; null where all went well.
    pub(crate) reason: Option<String>,
    pub(crate) answer: Option<JsString>,
    pub(crate) session_id: SessionId,
    /// Null where nothing was logged.
    pub(crate) log_path: Option<PathBuf>,
    pub(crate) steps: u64,
    pub(crate) usage: TokenUsage,
    pub(crate) total_tokens: u64,
    pub(crate) started_at: Timestamp,
    pub(crate) ended_at: Timestamp,
    /// How far the effects of tools on files reached at the end; null in a composition without a policy.
    pub(crate) sandbox: Option<SandboxMode>,
    /// Null outside of a binary.
    pub(crate) composition: Option<Composition>,
}

/// What ran.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Composition {
    pub(crate) profile: String,
    pub(crate) version: String,
    pub(crate) digest: String,
}

/// Why a folder of a run cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FolderError {
    #[error("the folder of the run cannot be used: {}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("the run is under way in another process: {}", .0.display())]
    InUse(PathBuf),
    #[error("the file was not written by this version: {}: {source}", path.display())]
    Form { path: PathBuf, source: serde_json::Error },
}

/// The folder of a run, kept for this process as long as it is held.
pub(crate) struct RunFolder {
    place: Place,
    path: PathBuf,
    _lock: File,
}

impl Begun {
    /// A run that begins now.
    pub(crate) fn new(session_id: SessionId, message_id: MessageId, task: String, started_at: Timestamp) -> Self {
        Self { version: VERSION, session_id, message_id, task, started_at }
    }
}

impl RunFolder {
    /// Makes the folder, or takes up what is there.
    ///
    /// # Errors
    /// When another process holds it, or the system refuses.
    pub(crate) fn open(cwd: &Path, place: Place) -> Result<Self, FolderError> {
        let path = cwd.join(&place.out).join(&place.run_id).join(&place.task_id);
        fs::create_dir_all(&path).map_err(|source| FolderError::Io { path: path.clone(), source })?;
        let lock = path.join(LOCK);
        let file = File::create(&lock).map_err(|source| FolderError::Io { path: lock.clone(), source })?;
        #[cfg(feature = "failpoints")]
        dsh_failpoints::reach("run.lock/made");
        match file.try_lock() {
            Ok(()) => Ok(Self { place, path, _lock: file }),
            Err(TryLockError::WouldBlock) => Err(FolderError::InUse(path)),
            Err(TryLockError::Error(source)) => Err(FolderError::Io { path: lock, source }),
        }
    }

    /// What the outcome is kept under.
    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// The record of the start, if the run began before.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn begun(&self) -> Result<Option<Begun>, FolderError> {
        read(&self.path.join(BEGUN))
    }

    /// The verdict, if there is one.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn ended(&self) -> Result<Option<Ended>, FolderError> {
        read(&self.path.join(ENDED))
    }

    /// Records the start.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn begin(&self, begun: &Begun) -> Result<(), FolderError> {
        self.write(BEGUN, begun)
    }

    /// Writes the verdict. It is on disk, whole, when this returns.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn end(&self, ended: &Ended) -> Result<(), FolderError> {
        self.write(ENDED, ended)
    }

    fn write<T: Serialize>(&self, name: &str, value: &T) -> Result<(), FolderError> {
        let (path, unfinished) = (self.path.join(name), self.path.join(format!("{name}.unfinished")));
        let write = || {
            let text = dsh_json::to_text(value).map_err(io::Error::other)? + "\n";
            let mut file = File::create(&unfinished)?;
            #[cfg(feature = "failpoints")]
            dsh_failpoints::tear(&format!("{name}/text"), text.as_bytes(), &mut file);
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            #[cfg(feature = "failpoints")]
            dsh_failpoints::reach(&format!("{name}/written"));
            fs::rename(&unfinished, &path)?;
            #[cfg(feature = "failpoints")]
            dsh_failpoints::reach(&format!("{name}/named"));
            // The name is durable only with its folder.
            File::open(&self.path)?.sync_all()
        };
        write().map_err(|source| FolderError::Io { path: path.clone(), source })
    }
}

impl Ended {
    /// Version of the members that this program writes.
    pub(crate) const VERSION: u32 = VERSION;
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, FolderError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(FolderError::Io { path: path.to_owned(), source }),
    };
    serde_json::from_str(&text).map(Some).map_err(|source| FolderError::Form { path: path.to_owned(), source })
}
