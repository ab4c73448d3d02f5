//! One run of a recording.

use std::fs;

use dsh_product_tests::{Client, Place, binary};
use dsh_testkit::{MockServer, Script};
use serde_json::{Value, json};
use tokio::process::Command;

use crate::chunks::answer;
use crate::played::Played;
use crate::scenario::Scenario;

/// A binary about to be started, and where.
pub struct Run {
    pub place: Place,
    pub command: Command,
}

/// Runs a recording anew against a model server.
pub async fn replay(scenario: &Scenario) -> Played {
    let place = Place::new();
    let cwd = cwd(&place);
    let hydrated =
        |chunk: &Value| serde_json::from_str(&chunk.to_string().replace("{{cwd}}", &cwd)).expect("a path needs no escape in JSON");
    let steps = scenario.calls.iter().map(|chunks| answer(&chunks.iter().map(hydrated).collect::<Vec<Value>>()));
    let server = MockServer::start(Script::new(steps)).await;
    let command = place.command(&binary("minimal"), &server.url());
    let played = drive(scenario, Run { place, command }).await;
    assert_eq!(server.requests().len(), scenario.calls.len(), "{}: the model is called as often as then", scenario.session);
    played
}

fn cwd(place: &Place) -> String {
    place.workspace().to_str().expect("the temporary folder has a name in UTF-8").to_owned()
}

/// Sends the prompts of a recording to a binary and yields what it told and logged.
pub async fn drive(scenario: &Scenario, Run { place, mut command }: Run) -> Played {
    let cwd = cwd(&place);
    command.envs(&scenario.environment);
    let mut client = Client::start(command);
    client.initialize(&place.workspace()).await;
    for prompt in &scenario.prompts {
        client.turn(&scenario.session, &prompt.replace("{{cwd}}", &cwd)).await;
    }
    client.request("shutdown", &json!({})).await.expect("the end is granted");
    let ended = client.end().await;
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    for (file, text) in &scenario.files {
        let found = fs::read_to_string(place.workspace().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(&found, text, "{}: {file}", scenario.session);
    }

    Played { log: place.log(&scenario.session), frames: ended.frames, cwd }
}
