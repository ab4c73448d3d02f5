//! Serves the files of this machine.
//!
//! File calls block, so each operation runs on the pool of blocking threads, in a task that the row owns: teardown waits for
//! a write that has begun. Reads and writes look at the cancellation token between their parts.

mod config;
mod edit;
mod failure;
mod fence;
mod list;
mod lock;
mod metadata;
mod newline;
mod path;
mod publish;
mod read;
mod write;

pub use config::Config;

use std::path::PathBuf;

use dsh_fs::{
    DirEntry, EditRequest, Edited, FileStat, Fs, FsError, FsErrorCode, FsTarget, ResolveRequest, TargetKey, WriteRequest, Written,
};
use dsh_runtime::{CancellationToken, MountError, PluginContext, implements, plugin};
use tokio::sync::OwnedMutexGuard;

use failure::check_cancelled;
use lock::LockTable;

/// Provider of `fs` for the files of this machine.
pub struct FsLocal {
    cx: PluginContext,
    cwd: PathBuf,
    diff_basis_max_bytes: u64,
    locks: LockTable,
}

#[plugin(
    provides(dyn Fs),
    platforms("linux"),
    writes("PATH" = "a file that a tool changes for the model; what is to become of it is written beside it first")
)]
impl FsLocal {
    /// Takes the base of relative paths from the config, else from the process.
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {
        let process = cx.environment().cwd();
        let cwd = config.cwd.map_or_else(|| process.to_owned(), |cwd| path::absolute(&cwd, process));
        Ok(Self { cx: cx.clone(), cwd, diff_basis_max_bytes: config.diff_basis_max_bytes, locks: LockTable::default() })
    }

    /// Runs a file operation on a blocking thread. It runs to its end even if the caller stops waiting; the token stops it early.
    async fn blocking<T: Send + 'static>(
        &self,
        cancel: CancellationToken,
        operation: impl FnOnce(&CancellationToken) -> Result<T, FsError> + Send + 'static,
    ) -> Result<T, FsError> {
        let guarded = move || check_cancelled(&cancel).and_then(|()| operation(&cancel));
        let task = self.cx.spawn(async move { tokio::task::spawn_blocking(guarded).await });
        match task.await.flatten() {
            Ok(outcome) => outcome,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => Err(FsError::new(FsErrorCode::Aborted, "the process is ending")),
        }
    }

    /// Waits for the file's turn: mutations of one file run one after the other in the order in which they were asked for.
    async fn turn(&self, key: &TargetKey, cancel: &CancellationToken) -> Result<OwnedMutexGuard<()>, FsError> {
        let lock = self.locks.of(key);
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(failure::aborted()),
            turn = lock.lock_owned() => Ok(turn),
        }
    }
}

#[implements]
impl Fs for FsLocal {
    async fn resolve(&self, request: ResolveRequest, cancel: CancellationToken) -> Result<FsTarget, FsError> {
        let base = request.cwd.map_or_else(|| self.cwd.clone(), |cwd| path::absolute(&cwd, &self.cwd));
        self.blocking(cancel, move |_| path::resolve(&request.path, &base)).await
    }

    async fn stat(&self, target: FsTarget, cancel: CancellationToken) -> Result<Option<FileStat>, FsError> {
        self.blocking(cancel, move |_| Ok(metadata::of(&target)?.as_ref().map(metadata::stat))).await
    }

    async fn read_text(&self, target: FsTarget, max_bytes: u64, cancel: CancellationToken) -> Result<String, FsError> {
        self.blocking(cancel, move |cancel| read::text(target.target_key.as_path(), &target.display_path, max_bytes, cancel)).await
    }

    async fn read_bytes(&self, target: FsTarget, max_bytes: u64, cancel: CancellationToken) -> Result<Vec<u8>, FsError> {
        self.blocking(cancel, move |cancel| read::bytes(target.target_key.as_path(), &target.display_path, max_bytes, cancel)).await
    }

    async fn write_text(&self, request: WriteRequest, cancel: CancellationToken) -> Result<Written, FsError> {
        let turn = self.turn(&request.target.target_key, &cancel).await?;
        let (staging_id, basis_max) = (self.cx.ids().uuid(), self.diff_basis_max_bytes);
        self.blocking(cancel, move |cancel| {
            let _held = turn;
            write::write_text(&request, basis_max, &staging_id, cancel)
        })
        .await
    }

    async fn edit_text(&self, request: EditRequest, cancel: CancellationToken) -> Result<Edited, FsError> {
        let turn = self.turn(&request.target.target_key, &cancel).await?;
        let staging_id = self.cx.ids().uuid();
        self.blocking(cancel, move |cancel| {
            let _held = turn;
            edit::edit_text(&request, &staging_id, cancel)
        })
        .await
    }

    async fn list_dir(&self, target: FsTarget, cancel: CancellationToken) -> Result<Vec<DirEntry>, FsError> {
        self.blocking(cancel, move |cancel| list::list_dir(&target, cancel)).await
    }
}
