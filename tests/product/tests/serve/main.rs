//! The binary of the profile `minimal` as an SDK client meets it: frames on its standard streams, logs on disk, and how it ends.

mod acknowledged;
mod ending;
mod framing;
mod order;
mod refusals;
mod resuming;
mod retrying;
mod secrets;
mod stored;
mod turns;

use dsh_product_tests::{Client, Place, binary, events_of};
use dsh_testkit::{MockServer, RecordedRequest, Script, Step};
use serde_json::{Value, json};

/// A binary that serves, what it works with, and a client that has initialised it.
struct Serving {
    place: Place,
    server: MockServer,
    client: Client,
}

impl Serving {
    /// With a model that answers so, one step after the other.
    async fn start(steps: impl IntoIterator<Item = Step>) -> Self {
        Self::start_in(Place::new(), Script::new(steps)).await
    }

    async fn start_in(place: Place, script: Script) -> Self {
        let Self { place, server, mut client } = Self::uninitialized(place, script).await;
        client.initialize(&place.workspace()).await;
        Self { place, server, client }
    }

    async fn uninitialized(place: Place, script: Script) -> Self {
        let server = MockServer::start(script).await;
        let mut command = place.command(&binary("minimal"), &server.url());
        command.args(["--profile", "minimal"]);
        Self { client: Client::start(command), place, server }
    }

    /// Sends a prompt and yields the session's events until it is idle.
    async fn turn(&mut self, session: &str, text: &str) -> Vec<Value> {
        events_of(&self.client.turn(session, text).await, session)
    }

    /// The bodies of the requests to the model.
    fn bodies(&self) -> Vec<Value> {
        self.server.requests().iter().map(RecordedRequest::body).collect()
    }
}

/// A step in which the model runs a shell command.
fn shell(command: &str) -> Step {
    Step::tool("bash", &json!({ "command": command }))
}

/// The text of a tool's result.
fn result_text(event: &Value) -> &str {
    event["data"]["message"]["content"][0]["content"][0]["text"].as_str().unwrap_or("")
}

/// The texts of the results of all tools that ran in these events.
fn results(events: &[Value]) -> Vec<&str> {
    events.iter().filter(|event| event["type"] == "tool/result").map(result_text).collect()
}

/// The reasons with which turns ended in these events.
fn ends(events: &[Value]) -> Vec<&Value> {
    events.iter().filter(|event| event["type"] == "turn/end").map(|event| &event["data"]["reason"]).collect()
}
