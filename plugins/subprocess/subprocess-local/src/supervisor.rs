//! Owns all trees of a mounted row: waits for leaders, obeys cancellation, and ends everything at teardown.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use dsh_runtime::{CancellationToken, PluginContext};
use dsh_subprocess::{ExitOutcome, ProcessTree, Signal, SpawnError};
use futures_util::future::join_all;
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::children;
use crate::descendants::Looks;
use crate::environment::TREE_VARIABLE;
use crate::local_tree::{LeaderState, LocalTree};
use crate::tree_members::TreeMark;
use crate::watched_process::WatchedProcess;

/// Grace at teardown. With the time for kills and for orphans it stays below the limit of one effect, which is 5 s.
const TEARDOWN_GRACE: Duration = Duration::from_millis(1_500);
/// Longest time that the kill of orphans may take.
const ORPHAN_LIMIT: Duration = Duration::from_secs(1);

/// The trees of one mounted row.
pub struct Supervisor {
    cx: PluginContext,
    live: Mutex<Live>,
    looks: Arc<Looks>,
    started: AtomicBool,
    /// Cancelled at the end of teardown, when nothing is waited for any more.
    stop: CancellationToken,
}

/// The trees that are not gone.
#[derive(Default)]
struct Live {
    trees: BTreeMap<u64, Arc<LocalTree>>,
    /// Teardown has begun: nothing is added any more.
    closed: bool,
}

/// How a started child is looked after.
pub struct Care {
    /// Grace period of its tree.
    pub grace: Duration,
    /// Signals that ask its processes to end.
    pub polite: &'static [Signal],
    /// Terminates the tree when it is cancelled.
    pub cancel: CancellationToken,
}

impl Supervisor {
    /// Nothing started.
    pub fn new(cx: &PluginContext) -> Self {
        Self {
            cx: cx.clone(),
            live: Mutex::default(),
            looks: Arc::default(),
            started: AtomicBool::new(false),
            stop: CancellationToken::new(),
        }
    }

    /// The row's context.
    pub fn context(&self) -> &PluginContext {
        &self.cx
    }

