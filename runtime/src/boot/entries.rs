//! The ways into a mounted composition.

use std::sync::Arc;

use crate::BoxFuture;
use crate::entry::{Exit, ServeSession, Serves, Verbs};
use crate::plugin::{Mounted, Plugin};

type ServeEntry = Box<dyn FnOnce(ServeSession) -> BoxFuture<'static, Exit> + Send>;
type VerbEntry = Box<dyn Fn(Vec<String>, ServeSession) -> BoxFuture<'static, Exit> + Send + Sync>;

/// The ways into a mounted composition.
#[derive(Default)]
pub struct Entries {
    pub(super) serve: Option<ServeEntry>,
    verbs: Vec<(&'static str, VerbEntry)>,
}

impl Entries {
    /// The row that serves a protocol, unless it is off.
    #[must_use]
    pub fn serve<'m, P: Plugin + Serves>(mut self, row: impl Into<Option<&'m Mounted<P>>>) -> Self {
        if let Some(mounted) = row.into() {
            let plugin = mounted.plugin();
            self.serve = Some(Box::new(move |session| plugin.serve(session)));
        }
        self
    }

    /// The verbs of a row, unless it is off.
    #[must_use]
    pub fn verbs<'m, P: Plugin + Verbs>(mut self, row: impl Into<Option<&'m Mounted<P>>>) -> Self {
        let Some(mounted) = row.into() else { return self };
        for verb in P::VERBS.iter().map(|verb| verb.name) {
            let plugin = mounted.plugin();
            self.verbs.push((verb, Box::new(move |args, session| Arc::clone(&plugin).run_verb(verb, args, session))));
        }
        self
    }

    /// Enters a verb; none where its row is off.
    pub(crate) fn verb(&self, verb: &str, words: Vec<String>, session: ServeSession) -> Option<BoxFuture<'static, Exit>> {
        self.verbs.iter().find(|(name, _)| *name == verb).map(|(_, run)| run(words, session))
    }
}
