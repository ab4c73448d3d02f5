//! Failures of file operations, each with the code under which it is recorded.

use std::fmt;

/// What kind of failure it is; the codes appear in tool results and in the session log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FsErrorCode {
    /// Nothing is there, the path is blank, or a parent is not a directory.
    NotFound,
    /// A directory was expected.
    NotDirectory,
    /// The content is binary or not UTF-8.
    NotText,
    /// A regular file was expected.
    NotRegularFile,
    /// More bytes than the caller or the provider allows.
    TooLarge,
    /// The operating system refused access.
    PermissionDenied,
    /// The sandbox policy refused a mutation.
    SandboxDenied,
    /// Any other failure of the operating system.
    IoError,
    /// The file changed or vanished since it was read.
    StaleVersion,
    /// A file would be changed that was not read before.
    NotObserved,
    /// The text to replace occurs more than once.
    AmbiguousEdit,
    /// The text to replace does not occur.
    EditNotFound,
    /// The operation was cancelled before it took effect.
    Aborted,
}

impl FsErrorCode {
    /// The code's spelling in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "FS_NOT_FOUND",
            Self::NotDirectory => "FS_NOT_DIRECTORY",
            Self::NotText => "FS_NOT_TEXT",
            Self::NotRegularFile => "FS_NOT_REGULAR_FILE",
            Self::TooLarge => "FS_TOO_LARGE",
            Self::PermissionDenied => "FS_PERMISSION_DENIED",
            Self::SandboxDenied => "FS_SANDBOX_DENIED",
            Self::IoError => "FS_IO_ERROR",
            Self::StaleVersion => "FS_STALE_VERSION",
            Self::NotObserved => "FS_NOT_OBSERVED",
            Self::AmbiguousEdit => "FS_AMBIGUOUS_EDIT",
            Self::EditNotFound => "FS_EDIT_NOT_FOUND",
            Self::Aborted => "FS_ABORTED",
        }
    }
}

impl fmt::Display for FsErrorCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// A failed file operation: its code, and words that name the path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FsError {
    code: FsErrorCode,
    message: String,
}

impl FsError {
    /// Name of the error's class in tool results.
    pub const NAME: &'static str = "FsError";

    /// A failure in words.
    pub fn new(code: FsErrorCode, message: impl fmt::Display) -> Self {
        Self { code, message: message.to_string() }
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> FsErrorCode {
        self.code
    }
}