    /// A mark that no other tree has. It starts with that of the tree in which this process itself runs.
    pub fn next_mark(&self) -> String {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        format!("{}{}/", self.marks(), NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// What the marks of all trees of this process start with, and those of no other.
    fn marks(&self) -> String {
        let outer = self.cx.environment().var(TREE_VARIABLE).unwrap_or_default();
        format!("{outer}{}.", std::process::id())
    }

    /// Starts a child and looks after its tree. `drain` gets the child first and returns the tasks that read its output.
    pub fn start(
        self: &Arc<Self>,
        command: &mut Command,
        mark: String,
        care: Care,
        drain: impl FnOnce(&mut Child) -> Vec<JoinHandle<()>>,
    ) -> Result<Arc<LocalTree>, SpawnError> {
        if care.cancel.is_cancelled() {
            return Err(SpawnError::Cancelled);
        }
        self.start_reaping();
        // Held until the tree is on record, so that teardown misses none.
        let mut live = self.live();
        if live.closed {
            return Err(SpawnError::ShuttingDown);
        }
        let program = command.as_std().get_program().to_string_lossy().into_owned();
        let (mut child, pid) = children::start(command).map_err(|source| SpawnError::Refused { program, source })?;
        let drains = drain(&mut child);
        let (report, leader) = watch::channel(LeaderState::default());
        let tree = Arc::new(LocalTree::new(TreeMark { leader: pid, mark }, Arc::clone(&self.looks), care.grace, care.polite, leader));
        let id = live.trees.last_key_value().map_or(1, |(last, _)| last + 1);
        live.trees.insert(id, Arc::clone(&tree));
        self.cx.spawn(wait_for_leader(child, pid, report, drains, care.grace));
        self.cx.spawn(Arc::clone(self).look_after(id, Arc::clone(&tree), care.cancel));
        Ok(tree)
    }

    /// Ends all trees and what else this process has adopted.
    pub async fn dispose(&self) {
        let trees: Vec<Arc<LocalTree>> = {
            let mut live = self.live();
            live.closed = true;
            live.trees.values().cloned().collect()
        };
        let endings = trees.iter().map(|tree| tree.terminate_within(TEARDOWN_GRACE));
        for error in join_all(endings).await.into_iter().filter_map(Result::err) {
            tracing::error!(%error, "teardown");
        }
        if self.started.load(Ordering::SeqCst) && children::last_row_left() {
            kill_adopted(&self.looks).await;
            children::end_watch();
        }
        self.stop.cancel();
    }

    /// Begins to adopt and to reap orphans, at the first child.
    fn start_reaping(self: &Arc<Self>) {
        if self.started.swap(true, Ordering::SeqCst) {
            return;
        }
        children::adopt_orphans(&self.marks());
        let (stop, looks) = (self.stop.clone(), Arc::clone(&self.looks));
        match signal(SignalKind::child()) {
            Ok(mut ended) => {
                self.cx.spawn(async move {
                    loop {
                        tokio::select! {
                            () = stop.cancelled() => return,
                            _ = ended.recv() => {
                                // Whoever waits for a child of this process does so first; then most often none is left.
                                tokio::task::yield_now().await;
                                if children::any_ended() {
                                    children::reap_adopted(&*looks.take().await);
                                }
                            }
                        }
                    }
                });
            }
            Err(error) => tracing::warn!(%error, "adopted orphans are not reaped"),
        }
    }

    /// Keeps a tree on record until it is gone.
    async fn look_after(self: Arc<Self>, id: u64, tree: Arc<LocalTree>, cancel: CancellationToken) {
        tokio::select! {
            () = cancel.cancelled() => {
                if let Err(error) = tree.terminate().await {
                    tracing::error!(%error, "cancelled process");
                }
            }
            () = tree.gone() => {}
            () = self.stop.cancelled() => {}
        }
        self.live().trees.remove(&id);
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for a leader, then for the output that is collected from it, and reports both.
async fn wait_for_leader(mut child: Child, pid: u32, report: watch::Sender<LeaderState>, drains: Vec<JoinHandle<()>>, grace: Duration) {
    let status = child.wait().await;
    children::forget(pid);
    let outcome = status.map_or(ExitOutcome::Killed(Signal::KILL), outcome_of);
    report.send_replace(LeaderState { outcome: Some(outcome), drained: drains.is_empty() });
    if drains.is_empty() {
        return;
    }
    // A process that outlives the leader may hold the pipe; its output is not waited for longer than the grace period.
    let aborts: Vec<_> = drains.iter().map(JoinHandle::abort_handle).collect();
    if tokio::time::timeout(grace, join_all(drains)).await.is_err() {
        aborts.iter().for_each(tokio::task::AbortHandle::abort);
    }
    report.send_replace(LeaderState { outcome: Some(outcome), drained: true });
}

fn outcome_of(status: ExitStatus) -> ExitOutcome {
    match (status.code(), status.signal()) {
        (Some(code), _) => ExitOutcome::Exited(code),
        (None, signal) => ExitOutcome::Killed(signal.map_or(Signal::KILL, Signal::from_number)),
    }
}

/// Kills orphans that carry no tree's mark, which happens when a program clears its environment. They descend from some child
/// of this process, and at the end of the last row no tree is left to which they could belong.
async fn kill_adopted(looks: &Arc<Looks>) {
    let all_killed = async {
        loop {
            let all = looks.take().await;
            let living: Vec<_> = all.adopted.values().map(|(entry, _)| *entry).filter(|entry| !entry.ended).collect();
            if living.is_empty() {
                return;
            }
            let watched = WatchedProcess::hold_all(&living);
            watched.iter().for_each(|process| process.signal(Signal::KILL));
            for process in &watched {
                process.ended().await;
            }
        }
    };
    if tokio::time::timeout(ORPHAN_LIMIT, all_killed).await.is_err() {
        tracing::error!("an adopted process could not be killed");
    }
    children::reap_adopted(&*looks.take().await);
}
