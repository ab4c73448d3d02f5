//! Where a generated crate finds the packages that it names.

use std::path::{Component, Path, PathBuf};

use super::metadata::MetadataPackage;
use crate::load::{Crate, CrateSource};
use crate::workspace::Workspace;

/// Where a generated crate finds a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PackageSource {
    /// In a folder of the workspace, relative to its root.
    Workspace(String),
    /// Where the workspace's manifest says.
    Inherited,
    /// In a folder, relative to the profile's unless it is absolute.
    Path(String),
    /// In a repository.
    Git {
        /// Address of the repository.
        url: String,
        /// `rev`, `branch` or `tag` with its value; absent for the repository's default branch.
        reference: Option<(String, String)>,
    },
    /// In the registry that cargo uses where none is named.
    Registry {
        /// Which versions will do.
        version: String,
    },
}

/// What a profile says of crates from outside the workspace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed<'a> {
    /// The profile's folder.
    pub folder: &'a Path,
    /// Its list.
    pub crates: &'a [Crate],
}

impl PackageSource {
    /// Where `package` is found. Without a list everything is found through the workspace.
    pub(super) fn of(package: &MetadataPackage, workspace: &Workspace, listed: Option<Listed<'_>>) -> Self {
        if workspace.has_plugins() && package.is_local() && package.folder().starts_with(workspace.root()) {
            return Self::Workspace(workspace.relative(package.folder()));
        }
        let Some(listed) = listed else { return Self::Inherited };
        match listed.crates.iter().find(|found| found.name.text == package.name) {
            Some(found) => Self::from(&found.source),
            None => match &package.source {
                None => Self::Path(relative(listed.folder, package.folder())),
                Some(source) => Self::of_cargo(source, &package.version),
            },
        }
    }

    /// From a source as cargo identifies it: `git+URL?rev=R#COMMIT`, `registry+URL`, `sparse+URL`.
    fn of_cargo(source: &str, version: &str) -> Self {
        if let Some(git) = source.strip_prefix("git+") {
            let (address, _) = git.split_once('#').unwrap_or((git, ""));
            let (url, query) = address.split_once('?').unwrap_or((address, ""));
            let reference = query.split_once('=').map(|(kind, value)| (kind.to_owned(), decoded(value)));
            return Self::Git { url: url.to_owned(), reference };
        }
        // A profile has no word for another registry. A plugin that a listed crate takes from one is not found in cargo's default, as cargo then
        // says.
        Self::Registry { version: format!("={version}") }
    }
}

impl From<&CrateSource> for PackageSource {
    fn from(source: &CrateSource) -> Self {
        match source {
            CrateSource::Path(path) => Self::Path(path.clone()),
            CrateSource::Git { url, rev } => Self::Git { url: url.clone(), reference: Some(("rev".to_owned(), rev.clone())) },
            CrateSource::Version(version) => Self::Registry { version: version.clone() },
        }
    }
}

/// The way from one folder to another, both absolute, with `/`.
pub(crate) fn relative(from: &Path, to: &Path) -> String {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) = (from.components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[shared..].iter().map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to[shared..].iter().copied()).collect();
    if way.as_os_str().is_empty() { ".".to_owned() } else { way.to_string_lossy().into_owned() }
}

/// A value of a query, in which cargo writes some bytes as `%` and two hexadecimal digits.
fn decoded(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = after.get(..2).and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        match escaped.filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_of_cargo_is_read() {
        let git = |kind: &str, value: &str| Some((kind.to_owned(), value.to_owned()));
        let url = "https://example.org/a".to_owned();
        let cases = [
            ("git+https://example.org/a?rev=abc#abcdef", PackageSource::Git { url: url.clone(), reference: git("rev", "abc") }),
            ("git+https://example.org/a?branch=x%2Fy#abcdef", PackageSource::Git { url: url.clone(), reference: git("branch", "x/y") }),
            ("git+https://example.org/a#abcdef", PackageSource::Git { url, reference: None }),
            ("sparse+https://example.org/index/", PackageSource::Registry { version: "=1.2.3".to_owned() }),
        ];
        for (source, expected) in cases {
            assert_eq!(PackageSource::of_cargo(source, "1.2.3"), expected, "{source}");
        }
    }

    #[test]
    fn a_way_leads_up_and_down() {
        for (from, to, expected) in [("/a/b", "/a/c/d", "../c/d"), ("/a", "/a", "."), ("/a", "/a/b", "b"), ("/a/b", "/c", "../../c")] {
            assert_eq!(relative(Path::new(from), Path::new(to)), expected);
        }
    }
}
