//! Folds over the log that a session begins with, so that nobody needs its events.

use std::any::Any;
use std::sync::Arc;

use crate::{Seed, SessionEvent, SessionHeader};

/// What a plugin keeps of a log that a session begins with. It takes the events in while they are read, pieces of streams left out,
/// and should keep no more than is still of use at the end.
pub trait SeedFold: Any + Send + Sync {
    /// Takes the next event in.
    fn take(&mut self, event: &SessionEvent);
}

/// The folds over one log.
#[derive(Default)]
pub struct SeedFolds(pub(crate) Vec<Box<dyn SeedFold>>);

impl SeedFolds {
    /// The fold of this type; none where the session began without a log.
    #[must_use]
    pub fn get<F: SeedFold>(&self) -> Option<&F> {
        self.0.iter().find_map(|fold| (fold.as_ref() as &dyn Any).downcast_ref())
    }
}

/// Makes a fold for the log with a header.
pub(crate) type MakeFold = Arc<dyn Fn(&SessionHeader) -> Box<dyn SeedFold> + Send + Sync>;

/// What is to be folded of stored logs, as plugins asked for it with [`crate::SessionStore::fold_seeds`].
#[derive(Clone, Default)]
pub struct Folding(pub(crate) Vec<MakeFold>);

impl Folding {
    /// The seed of the log with this header, still without events.
    #[must_use]
    pub fn begin(&self, header: &SessionHeader) -> Seed {
        Seed::with(SeedFolds(self.0.iter().map(|make| make(header)).collect()))
    }
}
