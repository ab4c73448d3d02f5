//! What a plugin registers is undone with its row: in reverse order, once.

use std::sync::{Arc, Mutex};

use dsh_runtime::{Inject, MountError, NoConfig, PluginContext, plugin};
use dsh_system_prompt::{AssembleContext, Section, SystemPrompt};
use dsh_testkit::{Harness, tool_body, tool_spec};
use dsh_tools::{ToolOutput, Tools};

use crate::world::lock;

#[derive(Inject)]
pub struct Inject {
    pub tools: Arc<Tools>,
    pub prompt: Arc<SystemPrompt>,
}

/// Registers a tool and a section of the prompt, and says when.
pub struct Compass {
    done: Arc<Mutex<Vec<&'static str>>>,
}

#[plugin]
impl Compass {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> {
        let done: Arc<Mutex<Vec<&'static str>>> = Arc::default();
        let note = |word| {
            let done = Arc::clone(&done);
            move || lock(&done).push(word)
        };
        note("tool+")();
        inject.tools.register(None, tool_spec("north"), tool_body(|_, _| Box::pin(async { Ok(ToolOutput::text("up")) })), cx.effects())?;
        cx.effects().push_sync(note("tool-"));
        note("section+")();
        inject.prompt.section(None, Section::new("compass", 10.0, "North is up."), cx.effects())?;
        let last = note("section-");
        cx.effects().push(move || async move { last() });
        Ok(Self { done })
    }
}

#[tokio::test]
async fn row_03_effects_are_undone_in_reverse_order_and_once() {
    let mut harness = Harness::new();
    let tooling = harness.tooling().await;
    let inject = Inject { tools: Arc::clone(&tooling.tools), prompt: Arc::clone(&tooling.prompt) };
    let compass = harness.mount::<Compass>("compass", NoConfig {}, inject).await;
    let names = async || {
        let sections = tooling.prompt.assemble(AssembleContext::default()).await.unwrap().sections.into_iter();
        let tools = tooling.tools.schemas(None).into_iter().map(|tool| tool.name);
        tools.chain(sections.filter(|section| !section.text.is_empty()).map(|section| section.name)).collect::<Vec<_>>()
    };
    assert_eq!(names().await, ["north", "compass"]);

    let undone = compass.context().effects().unwind().await;
    assert!(undone.failed.is_empty());
    assert_eq!(*lock(&compass.plugin().done), ["tool+", "section+", "section-", "tool-"]);
    assert!(names().await.is_empty(), "what was registered is gone");

    compass.context().effects().unwind().await;
    harness.teardown().await;
    assert_eq!(lock(&compass.plugin().done).len(), 4, "nothing is undone a second or third time");
}
