//! Wrong compositions of real plugins through the real command line: refused with code, place and help before cargo builds.

mod ring;

use dsh_product_tests::{Scratch, workspace};
use serde_json::Value;

#[test]
fn a_misspelt_config_field() {
    let scratch = Scratch::new();
    scratch.edit_minimal("  - id: persistent-bash\n    config:\n      timeoutMS: 60000\n");
    scratch.refuse_minimal().assert_lines(&[
        "error[DSH0203]: unknown field `timeoutMS` in the config of plugin `tool-bash-persistent`",
        "--> edited/minimal/profile.yml:11:7",
        "11 |       timeoutMS: 60000",
        "|       ^^^^^^^^^ no such field",
        "= help: a field with a similar name exists: `timeoutMs`",
        "dsh-build: 1 error",
    ]);
}

#[test]
fn a_provider_that_was_taken_out() {
    let scratch = Scratch::new();
    scratch.edit_minimal("  - id: subprocess\n    disabled: true\n");
    let said = scratch.refuse_minimal();
    let bundle = std::fs::read_to_string(workspace().join("profiles/bundles/minimal.yml")).unwrap();
    let line = 1 + bundle.lines().position(|line| line.trim() == "- id: terminal-bash").expect("the row is there") + 1;
    said.assert_lines(&[
        "error[DSH0301]: no row provides the service `subprocess`",
        &format!("--> profiles/bundles/minimal.yml:{line}:15"),
        "::: edited/minimal/profile.yml:10:5",
        "= help: enable row `subprocess` (plugin `subprocess-local`)",
    ]);
}

#[test]
fn rows_that_need_each_other() {
    let scratch = Scratch::new();
    ring::write_plugins(&scratch);
    scratch.edit_minimal("  - insert:\n      - {id: left, plugin: ring-left}\n      - {id: right, plugin: ring-right}\n");
    scratch.refuse_minimal().assert_lines(&[
        "error[DSH0303]: rows need each other: `left` → `right` → `left`",
        "--> edited/minimal/profile.yml:10:28",
        "|                            ^^^^^^^^^ `left` needs `right-half` of `right`",
        "|                             ---------- `right` needs `left-half` of `left`",
        "= help: take one of the rows out, or give it a plugin that does not need the next one",
    ]);
}

#[test]
fn all_that_is_wrong_is_told_at_once_also_to_programs() {
    let scratch = Scratch::new();
    scratch.edit_minimal("  - id: persistent-bash\n    config:\n      timeoutMS: 60000\n  - id: no-such-row\n    disabled: true\n  - id: terminal-bash\n    config:\n      timeoutMs: soon\n");
    let said = scratch.run(&["--profile", "edited/minimal", "--message-format", "json"]);
    assert_eq!(said.status, Some(1), "{}", said.stderr);
    scratch.assert_nothing_was_built();
    let problems: Vec<Value> = said.stdout.lines().map(|line| serde_json::from_str(line).expect("one JSON object a line")).collect();
    let of = |member: &str| problems.iter().map(|problem| problem[member].clone()).collect::<Vec<Value>>();
    assert_eq!(problems.len(), 3, "{}", said.stdout);
    assert!(of("code").contains(&"DSH0203".into()), "{}", said.stdout);
    assert!(of("severity").iter().all(|severity| severity == "error"), "{}", said.stdout);
}

#[test]
fn a_profile_that_is_not_there() {
    let scratch = Scratch::new();
    let said = scratch.run(&["--profile", "minimla"]);
    assert_eq!((said.status, said.stdout.as_str()), (Some(2), ""), "{}", said.stderr);
    said.assert_lines(&["error[DSH0107]: no profile is named `minimla`", "= help: a profile with a similar name exists: `minimal`"]);
    scratch.assert_nothing_was_built();
}

#[test]
fn a_patch_on_a_row_that_is_not_there() {
    let scratch = Scratch::new();
    scratch.write("overlay.yml", "- id: persistent-bsh\n  disabled: true\n");
    let said = scratch.run(&["--profile", "minimal", "--patch", "overlay.yml"]);
    assert_eq!((said.status, said.stdout.as_str()), (Some(1), ""), "{}", said.stderr);
    said.assert_lines(&["--> overlay.yml:1:7", "= help: a row with a similar id exists: `persistent-bash`"]);
    scratch.assert_nothing_was_built();
}

#[test]
fn a_patch_file_that_is_not_there() {
    let scratch = Scratch::new();
    let said = scratch.run(&["--profile", "minimal", "--patch", "absent.yml"]);
    assert_eq!((said.status, said.stdout.as_str()), (Some(2), ""), "{}", said.stderr);
    assert!(said.stderr.contains("absent.yml"), "{}", said.stderr);
    scratch.assert_nothing_was_built();
}
