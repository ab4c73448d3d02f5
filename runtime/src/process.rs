//! The process that a composition runs in.

use std::fmt;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::entry::Identity;

/// What plugins may know of their process: which binary it is, who is at its input, and which signal ends it. Cloning shares it.
/// The default is no binary at all, as in a unit test.
#[derive(Clone, Default)]
pub struct Process {
    identity: Option<&'static Identity>,
    /// Digest of the composition under the overlays of this start.
    overlaid: Option<Arc<str>>,
    input_is_terminal: bool,
    /// 0 for none.
    signal: Arc<AtomicU8>,
}

impl Process {
    /// A process of this binary whose input is no terminal.
    #[must_use]
    pub fn of(identity: &'static Identity) -> Self {
        Self { identity: Some(identity), ..Self::default() }
    }

    /// The current one.
    pub(crate) fn current(identity: &'static Identity) -> Self {
        Self { input_is_terminal: std::io::stdin().is_terminal(), ..Self::of(identity) }
    }

    /// What the binary knows of itself; none where no binary is.
    #[must_use]
    pub fn identity(&self) -> Option<&'static Identity> {
        self.identity
    }

    /// The same process, its composition changed by overlays.
    #[must_use]
    pub fn overlaid(self, digest: &str) -> Self {
        Self { overlaid: Some(digest.into()), ..self }
    }

    /// Digest of what runs: of the composition under the overlays of this start; none where no binary is.
    #[must_use]
    pub fn composition(&self) -> Option<&str> {
        self.overlaid.as_deref().or(self.identity.map(|identity| identity.digest))
    }

    /// Whether a person would have to type what is read from standard input.
    #[must_use]
    pub fn input_is_terminal(&self) -> bool {
        self.input_is_terminal
    }

    /// Number of the signal that asked the process to end.
    #[must_use]
    pub fn signal(&self) -> Option<u8> {
        match self.signal.load(Ordering::SeqCst) {
            0 => None,
            number => Some(number),
        }
    }

    /// Notes a signal. Yields whether it is the first.
    pub fn note_signal(&self, number: u8) -> bool {
        self.signal.swap(number, Ordering::SeqCst) == 0
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profile = self.identity.map(|identity| identity.profile);
        out.debug_struct("Process").field("profile", &profile).field("signal", &self.signal()).finish_non_exhaustive()
    }
}
