//! Waiting for a command. It wakes on output and on the shell's end.

use std::time::Duration;

use dsh_runtime::CancellationToken;
use dsh_subprocess::{ExitOutcome, InputWait, Signal};
use dsh_terminal::AttachedTerminal;
use tokio::time::{Instant, sleep_until};

use crate::captured::{Captured, CapturedText};
use crate::marker_scan::MarkerScan;

/// Silence after which the foreground is first looked at: a program that asks for a password has printed its question and is
/// silent. The system announces such a wait in no other way.
const FIRST_LOOK: Duration = Duration::from_millis(500);
/// Longest pause between two looks, each twice the one before: long silent commands cost nothing that counts.
const LONGEST_PAUSE: Duration = Duration::from_secs(16);
/// Time that a program gets to end after each of the signals that interrupt it.
const INTERRUPT_LIMIT: Duration = Duration::from_secs(1);

/// What a wait ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The shell reported this status.
    Finished(i32),
    /// The shell ended.
    Exited(ExitOutcome),
    /// The time is over.
    TimedOut,
    /// The caller gave up.
    Aborted,
    /// The foreground waits for keys that nobody will press.
    WaitsForInput,
}

/// A command that runs in a terminal.
pub struct Watch<'a> {
    terminal: AttachedTerminal,
    scan: MarkerScan,
    captured: Captured,
    deadline: Instant,
    signal: &'a CancellationToken,
}

impl<'a> Watch<'a> {
    /// Watches for the markers with `nonce`, for at most `timeout_ms`.
    pub fn new(terminal: AttachedTerminal, nonce: &str, max_units: usize, timeout_ms: u64, signal: &'a CancellationToken) -> Self {
        let deadline = Instant::now() + Duration::from_millis(timeout_ms);
        Self { terminal, scan: MarkerScan::new(nonce), captured: Captured::new(max_units), deadline, signal }
    }

    /// Whether the command was begun.
    pub fn started(&self) -> bool {
        self.scan.started()
    }

    /// What it printed.
    pub fn finish(self) -> CapturedText {
        self.captured.finish()
    }

    /// Types a line.
    pub async fn type_line(&mut self, line: String) -> Result<(), Event> {
        tokio::select! {
            biased;
            () = self.signal.cancelled() => Err(Event::Aborted),
            // A shell that takes no input has ended, which the wait that follows will tell.
            _ = self.terminal.write(line.into_bytes()) => Ok(()),
            () = sleep_until(self.deadline) => Err(Event::TimedOut),
        }
    }

    /// Waits for the command.
    pub async fn wait(&mut self) -> Event {
        let mut pause = FIRST_LOOK;
        let mut next_look = Instant::now() + pause;
        loop {
            tokio::select! {
                biased;
                () = self.signal.cancelled() => return Event::Aborted,
                // Before the deadline: output that has come counts, also when this process was held up past the deadline.
                piece = self.terminal.read() => {
                    if let Some(event) = self.take(piece).await {
                        return event;
                    }
                    if Instant::now() >= self.deadline {
                        return Event::TimedOut;
                    }
                    pause = FIRST_LOOK;
                    next_look = Instant::now() + pause;
                }
                () = sleep_until(self.deadline) => return Event::TimedOut,
                () = sleep_until(next_look) => {
                    if self.terminal.foreground().is_some_and(|found| found.input == InputWait::Proven) {
                        return Event::WaitsForInput;
                    }
                    pause = (pause * 2).min(LONGEST_PAUSE);
                    next_look = Instant::now() + pause;
                }
            }
        }
    }

    /// Interrupts a foreground that waits for input, ever more firmly, until the command is over. [`Event::WaitsForInput`] when
    /// nothing helped.
    pub async fn interrupt(&mut self) -> Event {
        for signal in [Signal::INTERRUPT, Signal::TERMINATE, Signal::KILL] {
            // Whoever is in the foreground: a shell is not killed by this, and one that waits itself takes the interrupt.
            if let Err(error) = self.terminal.signal(signal) {
                tracing::debug!(%error, "a command that waits for input was not signalled");
            }
            let limit = self.deadline.min(Instant::now() + INTERRUPT_LIMIT);
            match tokio::time::timeout_at(limit, self.wait_for_end()).await {
                Ok(event) => return event,
                Err(_) if limit == self.deadline => return Event::TimedOut,
                Err(_) => {}
            }
        }
        Event::WaitsForInput
    }

    async fn wait_for_end(&mut self) -> Event {
        while let Some(piece) = self.signal.run_until_cancelled(self.terminal.read()).await {
            if let Some(event) = self.take(piece).await {
                return event;
            }
        }
        Event::Aborted
    }

    /// Takes what the terminal gave: a piece of output, or nothing once the shell has ended.
    async fn take(&mut self, piece: Option<Vec<u8>>) -> Option<Event> {
        let Some(piece) = piece else { return Some(Event::Exited(self.terminal.exited().await)) };
        let captured = &mut self.captured;
        self.scan.feed(&piece, &mut |text| captured.push(text)).map(Event::Finished)
    }
}
