//! Terminal sessions that run an interactive bash on a pseudo-terminal of the mounted world of execution.

mod backend;
mod config;
mod line_model;
mod pump;
mod raw_session;
mod session;
mod settle;
mod shell_environment;

use std::sync::Arc;

use dsh_runtime::{Inject, MountError, PluginContext, plugin};
use dsh_sandbox_policy::SandboxPolicy;
use dsh_subprocess::Subprocess;
use dsh_terminal::Terminals;

pub use config::Config;

use crate::backend::BashBackend;

/// What the backend needs.
#[derive(Inject)]
pub struct Inject {
    /// Where it offers its sessions.
    pub terminals: Arc<Terminals>,
    /// Starts the shells.
    pub subprocess: Arc<dyn Subprocess>,
    /// Says how far the effects of a session's shell may reach.
    pub sandbox_policy: Arc<dyn SandboxPolicy>,
}

/// Offers terminal sessions with bash.
pub struct TerminalBash;

#[plugin(takes(Terminals = config.backend_type), platforms("linux"))]
impl TerminalBash {
    /// Registers the backend under the configured type; tearing the row down closes its sessions.
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        config.check_together().map_err(MountError::new)?;
        let name = config.backend_type.clone();
        let backend = BashBackend::new(cx, config, inject.subprocess, inject.sandbox_policy);
        inject.terminals.register_backend(cx, &name, Arc::new(backend)).map_err(MountError::new)?;
        Ok(Self)
    }
}
