//! A binary at work: its place, its model server and its client.

use std::path::{Path, PathBuf};
use std::process::Command as Program;
use std::sync::OnceLock;

use dsh_product_tests::{Client, Ended, Place, binary, compile, events_of, run_to_end, workspace};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};
use tokio::process::Command;

/// An address where nothing listens.
pub const NOWHERE: &str = "http://127.0.0.1:9";

/// A serving binary that a client has initialised.
pub struct Scene {
    pub place: Place,
    pub server: MockServer,
    pub client: Client,
}

impl Scene {
    /// With a model that answers so, one step after the other.
    pub async fn start(steps: impl IntoIterator<Item = Step>) -> Self {
        Self::start_in(Place::new(), steps).await
    }

    /// The same in a place that was prepared.
    pub async fn start_in(place: Place, steps: impl IntoIterator<Item = Step>) -> Self {
        let server = MockServer::start(Script::new(steps)).await;
        let command = asking_once(&place, &binary("minimal"), &server.url());
        Self::start_as(command, place, server).await
    }

    /// The same with the binary that waits for nothing long.
    pub async fn start_impatient(steps: impl IntoIterator<Item = Step>) -> Self {
        let (place, server) = (Place::new(), MockServer::start(Script::new(steps)).await);
        let command = asking_once(&place, &impatient(), &server.url());
        Self::start_as(command, place, server).await
    }

    /// The same by this command.
    pub async fn start_as(command: Command, place: Place, server: MockServer) -> Self {
        let mut client = Client::start(command);
        client.initialize(&place.workspace()).await;
        Self { place, server, client }
    }

    /// Sends a prompt and yields the session's events until it is idle.
    pub async fn turn(&mut self, session: &str, text: &str) -> Vec<Value> {
        events_of(&self.client.turn(session, text).await, session)
    }

    /// Closes standard input. The binary must end in order, with nothing left behind and nothing lost: what was told is what
    /// the logs hold.
    pub async fn close(self) -> (Place, Ended) {
        let Self { place, client, .. } = self;
        let ended = client.close().await;
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        place.wait_until_nothing_runs().await;
        for path in place.logs() {
            let log = dsh_product_tests::Log::read(&path);
            let session = log.header["id"].as_str().unwrap();
            assert_eq!(log.events, events_of(&ended.frames, session), "session {session} holds what was told of it");
        }
        (place, ended)
    }
}

/// A binary whose failed calls are not repeated.
pub fn asking_once(place: &Place, binary: &Path, server: &str) -> Command {
    let mut command = place.command(binary, server);
    command.arg("--patch").arg(workspace().join("tests/faults/asked-once.yml"));
    command
}

/// The binary of `minimal` whose waits are short: half a second for a silent model, a second for a command. Built once in a test
/// process.
pub fn impatient() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let binary = workspace().join("target/faults/dsh-impatient");
        let patch = workspace().join("tests/faults/impatient.yml");
        let mut build = compile(workspace());
        build.args(["--profile", "minimal", "--debug", "--offline"]).arg("--patch").arg(patch).arg("--out").arg(&binary);
        output(&mut build);
        binary
    });
    built.clone()
}

/// What a program prints, which must succeed.
pub fn output(program: &mut Program) -> String {
    let output = program.output().unwrap_or_else(|error| panic!("{program:?}: {error}"));
    assert!(output.status.success(), "{program:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs a task to its end in a prepared place.
pub async fn run_in(place: &Place, server: &str, words: &[&str]) -> Ended {
    let mut command = asking_once(place, &binary("minimal"), server);
    command.arg("run").args(words);
    run_to_end(command).await
}

/// A step in which the model runs a shell command.
pub fn shell(command: &str) -> Step {
    Step::tool("bash", &json!({ "command": command }))
}

/// The text of a tool's result.
fn result_text(event: &Value) -> &str {
    event["data"]["message"]["content"][0]["content"][0]["text"].as_str().unwrap_or("")
}

/// The texts of the results of all tools that ran in these events.
pub fn results(events: &[Value]) -> Vec<&str> {
    events.iter().filter(|event| event["type"] == "tool/result").map(result_text).collect()
}

/// How many events of a type there are.
pub fn count(events: &[Value], kind: &str) -> usize {
    events.iter().filter(|event| event["type"] == kind).count()
}

/// The reason with which the only turn of these events ended.
pub fn end(events: &[Value]) -> &Value {
    let ends: Vec<&Value> = events.iter().filter(|event| event["type"] == "turn/end").collect();
    assert_eq!(ends.len(), 1, "one turn has ended: {ends:?}");
    &ends[0]["data"]["reason"]
}

/// Sees that the only turn of these events completed.
pub fn assert_completed(events: &[Value]) {
    assert_eq!(end(events), &json!({ "kind": "completed" }));
}

/// The failure with which the only turn of these events ended, which has this code.
pub fn failure<'a>(events: &'a [Value], code: &str) -> &'a Value {
    let error = &end(events)["error"];
    assert_eq!(error["code"], code, "{error}");
    assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{error}");
    error
}

/// Sees that a text holds all of these.
pub fn assert_told(text: &str, told: &[&str]) {
    for words in told {
        assert!(text.contains(words), "`{words}` is not told in:\n{text}");
    }
}
