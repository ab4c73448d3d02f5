//! The sessions that clients opened.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dsh_message::SessionId;
use tokio::sync::OwnedMutexGuard;

/// Whether the server opened a session. Requests that concern one session hold it one after the other, in the order in which they came.
type Slot = Arc<tokio::sync::Mutex<bool>>;

/// One slot for each session that is open or being opened.
#[derive(Default)]
pub(crate) struct Slots {
    slots: Mutex<BTreeMap<SessionId, Slot>>,
}

/// A session that a request holds.
pub(crate) struct HeldSlot<'a> {
    slots: &'a Slots,
    id: SessionId,
    opened: Option<OwnedMutexGuard<bool>>,
}

impl Slots {
    /// Waits until no other request holds a session.
    pub(crate) async fn hold(&self, id: &SessionId) -> HeldSlot<'_> {
        let slot = Arc::clone(self.lock().entry(id.clone()).or_default());
        let opened = slot.lock_owned().await;
        HeldSlot { slots: self, id: id.clone(), opened: Some(opened) }
    }

    /// The same without waiting; `None` when another request holds it.
    pub(crate) fn try_hold(&self, id: &SessionId) -> Option<HeldSlot<'_>> {
        let slot = Arc::clone(self.lock().entry(id.clone()).or_default());
        let opened = slot.try_lock_owned().ok()?;
        Some(HeldSlot { slots: self, id: id.clone(), opened: Some(opened) })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<SessionId, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldSlot<'_> {
    /// Whether the server opened the session.
    pub(crate) fn is_open(&self) -> bool {
        self.opened.as_ref().is_some_and(|opened| **opened)
    }

    /// Takes note that it did, or that the session is gone.
    pub(crate) fn set_open(&mut self, open: bool) {
        if let Some(opened) = &mut self.opened {
            **opened = open;
        }
    }
}

impl Drop for HeldSlot<'_> {
    fn drop(&mut self) {
        let open = self.is_open();
        let mut slots = self.slots.lock();
        self.opened = None;
        // A slot of a session that did not open is kept only as long as another request waits for it.
        if !open && slots.get(&self.id).is_some_and(|slot| Arc::strong_count(slot) == 1) {
            slots.remove(&self.id);
        }
    }
}
