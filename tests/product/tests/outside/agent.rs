//! An agent whose profile and plugin lie in a folder of the user's own, driven over the SDK's protocol.

use std::path::Path;
use std::process::Output;

use dsh_product_tests::{Client, Place, compile, workspace};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::json;

fn run(folder: &Path, words: &[&str]) -> Output {
    let output = compile(folder).args(words).env("DSH_WORKSPACE", workspace()).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Syntax and types inside of functions are rustc's to judge; whose plugin it is, the compiler says.
#[test]
fn a_plugin_that_does_not_compile_is_told_by_its_row_and_nothing_is_written() {
    let folder = tempfile::Builder::new().prefix("dsh-outside-").tempdir().unwrap();
    run(folder.path(), &["new", "tool", "greeter"]);
    run(folder.path(), &["new", "profile", "mine", "--with", "greeter"]);
    let source = folder.path().join("greeter/src/lib.rs");
    let text = std::fs::read_to_string(&source).unwrap();
    std::fs::write(&source, text.replace("if args.name.trim().is_empty() {", "let name = ;\n        if args.name.trim().is_empty() {"))
        .unwrap();
    let mut command = compile(folder.path());
    let output = command.args(["--profile", "./mine", "--debug", "--offline"]).env("DSH_WORKSPACE", workspace()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{said}");
    for expected in ["error: expected expression, found `;`", "error[DSH0503]: plugin `greeter` does not compile", "mine/profile.yml:9:"] {
        assert!(said.contains(expected), "{said}");
    }
    let mut left: Vec<_> = std::fs::read_dir(folder.path().join("mine")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, [".gitignore", "profile.yml"]);
}

#[tokio::test]
async fn a_plugin_of_ones_own_is_built_into_an_agent_and_called() {
    let folder = tempfile::Builder::new().prefix("dsh-outside-").tempdir().unwrap();
    run(folder.path(), &["new", "tool", "greeter"]);
    run(folder.path(), &["new", "profile", "mine", "--with", "greeter"]);
    let output = run(folder.path(), &["--profile", "./mine", "--debug", "--offline", "--out", "dsh-mine"]);
    let binary = folder.path().join("dsh-mine");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().last(), binary.to_str());

    let place = Place::new();
    let script = [Step::tool("greeter", &json!({ "name": "Ada" })), Step::text("She was greeted.")];
    let server = MockServer::start(Script::new(script)).await;
    let mut client = Client::start(place.command(&binary, &server.url()));
    client.initialize(&place.workspace()).await;
    client.turn("outside", "Greet Ada.").await;
    assert_eq!(client.close().await.status, 0);

    let requests = server.requests();
    let offered = requests[0].body()["tools"].to_string();
    assert!(offered.contains("\"greeter\"") && offered.contains("Greets someone by name."), "{offered}");
    assert!(requests[1].body()["messages"].to_string().contains("hello Ada"), "the model reads what the tool answered");
    let log = place.log("outside");
    let result = log.events.iter().find(|event| event["type"] == "tool/result").expect("the result is in the log");
    assert!(result["data"]["message"].to_string().contains("hello Ada"), "{result}");
    assert_eq!(log.kinds().last(), Some(&"turn/end"));
    place.wait_until_nothing_runs().await;
}
