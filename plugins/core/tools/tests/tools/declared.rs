//! Tools that a plugin declares.

use crate::support::{Bench, told};
use dsh_json::Json;
use dsh_runtime::{MountError, NoInject, PluginContext, config, plugin};
use dsh_tools::{Render, ToolCall, ToolError, ToolOutput, ToolSpec, tool_args};
use serde_json::json;

/// How much to add.
#[tool_args]
pub struct AddArgs {
    /// Summands.
    pub numbers: Vec<u64>,
    pub mode: Option<Mode>,
}

/// What to do with the sum.
#[tool_args]
pub enum Mode {
    Plain,
    WithUnit,
}

#[config]
pub struct Config {
    #[config(default = "add")]
    pub tool: String,
    #[config(default = 100)]
    pub timeout_ms: u64,
}

pub struct Calculator {
    unit: &'static str,
}

#[plugin()]
impl Calculator {
    pub async fn mount(_cx: &PluginContext, _config: Config) -> Result<Self, MountError> {
        Ok(Self { unit: "m" })
    }

    /// Adds numbers.
    #[tool(name = config.tool, render = terminal, concurrent, timeout_ms = config.timeout_ms)]
    async fn add(&self, args: AddArgs, call: &ToolCall) -> Result<ToolOutput, ToolError> {
        let sum = args.numbers.iter().sum::<u64>().to_string();
        let text = if matches!(args.mode, Some(Mode::WithUnit)) { sum + self.unit } else { sum };
        Ok(ToolOutput::text(text).with_meta(Json::Text(call.call_id.0.clone())))
    }
}

#[tokio::test]
async fn a_plugin_s_tools_are_there_as_long_as_the_plugin() {
    let mut bench = Bench::new().await;
    let config = Config { tool: "sum".to_owned(), timeout_ms: 7 };
    let mounted = bench.harness.mount::<Calculator>("calculator", config, NoInject {}).await;
    bench.tooling.tools.contribute(&mounted).unwrap();

    let settled = bench.call("sum", json!({ "numbers": [1, 2.0], "mode": "with_unit" })).await;
    assert_eq!((told(&settled).0.as_str(), settled.meta), ("3m", Some(Json::Text("call_1".into()))));
    let wrong = bench.call("sum", json!({ "numbers": [1, "2"], "mode": "loud" })).await;
    let expected =
        "Error: invalid arguments: numbers[1] must be of type integer, not string; mode must be one of [\"plain\",\"with_unit\"]";
    assert_eq!(told(&wrong), (expected.to_owned(), true, Some("INVALID_ARGS")));
    let negative = bench.call("sum", json!({ "numbers": [-1] })).await;
    assert_eq!(told(&negative).2, Some("INVALID_ARGS"), "a schema does not say that a number is positive, the type does");

    let taken = bench.tooling.tools.contribute(&mounted).unwrap_err().to_string();
    assert_eq!(taken, "a tool named `sum` is already registered");
    mounted.context().effects().unwind().await;
    assert_eq!(told(&bench.call("sum", json!({ "numbers": [] })).await).2, Some("UNKNOWN_TOOL"));
    bench.harness.teardown().await;
}

#[tokio::test]
async fn what_a_tool_is_follows_from_its_plugin_s_config() {
    use dsh_tools::{DeclaresTools, ToolArgs};
    let spec = ToolSpec {
        name: "sum".to_owned(),
        description: "Adds numbers.".to_owned(),
        parameters: AddArgs::schema(),
        render: Render::Terminal,
        concurrent: true,
        timeout_ms: Some(7),
    };
    assert_eq!(Calculator::describe(&Config { tool: "sum".to_owned(), timeout_ms: 7 }), [spec]);
}
