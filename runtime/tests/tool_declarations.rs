//! `#[tool]`, `#[tool_args]` and `#[session_event]` against the traits that they name, written out here: the crates that own
//! them depend on this one.
#![allow(missing_docs)]

extern crate self as dsh_session;
extern crate self as dsh_tools;

use std::sync::Arc;

use dsh_runtime::{BoxFuture, MountError, Plugin, PluginContext, Surroundings, combine, config, mount, plugin, session_event, tool_args};
use serde::de::DeserializeOwned;
use serde_json::json;
pub use {serde, serde_json};

pub trait ToolArgs: DeserializeOwned + Send + 'static {
    const DIGEST: u64;
    fn schema() -> serde_json::Value;
}

#[derive(Debug, PartialEq)]
pub enum Render {
    Generic,
    Terminal,
    Diff,
}

#[derive(Debug, PartialEq)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    pub parameters: serde_json::Value,
    pub render: Render,
    pub concurrent: bool,
    pub timeout_ms: Option<u64>,
}

pub struct ToolCall {
    pub id: String,
}

pub type ToolOutput = String;
pub type ToolError = String;

pub trait DeclaresTools: Plugin {
    fn describe(config: &Self::Config) -> Vec<ToolSpec>;
    fn call<'a>(
        self: &'a Arc<Self>,
        index: usize,
        args: serde_json::Value,
        call: &'a ToolCall,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>>;
}

pub fn parse_args<T: ToolArgs>(args: serde_json::Value) -> Result<T, ToolError> {
    serde_json::from_value(args).map_err(|error| format!("invalid arguments: {error}"))
}

pub trait EventData {
    const TYPE: &'static str;
    const SURFACE: bool;
    const IGNORABLE: bool;
}

#[session_event(name = "turn/start", surface)]
#[derive(serde::Serialize, serde::Deserialize)]
pub struct TurnStart {
    pub turn: u64,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[session_event(name = "todo/write", ignorable)]
pub struct TodoWrite {}

#[test]
fn a_session_event_is_known_by_name_and_flags() {
    assert_eq!((TurnStart::TYPE, TurnStart::SURFACE, TurnStart::IGNORABLE), ("turn/start", true, false));
    assert_eq!((TodoWrite::TYPE, TodoWrite::SURFACE, TodoWrite::IGNORABLE), ("todo/write", false, true));
}

/// What to do with a file.
#[tool_args]
#[derive(PartialEq)]
pub enum Command {
    View,
    StrReplace,
}

#[tool_args]
pub struct Range {
    /// First line, from 1.
    pub first: i64,
    pub last: Option<i64>,
}

#[tool_args]
pub struct EditArgs {
    /// The command.
    pub command: Command,
    pub r#type: Option<String>,
    /// Parts of the file.
    ///
    /// In order.
    pub ranges: Vec<Range>,
    pub ratio: f64,
    pub force: bool,
    pub extra: serde_json::Value,
    pub tags: Option<Vec<String>>,
}

#[tool_args]
pub struct NoArgs {}

#[config]
pub struct Config {
    #[config(default = "edit")]
    pub tool_name: String,
    #[config(default = 5_000)]
    pub timeout_ms: u64,
}

pub struct Editor;

#[plugin()]
impl Editor {
    async fn mount(_cx: &PluginContext, _config: Config) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[tool(name = config.tool_name, render = diff, timeout_ms = config.timeout_ms, describe = about)]
    async fn edit(&self, args: EditArgs, call: &ToolCall) -> Result<ToolOutput, ToolError> {
        Ok(format!("{} {:?} {}", call.id, args.command, args.ranges.len()))
    }

    /// Forgets
    /// everything.
    #[tool(name = "reset", concurrent, timeout_ms = 10)]
    async fn reset(self: &Arc<Self>, _args: NoArgs, _call: &ToolCall) -> Result<ToolOutput, ToolError> {
        Err("nothing to forget".to_owned())
    }

