//! A temporary directory with the tool registered over it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use dsh_fs::{Fs, FsEditIntent, FsObserved, FsWriteIntent, Observation, Observed};
use dsh_fs_local::FsLocal;
use dsh_message::ContentBlock;
use dsh_runtime::{CancellationToken, Dispatcher, EffectStack, NoInject, PluginContext, Position, Surroundings, Topic, mount};
use dsh_sandbox_policy::SandboxPolicy;
use dsh_system_prompt::SystemPrompt;
use dsh_tool_str_replace_editor::{Config, Inject, StrReplaceEditor};
use dsh_tools::{CallRequest, DeclaresTools, Tools};
use serde_json::Value;

pub struct World {
    dir: tempfile::TempDir,
    tools: Arc<Tools>,
    pub write_intent: Topic<FsWriteIntent>,
    pub edit_intent: Topic<FsEditIntent>,
    observed: Arc<Mutex<Vec<Observed>>>,
    pub effects: EffectStack,
}

/// Text of an answer, and its code when it is a failure.
#[derive(Debug, PartialEq)]
pub struct Answer {
    pub text: String,
    pub failure: Option<Option<String>>,
}

impl Answer {
    /// The text of a success.
    pub fn ok(self) -> String {
        assert_eq!(self.failure, None, "{}", self.text);
        self.text
    }

    /// The text of a failure with this code.
    pub fn coded(self, code: &str) -> String {
        assert_eq!(self.failure, Some(Some(code.to_owned())), "{}", self.text);
        self.text
    }

    /// The text of a failure without a code.
    pub fn plain(self) -> String {
        assert_eq!(self.failure, Some(None), "{}", self.text);
        self.text
    }
}

fn context(row: &str) -> PluginContext {
    PluginContext::new(row, 0, Surroundings::of_process())
}

pub fn config(max_output_chars: u64) -> Config {
    Config { max_output_chars, description: "Edits files.".to_owned() }
}

async fn registry() -> Arc<Tools> {
    let inject = dsh_system_prompt::Inject { assemble: Dispatcher::detached(), change: Dispatcher::detached() };
    let config = dsh_system_prompt::Config {
        include_harness_identity: false,
        include_runtime_context: false,
        persona: String::new(),
        tool_order: None,
    };
    let system_prompt = mount::<SystemPrompt>(context("system-prompt"), config, inject).await.unwrap().plugin();
    let inject = dsh_tools::Inject {
        system_prompt,
        invariants: None,
        pre_execute: Dispatcher::detached(),
        execute: Dispatcher::detached(),
        post_execute: Dispatcher::detached(),
        result: Dispatcher::detached(),
        change: Dispatcher::detached(),
    };
    mount::<Tools>(context("tools"), dsh_runtime::NoConfig {}, inject).await.unwrap().plugin()
}

impl World {
    pub async fn new() -> Self {
        Self::with(config(16_000), None).await
    }

    pub async fn with(config: Config, sandbox_policy: Option<Arc<dyn SandboxPolicy>>) -> Self {
        let files = dsh_fs_local::Config { cwd: None, diff_basis_max_bytes: 1_000 };
        let fs: Arc<dyn Fs> = mount::<FsLocal>(context("fs-local"), files, NoInject {}).await.unwrap().plugin();
        let (write_intent, edit_intent, topic) = (Topic::new(), Topic::new(), Topic::<FsObserved>::new());
        let (observed, effects) = (Arc::<Mutex<Vec<Observed>>>::default(), EffectStack::new("test"));
        let seen = Arc::clone(&observed);
        let record = move |observed: &Observed| {
            seen.lock().unwrap().push(observed.clone());
            Ok(())
        };
        topic.listen((Position::Row, 0), None, Arc::new(record), &effects);
        let inject = Inject {
            fs,
            sandbox_policy,
            write_intent: write_intent.dispatcher(),
            edit_intent: edit_intent.dispatcher(),
            observed: topic.dispatcher(),
        };
        let editor = mount::<StrReplaceEditor>(context("editor"), config, inject).await.unwrap();
        let tools = registry().await;
        tools.contribute(&editor).unwrap();
        Self { dir: tempfile::tempdir().unwrap(), tools, write_intent, edit_intent, observed, effects }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn put(&self, name: &str, content: &str) {
        std::fs::write(self.path(name), content).unwrap();
    }

    pub fn content(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Calls the tool on a path of the world; `args` lacks the path.
    pub async fn call(&self, name: &str, mut args: Value) -> Answer {
        args["path"] = self.path(name).to_str().unwrap().into();
        self.call_raw(args).await
    }

    pub async fn call_raw(&self, args: Value) -> Answer {
        let request = CallRequest {
            call_id: "call".into(),
            name: "str_replace_editor".into(),
            arguments: args.to_string().into(),
            agent: None,
            signal: CancellationToken::new(),
        };
        let settled = self.tools.prepare(request).await.execute().await.settle().await;
        let text = ContentBlock::joined_text(&settled.content).to_string();
        Answer { text, failure: settled.is_error.then(|| settled.error.map(|error| error.code)) }
    }

    /// File name and observation, in order.
    pub fn observations(&self) -> Vec<(String, bool)> {
        let observed = self.observed.lock().unwrap();
        let name = |observed: &Observed| observed.target.display_path.file_name().unwrap().to_str().unwrap().to_owned();
        observed.iter().map(|one| (name(one), one.observation != Observation::Absent)).collect()
    }
}

/// What the model is told of the tool.
pub fn description(config: &Config) -> dsh_tools::ToolSpec {
    StrReplaceEditor::describe(config).remove(0)
}
