//! A prediction of SWE-bench: one line that names a task, what did it, and the patch.

use std::path::{Path, PathBuf};

use dsh_message::SessionId;
use dsh_runtime::CancellationToken;
use dsh_session::SessionEvent;
use dsh_session::catalogue::RequestContext;
use dsh_session_persistence::{Inspection, SessionPersistence};
use dsh_subprocess::Subprocess;
use serde::Serialize;

use crate::error::ExportError;
use crate::log::{self, Fold};
use crate::patch::{self, Workspace};

/// The model that a log names last.
#[derive(Debug, Default)]
struct Model(Option<String>);

impl Fold for Model {
    fn take(&mut self, event: &SessionEvent) {
        if let Some(RequestContext { model, .. }) = event.data() {
            self.0 = Some(model);
        }
    }
}

/// A prediction.
#[derive(Debug, Serialize)]
struct Prediction {
    instance_id: String,
    model_name_or_path: String,
    model_patch: String,
}

/// What goes into a prediction beside the session.
#[derive(Debug)]
pub(crate) struct Wanted<'a> {
    /// Revision that the patch starts from.
    pub(crate) base: &'a str,
    /// Where temporary files go.
    pub(crate) temporary: &'a Path,
    /// Names of its members, where the caller says so.
    pub(crate) instance: Option<String>,
    pub(crate) model: Option<String>,
    /// What is named where neither the caller nor the log names a model.
    pub(crate) program: String,
}

/// The prediction of a session, as a line of JSON. Nothing of the session's folder is changed.
///
/// # Errors
/// When the session cannot be read, or its folder not be compared with the revision.
pub(crate) async fn prediction(
    store: &dyn SessionPersistence,
    subprocess: &dyn Subprocess,
    id: &SessionId,
    wanted: Wanted<'_>,
    cancel: CancellationToken,
) -> Result<String, ExportError> {
    let (Inspection { header, .. }, Model(model)) = log::fold::<Model>(store, id).await?;
    let folder = header.cwd.map(PathBuf::from).ok_or_else(|| ExportError::NoFolder(header.id.clone()))?;
    // The log may lie in the folder; it is no work of the agent.
    let log = store.locate(id.clone()).await;
    let workspace = Workspace { folder: &folder, except: log.as_deref().and_then(Path::parent), temporary: wanted.temporary };
    let prediction = Prediction {
        instance_id: wanted.instance.unwrap_or_else(|| header.id.to_string()),
        model_name_or_path: wanted.model.or(model).unwrap_or(wanted.program),
        model_patch: patch::since(subprocess, workspace, wanted.base, cancel).await?,
    };
    Ok(dsh_json::to_text(&prediction).map_err(|error| ExportError::Form(error.to_string()))? + "\n")
}
