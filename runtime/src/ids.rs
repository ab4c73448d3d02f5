//! The only place that makes identifiers. Plugins ask their context; tests count.

use std::sync::atomic::{AtomicU64, Ordering};

/// Source of identifiers.
pub trait IdSource: Send + Sync {
    /// A UUID in its usual text form (8-4-4-4-12 lower-case hex digits).
    fn uuid(&self) -> String;
}

/// Random UUIDs, version 4.
pub struct RandomIds;

impl IdSource for RandomIds {
    fn uuid(&self) -> String {
        uuid::Uuid::new_v4().to_string()
    }
}

/// `00000000-0000-4000-8000-000000000001` and so on, for tests and recordings.
#[derive(Default)]
pub struct SequentialIds {
    last: AtomicU64,
}

impl IdSource for SequentialIds {
    fn uuid(&self) -> String {
        let number = self.last.fetch_add(1, Ordering::SeqCst) + 1;
        format!("00000000-0000-4000-8000-{number:012x}")
    }
}
