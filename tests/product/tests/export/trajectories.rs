//! Trajectories of stored sessions.

use std::fs;
use std::path::{Path, PathBuf};

use dsh_product_tests::{Client, Place, binary, workspace};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};

use crate::rules::broken;
use crate::{export, store};

async fn trajectory(place: &Place, id: &str) -> Value {
    let ended = export(place, &[id, "--format", "atif"]).await;
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert_eq!(ended.stdout.lines().count(), 1, "one line");
    let trajectory: Value = serde_json::from_str(&ended.stdout).expect("other languages' readers take it");
    assert_eq!(broken(&trajectory), [""; 0]);
    trajectory
}

fn beside(name: &str) -> PathBuf {
    workspace().join("tests/product/tests/export").join(name)
}

/// A log with everything that a trajectory tells: a seed, two system prompts, context of a plugin, calls with arguments that are no object,
/// a failure, lone surrogates, a cut reply, a switch of confinement, an error. `DSH_UPDATE=1` writes the expected text.
#[tokio::test]
async fn a_log_is_told_whole() {
    let place = Place::new();
    let log = fs::read_to_string(beside("log.jsonl")).unwrap();
    store(&place, "recorded", Path::new("/project/folder"), r#","parentSession":"before","seedLength":9"#, &log);
    let mut told = trajectory(&place, "recorded").await;
    let (agent, version) = (&mut told["agent"], binary_version(&place).await);
    assert_eq!(agent["version"], version["version"]);
    assert_eq!(agent["extra"]["composition"], version["composition"]);
    agent["version"] = "(version)".into();
    agent["extra"]["composition"] = "(composition)".into();
    let text = serde_json::to_string_pretty(&told).unwrap() + "\n";
    let expected = beside("trajectory.json");
    if std::env::var_os("DSH_UPDATE").is_some() {
        fs::write(&expected, &text).unwrap();
    }
    assert_eq!(fs::read_to_string(&expected).unwrap(), text);
}

async fn binary_version(place: &Place) -> Value {
    let output = place.command(&binary("minimal"), "").arg("--version").output().await.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    // `dsh-minimal 0.1.0 (profile minimal, composition 0123456789abcdef)`
    let words: Vec<&str> = text.trim_end().trim_end_matches(')').split(' ').collect();
    json!({ "version": words[1], "composition": words[words.len() - 1] })
}

#[tokio::test]
async fn a_session_that_was_just_run_is_told() {
    let place = Place::new();
    let call = |command: &str| Step::tool("bash", &json!({ "command": command }));
    let server = MockServer::start(Script::new([call("echo seen").and_text("I look."), Step::text("Done."), call("sleep 300")])).await;
    let mut client = Client::start(place.command(&binary("minimal"), &server.url()));
    client.initialize(&place.workspace()).await;
    client.turn("task-1", "Look around.").await;
    client.prompt("task-1", "Wait.").await;
    place.wait_until_runs("sleep 300").await;
    // A session that is being written is told as far as it goes.
    let told = trajectory(&place, "task-1").await;
    assert_eq!((&told["session_id"], &told["agent"]["name"]), (&json!("task-1"), &json!("dsh-minimal")));
    assert_eq!(told["agent"]["extra"]["sandbox"], "danger-full-access", "the mode that the binary is configured with");
    assert_eq!(told["extra"]["cwd"], json!(place.workspace()));
    let steps: Vec<(&str, &str)> = told["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| (step["source"].as_str().unwrap(), step["message"].as_str().unwrap()))
        .collect();
    assert_eq!(steps[0].0, "system");
    assert_eq!(steps[1..], [("user", "Look around."), ("agent", "I look."), ("agent", "Done."), ("user", "Wait."), ("agent", "")]);
    let tools: Vec<&Value> = told["agent"]["tool_definitions"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(tools, ["bash", "str_replace_editor"]);
    let observed = &told["steps"][2]["observation"]["results"][0];
    assert!(observed["content"].as_str().is_some_and(|text| text.contains("seen")), "{observed}");
    assert!(told["extra"].get("end").is_none() && told["steps"][5].get("observation").is_none(), "the turn is open");
}
