//! What changed in a folder since a revision, new files included, as a patch that `git apply` takes.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use dsh_runtime::CancellationToken;
use dsh_subprocess::Subprocess;

use crate::git::{Git, GitError};

/// Attributes under which git writes every file's difference in its binary form, which is ASCII.
const ALL_BINARY: &str = "* -diff\n";

/// Why there is no patch.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PatchError {
    #[error(transparent)]
    Git(#[from] GitError),
    #[error("{} is in no git repository, so there is nothing to compare it with: {source}", folder.display())]
    NoRepository { folder: PathBuf, source: GitError },
    #[error("`{base}` is no revision of the repository of {}: {source}", folder.display())]
    NoBase { base: String, folder: PathBuf, source: GitError },
    #[error("no folder for temporary files can be used: {0}")]
    Temporary(#[source] io::Error),
}

/// What is compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workspace<'a> {
    /// The folder, in a repository.
    pub(crate) folder: &'a Path,
    /// A folder that is left out where it lies inside.
    pub(crate) except: Option<&'a Path>,
    /// Where temporary files go.
    pub(crate) temporary: &'a Path,
}

/// The patch that leads from a revision to the folder as it is. Paths in it are relative to the root of the repository. Neither the
/// folder nor its repository is changed.
///
/// # Errors
/// When there is no git, no repository, no such revision, or git fails.
pub(crate) async fn since(
    subprocess: &dyn Subprocess,
    workspace: Workspace<'_>,
    base: &str,
    cancel: CancellationToken,
) -> Result<String, PatchError> {
    let folder = workspace.folder;
    let git = Git::new(subprocess, folder, cancel)?;
    let place = Repository::of(&git, folder).await?;
    let revision = format!("{base}^{{commit}}");
    let resolved = git.run(&words(["rev-parse", "--verify", "--quiet", "--end-of-options", &revision])).await;
    let commit = resolved.map_err(|source| PatchError::NoBase { base: base.to_owned(), folder: folder.to_owned(), source })?;
    let commit = line(&commit);
    let own = tempfile::Builder::new().prefix("dsh-export-").tempdir_in(workspace.temporary).map_err(PatchError::Temporary)?;
    git.run(&[&words(["init", "--quiet", "--bare", "--template="])[..], &[own.path().as_os_str()]].concat()).await?;
    let git = git.with(own.path(), &place.root, &place.excludes);
    let given = |name: &str, text: &[u8]| {
        let path = own.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(own.path()))
            .and_then(|()| std::fs::write(path, text))
            .map_err(PatchError::Temporary)
    };
    given("objects/info/alternates", &[place.objects.as_os_str().as_bytes(), b"\n"].concat())?;
    git.run(&[OsStr::new("read-tree"), &commit]).await?;
    let left_out = workspace.except.and_then(|except| left_out(&place.root, except));
    let inside = || [Some(OsStr::new("--")), Some(OsStr::new(".")), left_out.as_deref()].into_iter().flatten();
    let add: Vec<&OsStr> = words(["add", "--all"]).into_iter().chain(inside()).collect();
    git.run(&add).await?;
    let options = ["diff-index", "--cached", "--binary", "--patch", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color"];
    let difference: Vec<&OsStr> = words(options).into_iter().chain([&*commit]).chain(inside()).collect();
    match String::from_utf8(git.run(&difference).await?) {
        Ok(patch) => Ok(patch),
        Err(_) => {
            given("info/attributes", ALL_BINARY.as_bytes())?;
            Ok(String::from_utf8_lossy(&git.run(&difference).await?).into_owned())
        }
    }
}

/// Where a repository has what is needed of it.
struct Repository {
    /// Root of its files.
    root: PathBuf,
    objects: PathBuf,
    /// Names files that are ignored on this machine alone.
    excludes: PathBuf,
}

impl Repository {
    async fn of(git: &Git<'_>, folder: &Path) -> Result<Self, PatchError> {
        let asked = words(["rev-parse", "--show-toplevel", "--git-path", "objects", "--git-path", "info/exclude"]);
        let told = git.run(&asked).await.map_err(|source| match source {
            GitError::Failed { .. } => PatchError::NoRepository { folder: folder.to_owned(), source },
            other => PatchError::Git(other),
        })?;
        let mut lines = told.split(|byte| *byte == b'\n').map(|line| folder.join(OsStr::from_bytes(line)));
        // Each word was answered with a line; a path may be relative to the folder.
        let mut next = || lines.next().unwrap_or_default();
        Ok(Self { root: next(), objects: next(), excludes: next() })
    }
}

/// The words of a command that are known here.
fn words<const N: usize>(words: [&str; N]) -> Vec<&OsStr> {
    words.map(OsStr::new).into()
}

/// The one line that git wrote.
fn line(written: &[u8]) -> OsString {
    OsString::from_vec(written.trim_ascii_end().to_vec())
}

/// The word that leaves a folder out, for one below the root.
fn left_out(root: &Path, folder: &Path) -> Option<OsString> {
    // Git names the root by its real path.
    let folder = folder.canonicalize().ok()?;
    let inside = folder.strip_prefix(root).ok().filter(|inside| !inside.as_os_str().is_empty())?;
    let mut word = OsString::from(":(exclude,top,literal)");
    word.push(inside);
    Some(word)
}
