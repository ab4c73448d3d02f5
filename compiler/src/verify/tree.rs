//! What gates look at: the files of a tree and its packages.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::{GateError, Scope};
use crate::diagnostics::SourceFile;
use crate::index::{Metadata, MetadataPackage};
use crate::workspace::Workspace;

/// A tree: the workspace, or a plugin's folder outside of it.
#[derive(Debug)]
pub struct Tree {
    /// The workspace, or what stands for one.
    pub workspace: Workspace,
    /// The packages, those that are depended on included.
    pub metadata: Metadata,
    /// Text files by path relative to the root, with `/`.
    files: BTreeMap<String, Arc<SourceFile>>,
    /// All paths, those of other files included.
    paths: Vec<String>,
}

impl Tree {
    /// Reads the files of a workspace that version control would keep: what `.gitignore` names, what is hidden and what the compiler
    /// made for itself is left out, the folder `.ci` is not.
    ///
    /// # Errors
    /// When a folder or a file cannot be read.
    pub fn read(workspace: &Workspace, metadata: Metadata) -> Result<Self, GateError> {
        let mut tree = Self { workspace: workspace.clone(), metadata, files: BTreeMap::new(), paths: Vec::new() };
        let (root, own) = (workspace.root(), workspace.own());
        let is_kept = move |entry: &ignore::DirEntry| {
            let name = entry.file_name().to_string_lossy();
            let is_shown = !name.starts_with('.') || name == ".ci" || name == ".gitignore" || entry.depth() == 0;
            is_shown && entry.path() != own
        };
        let walk = ignore::WalkBuilder::new(root).hidden(false).require_git(false).parents(false).filter_entry(is_kept).build();
        for entry in walk {
            let entry = entry.map_err(|error| GateError::Io { path: root.display().to_string(), source: std::io::Error::other(error) })?;
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                tree.add(entry.path())?;
            }
        }
        tree.paths.sort();
        Ok(tree)
    }

    fn add(&mut self, path: &Path) -> Result<(), GateError> {
        let name = relative(self.root(), path);
        let bytes = fs::read(path).map_err(|source| GateError::Io { path: name.clone(), source })?;
        // What is no text holds nothing that a gate reads.
        if let Ok(text) = String::from_utf8(bytes) {
            self.files.insert(name.clone(), SourceFile::new(name.clone(), text));
        }
        self.paths.push(name);
        Ok(())
    }

    /// Its folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.workspace.root()
    }

    /// The gates that speak of it.
    #[must_use]
    pub fn is_in(&self, scope: Scope) -> bool {
        scope == Scope::Plugins || self.workspace.has_plugins()
    }

    /// Whether a file or folder belongs to plugins: in a workspace what lies below `plugins/`, elsewhere everything.
    #[must_use]
    pub fn is_of_plugins(&self, path: &str) -> bool {
        path.starts_with("plugins/") || !self.workspace.has_plugins()
    }

    /// A text file by its path relative to the root.
    #[must_use]
    pub fn file(&self, path: &str) -> Option<&Arc<SourceFile>> {
        self.files.get(path)
    }

    /// Text files whose path ends with `ending`, by path.
    pub fn files_with<'a>(&'a self, ending: &'a str) -> impl Iterator<Item = (&'a str, &'a Arc<SourceFile>)> {
        self.files.iter().map(|(path, file)| (path.as_str(), file)).filter(move |(path, _)| path.ends_with(ending))
    }

    /// Whether a file or a folder is there.
    #[must_use]
    pub fn holds(&self, path: &str) -> bool {
        let at = self.paths.partition_point(|known| known.as_str() < path);
        let is_it = |known: &String| known.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        // Between a folder and what it holds may stand names that go on with a character before `/`.
        path.is_empty() || self.paths[at..].iter().take_while(|known| known.starts_with(path)).any(is_it)
    }

    /// The folder of a package whose manifest lies in the tree.
    #[must_use]
    pub fn folder_of(&self, package: &MetadataPackage) -> Option<String> {
        let folder = package.manifest.parent().filter(|folder| folder.starts_with(self.root()))?;
        Some(relative(self.root(), folder))
    }

    /// The path of a file in a package's folder.
    #[must_use]
    pub fn joined(folder: &str, file: &str) -> String {
        if folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") }
    }

    /// Packages whose manifest lies in the tree, generated ones left out, each with its folder.
    pub fn packages(&self) -> impl Iterator<Item = (&MetadataPackage, String)> {
        self.metadata.packages.iter().filter_map(|package| {
            let folder = self.folder_of(package)?;
            let is_own = package.is_local() && !folder.starts_with("generated/");
            is_own.then_some((package, folder))
        })
    }
}

fn relative(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    inside.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
