use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn create_makes_new_files_only() {
    let world = World::new().await;
    let path = world.path("sub/new").display().to_string();
    let created = world.call("sub/new", json!({"command": "create", "file_text": "one\n"})).await.ok();
    assert_eq!(created, format!("New file created successfully at: {path}"));
    assert_eq!(world.content("sub/new"), "one\n");
    assert_eq!(world.observations(), [("new".to_owned(), true)]);
    world.call("sub/new", json!({"command": "create", "file_text": "two"})).await.plain();
    world.call("sub", json!({"command": "create", "file_text": "two"})).await.plain();
    assert_eq!(world.content("sub/new"), "one\n");
}

#[tokio::test]
async fn a_unique_text_is_replaced_literally() {
    let world = World::new().await;
    world.put("file", "target:\n\told\n");
    let path = world.path("file").display().to_string();
    let edited = world.call("file", json!({"command": "str_replace", "old_str": "\told", "new_str": "\t$& \\1"})).await.ok();
    assert_eq!(edited, format!("The file {path} has been edited successfully."));
    assert_eq!(world.content("file"), "target:\n\t$& \\1\n");
    world.call("file", json!({"command": "str_replace", "old_str": "target:\n"})).await.ok();
    assert_eq!(world.content("file"), "\t$& \\1\n");
}

#[tokio::test]
async fn a_text_that_is_missing_or_repeated_is_refused() {
    let world = World::new().await;
    world.put("file", "x\ny\nx\n");
    world.call("file", json!({"command": "str_replace", "old_str": "z", "new_str": ""})).await.coded("FS_EDIT_NOT_FOUND");
    let ambiguous = world.call("file", json!({"command": "str_replace", "old_str": "x", "new_str": ""})).await.coded("FS_AMBIGUOUS_EDIT");
    assert!(ambiguous.contains("2 times") && ambiguous.contains("lines 1, 3"), "{ambiguous}");
    world.put("many", &"x\n".repeat(1000));
    let many = world.call("many", json!({"command": "str_replace", "old_str": "x", "new_str": ""})).await.coded("FS_AMBIGUOUS_EDIT");
    assert!(many.len() < 400 && many.contains("1000 times") && many.contains('…'), "{many}");
}

#[tokio::test]
async fn line_ends_are_not_adjusted() {
    let world = World::new().await;
    world.put("dos", "one\r\ntwo\r\n");
    world.call("dos", json!({"command": "str_replace", "old_str": "one\ntwo", "new_str": "x"})).await.coded("FS_EDIT_NOT_FOUND");
    world.call("dos", json!({"command": "str_replace", "old_str": "one\r\ntwo", "new_str": "x"})).await.ok();
    assert_eq!(world.content("dos"), "x\r\n");
}

#[tokio::test]
async fn insert_goes_after_a_line_up_to_the_last() {
    let world = World::new().await;
    world.put("file", "a\n");
    for (line, expected) in [(0, "0\na\n"), (3, "0\na\n\n3"), (2, "0\na\n2\n\n3")] {
        world.call("file", json!({"command": "insert", "insert_line": line, "new_str": line.to_string()})).await.ok();
        assert_eq!(world.content("file"), expected);
    }
    world.put("file", "a\n");
    for line in [3, -1] {
        let refused = world.call("file", json!({"command": "insert", "insert_line": line, "new_str": "x"})).await.plain();
        assert!(refused.contains("0 to 2"), "{refused}");
    }
}

#[tokio::test]
async fn editing_what_is_no_file_is_a_coded_failure() {
    let world = World::new().await;
    let replace = json!({"command": "str_replace", "old_str": "a", "new_str": "b"});
    world.call("", replace.clone()).await.coded("FS_NOT_REGULAR_FILE");
    world.call("gone", replace).await.coded("FS_NOT_FOUND");
    assert_eq!(world.observations(), [("gone".to_owned(), false)]);
}

#[tokio::test]
async fn each_command_names_the_argument_that_it_lacks() {
    let world = World::new().await;
    world.put("file", "a");
    for (args, name) in [
        (json!({"command": "create"}), "file_text"),
        (json!({"command": "str_replace"}), "old_str"),
        (json!({"command": "str_replace", "old_str": ""}), "old_str"),
        (json!({"command": "insert", "new_str": "x"}), "insert_line"),
        (json!({"command": "insert", "insert_line": 0}), "new_str"),
    ] {
        let refused = world.call("file", args).await.plain();
        assert!(refused.contains(name), "{refused}");
    }
    world.call("file", json!({"command": "delete"})).await.coded("INVALID_ARGS");
}
