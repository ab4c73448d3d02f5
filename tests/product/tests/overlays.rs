//! Overlays: given to the compiler they change what the agent is made of, given to a finished binary they are refused.

use std::fs;

use dsh_product_tests::{Client, Place, binary, compile, run_to_end, workspace};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::Value;

#[tokio::test]
async fn patches_of_a_build_change_what_the_model_sees() {
    let place = Place::new();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let first = write(
        "first.yml",
        "- id: str-replace-editor\n  disabled: true\n- id: fs-local\n  disabled: true\n- id: system-prompt\n  config: {persona: You are the first.}\n",
    );
    let second = write(
        "second.yml",
        "- id: system-prompt\n  config: {persona: You are the second., includeHarnessIdentity: false, includeRuntimeContext: false}\n",
    );
    let patched = folder.path().join("dsh-patched");
    let generated = || fs::read_to_string(workspace().join("generated/minimal/src/wiring.rs")).unwrap_or_default();
    let before = generated();
    let mut build = compile(workspace());
    build
        .args(["--profile", "minimal", "--debug", "--offline"])
        .arg("--patch")
        .arg(&first)
        .arg("--patch")
        .arg(&second)
        .arg("--out")
        .arg(&patched);
    let output = build.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().last(), patched.to_str());
    assert_eq!(generated(), before, "a build with patches leaves the kept wiring alone");

    let server = MockServer::start(Script::new([Step::text("done")])).await;
    let mut client = Client::start(place.command(&patched, &server.url()));
    client.initialize(&place.workspace()).await;
    client.turn("patched", "hello").await;
    assert_eq!(client.close().await.status, 0);
    let body = server.requests()[0].body();
    let tools: Vec<&Value> = body["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(tools, ["bash"]);
    assert_eq!(body["messages"][0]["content"], "You are the second.");
}

#[tokio::test]
async fn a_finished_binary_says_how_to_get_what_it_cannot_do() {
    let place = Place::new();
    for (words, told) in [
        (&["--patch", "x.yml"][..], "dsh-build --profile minimal --patch x.yml"),
        (&["--profile", "web"], "dsh-build --profile web"),
        (&["--no-such-flag"], "--no-such-flag"),
    ] {
        let mut command = place.command(&binary("minimal"), "http://127.0.0.1:9");
        command.args(words);
        let ended = run_to_end(command).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{words:?}");
        assert!(ended.stderr.contains(told), "{words:?}: {}", ended.stderr);
    }
}

#[tokio::test]
async fn a_binary_answers_to_its_own_names() {
    let place = Place::new();
    for name in ["minimal", "sdk-minimal"] {
        let mut command = place.command(&binary("minimal"), "http://127.0.0.1:9");
        command.args(["--profile", name]);
        assert_eq!(run_to_end(command).await.status, 0, "{name}: the end of input ends it");
    }
    let mut command = place.command(&binary("minimal"), "http://127.0.0.1:9");
    command.arg("--version");
    let ended = run_to_end(command).await;
    assert!(ended.status == 0 && ended.stdout.contains("profile minimal"), "{}", ended.stdout);
}
