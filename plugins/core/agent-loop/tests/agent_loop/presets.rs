//! Agents that join a preset and agents that do not, in one process.

use std::sync::{Arc, Mutex};

use dsh_agent::{Agent, AgentCreated, CreateAgent};
use dsh_message::SessionId;
use dsh_runtime::boot::{Boot, BootError};
use dsh_runtime::{BoxFuture, MountError, Mounted, NoConfig, NoInject, PluginContext, Timestamp, Topic, plugin};
use dsh_session::{NewSession, Origin, SessionHeader};
use dsh_testkit::{Reply, tool_spec};
use dsh_tools::{ToolCall, ToolError, ToolOutput, Tools, tool_args};

use crate::world::{World, calls, create, echo};

/// What happened to the row of the preset, and which agents it heard of.
type Journal = Arc<Mutex<Vec<String>>>;

/// No arguments.
#[tool_args]
pub struct Nothing {}

/// A row of the preset: a tool and a listener.
pub struct Extra {
    journal: Mutex<Option<Journal>>,
}

#[plugin()]
impl Extra {
    async fn mount(_cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self { journal: Mutex::default() })
    }

    #[on(AgentCreated)]
    fn note(&self, agent: &Arc<dyn Agent>) {
        if let Some(journal) = &*self.journal.lock().unwrap() {
            journal.lock().unwrap().push(format!("hears of {}", agent.id()));
        }
    }

    /// Says what only the preset says.
    #[tool(name = "extra")]
    async fn extra(&self, _args: Nothing, _call: &ToolCall) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::text("from the preset"))
    }
}

#[derive(Clone)]
struct Given {
    tools: Arc<Tools>,
    created: Topic<AgentCreated>,
    journal: Journal,
}

fn mount(boot: &mut Boot, given: Given) -> BoxFuture<'_, Result<(), BootError>> {
    Box::pin(async move {
        let row: Mounted<Extra> = boot.mount(100, "code/extra", NoConfig {}, NoInject {}).await?;
        given.journal.lock().unwrap().push("mounts".to_owned());
        *row.plugin().journal.lock().unwrap() = Some(Arc::clone(&given.journal));
        let journal = Arc::clone(&given.journal);
        row.context().effects().push_sync(move || journal.lock().unwrap().push("is undone".to_owned()));
        given.created.attach(&row);
        dsh_runtime::boot::contributed(row.context(), given.tools.contribute(&row))
    })
}

/// A world with a shared tool and the preset `code`.
async fn world(replies: impl IntoIterator<Item = Reply>) -> (World, Journal) {
    let mut world = World::new(replies).await;
    world.tool(tool_spec("shared"), echo());
    let journal = Journal::default();
    let given = Given { tools: Arc::clone(&world.tools), created: world.topics.agent.created.clone(), journal: Arc::clone(&journal) };
    world.offer("code", given, mount);
    (world, journal)
}

fn joining(id: &str, preset: &str) -> CreateAgent {
    CreateAgent { session: NewSession { agent_preset: Some(preset.to_owned()), ..NewSession::default() }, ..create(id) }
}

fn child(id: &str, parent: &str, preset: Option<&str>) -> CreateAgent {
    let session = NewSession {
        parent_session: Some(SessionId::from(parent)),
        origin: Some(Origin::Subagent),
        delegation_depth: 1,
        agent_preset: preset.map(str::to_owned),
        ..NewSession::default()
    };
    CreateAgent { session, ..create(id) }
}

fn taken(journal: &Journal) -> Vec<String> {
    std::mem::take(&mut *journal.lock().unwrap())
}

