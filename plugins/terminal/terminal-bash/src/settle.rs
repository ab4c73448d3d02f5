//! When a session that was typed to has settled.

use std::time::Duration;

use dsh_subprocess::{Foreground, InputWait, ProcessId, TerminalProcess};
use dsh_terminal::{Position, SessionStatus, WaitReason};
use tokio::time::Instant;

use crate::config::Config;
use crate::pump::{Printed, Progress};

/// What held before something was typed.
pub struct Before {
    end: Position,
    printed: u64,
    marks: u64,
    /// Whether the session was at its prompt and nothing is typed, so that it still waits there.
    stays_at_prompt: bool,
    group: Option<ProcessId>,
}

impl Before {
    /// Looks at a session to which `typed` will be typed.
    pub fn look(printed: &Printed, process: &dyn TerminalProcess, typed: &str) -> Self {
        let so_far = printed.progress().borrow().printed;
        let model = printed.model();
        let group = process.inspect_foreground().ok().map(|found| found.process_group);
        let stays_at_prompt = typed.is_empty() && model.at_prompt();
        Self { end: model.end(), printed: so_far, marks: model.marks(), stays_at_prompt, group }
    }

    /// Where the text that follows begins.
    pub fn end(&self) -> Position {
        self.end
    }

    /// Whether something has happened since.
    fn differs(&self, now: &Foreground, printed: u64) -> bool {
        printed > self.printed || self.group != Some(now.process_group)
    }
}

/// Looks at the foreground, more and more rarely while a session is silent: the system announces nothing.
struct Probes {
    next: Duration,
    pause: Duration,
    /// Whether the foreground was seen not to wait for input since something was typed.
    was_busy: bool,
}

/// Waits until the session seems to wait for input, is silent, has ended, or the time is over. It wakes on output and on the end.
pub async fn settle(config: &Config, printed: &Printed, process: &dyn TerminalProcess, before: Before) -> WaitReason {
    let deadline = Instant::now() + Duration::from_millis(config.timeout_ms);
    let [poll, first_probe] = [config.poll_interval_ms, config.exact_probe_after_ms].map(Duration::from_millis);
    let mut progress = printed.progress();
    let mut seen = *progress.borrow_and_update();
    let mut quiet_since = Instant::now();
    let mut probes = Probes { next: first_probe, pause: poll, was_busy: false };
    loop {
        if matches!(seen.status, SessionStatus::Exited(_)) {
            return WaitReason::SessionExit;
        }
        let quiet = quiet_since.elapsed();
        let (prompted, marked) = prompt(printed, &before, &seen);
        if prompted && quiet >= poll && owns_foreground(process) {
            return WaitReason::StdinRead;
        }
        if quiet >= probes.next && probes.prove(process, &before, seen.printed) {
            return WaitReason::StdinRead;
        }
        let idle = Duration::from_millis(config.idle_silence_ms + if marked { config.handoff_grace_ms } else { 0 });
        if quiet >= idle {
            return WaitReason::InferredIdle;
        }
        if Instant::now() >= deadline {
            return WaitReason::Timeout;
        }
        let first_look = if prompted && quiet < poll { poll } else { idle };
        let wake = (quiet_since + first_look.min(probes.next).min(idle)).min(deadline);
        tokio::select! {
            // The sender lives in `printed`, so this fails never.
            _ = progress.changed() => {
                let now = *progress.borrow_and_update();
                if now.printed > seen.printed {
                    quiet_since = Instant::now();
                    probes = Probes { next: first_probe, pause: poll, was_busy: true };
                }
                seen = now;
            }
            () = tokio::time::sleep_until(wake) => {}
        }
    }
}

/// Whether a prompt is the last thing that was printed, and whether one was printed since something was typed.
fn prompt(printed: &Printed, before: &Before, seen: &Progress) -> (bool, bool) {
    let model = printed.model();
    let marked = model.marks() > before.marks;
    let untouched = before.stays_at_prompt && seen.printed == before.printed;
    ((marked || untouched) && model.at_prompt(), marked)
}

fn owns_foreground(process: &dyn TerminalProcess) -> bool {
    process.inspect_foreground().is_ok_and(|found| found.process_group == process.leader())
}

impl Probes {
    /// Whether the foreground waits for input anew.
    fn prove(&mut self, process: &dyn TerminalProcess, before: &Before, printed: u64) -> bool {
        self.next += self.pause;
        self.pause *= 2;
        match process.inspect_foreground() {
            Ok(now) if now.input == InputWait::Proven => self.was_busy || before.differs(&now, printed),
            Ok(now) => {
                self.was_busy |= now.input == InputWait::No;
                false
            }
            Err(_) => false,
        }
    }
}