    fn about(config: &Config) -> String {
        format!("Edits as `{}`", config.tool_name)
    }
}

fn edit_schema() -> serde_json::Value {
    json!({
        "type": "object",
        "properties": {
            "command": { "type": "string", "enum": ["view", "str_replace"], "description": "The command." },
            "type": { "type": "string" },
            "ranges": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "first": { "type": "integer", "description": "First line, from 1." },
                        "last": { "type": "integer" },
                    },
                    "required": ["first"],
                },
                "description": "Parts of the file.\n\nIn order.",
            },
            "ratio": { "type": "number" },
            "force": { "type": "boolean" },
            "extra": {},
            "tags": { "type": "array", "items": { "type": "string" } },
        },
        "required": ["command", "ranges", "ratio", "force", "extra"],
    })
}

#[test]
fn tools_are_described_from_config_alone() {
    let config = Config { tool_name: "str_replace_editor".to_owned(), timeout_ms: 7 };
    let edit = ToolSpec {
        name: "str_replace_editor".to_owned(),
        description: "Edits as `str_replace_editor`".to_owned(),
        parameters: edit_schema(),
        render: Render::Diff,
        concurrent: false,
        timeout_ms: Some(7),
    };
    let reset = ToolSpec {
        name: "reset".to_owned(),
        description: "Forgets\neverything.".to_owned(),
        parameters: json!({ "type": "object", "properties": {} }),
        render: Render::Generic,
        concurrent: true,
        timeout_ms: Some(10),
    };
    assert_eq!(Editor::describe(&config), [edit, reset]);
    // Order is part of what the model reads.
    assert_eq!(EditArgs::schema().to_string(), edit_schema().to_string());
}

#[tokio::test]
async fn a_call_is_parsed_and_reaches_its_method() {
    let cx = PluginContext::new("editor", 0, Surroundings::of_process());
    let mounted = mount::<Editor>(cx, Config { tool_name: "edit".to_owned(), timeout_ms: 1 }, dsh_runtime::NoInject {}).await;
    let plugin = mounted.map_err(|error| error.to_string()).unwrap().plugin();
    let call = ToolCall { id: "c1".to_owned() };
    let args = json!({ "command": "str_replace", "ranges": [{ "first": 1 }], "ratio": 0.5, "force": true, "extra": null, "other": 1 });
    assert_eq!(plugin.call(0, args, &call).await, Ok("c1 StrReplace 1".to_owned()));
    assert_eq!(plugin.call(1, json!({}), &call).await, Err("nothing to forget".to_owned()));
    let error = plugin.call(0, json!({ "command": "nope" }), &call).await.unwrap_err();
    assert!(error.contains("unknown variant `nope`, expected `view` or `str_replace`"), "{error}");
}

#[test]
fn digests_of_arguments_join_those_of_nested_types_and_reach_the_plugin() {
    let file = syn::parse_file(include_str!("tool_declarations.rs")).unwrap();
    let (found, errors) = dsh_declare::source::declarations(file);
    assert!(errors.is_empty(), "{errors:?}");
    let args = |name: &str| {
        let mut all = found.iter().filter_map(|decl| match decl {
            dsh_declare::model::Declaration::ToolArgs(decl) if decl.name == name => Some(decl.digest),
            _ => None,
        });
        all.next().unwrap()
    };
    let edit = combine(&[args("EditArgs"), combine(&[args("Command")]), combine(&[args("Range")])]);
    assert_eq!(EditArgs::DIGEST, edit);
    let plugin = found.iter().find_map(|decl| match decl {
        dsh_declare::model::Declaration::Plugin(decl) => Some(decl.digest),
        _ => None,
    });
    let config = <Config as dsh_runtime::ConfigMeta>::DIGEST;
    assert_eq!(Editor::DIGEST, combine(&[plugin.unwrap(), config, 0, edit, combine(&[args("NoArgs")])]));
}
