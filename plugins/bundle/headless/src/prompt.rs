//! Where the task comes from.

use std::io;
use std::path::{Path, PathBuf};

use dsh_runtime::{CancellationToken, Input};
use tokio::io::{AsyncRead, AsyncReadExt};

/// Longest task, in bytes: more than any model's window holds.
const MOST_BYTES: u64 = 16 << 20;

/// Where the task comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Prompt {
    /// The command line.
    Words(String),
    /// A file.
    File(PathBuf),
    /// Standard input.
    #[default]
    Input,
}

/// Why there is no task.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PromptError {
    #[error("no task is given; write it after `run`, name a file with `--prompt-file`, or pipe it in")]
    Terminal,
    #[error("the task is blank")]
    Blank,
    #[error("the task is longer than {MOST_BYTES} bytes")]
    Long,
    #[error("the task is not UTF-8")]
    NotUnicode,
    #[error("the task cannot be read: {}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("the task cannot be read from standard input: {0}")]
    Input(io::Error),
    #[error("interrupted while the task was read")]
    Interrupted,
}

impl Prompt {
    /// Reads the task. Line ends after it are left away.
    ///
    /// # Errors
    /// See [`PromptError`].
    pub(crate) async fn read(
        self,
        cwd: &Path,
        input: Input,
        input_is_terminal: bool,
        shutdown: &CancellationToken,
    ) -> Result<String, PromptError> {
        let task = match self {
            Self::Words(task) => task,
            Self::Input if input_is_terminal => return Err(PromptError::Terminal),
            Self::Input => text(whole(input, shutdown).await?.map_err(PromptError::Input)?)?,
            Self::File(path) => {
                let path = cwd.join(path);
                let opened = tokio::fs::File::open(&path).await;
                let read = match opened {
                    Ok(file) => whole(file, shutdown).await?,
                    Err(error) => Err(error),
                };
                text(read.map_err(|source| PromptError::File { path, source })?)?
            }
        };
        if task.trim().is_empty() { Err(PromptError::Blank) } else { Ok(task) }
    }
}

/// Reads to the end, or one byte past the limit.
async fn whole(from: impl AsyncRead, shutdown: &CancellationToken) -> Result<io::Result<Vec<u8>>, PromptError> {
    let mut bytes = Vec::new();
    let mut from = std::pin::pin!(from.take(MOST_BYTES + 1));
    tokio::select! {
        biased;
        read = from.read_to_end(&mut bytes) => Ok(read.map(|_| bytes)),
        () = shutdown.cancelled() => Err(PromptError::Interrupted),
    }
}

fn text(bytes: Vec<u8>) -> Result<String, PromptError> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(PromptError::Long);
    }
    let text = String::from_utf8(bytes).map_err(|_| PromptError::NotUnicode)?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}
