//! Why a command failed.

use dsh_fs::{FsError, FsErrorCode};
use dsh_tools::ToolError;

/// A failed command.
#[derive(Debug, thiserror::Error)]
pub enum EditorError {
    /// The arguments do not fit the command or the file.
    #[error("{0}")]
    Usage(String),
    /// A file operation failed.
    #[error(transparent)]
    Fs(#[from] FsError),
}

impl EditorError {
    /// Wrong usage, in words for the model.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::Usage(message.into())
    }

    /// A failure of file operations that the tool itself finds.
    pub fn fs(code: FsErrorCode, message: String) -> Self {
        Self::Fs(FsError::new(code, message))
    }
}

impl From<EditorError> for ToolError {
    fn from(error: EditorError) -> Self {
        match error {
            EditorError::Usage(message) => Self::plain(message),
            EditorError::Fs(error) => Self::coded(FsError::NAME, error.code().as_str(), error.to_string()),
        }
    }
}
