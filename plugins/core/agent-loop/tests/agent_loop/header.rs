//! What the log records of requests besides the messages.

use std::sync::{Arc, Mutex};

use dsh_agent::{AgentOptions, CreateAgent, RequestErrorAction};
use dsh_llm::ModelInfo;
use dsh_message::LlmFailure;
use dsh_runtime::ListenerError;
use dsh_runtime::event::around;
use dsh_session::catalogue::UserMessage;
use dsh_session::{CallConfig, NewSession, SessionEvent, SurfaceOp};
use dsh_system_prompt::{Section, SystemPromptAssemble, Text};
use dsh_testkit::{Reply, ScriptedModel, tool_spec};

use crate::world::{Setup, World, check, create, echo, scripted, seeded, user};

/// The headers and contexts on record.
fn headers(world: &World) -> Vec<String> {
    world.recorder.transcript("s").into_iter().filter(|line| line.starts_with("request/")).collect()
}

fn texts(count: usize) -> impl Iterator<Item = Reply> {
    (0..count).map(|_| Reply::text("done"))
}

/// A model with settings of its own.
fn opinionated(replies: impl IntoIterator<Item = Reply>) -> Setup {
    let model = ModelInfo {
        context_window: Some(1_000),
        default_max_tokens: Some(64),
        reasoning_efforts: vec!["low".to_owned(), "high".to_owned()],
        default_reasoning_effort: Some("high".to_owned()),
        ..ModelInfo::default()
    };
    Setup::new(ScriptedModel::with_model(model, replies))
}

#[tokio::test]
async fn header_and_context_are_logged_once_while_nothing_changes() {
    let world = World::new(texts(2)).await;
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "one").await;
    world.prompt(&agent, "m2", "two").await;
    check("the headers", &headers(&world), "request/header initial scripted/m \n request/context scripted/m 100000");
    world.teardown().await;
}

