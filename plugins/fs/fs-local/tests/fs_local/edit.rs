use std::os::unix::fs::PermissionsExt;

use dsh_fs::{EditRequest, Fs, FsErrorCode};

use crate::world::{World, code, token};

#[tokio::test]
async fn the_file_keeps_its_line_ends_and_a_mixed_one_becomes_uniform() {
    let world = World::new().await;
    world.put("dos", "one\r\ntwo\r\n");
    let edited = world.edit("dos", "one\ntwo", "1\n2").await.unwrap();
    assert_eq!((edited.before.as_str(), edited.after.as_str()), ("one\ntwo\n", "1\n2\n"));
    assert_eq!(world.content("dos"), "1\r\n2\r\n");
    assert_eq!(edited.version, world.version("dos").await);
    world.put("mixed", "a\r\nb\r\nc\n");
    world.edit("mixed", "c", "d\r\ne").await.unwrap();
    assert_eq!(world.content("mixed"), "a\r\nb\r\nd\r\ne\r\n");
}

#[tokio::test]
async fn texts_are_literal_and_matches_do_not_overlap() {
    let world = World::new().await;
    world.put("file", "a.c abc");
    world.edit("file", "a.c", "$& \\1 {}").await.unwrap();
    assert_eq!(world.content("file"), "$& \\1 {} abc");
    world.put("file", "aaa");
    world.edit("file", "aa", "b").await.unwrap();
    assert_eq!(world.content("file"), "ba");
}

#[tokio::test]
async fn one_occurrence_is_demanded_unless_all_are_wanted() {
    let world = World::new().await;
    world.put("file", "x y x");
    assert_eq!(code(world.edit("file", "z", "w").await), FsErrorCode::EditNotFound);
    assert_eq!(code(world.edit("file", "", "w").await), FsErrorCode::EditNotFound);
    let ambiguous = world.edit("file", "x", "w").await.unwrap_err();
    assert_eq!(ambiguous.code(), FsErrorCode::AmbiguousEdit);
    assert!(ambiguous.to_string().contains("2 times"), "{ambiguous}");
    let request = EditRequest { replace_all: true, ..world.edit_request("file", "x", "w").await };
    world.fs.edit_text(request, token()).await.unwrap();
    assert_eq!(world.content("file"), "w y w");
}

#[tokio::test]
async fn the_state_of_the_file_is_judged_before_the_text() {
    let world = World::new().await;
    assert_eq!(code(world.edit("missing", "a", "b").await), FsErrorCode::StaleVersion);
    assert_eq!(code(world.edit(".", "a", "b").await), FsErrorCode::NotRegularFile);
    world.put("file", "one");
    let version = world.version("file").await;
    world.put("file", "none");
    let guarded = EditRequest { guard: Some(version), ..world.edit_request("file", "one", "two").await };
    assert_eq!(code(world.fs.edit_text(guarded, token()).await), FsErrorCode::StaleVersion);
    assert_eq!(world.content("file"), "none");
}

#[tokio::test]
async fn binary_files_are_refused_wherever_the_nul_stands() {
    let world = World::new().await;
    world.put("late", [vec![b'a'; 9000], vec![0], b"tail".to_vec()].concat());
    assert_eq!(code(world.edit("late", "tail", "x").await), FsErrorCode::NotText);
}

#[tokio::test]
async fn mode_survives_and_the_byte_order_mark_does_not() {
    let world = World::new().await;
    let path = world.put("script", "\u{feff}echo one");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o750)).unwrap();
    world.edit("script", "one", "two").await.unwrap();
    assert_eq!(world.content("script"), "echo two");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o750);
    assert_eq!(world.names(), ["script"]);
}
