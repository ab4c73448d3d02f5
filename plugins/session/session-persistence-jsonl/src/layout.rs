//! Where a session's log lies: `<root>/<project>/<segment>/session.jsonl`, or `session.jsonl.zstd`.

use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use dsh_session::SessionHeader;

use crate::config::Compression;

/// Longest escaped working directory inside a project's name; with `--` on both sides it stays a file name of 255 bytes.
const PROJECT_UNITS: usize = 251;
/// Longest file name of the file systems in use.
const FILE_NAME_BYTES: usize = 255;

/// Why an id has no place in the store.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SegmentError {
    #[error("a session id must not be empty")]
    Empty,
    #[error("the session id is too long: its directory's name would have {0} bytes, and {FILE_NAME_BYTES} is the most")]
    TooLong(usize),
}

/// A log that lies in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) path: PathBuf,
    pub(crate) compression: Compression,
}

/// The store's directory.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    root: PathBuf,
    compression: Compression,
}

impl Layout {
    /// A store at an absolute path, whose logs are encoded alike.
    pub(crate) fn new(root: PathBuf, compression: Compression) -> Self {
        Self { root, compression }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The encoding that is written and read.
    pub(crate) fn compression(&self) -> Compression {
        self.compression
    }

    /// Why a log that was found is not read, when it has the other encoding; and how it is read.
    pub(crate) fn foreign(&self, stored: &Stored) -> Option<&'static str> {
        match (stored.compression, self.compression) {
            (Compression::Zstd, Compression::None) => {
                Some("the log is compressed, and the store is not; with `compression: zstd` on the store's row it can be read")
            }
            (Compression::None, Compression::Zstd) => {
                Some("the log is plain text, and the store is compressed; with `compression: none` on the store's row it can be read")
            }
            _ => None,
        }
    }

    /// The log of a session.
    pub(crate) fn log(&self, header: &SessionHeader) -> Result<PathBuf, SegmentError> {
        Ok(self.root.join(project(header.cwd.as_deref())).join(segment(&header.id.0)?).join(log_name(self.compression)))
    }

    /// Every log that lies under an id: none or one, unless the same id was used in two projects.
    pub(crate) fn find(&self, id: &str) -> io::Result<Vec<Stored>> {
        let Ok(segment) = segment(id) else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for project in children(&self.root)? {
            found.extend(logs(&project.join(&segment)));
        }
        found.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(found)
    }

    /// Every log.
    pub(crate) fn all(&self) -> io::Result<Vec<Stored>> {
        let mut found = Vec::new();
        for project in children(&self.root)? {
            match children(&project) {
                Ok(sessions) => found.extend(sessions.iter().flat_map(|session| logs(session))),
                Err(error) => tracing::warn!(path = %project.display(), %error, "a directory of the session store cannot be read"),
            }
        }
        found.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(found)
    }
}

fn log_name(compression: Compression) -> &'static str {
    match compression {
        Compression::None => "session.jsonl",
        Compression::Zstd => "session.jsonl.zstd",
    }
}

fn logs(session: &Path) -> impl Iterator<Item = Stored> + use<> {
    let all = [Compression::None, Compression::Zstd];
    let session = session.to_owned();
    let logs = all.into_iter().map(move |compression| Stored { path: session.join(log_name(compression)), compression });
    logs.filter(|stored| stored.path.is_file())
}

/// What lies in a directory; nothing when it does not exist, or is no directory.
fn children(directory: &Path) -> io::Result<Vec<PathBuf>> {
    match std::fs::read_dir(directory) {
        Ok(entries) => entries.map(|entry| entry.map(|entry| entry.path())).collect(),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Name of the directory for the sessions of a working directory. Different directories may share one.
pub(crate) fn project(cwd: Option<&str>) -> String {
    let Some(cwd) = cwd else { return "_no-cwd".to_owned() };
    let escaped = escape(cwd, Separators::Fold);
    let mut name = escaped.trim_start_matches('-').to_owned();
    // Escaped text is ASCII, so bytes are units.
    name.truncate(PROJECT_UNITS);
    if name.is_empty() {
        name.push_str("root");
    }
    format!("--{name}--")
}

/// Name of the directory of a session. Different ids have different ones.
pub(crate) fn segment(id: &str) -> Result<String, SegmentError> {
    let name = match id {
        "" => return Err(SegmentError::Empty),
        // As they stand these would be the directory itself and its parent.
        "." | ".." => id.replace('.', "~002E"),
        _ => escape(id, Separators::Escape),
    };
    if name.len() > FILE_NAME_BYTES { Err(SegmentError::TooLong(name.len())) } else { Ok(name) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Separators {
    /// A run of them becomes one dash.
    Fold,
    /// Each is escaped like any other character.
    Escape,
}

fn escape(text: &str, separators: Separators) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_run = false;
    for unit in text.encode_utf16() {
        let ascii = u8::try_from(unit).ok();
        let folded = separators == Separators::Fold && matches!(ascii, Some(b'/' | b'\\' | b':'));
        match ascii {
            _ if folded && in_run => {}
            _ if folded => out.push('-'),
            Some(byte) if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-') => out.push(char::from(byte)),
            // Writing to a string does not fail.
            _ => drop(write!(out, "~{unit:04X}")),
        }
        in_run = folded;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{SegmentError, project, segment};

    #[test]
    fn projects_fold_separators_and_escape_the_rest() {
        for (cwd, name) in [
            ("/", "--root--"),
            ("/home/ana/my proj", "--home-ana-my~0020proj--"),
            ("/srv/a/b/", "--srv-a-b---"),
            (r"C:\work\x", "--C-work-x--"),
            ("/a//b", "--a-b--"),
            ("/a/b", "--a-b--"),
            ("/-x~", "--x~007E--"),
            ("", "--root--"),
        ] {
            assert_eq!(project(Some(cwd)), name, "{cwd}");
        }
        assert_eq!(project(None), "_no-cwd");
    }

    #[test]
    fn a_long_working_directory_is_cut_to_a_file_name() {
        let name = project(Some(&format!("/{}", "é".repeat(200))));
        assert_eq!(name.len(), 255);
        assert!(name.starts_with("--~00E9~00E9") && name.ends_with("~--"), "{name}");
    }

    #[test]
    fn segments_are_escaped_without_loss() {
        for (id, name) in [
            ("a/b", "a~002Fb"),
            ("s:1", "s~003A1"),
            ("😀", "~D83D~DE00"),
            ("..", "~002E~002E"),
            (".", "~002E"),
            ("../x", "..~002Fx"),
            ("a~002Fb", "a~007E002Fb"),
            ("-a.b_C9", "-a.b_C9"),
        ] {
            assert_eq!(segment(id).unwrap(), name, "{id}");
        }
    }

    #[test]
    fn ids_without_a_file_name_are_refused() {
        assert_eq!(segment(""), Err(SegmentError::Empty));
        assert_eq!(segment(&"x".repeat(256)), Err(SegmentError::TooLong(256)));
        assert!(segment(&"x".repeat(255)).is_ok());
    }
}