#[tokio::test]
async fn every_part_of_the_header_can_change_it() {
    let world = World::new(texts(6)).await;
    let turn = Arc::new(Mutex::new(0));
    let now = Arc::clone(&turn);
    let system = Text::computed(move |_| if *now.lock().unwrap() >= 2 { "Be brief.".to_owned() } else { String::new() });
    world.prompt.section(None, Section::new("brief", 0.0, system), world.row.effects()).unwrap();
    let agent = world.agent("s").await;
    world.on_request(|request| {
        if request.turn == 4 {
            request.proposed.stop = Some(vec!["END".to_owned()]);
        }
        Ok(())
    });
    for next in 1..=6 {
        *turn.lock().unwrap() = next;
        if next == 3 {
            world.tool(tool_spec("echo"), echo());
        }
        if next == 6 {
            let reverse = around::<SystemPromptAssemble, _>((), |(), assembling, next| {
                Box::pin(async move {
                    assembling.assembly.tools.reverse();
                    next.run(assembling).await
                })
            });
            world.on(&world.topics.assemble, reverse);
        }
        if next == 5 {
            world.tool(tool_spec("other"), echo());
        }
        world.prompt(&agent, &format!("m{next}"), "go").await;
    }
    check(
        "the headers",
        &headers(&world),
        r#"
        request/header initial scripted/m
        request/context scripted/m 100000
        request/header change scripted/m system="Be brief."
        request/header change scripted/m system="Be brief." tools=echo
        request/header change scripted/m stop=["END"] system="Be brief." tools=echo
        request/header change scripted/m stop=["END"] system="Be brief." tools=echo,other
        request/header change scripted/m stop=["END"] system="Be brief." tools=other,echo
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_header_holds_no_empty_members() {
    let world = World::new(texts(1)).await;
    let agent = world.agent("s").await;
    world.prompt(&agent, "m1", "go").await;
    let events = world.recorder.events("s");
    let header = events.iter().find(|event| event.kind == "request/header").unwrap();
    assert_eq!(header.data.get(), r#"{"header":{"config":{"provider":"scripted","model":"m"}},"reason":"initial"}"#);
    world.teardown().await;
}

#[tokio::test]
async fn prompt_and_tools_stay_the_same_within_a_step() {
    let world = World::new([Reply::failure(LlmFailure::new("SERVER", "no")), Reply::text("done")]).await;
    let agent = world.agent("s").await;
    let tools = Arc::clone(&world.tools);
    let row = world.row.clone();
    world.on_request_error(move |_| {
        tools.register(None, tool_spec("late"), echo(), row.effects()).unwrap();
        Ok(RequestErrorAction::Retry)
    });
    world.prompt(&agent, "m1", "go").await;
    check("the headers", &headers(&world), "request/header initial scripted/m \n request/context scripted/m 100000");
    world.teardown().await;
}

#[tokio::test]
async fn what_the_adapter_filled_in_is_marked_and_not_carried_over() {
    let world = World::with(opinionated(texts(2))).await;
    let agent = world.agent("s").await;
    let proposals: Arc<Mutex<Vec<String>>> = Arc::default();
    let heard = Arc::clone(&proposals);
    world.on_request(move |request| {
        let CallConfig { reasoning_effort, max_tokens, temperature, .. } = &mut request.proposed;
        heard.lock().unwrap().push(format!("{reasoning_effort:?} {max_tokens:?} {temperature:?}"));
        *temperature = Some(0.5);
        Ok(())
    });
    world.prompt(&agent, "m1", "one").await;
    world.prompt(&agent, "m2", "two").await;
    check("the proposals", &proposals.lock().unwrap(), "None None None \n None None Some(0.5)");
    check(
        "the headers",
        &headers(&world),
        "
        request/header initial scripted/m effort=high* max=64* temperature=0.5
        request/context scripted/m 1000
        ",
    );
    world.check_requests(
        r#"
        scripted/m effort=high max=64 temperature=0.5: m1 "one"
        scripted/m effort=high max=64 temperature=0.5: m1 "one", "done", m2 "two"
        "#,
    );
    world.teardown().await;
}

#[tokio::test]
async fn what_the_caller_chose_is_carried_over() {
    let world = World::with(opinionated(texts(2))).await;
    let mut request = create("s");
    request.options = AgentOptions { max_tokens: Some(32), reasoning_effort: Some("low".to_owned()), ..scripted() };
    let agent = world.create(request).await.unwrap();
    world.prompt(&agent, "m1", "one").await;
    world.prompt(&agent, "m2", "two").await;
    check(
        "the headers",
        &headers(&world),
        "
        request/header initial scripted/m effort=low max=32
        request/context scripted/m 1000
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn the_context_is_logged_when_the_route_changes() {
    let world = World::new(texts(3)).await;
    let agent = world.agent("s").await;
    world.on_request(|request| {
        request.proposed.model = if request.turn == 2 { "other".to_owned() } else { "m".to_owned() };
        Ok(())
    });
    for id in ["m1", "m2", "m3"] {
        world.prompt(&agent, id, "go").await;
    }
    check(
        "the headers",
        &headers(&world),
        "
        request/header initial scripted/m
        request/context scripted/m 100000
        request/header change scripted/other
        request/context scripted/other 100000
        request/header change scripted/m
        request/context scripted/m 100000
        ",
    );
    world.teardown().await;
}

#[tokio::test]
async fn a_window_that_is_not_known_any_more_is_logged() {
    let model = ScriptedModel::with_model(ModelInfo::default(), texts(1));
    let world = World::with(Setup::new(model)).await;
    let seed = log_of_a_turn(CallConfig { provider: "scripted".to_owned(), model: "m".to_owned(), ..CallConfig::default() }).await;
    let agent = world.create(seeded("s", seed)).await.unwrap();
    world.prompt(&agent, "m2", "go").await;
    check("the headers", &headers(&world), "request/header resume scripted/m \n request/context scripted/m -");
    world.teardown().await;
}

/// The log of a session whose one turn was run with these settings.
async fn log_of_a_turn(settings: CallConfig) -> Vec<SessionEvent> {
    let model = ModelInfo {
        context_window: Some(100_000),
        reasoning_efforts: vec!["low".to_owned(), "high".to_owned()],
        default_reasoning_effort: Some("high".to_owned()),
        ..ModelInfo::default()
    };
    let world = World::with(Setup::new(ScriptedModel::with_model(model, texts(1)))).await;
    let agent = world.agent("s").await;
    world.on_request(move |request| {
        request.proposed = settings.clone();
        Ok(())
    });
    world.prompt(&agent, "m1", "go").await;
    let recorder = Arc::clone(&world.recorder);
    world.teardown().await;
    recorder.events("s")
}

#[tokio::test]
async fn the_first_request_of_a_resumed_session_logs_its_header_even_unchanged() {
    let settings = CallConfig { provider: "scripted".to_owned(), model: "m".to_owned(), ..CallConfig::default() };
    let world = World::new(texts(2)).await;
    let agent = world.create(seeded("s", log_of_a_turn(settings).await)).await.unwrap();
    world.prompt(&agent, "m2", "go").await;
    world.prompt(&agent, "m3", "go").await;
    check("the headers", &headers(&world), "request/header resume scripted/m");
    world.teardown().await;
}

#[tokio::test]
async fn the_first_request_on_a_log_without_a_header_is_the_initial_one() {
    let world = World::new(texts(1)).await;
    let agent = world.create(seeded("s", Vec::new())).await.unwrap();
    world.prompt(&agent, "m1", "go").await;
    check("the headers", &headers(&world), "request/header initial scripted/m \n request/context scripted/m 100000");
    world.teardown().await;
}

/// The header of the first request of an agent for `scripted/m` that continues a log with these settings.
async fn resumed_with(settings: CallConfig) -> String {
    let world = World::with(opinionated(texts(1))).await;
    let agent = world.create(seeded("s", log_of_a_turn(settings).await)).await.unwrap();
    world.prompt(&agent, "m2", "go").await;
    let header = headers(&world).remove(0);
    world.teardown().await;
    header
}

#[tokio::test]
async fn an_effort_that_was_chosen_is_restored_for_the_same_route_and_nothing_else_is() {
    let chosen = CallConfig {
        provider: "scripted".to_owned(),
        model: "m".to_owned(),
        reasoning_effort: Some("low".to_owned()),
        temperature: Some(0.5),
        max_tokens: Some(9),
        stop: Some(vec!["END".to_owned()]),
    };
    assert_eq!(resumed_with(chosen.clone()).await, "request/header resume scripted/m effort=low max=64*");
    let elsewhere = CallConfig { model: "other".to_owned(), ..chosen.clone() };
    assert_eq!(resumed_with(elsewhere).await, "request/header resume scripted/m effort=high* max=64*");
    let default = CallConfig { reasoning_effort: None, ..chosen };
    assert_eq!(resumed_with(default).await, "request/header resume scripted/m effort=high* max=64*");
}

#[tokio::test]
async fn the_prompt_may_name_the_route_and_the_folder() {
    let world = World::new(texts(1)).await;
    let section = Section::new("place", 0.0, "{{provider}}/{{model}} in {{cwd}}");
    world.prompt.section(None, section, world.row.effects()).unwrap();
    let session = NewSession { cwd: Some("/work".to_owned()), ..NewSession::default() };
    let agent = world.create(CreateAgent { session, ..create("s") }).await.unwrap();
    world.prompt(&agent, "m1", "go").await;
    world.check_requests(r#"scripted/m system="scripted/m in /work": m1 "go""#);
    world.teardown().await;
}

#[tokio::test]
async fn a_request_that_leaves_out_what_the_log_says_is_not_sent() {
    let world = World::new(texts(1)).await;
    let agent = world.agent("s").await;
    // The history of the request is taken before its listeners run, so this message would be logged and not sent.
    world.on_request(|request| {
        let message = UserMessage(user("m2", "unseen"));
        request.agent.session().append_message(&message, SurfaceOp::Append, None).map_err(ListenerError::new)?;
        Ok(())
    });
    world.prompt(&agent, "m1", "go").await;
    let end = "turn/end 1 error UNKNOWN: dsh-agent-loop: the messages of a request of session `s` are not those of its log";
    assert_eq!(world.last(), end);
    world.check_requests("");
    world.teardown().await;
}
