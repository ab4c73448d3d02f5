//! A trajectory from a stored session.

use dsh_json::Json;
use dsh_message::SessionId;
use dsh_sandbox_policy::SandboxMode;
use dsh_session::ToolSchema;
use dsh_session_persistence::{Inspection, SessionPersistence};

use super::Steps;
use super::form::{Agent, AgentExtra, Function, SessionExtra, ToolDefinition, Trajectory, VERSION};
use crate::error::ExportError;
use crate::{log, plain};

/// What exports.
#[derive(Debug)]
pub(crate) struct Maker {
    /// Name of the program.
    pub(crate) name: String,
    pub(crate) version: String,
    /// Digest of its composition.
    pub(crate) composition: String,
    /// The mode of sessions whose logs name none.
    pub(crate) sandbox: Option<SandboxMode>,
}

/// The trajectory of a session, as a line of JSON.
///
/// # Errors
/// When it cannot be read, or nothing was said in it.
pub(crate) async fn trajectory(store: &dyn SessionPersistence, id: &SessionId, maker: Maker) -> Result<String, ExportError> {
    let (Inspection { header, .. }, mut folded) = log::fold::<Steps>(store, id).await?;
    let (steps, final_metrics) = folded.finish(header.seed_length.unwrap_or_default());
    if steps.is_empty() {
        return Err(ExportError::Empty(header.id));
    }
    let end = folded.end.as_ref().map(dsh_json::to_text).transpose().map_err(|error| ExportError::Form(error.to_string()))?;
    let end = end.and_then(|text| serde_json::from_str::<Json>(&text).ok()).map(plain::json);
    let trajectory = Trajectory {
        schema_version: VERSION,
        session_id: header.id.to_string(),
        agent: agent(folded, maker),
        steps,
        final_metrics,
        extra: SessionExtra { cwd: header.cwd, parent_session: header.parent_session.map(|parent| parent.to_string()), end },
    };
    Ok(dsh_json::to_text(&trajectory).map_err(|error| ExportError::Form(error.to_string()))? + "\n")
}

fn agent(folded: Steps, Maker { name, version, composition, sandbox }: Maker) -> Agent {
    let header = folded.header.unwrap_or_default();
    let tools = header.tools.as_deref().unwrap_or_default();
    let route = |name: String| (!name.is_empty()).then_some(name);
    Agent {
        name,
        version,
        model_name: route(header.config.model),
        tool_definitions: tools.iter().map(definition).collect(),
        extra: AgentExtra {
            provider: route(header.config.provider),
            composition,
            sandbox: folded.sandbox.or(sandbox).map(|mode| mode.as_str()),
        },
    }
}

fn definition(tool: &ToolSchema) -> ToolDefinition {
    let ToolSchema { name, description, parameters } = tool.clone();
    ToolDefinition { r#type: "function", function: Function { name, description, parameters } }
}
