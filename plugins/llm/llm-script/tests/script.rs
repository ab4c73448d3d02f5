//! Scripts are read strictly and played by the course of the conversation.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dsh_llm::{Inject as LlmInject, Llm, LlmRequest, RequestMessages};
use dsh_llm_script::{Config, Inject, ScriptedModel};
use dsh_message::{ContentBlock, FinishReason, LlmFailure, Message, MessageSource, PluginSource, StreamChunk, TokenUsage};
use dsh_runtime::{CancellationToken, Dispatcher, Environment, MountError, Mounted, NoConfig, PluginContext, Surroundings, mount};
use dsh_session::CallConfig;
use futures_util::StreamExt;

struct Setup {
    llm: Mounted<Llm>,
    _model: Mounted<ScriptedModel>,
}

async fn mounted(folder: &Path, provider: &str) -> Result<Setup, MountError> {
    let environment = Arc::new(Environment::of([("A", "b")], folder));
    let surroundings = Surroundings { environment, ..Surroundings::of_process() };
    let inject = LlmInject { invariants: None, stream: Dispatcher::detached(), adapters_updated: Dispatcher::detached() };
    let llm = mount::<Llm>(PluginContext::new("llm", 0, surroundings.clone()), NoConfig {}, inject).await?;
    let config = Config { provider: provider.to_owned(), script: "demo/script.yml".into() };
    let cx = PluginContext::new("llm-script", 1, surroundings);
    let model = mount::<ScriptedModel>(cx, config, Inject { llm: llm.plugin() }).await?;
    Ok(Setup { llm, _model: model })
}

async fn script(text: &str) -> Result<Setup, String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("demo")).unwrap();
    std::fs::write(folder.path().join("demo/script.yml"), text).unwrap();
    let shown = folder.path().display().to_string();
    mounted(folder.path(), "script").await.map_err(|error| error.to_string().replace(&shown, "."))
}

impl Setup {
    async fn reply(&self, messages: &[Arc<Message>]) -> Vec<StreamChunk> {
        self.reply_until(messages, &CancellationToken::new()).await
    }

    async fn reply_until(&self, messages: &[Arc<Message>], signal: &CancellationToken) -> Vec<StreamChunk> {
        let llm = self.llm.plugin();
        let provider = llm.providers().remove(0);
        let prepared = llm.prepare(CallConfig { provider, model: "any".to_owned(), ..CallConfig::default() }, signal).await.unwrap();
        let request = LlmRequest {
            messages: RequestMessages::Auxiliary(messages.into()),
            system: None,
            tools: Arc::from([]),
            session: None,
            purpose: None,
            signal: signal.clone(),
        };
        llm.stream(prepared, request).await.unwrap().collect().await
    }

    /// The text of a reply, or the failure that ends it.
    async fn says(&self, messages: &[Arc<Message>]) -> Result<String, LlmFailure> {
        let reply = self.reply(messages).await;
        match reply.last() {
            Some(StreamChunk::Finish { reason: FinishReason::Error { failure }, .. }) => Err(failure.clone()),
            _ => {
                let blocks =
                    reply.into_iter().filter_map(|chunk| if let StreamChunk::BlockEnd { block, .. } = chunk { Some(block) } else { None });
                Ok(ContentBlock::joined_text(&blocks.collect::<Vec<_>>()).to_string())
            }
        }
    }
}

fn user(text: &str) -> Arc<Message> {
    Arc::new(Message::user("m".into(), vec![ContentBlock::text(text)], MessageSource::User))
}

fn assistant() -> Arc<Message> {
    let source = MessageSource::Model { provider: "p".to_owned(), model: "m".to_owned(), replay_state: None };
    Arc::new(Message::assistant("m".into(), vec![ContentBlock::text("…")], source))
}

fn result(text: &str) -> Arc<Message> {
    Arc::new(Message::tool_result("m".into(), "c".into(), vec![ContentBlock::text(text)], false))
}

