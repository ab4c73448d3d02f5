//! A temporary directory with a mounted provider over it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_fs::{
    EditRequest, Edited, Fs, FsError, FsErrorCode, FsTarget, ResolveRequest, Version, WriteIntent, WriteRequest, WriteScope, Written,
};
use dsh_fs_local::{Config, FsLocal};
use dsh_runtime::{CancellationToken, NoInject, PluginContext, Surroundings, mount};

pub struct World {
    dir: tempfile::TempDir,
    pub fs: Arc<FsLocal>,
}

impl World {
    pub async fn new() -> Self {
        Self::with_basis(10_485_760).await
    }

    pub async fn with_basis(diff_basis_max_bytes: u64) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let config = Config { cwd: Some(dir.path().to_owned()), diff_basis_max_bytes };
        let cx = PluginContext::new("fs-local", 0, Surroundings::of_process());
        let fs = mount::<FsLocal>(cx, config, NoInject {}).await.unwrap().plugin();
        Self { dir, fs }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    /// The directory's real path.
    pub fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    pub fn put(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    pub fn content(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Names in the directory, sorted: nothing may be left over.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.root()).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub async fn resolve(&self, path: impl AsRef<Path>) -> Result<FsTarget, FsError> {
        self.fs.resolve(ResolveRequest { path: path.as_ref().to_owned(), cwd: None }, token()).await
    }

    pub async fn target(&self, name: &str) -> FsTarget {
        self.resolve(name).await.unwrap()
    }

    pub async fn version(&self, name: &str) -> Version {
        let target = self.target(name).await;
        self.fs.stat(target, token()).await.unwrap().unwrap().version
    }

    pub async fn text(&self, name: &str) -> Result<String, FsError> {
        self.fs.read_text(self.target(name).await, 1_000_000, token()).await
    }

    pub async fn write(&self, name: &str, content: &str, intent: Option<WriteIntent>) -> Result<Written, FsError> {
        self.write_in(name, content, intent, WriteScope::Unconfined).await
    }

    pub async fn write_in(&self, name: &str, content: &str, intent: Option<WriteIntent>, scope: WriteScope) -> Result<Written, FsError> {
        let target = self.target(name).await;
        self.fs.write_text(WriteRequest { target, content: content.to_owned(), intent, scope }, token()).await
    }

    pub async fn edit(&self, name: &str, old: &str, new: &str) -> Result<Edited, FsError> {
        self.fs.edit_text(self.edit_request(name, old, new).await, token()).await
    }

    pub async fn edit_request(&self, name: &str, old: &str, new: &str) -> EditRequest {
        EditRequest {
            target: self.target(name).await,
            old_text: old.to_owned(),
            new_text: new.to_owned(),
            replace_all: false,
            guard: None,
            scope: WriteScope::Unconfined,
        }
    }
}

pub fn token() -> CancellationToken {
    CancellationToken::new()
}

/// The code of a failure.
pub fn code<T: std::fmt::Debug>(outcome: Result<T, FsError>) -> FsErrorCode {
    outcome.unwrap_err().code()
}
