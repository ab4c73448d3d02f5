//! What the header of a log says of its writer, and what a reader with another vocabulary is told.

use dsh_runtime::{Identity, Vocabulary};
use dsh_session::catalogue::TurnStart;

use crate::world::{World, header, put, turn};

const WORDS: &[(&str, &str)] = &[("session/end-seed", "00000001"), ("turn/end", "00000002"), ("turn/start", "00000003")];

static IDENTITY: Identity = Identity {
    profile: "test",
    aliases: &[],
    version: "1.2.3",
    digest: "0123456789abcdef",
    serves: false,
    verbs: &[],
    vocabulary: Vocabulary { digest: "aaaabbbbccccdddd", words: WORDS },
};

/// The header of session `s` as a binary with other events wrote it.
fn other_header() -> String {
    let vocabulary = "\"vocabulary\":{\"digest\":\"1111222233334444\",\"events\":{\"turn/end\":\"99999999\",\"turn/start\":\"00000003\",\"x/y\":\"00000004\"}}";
    header("s").replace("}\n", &format!(",\"composition\":\"fedcba9876543210\",{vocabulary}}}\n"))
}

#[tokio::test]
async fn the_header_names_the_composition_and_the_vocabulary_of_its_writer() {
    let root = tempfile::tempdir().unwrap();
    let world = World::of(&IDENTITY, root.path()).await;
    world.create("s").unwrap().append(&TurnStart { turn: 1 }).unwrap();
    let path = root.path().join("--w--").join("s").join("session.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let members = text.lines().next().unwrap().split_once("\"delegationDepth\":0,").unwrap().1;
    assert_eq!(
        members,
        "\"composition\":\"0123456789abcdef\",\"vocabulary\":{\"digest\":\"aaaabbbbccccdddd\",\"events\":\
         {\"session/end-seed\":\"00000001\",\"turn/end\":\"00000002\",\"turn/start\":\"00000003\"}}}"
    );
}

#[tokio::test]
async fn a_log_of_another_vocabulary_is_taken_up_when_its_events_are_known() {
    let root = tempfile::tempdir().unwrap();
    let path = put(root.path(), "s", other_header() + &turn(0, 1));
    let world = World::of(&IDENTITY, root.path()).await;
    world.take_up("s").await.unwrap().append(&TurnStart { turn: 2 }).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.starts_with(&other_header()), "the header stays: {text}");
}

#[tokio::test]
async fn a_refused_log_tells_how_its_vocabulary_differs() {
    let root = tempfile::tempdir().unwrap();
    put(root.path(), "s", other_header() + &turn(0, 1) + "{\"type\":\"x/y\",\"seq\":4,\"time\":1,\"data\":{}}\n");
    let refused = World::of(&IDENTITY, root.path()).await.load("s").await.unwrap_err().to_string();
    assert!(
        refused.contains(
            "event 4 has the type `x/y`, which this version does not know; its log has the vocabulary 1111222233334444, this binary has \
             aaaabbbbccccdddd; not known to this binary: `x/y`; of another form in this binary: `turn/end`; known to this binary alone: \
             `session/end-seed`"
        ),
        "{refused}"
    );
}
