//! The workspace that the compiler works in, and the names of the folders in it.

use std::path::{Component, Path, PathBuf};

/// A cargo workspace that holds `profiles/` and `plugins/`, or the folder of a profile or of plugins that needs none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    root: PathBuf,
    kind: Kind,
}

/// Whose folder it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// That of the profiles and plugins in it.
    Shared,
    /// That of one profile, which names the runtime and all its plugins under `crates`.
    OfProfile,
    /// That of plugins which belong to no workspace with profiles.
    OfPlugins,
}

/// Why there is no workspace to work in.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceError {
    /// No folder above the start is one.
    #[error("`{start}` lies in no workspace: no folder above it holds `Cargo.toml`, `profiles/` and `plugins/`", start = start.display())]
    NotFound {
        /// Where the search began.
        start: PathBuf,
    },
    /// The named folder is none.
    #[error("`{folder}` is no workspace: it lacks `{lacks}`", folder = folder.display())]
    NotAWorkspace {
        /// The folder.
        folder: PathBuf,
        /// The first thing that is missing.
        lacks: &'static str,
    },
    /// The named folder of a plugin is none.
    #[error("`{folder}` holds no crate: it lacks `Cargo.toml`", folder = folder.display())]
    NoCrate {
        /// The folder.
        folder: PathBuf,
    },
    /// The named folder cannot be reached.
    #[error("`{folder}` cannot be opened: {source}", folder = folder.display())]
    Unreachable {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Workspace {
    /// The workspace at a folder that the user named.
    ///
    /// # Errors
    /// When the folder does not exist or holds no workspace.
    pub fn at(folder: &Path) -> Result<Self, WorkspaceError> {
        let root = folder.canonicalize().map_err(|source| WorkspaceError::Unreachable { folder: folder.to_owned(), source })?;
        match lacks(&root) {
            None => Ok(Self { root, kind: Kind::Shared }),
            Some(lacks) => Err(WorkspaceError::NotAWorkspace { folder: folder.to_owned(), lacks }),
        }
    }

    /// The nearest workspace at or above `start`.
    ///
    /// # Errors
    /// When there is none.
    pub fn above(start: &Path) -> Result<Self, WorkspaceError> {
        let real = start.canonicalize().map_err(|source| WorkspaceError::Unreachable { folder: start.to_owned(), source })?;
        let found = real.ancestors().find(|folder| lacks(folder).is_none());
        found.map(|root| Self { root: root.to_owned(), kind: Kind::Shared }).ok_or_else(|| WorkspaceError::NotFound { start: real.clone() })
    }

    /// The folder of a profile that names the runtime and all its plugins: it stands for a workspace that has nothing else.
    ///
    /// # Errors
    /// When the folder cannot be reached.
    pub fn of_profile(folder: &Path) -> Result<Self, WorkspaceError> {
        let root = folder.canonicalize().map_err(|source| WorkspaceError::Unreachable { folder: folder.to_owned(), source })?;
        Ok(Self { root, kind: Kind::OfProfile })
    }

    /// The folder of a plugin, or of a cargo workspace of plugins, outside of every workspace with profiles.
    ///
    /// # Errors
    /// When the folder cannot be reached, or holds no manifest.
    pub fn of_plugins(folder: &Path) -> Result<Self, WorkspaceError> {
        let root = folder.canonicalize().map_err(|source| WorkspaceError::Unreachable { folder: folder.to_owned(), source })?;
        match root.join("Cargo.toml").is_file() {
            true => Ok(Self { root, kind: Kind::OfPlugins }),
            false => Err(WorkspaceError::NoCrate { folder: folder.to_owned() }),
        }
    }

    /// Whether it has plugins that profiles name without listing crates.
    #[must_use]
    pub fn has_plugins(&self) -> bool {
        self.kind == Kind::Shared
    }

    /// Its root, absolute and without symbolic links.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where profiles are looked for.
    #[must_use]
    pub fn profiles(&self) -> PathBuf {
        self.root.join("profiles")
    }

    /// The lock file, which need not be there yet.
    #[must_use]
    pub fn lock_file(&self) -> PathBuf {
        self.root.join("Cargo.lock")
    }

    /// Where generated crates are kept.
    #[must_use]
    pub fn generated(&self) -> PathBuf {
        self.root.join("generated")
    }

    /// The folder that belongs to the compiler: caches, cargo's output, scratch workspaces, binaries.
    #[must_use]
    pub fn own(&self) -> PathBuf {
        self.root.join("target").join("dsh")
    }

    /// A path as people and generated files see it: relative to the root where it lies inside, with `/`.
    #[must_use]
    pub fn relative(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.root).unwrap_or(path);
        let mut parts = Vec::new();
        for part in inside.components() {
            match part {
                Component::RootDir => parts.push(String::new()),
                other => parts.push(other.as_os_str().to_string_lossy().into_owned()),
            }
        }
        parts.join("/")
    }
}

fn lacks(folder: &Path) -> Option<&'static str> {
    let wanted = [("Cargo.toml", false), ("profiles", true), ("plugins", true)];
    wanted.into_iter().find_map(|(name, is_folder)| {
        let path = folder.join(name);
        let found = if is_folder { path.is_dir() } else { path.is_file() };
        (!found).then_some(name)
    })
}
