//! All that descends from this process, as one look found it. Everybody who waits for a look shares the next one: many trees that
//! begin or end together would each read the same table.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use dsh_runtime::BoxFuture;
use futures_util::FutureExt;
use futures_util::future::Shared;

use crate::children;
use crate::environment::TREE_VARIABLE;
use crate::proc_table::{self, ProcessEntry, ProcessTable, Variable};

/// What one look gave.
pub struct Descendants {
    by_parent: BTreeMap<u32, Vec<ProcessEntry>>,
    /// Orphans that this process has adopted, with what their environment says of their tree.
    pub adopted: BTreeMap<u32, (ProcessEntry, Variable)>,
    /// How many may be missing.
    pub vanished: usize,
}

impl Descendants {
    fn look() -> Self {
        let ProcessTable { entries, vanished } = proc_table::look_below(&children::started());
        let mut by_parent: BTreeMap<u32, Vec<ProcessEntry>> = BTreeMap::new();
        for entry in entries {
            by_parent.entry(entry.parent).or_default().push(entry);
        }
        let mut found = Self { by_parent, adopted: BTreeMap::new(), vanished };
        let adopted = children::adopted(found.of(std::process::id())).into_iter();
        found.adopted = adopted.map(|entry| (entry.pid, (entry, proc_table::variable(entry.pid, TREE_VARIABLE)))).collect();
        found
    }

    /// The children of a process that is a descendant or this one.
    pub fn of(&self, parent: u32) -> &[ProcessEntry] {
        self.by_parent.get(&parent).map_or(&[], Vec::as_slice)
    }
}

type Look = Shared<BoxFuture<'static, Arc<Descendants>>>;

/// The looks of a mounted row.
#[derive(Default)]
pub struct Looks {
    /// The look that has not begun.
    next: Mutex<Option<Look>>,
}

impl Looks {
    /// Takes a look that begins after this was called.
    pub async fn take(self: &Arc<Self>) -> Arc<Descendants> {
        let look = self.next().get_or_insert_with(|| Self::begin_later(Arc::downgrade(self))).clone();
        look.await
    }

    fn begin_later(looks: Weak<Self>) -> Look {
        let look = async move {
            // Whoever is ready to ask does so first.
            tokio::task::yield_now().await;
            if let Some(looks) = looks.upgrade() {
                *looks.next() = None;
            }
            Arc::new(Descendants::look())
        };
        look.boxed().shared()
    }

    fn next(&self) -> MutexGuard<'_, Option<Look>> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
