//! Signals that ask a binary to end: the first asks, the second ends it at once with everything that it started.

use tokio::signal::unix::{SignalKind, signal};

use super::descendants;
use crate::context::Surroundings;

/// SIGHUP: the terminal was closed.
pub(super) const HANGUP: u8 = 1;
const INTERRUPT: u8 = 2;
const QUIT: u8 = 3;
/// SIGTERM; a serving binary that it ends did as it was asked.
pub(super) const TERMINATE: u8 = 15;

/// Watches them; the process notes the last one.
pub(super) fn watch(profile: &'static str, surroundings: &Surroundings) -> std::io::Result<()> {
    let (mut hangup, mut interrupt) = (signal(SignalKind::hangup())?, signal(SignalKind::interrupt())?);
    let (mut quit, mut terminate) = (signal(SignalKind::quit())?, signal(SignalKind::terminate())?);
    let (process, shutdown) = (surroundings.process.clone(), surroundings.shutdown.clone());
    tokio::spawn(async move {
        loop {
            let number = tokio::select! {
                _ = hangup.recv() => HANGUP,
                _ = interrupt.recv() => INTERRUPT,
                _ = quit.recv() => QUIT,
                _ = terminate.recv() => TERMINATE,
            };
            if !process.note_signal(number) {
                descendants::kill();
                std::process::exit(i32::from(128 + number));
            }
            if number == INTERRUPT {
                // Somebody at a terminal waits for what is being closed.
                eprintln!("dsh-{profile}: ending; a second signal ends it without waiting");
            }
            shutdown.cancel();
        }
    });
    Ok(())
}