fn context(text: &str) -> Arc<Message> {
    let source = PluginSource { plugin: "p".to_owned(), form: None, sections: None, summary: None };
    Arc::new(Message::user("m".into(), vec![ContentBlock::text(text)], MessageSource::Plugin(source)))
}

#[tokio::test]
async fn a_step_streams_all_that_it_says() {
    let setup = script(
        "steps:
  - reasoning: think twice
    text: let me look
    tools:
      - name: bash
        arguments: {command: ls -l, timeout: 5, deep: {list: [1, 2.5, null]}}
      - {name: bash, arguments: '{oops'}
      - name: list
",
    )
    .await
    .unwrap();
    let reply = setup.reply(&[user("12345678")]).await;
    let call = |number: u64, name: &str, arguments: &str| ContentBlock::ToolCall {
        id: format!("call-1-{number}").into(),
        name: name.into(),
        arguments: arguments.into(),
    };
    let blocks = [
        ContentBlock::Reasoning("think twice".into()),
        ContentBlock::text("let me look"),
        call(0, "bash", r#"{"command":"ls -l","timeout":5,"deep":{"list":[1,2.5,null]}}"#),
        call(1, "bash", "{oops"),
        call(2, "list", "{}"),
    ];
    let ended: Vec<_> =
        reply.iter().filter_map(|chunk| if let StreamChunk::BlockEnd { block, .. } = chunk { Some(block.clone()) } else { None }).collect();
    assert_eq!(ended, blocks);
    let words: Vec<_> = reply
        .iter()
        .filter_map(|chunk| if let StreamChunk::TextDelta { text, .. } = chunk { Some(text.to_string()) } else { None })
        .collect();
    assert_eq!(words, ["let ", "me ", "look"]);
    let usage = TokenUsage { input_tokens: 2, output_tokens: 26, ..TokenUsage::default() };
    let end = [StreamChunk::Usage { usage }, StreamChunk::Finish { reason: FinishReason::ToolCalls, replay_state: None }];
    assert_eq!(reply[reply.len() - 2..], end);
}

#[tokio::test]
async fn steps_follow_the_replies_of_a_turn() {
    let setup = script("steps: [{text: one}, {text: two}]").await.unwrap();
    let turn = [user("go"), assistant(), result("x"), context("remember"), assistant(), user("again"), assistant()];
    for (length, expected) in [(1, "one"), (3, "two"), (4, "two"), (6, "one"), (7, "two")] {
        assert_eq!(setup.says(&turn[..length]).await.unwrap(), expected, "{length}");
    }
    let over = setup.says(&turn[..5]).await.unwrap_err();
    assert_eq!((over.code.as_str(), over.message.contains("2 steps")), ("SCRIPT_OVER", true));
    let repeating = script("loop: true\nsteps: [{text: one}, {text: two}]").await.unwrap();
    assert_eq!(repeating.says(&turn[..5]).await.unwrap(), "one");
}

#[tokio::test]
async fn an_expectation_looks_at_the_last_input() {
    let setup = script("steps: [{text: one, expect: go}, {text: two, expect: 'exit code 0'}]").await.unwrap();
    assert_eq!(setup.says(&[user("go on"), context("other")]).await.unwrap(), "one");
    let failure = setup.says(&[user("go on"), assistant(), result("exit code 1")]).await.unwrap_err();
    assert_eq!(failure.code, "SCRIPT_EXPECTATION");
    assert_eq!(failure.message, r#"step 2 of the script expects an input that contains "exit code 0", and found "exit code 1""#);
}

#[tokio::test]
async fn endings() {
    let setup = script(
        "steps:
  - {text: a, finish: max-tokens}
  - {text: a, finish: tool-calls}
  - {tools: [{name: ls}], finish: stop}
  - {text: a b, fail: {code: RATE_LIMIT, message: slow down, status: 429}}
  - fail: {code: SERVER, message: busy}
",
    )
    .await
    .unwrap();
    let mut turn = vec![user("go")];
    let mut replies = Vec::new();
    for _ in 0..5 {
        replies.push(setup.reply(&turn).await);
        turn.push(assistant());
    }
    let reasons = replies.iter().map(|reply| match reply.last() {
        Some(StreamChunk::Finish { reason, .. }) => reason.clone(),
        other => panic!("{other:?}"),
    });
    let slow = LlmFailure { status: Some(429), ..LlmFailure::new("RATE_LIMIT", "slow down") };
    let expected = [
        FinishReason::MaxTokens,
        FinishReason::ToolCalls,
        FinishReason::Stop,
        FinishReason::Error { failure: slow },
        FinishReason::Error { failure: LlmFailure::new("SERVER", "busy") },
    ];
    assert_eq!(reasons.collect::<Vec<_>>(), expected);
    assert_eq!(replies[3].len(), 4);
    assert_eq!(replies[4].len(), 1);
}

#[tokio::test]
async fn a_delay_comes_before_the_reply_and_can_be_cancelled() {
    let setup = script("steps: [{text: a, delayMs: 30}, {text: b, delayMs: 600000}]").await.unwrap();
    let before = std::time::Instant::now();
    assert_eq!(setup.says(&[user("go")]).await.unwrap(), "a");
    assert!(before.elapsed() >= Duration::from_millis(30));
    let (signal, turn) = (CancellationToken::new(), [user("go"), assistant()]);
    let (reply, ()) = tokio::join!(setup.reply_until(&turn, &signal), async { signal.cancel() });
    assert!(matches!(reply.as_slice(), [StreamChunk::Finish { reason: FinishReason::Aborted { .. }, .. }]), "{reply:?}");
}

#[tokio::test]
async fn mistakes_name_file_and_place() {
    for (text, place, words) in [
        ("steps: []", ":1:1: ", "at least one step"),
        ("steps:\n  - {text: a, colour: red}", ":2:15: ", "colour"),
        ("steps:\n  - text: a\n  - expect: b", ":3:5: ", "neither says anything"),
        ("steps:\n  - {text: a, finish: stop, fail: {code: A, message: b}}", ":2:5: ", "has both"),
        ("steps:\n  - {text: a, finish: later}", ":2:23: ", "later"),
        ("steps:\n  - tools: [{name: ls, arguments: [1]}]", ":2:13: ", "mapping"),
        ("steps:\n  - tools: [{arguments: {}}]", ":2:13: ", "name"),
        ("pages: []", ":1:1: ", "pages"),
        ("steps:\n  - {text: [", ":2:12: ", "expected a string"),
        ("steps:\n  - \"", ":", "quoted scalar"),
    ] {
        let refused = script(text).await.err().unwrap();
        assert!(refused.starts_with(&format!("./demo/script.yml{place}")), "{refused}");
        assert!(refused.contains(words), "{refused}");
    }
    let refused = script("steps:\n  - {text: a, finish: later}").await.err().unwrap();
    assert_eq!(
        refused,
        "./demo/script.yml:2:23: steps[0].finish: unknown variant `later`, expected one of `stop`, `tool-calls`, `max-tokens`"
    );
    let absent = mounted(Path::new("/nonexistent"), "script").await.err().unwrap().to_string();
    assert!(absent.starts_with("cannot read the script /nonexistent/demo/script.yml: "), "{absent}");
}

#[tokio::test]
async fn it_may_stand_in_for_another_provider() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("demo")).unwrap();
    std::fs::write(folder.path().join("demo/script.yml"), "steps: [{text: a}]").unwrap();
    let llm = mounted(folder.path(), "deepseek-official").await.unwrap().llm.plugin();
    let config = CallConfig {
        reasoning_effort: Some("max".to_owned()),
        ..CallConfig { provider: "deepseek-official".to_owned(), ..CallConfig::default() }
    };
    let call = llm.prepare(config.clone(), &CancellationToken::new()).await.unwrap();
    // Settings stay as proposed and no capacity is claimed, as on a route without adapter.
    assert_eq!((call.config, call.adapter_defaults.is_empty(), call.context_window), (config, true, None));
}
