//! What a client is told lies in the log.

use dsh_product_tests::{Log, events_of};
use dsh_testkit::Step;
use serde_json::json;

use crate::{Serving, shell};

#[tokio::test]
async fn the_log_holds_exactly_what_was_told() {
    let thinking = shell("echo one; exit 3").and_reasoning("Let me see what there is.").and_text("I look around.").pieces(9);
    let mut serving = Serving::start([thinking, Step::text("done, in several pieces").pieces(7), Step::text("twice")]).await;
    serving.turn("kept", "look around").await;
    serving.turn("kept", "again").await;
    let told = events_of(&serving.client.seen, "kept");
    let place = serving.place;
    let started = serving.client.close().await;
    assert_eq!(started.status, 0);

    let log = place.log("kept");
    assert_eq!(log.events, told);
    let header = json!({
        "type": "session", "version": 0, "id": "kept", "createdAt": log.header["createdAt"], "cwd": place.workspace(), "delegationDepth": 0,
        // What wrote it; that this is what the binary says of itself is tested with that.
        "composition": log.header["composition"], "vocabulary": log.header["vocabulary"],
    });
    assert_eq!(log.header, header);
    assert!(log.header["createdAt"].as_u64().is_some_and(|time| time > 1_700_000_000_000), "{header}");
}

#[tokio::test]
async fn calls_results_and_ends_of_turns_are_written_when_they_are_told() {
    let steps = (0..12).map(|number| shell(&format!("echo {number}"))).chain([Step::text("done")]);
    let mut serving = Serving::start(steps).await;
    serving.client.ask("session/prompt", &json!({ "sessionId": "kept", "contentBlocks": [{ "type": "text", "text": "count" }] })).await;
    let mut looked = 0;
    loop {
        let frame = serving.client.next("the end of the turn").await;
        if matches!(frame.kind(), "tool/call" | "tool/result" | "turn/end") {
            let told = frame.event().unwrap();
            let log = Log::read(&serving.place.log_path("kept"));
            assert!(log.events.contains(told), "{} was told before it was written", frame.text);
            looked += 1;
        }
        if frame.is_idle("kept") {
            break;
        }
    }
    assert_eq!(looked, 12 + 12 + 1);
    serving.client.close().await;
}
