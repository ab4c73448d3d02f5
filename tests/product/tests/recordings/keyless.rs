//! A recording played again without a model server: the binary of the profile `replay` serves the recorded session itself.

use dsh_product_tests::{Place, binary, restored};
use serde_json::json;

use crate::played::Played;
use crate::replay::{Run, drive};
use crate::scenario::{Scenario, WHOLE_PROMPT};
use crate::tokens::Prompt;

/// Plays a recording.
pub async fn keyless(scenario: &Scenario) -> Played {
    let place = Place::new();
    let log = place.temporary().join("recorded.jsonl");
    std::fs::write(&log, stored(scenario, &place)).expect("a file can be written");
    let mut command = place.command(&binary("replay"), "http://127.0.0.1:9");
    command.env_remove("DEEPSEEK_API_KEY").env_remove("DEEPSEEK_BASE_URL").env("DSH_SNAPSHOT_FILE", log);
    drive(scenario, Run { place, command }).await
}

/// The recorded session as a log that can be stored: its events numbered, with values in place of the tokens.
fn stored(scenario: &Scenario, place: &Place) -> String {
    let cwd = place.workspace().to_str().expect("the temporary folder has a name in UTF-8").to_owned();
    let Prompt { system, tools } = Prompt::of(&Scenario::load(WHOLE_PROMPT).log, &cwd);
    let lines = scenario.log.events.iter().enumerate().map(|(seq, event)| {
        let mut record = json!({ "type": event["type"], "seq": seq, "time": 0 });
        if let (Some(record), Some(event)) = (record.as_object_mut(), event.as_object()) {
            record.extend(event.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        record
    });
    let text = std::iter::once(scenario.log.header.clone()).chain(lines).map(|record| restored(&record.to_string()) + "\n");
    let text: String = text.collect();
    let text = text.replace("\"{{system}}\"", &system.to_string()).replace("\"{{tools}}\"", &tools.to_string());
    with_ids(&text.replace("{{cwd}}", &cwd).replace("{{sessionId}}", &scenario.session))
}

/// An id for each token of one.
fn with_ids(text: &str) -> String {
    let mut pieces = text.split("{{id:");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (number, rest) = piece.split_once("}}").expect("a token has an end");
        out += &format!("00000000-0000-4000-8000-{:0>12}{rest}", number);
    }
    out
}