#[tokio::test]
async fn only_an_agent_that_joined_sees_the_tools_of_its_preset() {
    let (world, journal) = world([Reply::text("one"), Reply::text("two"), Reply::text("three")]).await;
    let alone = world.agent("alone").await;
    assert_eq!(taken(&journal), [""; 0], "nothing mounts before it is selected");
    let joined = world.create(joining("joined", "code")).await.unwrap();
    let second = world.create(joining("second", "code")).await.unwrap();
    assert_eq!(taken(&journal), ["mounts", "hears of joined", "hears of second"], "once, and only of those who joined");
    for (agent, message) in [(&alone, "m1"), (&joined, "m2"), (&second, "m3")] {
        world.prompt(agent, message, "go").await;
    }
    world.check_requests(
        "scripted/m tools=shared: m1 \"go\"
         scripted/m tools=extra,shared: m2 \"go\"
         scripted/m tools=extra,shared: m3 \"go\"",
    );
    assert_eq!(joined.session().header().agent_preset.as_deref(), Some("code"));
    let tools = Arc::clone(&world.tools);
    let scope = joined.scope().id();
    world.teardown().await;
    assert_eq!(taken(&journal), ["is undone"]);
    assert!(tools.schemas(Some(scope)).is_empty(), "nothing is left");
}

#[tokio::test]
async fn a_call_of_a_tool_of_another_preset_is_unknown() {
    let call = calls(["extra"]);
    let (world, _) = world([call.clone(), Reply::text("done"), call, Reply::text("done")]).await;
    let alone = world.agent("s").await;
    world.prompt(&alone, "m1", "go").await;
    let joined = world.create(joining("joined", "code")).await.unwrap();
    world.prompt(&joined, "m2", "go").await;
    let results = |id: &str| world.recorder.transcript(id).into_iter().filter(|line| line.starts_with("tool/result")).collect::<String>();
    assert!(results("s").contains("UNKNOWN_TOOL"), "{}", results("s"));
    assert!(results("joined").contains("from the preset"), "{}", results("joined"));
    world.teardown().await;
}

#[tokio::test]
async fn a_child_joins_its_parents_preset_and_no_other() {
    let (world, journal) = world([]).await;
    world.create(joining("joined", "code")).await.unwrap();
    world.agent("alone").await;
    let of_joined = world.create(child("a", "joined", None)).await.unwrap();
    let of_alone = world.create(child("b", "alone", None)).await.unwrap();
    let preset = |agent: &Arc<dyn Agent>| agent.session().header().agent_preset.clone();
    assert_eq!((preset(&of_joined).as_deref(), preset(&of_alone)), (Some("code"), None));
    assert_eq!(taken(&journal), ["mounts", "hears of joined", "hears of a"]);
    let refused = world.create(child("c", "alone", Some("code"))).await.err().unwrap();
    assert_eq!(refused.to_string(), "agent \"c\" cannot join the preset \"code\": its parent joined none");
    world.teardown().await;
}

#[tokio::test]
async fn an_unknown_preset_is_refused_with_those_that_there_are() {
    let (world, journal) = world([]).await;
    let refused = world.create(joining("s", "cod")).await.err().unwrap();
    assert_eq!(refused.to_string(), "agent \"s\" cannot join its preset: there is no preset \"cod\"; there are code");
    assert!(world.agents.get(&SessionId::from("s")).is_none());
    assert_eq!(taken(&journal), [""; 0]);
    world.teardown().await;
}

#[tokio::test]
async fn a_stored_session_goes_on_in_the_preset_that_it_joined() {
    let header = |id: &str, preset: &str| SessionHeader {
        id: id.into(),
        created_at: Timestamp(0),
        cwd: None,
        parent_session: None,
        seed_length: None,
        origin: None,
        delegation_depth: 0,
        agent_preset: Some(preset.to_owned()),
    };
    let (world, journal) = world([]).await;
    world.store.put_with(header("s", "code"), Vec::new());
    world.store.put_with(header("other", "gone"), Vec::new());
    world.resume("s").await.unwrap();
    assert_eq!(taken(&journal), ["mounts", "hears of s"]);
    let refused = world.resume("other").await.err().unwrap();
    assert_eq!(refused.to_string(), "agent \"other\" cannot join its preset: there is no preset \"gone\"; there are code");
    world.teardown().await;
}
