//! Makes new crates and profiles: what a plugin author would otherwise copy from a neighbour. A whole folder appears or none does.

mod manifest;
mod names;
mod profile;

pub(crate) use names::BadName;
pub(crate) use profile::profile;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::index::Metadata;
use crate::workspace::Workspace;
use manifest::Home;

/// Why nothing was made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ScaffoldError {
    /// The name cannot be one.
    #[error(transparent)]
    Name(#[from] BadName),
    /// Something is there.
    #[error("`{path}` is there already", path = .0.display())]
    Taken(PathBuf),
    /// A plugin of the workspace has the name.
    #[error("the workspace has the package `{package}` already, in `{folder}`")]
    TakenPackage {
        /// The package.
        package: String,
        /// Its folder.
        folder: String,
    },
    /// A crate in the workspace lies where the workspace does not look.
    #[error("a plugin of the workspace lies in `plugins/GROUP/NAME`, and `{folder}` is another place inside of it")]
    Misplaced {
        /// Where it would have lain.
        folder: String,
    },
    /// The workspace lacks what every plugin needs.
    #[error("the workspace has no package `{0}`, which a plugin needs")]
    Lacks(&'static str),
    /// A crate that a profile should mount is none.
    #[error("`{folder}` holds no crate: {why}", folder = .folder.display())]
    NoCrate {
        /// The folder.
        folder: PathBuf,
        /// Why.
        why: String,
    },
    /// A path could not be read or written.
    #[error("`{path}`: {source}", path = .path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl ScaffoldError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}

/// What a crate has at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A service and a listener.
    Plugin,
    /// A tool.
    Tool,
}

impl Kind {
    fn library(self) -> &'static str {
        match self {
            Self::Plugin => include_str!("templates/plugin/lib.rs"),
            Self::Tool => include_str!("templates/tool/lib.rs"),
        }
    }

    fn test(self) -> &'static str {
        match self {
            Self::Plugin => include_str!("templates/plugin/test.rs"),
            Self::Tool => include_str!("templates/tool/test.rs"),
        }
    }

    fn readme(self) -> &'static str {
        match self {
            Self::Plugin => include_str!("templates/plugin/README.md"),
            Self::Tool => include_str!("templates/tool/README.md"),
        }
    }
}

/// Makes a plugin crate in the folder `parent` and yields its folder.
pub(crate) fn plugin(kind: Kind, name: &str, parent: &Path, workspace: &Workspace, metadata: &Metadata) -> Result<PathBuf, ScaffoldError> {
    names::check_plugin(name)?;
    let package = format!("dsh-{name}");
    if let Some(taken) = metadata.packages.iter().find(|known| known.member && (known.name == package || known.name == name)) {
        return Err(ScaffoldError::TakenPackage { package: taken.name.clone(), folder: workspace.relative(taken.folder()) });
    }
    let folder = parent.join(name);
    let home = Home::of(&real(&folder), workspace, metadata)?;
    let filled = |template: &str| fill(template, name, &package);
    let mut files = vec![
        ("Cargo.toml".to_owned(), manifest::manifest(kind, name, &home)),
        ("README.md".to_owned(), filled(kind.readme())),
        ("src/lib.rs".to_owned(), filled(kind.library())),
        (format!("tests/{}.rs", name.replace('-', "_")), filled(kind.test())),
    ];
    if !home.is_member() {
        files.push((".gitignore".to_owned(), "/target\n".to_owned()));
        // The versions and the toolchain that the workspace was tested with. Cargo takes out of the lock file what the crate does not need.
        for name in ["Cargo.lock", "rust-toolchain.toml"] {
            let held = fs::read_to_string(workspace.root().join(name));
            files.extend(held.map(|text| (name.to_owned(), text)));
        }
    }
    write(&folder, &files)?;
    Ok(folder)
}

fn fill(template: &str, name: &str, package: &str) -> String {
    let snake = name.replace('-', "_");
    let lib = package.replace('-', "_");
    let pairs = [("{{name}}", name), ("{{snake}}", &snake), ("{{package}}", package), ("{{lib}}", &lib)];
    let filled = template.replace("{{Type}}", &names::type_name(name));
    pairs.iter().fold(filled, |text, (from, to)| text.replace(from, to))
}

/// Writes a whole folder, which must not be there yet.
fn write(folder: &Path, files: &[(String, String)]) -> Result<(), ScaffoldError> {
    if folder.symlink_metadata().is_ok() {
        return Err(ScaffoldError::Taken(folder.to_owned()));
    }
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(ScaffoldError::io(parent))?;
    // Removed with all that is in it unless it becomes the folder.
    let new = tempfile::Builder::new().prefix(".new-").tempdir_in(parent).map_err(ScaffoldError::io(parent))?;
    for (name, text) in files {
        let path = new.path().join(name);
        let inner = path.parent().unwrap_or(new.path());
        fs::create_dir_all(inner).and_then(|()| fs::write(&path, text)).map_err(ScaffoldError::io(&path))?;
    }
    // A temporary folder is closed to others, a folder of sources is not.
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(new.path(), open).map_err(ScaffoldError::io(new.path()))?;
    fs::rename(new.path(), folder).map_err(ScaffoldError::io(folder))?;
    // What it was is gone under its old name.
    let _ = new.keep();
    Ok(())
}

/// A path without symbolic links, as far as it is there.
fn real(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let there = absolute.ancestors().find_map(|folder| Some((folder, folder.canonicalize().ok()?)));
    match there {
        Some((folder, real)) => absolute.strip_prefix(folder).map_or(real.clone(), |rest| real.join(rest)),
        None => absolute,
    }
}
