//! Mount order follows from what rows need, not from where they stand.

use std::fs;

use dsh_product_tests::{Scratch, workspace};
use serde_json::Value;

/// The rows of the shipped bundle, last row first.
fn rows_backwards() -> String {
    let bundle = fs::read_to_string(workspace().join("profiles/bundles/minimal.yml")).unwrap();
    let (_, rows) = bundle.split_once("- insert:\n").expect("the bundle inserts rows");
    let mut blocks: Vec<String> = Vec::new();
    for line in rows.lines().filter(|line| !line.trim_start().starts_with('#')) {
        match blocks.last_mut() {
            Some(block) if !line.starts_with("    - id:") => *block += &format!("{line}\n"),
            _ => blocks.push(format!("{line}\n")),
        }
    }
    blocks.reverse();
    blocks.concat()
}

#[test]
fn row_02_rows_in_any_order_mount_after_what_they_need() {
    let scratch = Scratch::new();
    let profile = format!("dsh: 1\nprofile: backwards\npatch:\n- insert:\n{}", rows_backwards());
    scratch.write("edited/backwards/profile.yml", &profile);
    let said = scratch.run(&["plan", "--profile", "edited/backwards", "--message-format", "json"]);
    assert_eq!(said.status, Some(0), "{}", said.stderr);
    let plan: Value = serde_json::from_str(said.stdout.lines().last().expect("a plan")).unwrap();
    let rows = plan["rows"].as_array().unwrap();
    let mounted = |id: &Value| rows.iter().position(|row| row["id"] == *id).expect("every row mounts");
    let mut needs = 0;
    for (at, row) in rows.iter().enumerate() {
        let takes = row["takes"].as_array().unwrap().iter();
        for from in takes.flat_map(|taken| taken["from"].as_array().into_iter().flatten()) {
            assert!(mounted(from) < at, "{} mounts before {from}, which it needs", row["id"]);
            needs += 1;
        }
    }
    assert!(needs > 20, "the rows of the profile need each other: {needs}");
    let places: Vec<u64> = rows.iter().map(|row| row["place"].as_u64().unwrap()).collect();
    assert!(!places.is_sorted(), "the order of the file is not the mount order");
}

#[test]
fn row_02_a_row_whose_need_nobody_meets_is_named() {
    let scratch = Scratch::new();
    scratch.write("edited/alone/profile.yml", "dsh: 1\nprofile: alone\npatch:\n- insert:\n    - {id: registry, plugin: tools}\n");
    let said = scratch.run(&["check", "--profile", "edited/alone"]);
    assert_eq!(said.status, Some(1), "{}", said.stderr);
    said.assert_lines(&[
        "error[DSH0301]: no row provides the service `systemPrompt`",
        "|                              ^^^^^ row `registry` needs `systemPrompt`",
    ]);
}
