//! Every row that a composition shows can be replaced by a patch that names it.

use std::collections::BTreeSet;

use dsh_product_tests::Scratch;
use serde_json::Value;

/// The rows of a profile as the compiler shows them: id and plugin.
fn rows(scratch: &Scratch, words: &[&str]) -> Vec<(String, String)> {
    let said = scratch.run(&[&["plan", "--message-format", "json"], words].concat());
    assert_eq!(said.status, Some(0), "{}", said.stderr);
    let plan: Value = serde_json::from_str(said.stdout.lines().last().expect("a plan")).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    plan["rows"].as_array().unwrap().iter().map(|row| (text(&row["id"]), text(&row["plugin"]))).collect()
}

#[test]
fn row_19_every_row_that_is_shown_can_be_replaced() {
    let scratch = Scratch::new();
    let shown = rows(&scratch, &["--profile", "minimal"]);
    assert!(shown.len() >= 20, "{shown:?}");
    let patch: String = shown.iter().map(|(id, _)| format!("- {{id: {id}, plugin: another-{id}}}\n")).collect();
    scratch.write("replace.yml", &patch);
    let said = scratch.run(&["check", "--profile", "minimal", "--patch", "replace.yml", "--message-format", "json"]);
    assert_eq!(said.status, Some(1), "{}", said.stderr);
    let problems = said.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let errors = problems.filter(|problem| problem["severity"] == "error").map(|problem| problem["title"].as_str().unwrap().to_owned());
    let expected = shown.iter().map(|(id, _)| format!("no plugin is named `another-{id}`"));
    assert_eq!(errors.collect::<BTreeSet<_>>(), expected.collect(), "each row has the plugin that the patch gives it");
}

#[test]
fn row_19_a_patch_takes_the_place_of_what_the_row_was() {
    let scratch = Scratch::new();
    let patch = "- id: llm-deepseek\n  plugin: llm-script\n  config: {provider: deepseek-official, script: script.yml}\n";
    scratch.write("scripted.yml", patch);
    let before = rows(&scratch, &["--profile", "minimal"]);
    let after = rows(&scratch, &["--profile", "minimal", "--patch", "scripted.yml"]);
    let replace = |(id, plugin): &(String, String)| {
        let plugin = if id == "llm-deepseek" { "llm-script" } else { plugin };
        (id.clone(), plugin.to_owned())
    };
    assert_eq!(after, before.iter().map(replace).collect::<Vec<_>>(), "and nothing else changes");
}

#[test]
fn row_19_a_patch_on_a_row_that_is_not_there_is_refused() {
    let scratch = Scratch::new();
    scratch.edit_minimal("  - {id: presistent-bash, disabled: true}\n");
    scratch.refuse_minimal().assert_lines(&["= help: a row with a similar id exists: `persistent-bash`"]);
}
