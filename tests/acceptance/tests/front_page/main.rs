//! The plugin that the README shows, compiled, mounted and used as it stands there.

#[rustfmt::skip]
mod greeter;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use dsh_message::ContentBlock;
use dsh_runtime::NoInject;
use dsh_testkit::{Harness, TestAgent, call_tool};
use serde_json::json;

#[test]
fn the_readme_shows_the_plugin_that_is_tested_here() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(package.join("../../README.md")).unwrap();
    let source = fs::read_to_string(package.join("tests/front_page/greeter.rs")).unwrap();
    assert!(readme.contains(&format!("```rust\n{source}```")), "copy the README's program to tests/front_page/greeter.rs");
}

#[tokio::test]
async fn the_plugin_of_the_readme_greets() {
    let mut harness = Harness::new();
    let tooling = harness.tooling().await;
    let agent = TestAgent::new(&mut harness, "/project").await;
    let config = greeter::Config { greeting: "ahoy".to_owned() };
    let mounted = harness.mount::<greeter::Greeter>("greeter", config, NoInject {}).await;
    tooling.tools.contribute(&mounted).unwrap();
    let settled = call_tool(&tooling.tools, Arc::clone(&agent) as _, "greet", json!({ "name": "Ana" })).await;
    assert_eq!(ContentBlock::joined_text(&settled.content), "ahoy Ana");
    harness.teardown().await;
}
