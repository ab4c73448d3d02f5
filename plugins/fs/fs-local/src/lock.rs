//! One lock per file, made on demand and dropped when nobody holds or awaits it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use dsh_fs::TargetKey;

/// Locks of the files that are being changed right now. A lock serves those who wait in the order in which they came.
#[derive(Default)]
pub struct LockTable {
    locks: Mutex<HashMap<TargetKey, Weak<tokio::sync::Mutex<()>>>>,
}

impl LockTable {
    /// The lock of a file.
    pub fn of(&self, key: &TargetKey) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.locks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = locks.get(key).and_then(Weak::upgrade) {
            return held;
        }
        locks.retain(|_, lock| lock.strong_count() > 0);
        let fresh = Arc::default();
        locks.insert(key.clone(), Arc::downgrade(&fresh));
        fresh
    }
}
