//! Frames on their way to the client.

use std::sync::{Mutex, MutexGuard, PoisonError};

use dsh_json::JsonError;
use dsh_runtime::CancellationToken;
use tokio::sync::Notify;

/// Bytes that may wait for a client that does not read. A session streams well under a megabyte a minute, so this is a client
/// that hangs, not one that is slow.
const MOST_WAITING_BYTES: usize = 64 * 1024 * 1024;

/// What may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Nothing: nobody is served.
    Closed,
    /// Everything.
    Open,
    /// Answers: the client asked for the end.
    AnswersOnly,
}

/// The frames that wait, in order. Putting one in never waits: when too much waits, everything is dropped and
/// [`Outbox::overflowed`] is cancelled.
pub(crate) struct Outbox {
    state: Mutex<State>,
    filled: Notify,
    overflowed: CancellationToken,
}

struct State {
    stage: Stage,
    waiting: Vec<u8>,
}

impl Outbox {
    /// Nothing can be sent yet.
    pub(crate) fn new() -> Self {
        let state = State { stage: Stage::Closed, waiting: Vec::new() };
        Self { state: Mutex::new(state), filled: Notify::new(), overflowed: CancellationToken::new() }
    }

    /// Everything may be sent from now on.
    pub(crate) fn open(&self) {
        self.state().stage = Stage::Open;
    }

    /// Notifications are dropped from now on.
    pub(crate) fn end_notifications(&self) {
        self.state().stage = Stage::AnswersOnly;
    }

    /// Everything is dropped from now on.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        (state.stage, state.waiting) = (Stage::Closed, Vec::new());
    }

    /// Cancelled when the client left so much unread that serving it ends.
    pub(crate) fn overflowed(&self) -> &CancellationToken {
        &self.overflowed
    }

    /// Sends a notification; it is made only when it will be sent.
    pub(crate) fn notify(&self, frame: impl FnOnce() -> Result<String, JsonError>) {
        if self.state().stage == Stage::Open {
            self.put(Stage::Open, frame());
        }
    }

    /// Sends an answer.
    pub(crate) fn answer(&self, frame: Result<String, JsonError>) {
        self.put(Stage::AnswersOnly, frame);
    }

    fn put(&self, least: Stage, frame: Result<String, JsonError>) {
        let frame = match frame {
            Ok(frame) => frame,
            Err(error) => return tracing::error!(%error, "a frame has no JSON form and is not sent"),
        };
        let mut state = self.state();
        if state.stage == Stage::Closed || (least == Stage::Open && state.stage != Stage::Open) {
            return;
        }
        // One byte more for the line's end.
        if state.waiting.len() + frame.len() + 1 > MOST_WAITING_BYTES {
            (state.stage, state.waiting) = (Stage::Closed, Vec::new());
            self.overflowed.cancel();
            return;
        }
        state.waiting.extend_from_slice(frame.as_bytes());
        state.waiting.push(b'\n');
        drop(state);
        self.filled.notify_one();
    }

    /// All that waits, once there is something. For one reader.
    pub(crate) async fn next(&self) -> Vec<u8> {
        loop {
            let waiting = self.take();
            if !waiting.is_empty() {
                return waiting;
            }
            self.filled.notified().await;
        }
    }

    /// All that waits now.
    pub(crate) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.state().waiting)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_WAITING_BYTES, Outbox};

    fn text(outbox: &Outbox) -> String {
        String::from_utf8(outbox.take()).unwrap()
    }

    #[test]
    fn the_stage_decides_what_is_sent() {
        let outbox = Outbox::new();
        outbox.answer(Ok("early".to_owned()));
        outbox.notify(|| panic!("nobody is served, so no frame is made"));
        outbox.open();
        outbox.notify(|| Ok("one".to_owned()));
        outbox.answer(Ok("two".to_owned()));
        outbox.end_notifications();
        outbox.notify(|| panic!("the client asked for the end"));
        outbox.answer(Ok("three".to_owned()));
        assert_eq!(text(&outbox), "one\ntwo\nthree\n");
        outbox.answer(Ok("four".to_owned()));
        outbox.close();
        outbox.answer(Ok("five".to_owned()));
        assert_eq!(text(&outbox), "");
    }

    #[test]
    fn a_client_that_does_not_read_is_given_up_when_too_much_waits() {
        let outbox = Outbox::new();
        outbox.open();
        let half = "x".repeat(MOST_WAITING_BYTES / 2);
        outbox.notify(|| Ok(half.clone()));
        assert!(!outbox.overflowed().is_cancelled());
        outbox.notify(|| Ok(half.clone()));
        assert!(outbox.overflowed().is_cancelled());
        outbox.answer(Ok("late".to_owned()));
        assert_eq!(text(&outbox), "");
    }
}
