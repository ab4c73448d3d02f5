//! What is known of sessions and backends.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use dsh_runtime::ScopeId;
use dsh_subprocess::ProcessId;

use crate::{SessionStatus, TerminalBackend, TerminalError, TerminalSession};

/// Id of a session; never reused within a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TerminalId(u64);

impl fmt::Display for TerminalId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "pty-{}", self.0)
    }
}

impl FromStr for TerminalId {
    type Err = TerminalError;

    fn from_str(text: &str) -> Result<Self, TerminalError> {
        let number = text.strip_prefix("pty-").and_then(|digits| digits.parse().ok()).map(Self);
        // Only the form that was given out is an id: no sign, no leading zero.
        number.filter(|id| id.to_string() == text).ok_or_else(|| TerminalError::NoSession(text.to_owned()))
    }
}

/// A session in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionEntry {
    /// Its id.
    pub id: TerminalId,
    /// Its name, when it was given one.
    pub name: Option<String>,
    /// Type of its backend.
    pub backend: String,
    /// Whether it runs.
    pub status: SessionStatus,
    /// The process that leads it.
    pub process: ProcessId,
}

/// A session and its use.
#[derive(Clone)]
pub(crate) struct OpenSession {
    pub session: Arc<dyn TerminalSession>,
    pub busy: Arc<AtomicBool>,
}

/// What is on record of a session.
pub(crate) struct Record {
    pub owner: ScopeId,
    pub name: Option<String>,
    pub backend: String,
    /// `None` while the backend opens it.
    pub open: Option<OpenSession>,
    /// Somebody is closing it.
    pub closing: bool,
}

/// Everything on record.
#[derive(Default)]
pub(crate) struct Registry {
    last: u64,
    pub sessions: BTreeMap<TerminalId, Record>,
    pub backends: BTreeMap<String, Arc<dyn TerminalBackend>>,
    /// Agents at whose end something is to be closed.
    pub owners: BTreeSet<ScopeId>,
    pub disposing: bool,
}

impl Registry {
    /// Puts a session on record before it is opened, so that its name is taken.
    pub fn reserve(
        &mut self,
        owner: ScopeId,
        name: Option<String>,
        backend: &str,
    ) -> Result<(TerminalId, Arc<dyn TerminalBackend>), TerminalError> {
        if self.disposing {
            return Err(TerminalError::ServiceDisposing);
        }
        let known = || self.backends.keys().cloned().collect();
        let found = self.backends.get(backend).cloned();
        let found = found.ok_or_else(|| TerminalError::NoBackend { asked: backend.to_owned(), known: known() })?;
        if let Some(name) = &name
            && self.sessions.values().any(|record| record.owner == owner && record.name.as_ref() == Some(name))
        {
            return Err(TerminalError::DuplicateName(name.clone()));
        }
        self.last += 1;
        let id = TerminalId(self.last);
        self.sessions.insert(id, Record { owner, name, backend: backend.to_owned(), open: None, closing: false });
        Ok((id, found))
    }

    /// An agent's open session.
    pub fn owned(&mut self, owner: ScopeId, id: TerminalId) -> Result<(&mut Record, OpenSession), TerminalError> {
        let record = self.sessions.get_mut(&id).ok_or_else(|| TerminalError::NoSession(id.to_string()))?;
        if record.owner != owner {
            return Err(TerminalError::ForeignSession(id));
        }
        match record.open.clone() {
            Some(open) => Ok((record, open)),
            None => Err(TerminalError::NoSession(id.to_string())),
        }
    }
}
