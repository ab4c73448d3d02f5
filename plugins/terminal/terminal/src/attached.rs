//! Raw use of an owned session.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::RawTerminal;

/// The right to use a session; there is one at a time.
pub(crate) struct Turn(Arc<AtomicBool>);

impl Turn {
    /// Takes the right; `None` while somebody else has it.
    pub(crate) fn take(busy: &Arc<AtomicBool>) -> Option<Self> {
        (!busy.swap(true, Ordering::SeqCst)).then(|| Self(Arc::clone(busy)))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

/// A session's terminal, exclusively, until this is dropped.
pub struct AttachedTerminal {
    raw: Box<dyn RawTerminal>,
    _turn: Turn,
}

impl AttachedTerminal {
    pub(crate) fn new(raw: Box<dyn RawTerminal>, turn: Turn) -> Self {
        Self { raw, _turn: turn }
    }
}

impl Deref for AttachedTerminal {
    type Target = dyn RawTerminal;

    fn deref(&self) -> &Self::Target {
        &*self.raw
    }
}

impl DerefMut for AttachedTerminal {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.raw
    }
}
