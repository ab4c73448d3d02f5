//! Events around mutations: who may change what, and what an agent has seen.

use dsh_runtime::{ScopeId, event};

use crate::error::FsError;
use crate::file::Version;
use crate::target::FsTarget;
use crate::write::WriteIntent;

/// A mutation that is about to happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntentRequest {
    /// The file.
    pub target: FsTarget,
    /// Scope of the agent that asks; `None` outside any agent.
    pub actor: Option<ScopeId>,
}

/// What an actor now knows of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// Nothing is there.
    Absent,
    /// It has this version.
    Present(Version),
}

/// A file that an actor has read, changed, or found missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observed {
    /// The file.
    pub target: FsTarget,
    /// What is known of it.
    pub observation: Observation,
    /// Scope of the agent that observed; `None` outside any agent.
    pub actor: Option<ScopeId>,
}

/// Asks under which condition a whole file may be written; without a listener there is none.
#[event(name = "fs/write-intent", mode = waterfall, payload = IntentRequest, out = Result<Option<WriteIntent>, FsError>)]
pub struct FsWriteIntent;

/// Asks which version a file must have to be edited; without a listener any. An error refuses the edit.
#[event(name = "fs/edit-intent", mode = waterfall, payload = IntentRequest, out = Result<Option<Version>, FsError>)]
pub struct FsEditIntent;

/// Tells what an actor has seen of a file. It has happened by then, so a failing listener is only logged.
#[event(name = "fs/observed", mode = emit, payload = Observed)]
pub struct FsObserved;
