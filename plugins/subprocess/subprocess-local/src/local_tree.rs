//! One process tree of this machine.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use dsh_runtime::BoxFuture;
use dsh_subprocess::{CleanupError, ExitOutcome, ProcessId, ProcessTree, Signal};
use rustix::process::Pid;
use tokio::sync::watch;

use crate::descendants::Looks;
use crate::proc_table::ProcessEntry;
use crate::tree_members::{Look, TreeMark};
use crate::watched_process::WatchedProcess;

/// Longest time that killed processes may take to be gone. The kernel needs microseconds; one that hangs in a device needs for ever.
const KILL_LIMIT: Duration = Duration::from_secs(2);
/// Pause before the next look where there is nothing to wait for.
const LOOK_AGAIN: Duration = Duration::from_millis(1);
/// Looks that found nothing alive, after which the tree is taken for gone although strangers come and go too fast to be sure.
const EMPTY_LOOKS: u32 = 10;

/// What the supervisor's task tells of the leader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeaderState {
    /// How it ended.
    pub outcome: Option<ExitOutcome>,
    /// Whether collected output has been read to its end too.
    pub drained: bool,
}

/// A leader and all that came from it.
pub struct LocalTree {
    mark: TreeMark,
    looks: Arc<Looks>,
    grace: Duration,
    polite: &'static [Signal],
    leader: watch::Receiver<LeaderState>,
}

impl LocalTree {
    /// A tree whose processes are asked to end with the signals `polite`.
    pub fn new(
        mark: TreeMark,
        looks: Arc<Looks>,
        grace: Duration,
        polite: &'static [Signal],
        leader: watch::Receiver<LeaderState>,
    ) -> Self {
        Self { mark, looks, grace, polite, leader }
    }

    /// Ends the tree with another grace period than its own.
    pub async fn terminate_within(&self, grace: Duration) -> Result<(), CleanupError> {
        if tokio::time::timeout(grace, self.ask_to_end()).await.is_ok() || tokio::time::timeout(KILL_LIMIT, self.kill()).await.is_ok() {
            return Ok(());
        }
        let survivors: Vec<ProcessId> = self.look().await.living.iter().map(|entry| ProcessId(entry.pid)).collect();
        if survivors.is_empty() { Ok(()) } else { Err(CleanupError { survivors }) }
    }

    /// Asks each process of the tree once and waits until none is left.
    async fn ask_to_end(&self) {
        let mut asked = BTreeSet::new();
        self.until_gone(|_, living| {
            for process in living.iter().filter(|process| asked.insert((process.entry.pid, process.entry.started))) {
                self.polite.iter().for_each(|signal| process.signal(*signal));
            }
        })
        .await;
    }

    /// Kills until none is left: a process that is started while others are killed is found by the next look.
    async fn kill(&self) {
        self.until_gone(|entries, living| {
            // The leader's group as one, so that none of it can start another in between; while one of it lives the number is its.
            let group = entries.iter().find(|entry| entry.group == self.mark.leader && entry.session == self.mark.leader);
            if let Some(group) = group.and_then(|entry| i32::try_from(entry.group).ok()).and_then(Pid::from_raw) {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            living.iter().for_each(|process| process.signal(Signal::KILL));
        })
        .await;
    }

    async fn look(&self) -> Look {
        self.mark.find(&*self.looks.take().await)
    }

    /// Runs `act` on the processes that are found and on those of them that are held, waits for their end, and looks again, until
    /// none is found.
    async fn until_gone(&self, mut act: impl FnMut(&[ProcessEntry], &[WatchedProcess])) {
        let mut before = None;
        let mut empty_looks = 0;
        loop {
            let look = self.look().await;
            let watched = WatchedProcess::hold_all(&look.living);
            act(&look.living, &watched);
            for process in &watched {
                process.ended().await;
            }
            if look.living.is_empty() {
                empty_looks += 1;
                if empty_looks == EMPTY_LOOKS || before.is_some_and(|before| look.confirms(&before)) {
                    break;
                }
            }
            if watched.is_empty() {
                tokio::time::sleep(LOOK_AGAIN).await;
            }
            before = Some(look);
        }
        self.leader_state(|state| state.outcome.is_some()).await;
    }

    /// Waits for a state of the leader. The supervisor's task always reports the end; if it is gone the last report stands.
    async fn leader_state(&self, reached: impl Fn(&LeaderState) -> bool) -> LeaderState {
        let mut leader = self.leader.clone();
        let seen = leader.wait_for(|state| reached(state)).await.map(|state| *state);
        seen.unwrap_or_else(|_| *self.leader.borrow())
    }
}

impl ProcessTree for LocalTree {
    fn leader(&self) -> ProcessId {
        ProcessId(self.mark.leader)
    }

    fn exited(&self) -> BoxFuture<'_, ExitOutcome> {
        Box::pin(async {
            // Without a report the task that waits was cut off, which happens only when the runtime itself ends.
            self.leader_state(|state| state.outcome.is_some() && state.drained).await.outcome.unwrap_or(ExitOutcome::Killed(Signal::KILL))
        })
    }

    fn outcome(&self) -> Option<ExitOutcome> {
        self.leader.borrow().outcome
    }

    fn gone(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            // Looks cost, and none of them could find the tree gone before.
            self.leader_state(|state| state.outcome.is_some()).await;
            self.until_gone(|_, _| {}).await;
        })
    }

    fn terminate(&self) -> BoxFuture<'_, Result<(), CleanupError>> {
        Box::pin(self.terminate_within(self.grace))
    }
}
