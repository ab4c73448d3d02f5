//! Child processes of this machine. Every child leads a session of its own; its tree is found through `/proc`, also where
//! parts of it left the session, and is ended whole.

mod async_descriptor;
mod child_setup;
mod children;
mod death_watch;
mod descendants;
mod environment;
mod executable;
mod foreground;
mod local_tree;
mod marked_processes;
mod piped;
mod proc_table;
mod pseudo_terminal;
mod spare_memory;
mod supervisor;
mod terminal_output;
mod tree_members;
mod watched_process;

use std::path::PathBuf;
use std::sync::Arc;

use dsh_runtime::{MountError, PluginContext, implements, plugin};
use dsh_subprocess::{Child, ExecutableError, SpawnError, SpawnSpec, Subprocess, Terminal, TerminalSpec};

use crate::supervisor::Supervisor;

/// Starts child processes on this machine.
pub struct SubprocessLocal {
    supervisor: Arc<Supervisor>,
}

#[plugin(provides(dyn Subprocess), platforms("linux"))]
impl SubprocessLocal {
    /// Starts nothing yet; tearing the row down ends all trees.
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        let supervisor = Arc::new(Supervisor::new(cx));
        let owner = Arc::clone(&supervisor);
        cx.effects().push(move || async move { owner.dispose().await });
        Ok(Self { supervisor })
    }
}

#[implements]
impl Subprocess for SubprocessLocal {
    async fn spawn(&self, spec: SpawnSpec) -> Result<Child, SpawnError> {
        piped::start(&self.supervisor, spec)
    }

    async fn open_terminal(&self, spec: TerminalSpec) -> Result<Terminal, SpawnError> {
        pseudo_terminal::open(&self.supervisor, spec)
    }

    fn executable(&self, name: &str) -> Result<PathBuf, ExecutableError> {
        executable::find(name, self.supervisor.context().environment())
    }
}
