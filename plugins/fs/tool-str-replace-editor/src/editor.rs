//! The plugin and its tool.

use std::sync::Arc;

use dsh_fs::{Fs, FsEditIntent, FsObserved, FsWriteIntent};
use dsh_runtime::{Dispatcher, Inject, MountError, PluginContext, plugin};
use dsh_sandbox_policy::SandboxPolicy;
use dsh_tools::{ToolCall, ToolError, ToolOutput};

use crate::access::FileAccess;
use crate::args::{Command, EditorArgs};
use crate::config::Config;
use crate::failure::EditorError;
use crate::view::clip;

/// What the tool works with.
#[derive(Inject)]
pub struct Inject {
    /// The files.
    pub fs: Arc<dyn Fs>,
    /// Which files may be changed; all when the composition has no policy.
    pub sandbox_policy: Option<Arc<dyn SandboxPolicy>>,
    /// Asks before a file is created.
    pub write_intent: Dispatcher<FsWriteIntent>,
    /// Asks before a file is edited.
    pub edit_intent: Dispatcher<FsEditIntent>,
    /// Tells what the agent has seen.
    pub observed: Dispatcher<FsObserved>,
}

/// One tool that views, creates and edits text files.
pub struct StrReplaceEditor {
    inject: Inject,
    max_output_chars: u64,
}

#[plugin()]
impl StrReplaceEditor {
    /// Takes the limit of views from the config.
    pub async fn mount(_cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        Ok(Self { inject, max_output_chars: config.max_output_chars })
    }

    #[tool(name = "str_replace_editor", render = diff, describe = describe)]
    async fn edit(&self, args: EditorArgs, call: &ToolCall) -> Result<ToolOutput, ToolError> {
        let text = self.run(args, call).await?;
        Ok(ToolOutput::text(text))
    }

    /// What the model is told of the tool.
    fn describe(config: &Config) -> String {
        config.description.clone()
    }

    async fn run(&self, args: EditorArgs, call: &ToolCall) -> Result<String, EditorError> {
        let session = call.agent.as_ref().map(|agent| agent.session());
        let policy = self.inject.sandbox_policy.as_ref();
        let files = FileAccess {
            fs: &*self.inject.fs,
            write_intent: &self.inject.write_intent,
            edit_intent: &self.inject.edit_intent,
            observed: &self.inject.observed,
            actor: call.agent.as_ref().map(|agent| agent.scope().id()),
            policy: policy.map(|policy| session.map_or_else(|| policy.default_policy(), |session| policy.policy_for(session))),
            cancel: call.signal.clone(),
        };
        let cwd = session.and_then(|session| session.header().cwd.as_deref());
        let target = files.resolve(&args.path, cwd).await?;
        match args.command {
            Command::View => Ok(clip(files.view(target, args.view_range).await?, self.max_output_chars)),
            Command::Create => files.create(target, require("create", "file_text", args.file_text)?).await,
            Command::StrReplace => {
                let old = require("str_replace", "old_str", args.old_str)?;
                if old.is_empty() {
                    return Err(EditorError::usage("`old_str` must not be empty"));
                }
                files.str_replace(target, &old, &args.new_str.unwrap_or_default()).await
            }
            Command::Insert => {
                let line = require("insert", "insert_line", args.insert_line)?;
                files.insert(target, line, &require("insert", "new_str", args.new_str)?).await
            }
        }
    }
}

/// An argument that a command needs.
fn require<T>(command: &str, name: &str, argument: Option<T>) -> Result<T, EditorError> {
    argument.ok_or_else(|| EditorError::usage(format!("`{command}` needs `{name}`")))
}
