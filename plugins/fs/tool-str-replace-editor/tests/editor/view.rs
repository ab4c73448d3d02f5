use serde_json::json;

use crate::world::{World, config, description};

#[tokio::test]
async fn a_file_is_shown_with_line_numbers() {
    let world = World::new().await;
    world.put("note", "target:\n\told\n");
    let path = world.path("note").display().to_string();
    let whole = world.call("note", json!({"command": "view"})).await.ok();
    assert_eq!(
        whole,
        format!(
            "Here's the content of {path} with line numbers (which has a total of 3 lines):\n     1  target:\n     2  \told\n     3  \n"
        )
    );
    let part = world.call("note", json!({"command": "view", "view_range": [2, -1]})).await.ok();
    assert_eq!(
        part,
        format!(
            "Here's the content of {path} with line numbers (which has a total of 3 lines) with view_range=[2, -1]:\n     2  \told\n     3  \n"
        )
    );
    assert_eq!(world.observations(), [("note".to_owned(), true), ("note".to_owned(), true)]);
}

#[tokio::test]
async fn ranges_outside_the_file_are_refused() {
    let world = World::new().await;
    world.put("two", "a\n");
    for (range, reason) in [
        (json!([1]), "exactly two"),
        (json!([1, 2, 3]), "exactly two"),
        (json!([0, 1]), "starts at line 0"),
        (json!([3, 3]), "lines 1 to 2"),
        (json!([1, 3]), "ends at line 3"),
        (json!([1, -2]), "ends at line -2"),
        (json!([2, 1]), "before it starts"),
    ] {
        let refused = world.call("two", json!({"command": "view", "view_range": range})).await.plain();
        assert!(refused.starts_with("Error: ") && refused.contains(reason), "{refused}");
    }
}

#[tokio::test]
async fn a_directory_lists_two_levels_of_visible_entries() {
    let world = World::new().await;
    for dir in ["b/deep/deeper", ".git", "node_modules/x", "__pycache__"] {
        std::fs::create_dir_all(world.path(dir)).unwrap();
    }
    for file in ["a.txt", "b/Z", "b/.hidden", "b/deep/unseen"] {
        world.put(file, "");
    }
    std::os::unix::fs::symlink("nowhere", world.path("dangling")).unwrap();
    let listed = world.call("", json!({"command": "view"})).await.ok();
    let (heading, rows) = listed.split_once('\n').unwrap();
    let root = world.path("").display().to_string();
    let root = root.trim_end_matches('/');
    assert!(heading.contains(root) && heading.contains("node_modules"), "{heading}");
    let expected = format!("d\t{root}\nf\t{root}/a.txt\nd\t{root}/b\nf\t{root}/b/Z\nd\t{root}/b/deep\n?\t{root}/dangling\n");
    assert_eq!(rows, expected);
    assert_eq!(world.observations(), []);
    world.call("", json!({"command": "view", "view_range": [1, 2]})).await.plain();
}

#[tokio::test]
async fn long_output_is_cut_by_utf16_units_and_says_so() {
    let world = World::with(config(100), None).await;
    world.put("wide", &"\u{1f600}".repeat(80));
    let shown = world.call("wide", json!({"command": "view"})).await.ok();
    let (kept, note) = shown.split_once("<response clipped>").unwrap();
    assert!(note.starts_with("<NOTE>") && note.ends_with("</NOTE>"), "{note}");
    let units = kept.encode_utf16().count();
    assert!((99..=100).contains(&units), "{units}");
}

#[tokio::test]
async fn what_is_missing_or_no_text_is_a_coded_failure() {
    let world = World::new().await;
    world.call("gone", json!({"command": "view"})).await.coded("FS_NOT_FOUND");
    assert_eq!(world.observations(), [("gone".to_owned(), false)]);
    std::fs::write(world.path("binary"), b"a\0b").unwrap();
    world.call("binary", json!({"command": "view"})).await.coded("FS_NOT_TEXT");
}

#[tokio::test]
async fn a_relative_path_is_answered_with_the_absolute_one() {
    let world = World::new().await;
    let refused = world.call_raw(json!({"command": "view", "path": "src/main.rs"})).await.plain();
    assert!(refused.contains("`/src/main.rs`"), "{refused}");
}

#[test]
fn the_description_is_the_configured_one() {
    let spec = description(&config(1));
    assert_eq!((spec.name.as_str(), spec.description.as_str()), ("str_replace_editor", "Edits files."));
    assert_eq!(spec.parameters["properties"]["command"]["enum"], json!(["view", "create", "str_replace", "insert"]));
    assert_eq!(spec.parameters["required"], json!(["command", "path"]));
}
