use std::os::unix::fs::{PermissionsExt, symlink};

use dsh_fs::{Fs, FsErrorCode, WriteIntent, WriteOperation, WriteRequest, WriteScope};
use futures_util::future::join_all;

use crate::world::{World, code, token};

fn mode(world: &World, name: &str) -> u32 {
    std::fs::metadata(world.path(name)).unwrap().permissions().mode() & 0o7777
}

#[tokio::test]
async fn a_new_file_is_private_and_its_parents_are_made() {
    let world = World::new().await;
    let written = world.write("a/b/new", "one\r\ntwo", None).await.unwrap();
    assert_eq!(written.operation, WriteOperation::Create);
    assert_eq!((written.before, written.after.as_str()), (None, "one\ntwo"));
    assert_eq!(world.content("a/b/new"), "one\r\ntwo");
    assert_eq!(mode(&world, "a/b/new"), 0o600);
    assert_eq!(written.version, world.version("a/b/new").await);
}

#[tokio::test]
async fn an_existing_file_keeps_its_mode_and_nothing_is_left_over() {
    let world = World::new().await;
    let path = world.put("tool", "old\r\n");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    let written = world.write("tool", "new\n", None).await.unwrap();
    assert_eq!(written.operation, WriteOperation::Update);
    assert_eq!((written.before.as_deref(), written.after.as_str()), (Some("old\n"), "new\n"));
    assert_eq!(mode(&world, "tool"), 0o755);
    assert_eq!(world.names(), ["tool"]);
}

#[tokio::test]
async fn a_link_is_written_through_and_survives() {
    let world = World::new().await;
    world.put("file", "old");
    symlink("file", world.path("link")).unwrap();
    symlink("absent", world.path("dangling")).unwrap();
    world.write("link", "new", None).await.unwrap();
    world.write("dangling", "made", None).await.unwrap();
    assert_eq!((world.content("file"), world.content("absent")), ("new".to_owned(), "made".to_owned()));
    for link in ["link", "dangling"] {
        assert!(std::fs::symlink_metadata(world.path(link)).unwrap().is_symlink(), "{link}");
    }
}

#[tokio::test]
async fn creation_refuses_what_exists() {
    let world = World::new().await;
    world.put("file", "old");
    assert_eq!(code(world.write("file", "new", Some(WriteIntent::CreateIfAbsent)).await), FsErrorCode::NotObserved);
    assert_eq!(world.content("file"), "old");
    assert_eq!(world.write("fresh", "new", Some(WriteIntent::CreateIfAbsent)).await.unwrap().operation, WriteOperation::Create);
    assert_eq!(world.names(), ["file", "fresh"]);
}

#[tokio::test]
async fn of_two_providers_that_create_one_path_exactly_one_wins() {
    let world = World::new().await;
    let other = World::new().await;
    let target = world.target("race").await;
    let request = |content: &str| WriteRequest {
        target: target.clone(),
        content: content.repeat(100_000),
        intent: Some(WriteIntent::CreateIfAbsent),
        scope: WriteScope::Unconfined,
    };
    // Two providers share no lock, as two processes would not.
    let (first, second) = tokio::join!(world.fs.write_text(request("1"), token()), other.fs.write_text(request("2"), token()));
    let (winner, loser) = if first.is_ok() { ("1", second) } else { ("2", first) };
    assert_eq!(code(loser), FsErrorCode::NotObserved);
    assert_eq!(world.content("race"), winner.repeat(100_000));
}

#[tokio::test]
async fn a_version_must_still_hold() {
    let world = World::new().await;
    world.put("file", "old");
    let version = world.version("file").await;
    let written = world.write("file", "new", Some(WriteIntent::ReplaceIfVersion(version.clone()))).await.unwrap();
    assert_eq!(code(world.write("file", "x", Some(WriteIntent::ReplaceIfVersion(version.clone()))).await), FsErrorCode::StaleVersion);
    world.write("file", "again", Some(WriteIntent::ReplaceIfVersion(written.version))).await.unwrap();
    std::fs::remove_file(world.path("file")).unwrap();
    assert_eq!(code(world.write("file", "x", Some(WriteIntent::ReplaceIfVersion(version))).await), FsErrorCode::StaleVersion);
    assert_eq!(world.names(), Vec::<String>::new());
}

#[tokio::test]
async fn what_is_no_text_or_too_large_has_no_basis_for_a_comparison() {
    let world = World::with_basis(8).await;
    world.put("binary", b"\0");
    world.put("large", "12345678");
    world.put("small", "1234567");
    assert_eq!(world.write("binary", "x", None).await.unwrap().before, None);
    assert_eq!(world.write("large", "x", None).await.unwrap().before, None);
    assert_eq!(world.write("small", "12345678", None).await.unwrap().before, None);
    assert_eq!(world.write("small", "x", None).await.unwrap().before, None);
    assert_eq!(world.write("small", "y", None).await.unwrap().before, Some("x".to_owned()));
}

#[tokio::test]
async fn a_directory_is_not_overwritten_and_a_long_name_is_no_obstacle() {
    let world = World::new().await;
    assert_eq!(code(world.write(".", "x", None).await), FsErrorCode::NotRegularFile);
    let long = "n".repeat(255);
    world.write(&long, "x", None).await.unwrap();
    assert_eq!(world.names(), [long]);
}

#[tokio::test]
async fn writes_of_one_file_take_effect_in_the_order_of_the_calls() {
    let world = World::new().await;
    let contents: Vec<String> = (0..20).map(|number| number.to_string()).collect();
    let target = world.target("file").await;
    let request =
        |content: &String| WriteRequest { target: target.clone(), content: content.clone(), intent: None, scope: WriteScope::Unconfined };
    let written = join_all(contents.iter().map(|content| world.fs.write_text(request(content), token()))).await;
    let befores: Vec<_> = written.into_iter().map(|written| written.unwrap().before).collect();
    let expected: Vec<_> = std::iter::once(None).chain(contents.into_iter().map(Some)).take(20).collect();
    assert_eq!(befores, expected);
}

#[tokio::test]
async fn a_cancelled_write_changes_nothing() {
    let world = World::new().await;
    world.put("file", "old");
    let cancelled = token();
    cancelled.cancel();
    let request =
        WriteRequest { target: world.target("file").await, content: "new".to_owned(), intent: None, scope: WriteScope::Unconfined };
    assert_eq!(code(world.fs.write_text(request, cancelled).await), FsErrorCode::Aborted);
    assert_eq!((world.content("file").as_str(), world.names()), ("old", vec!["file".to_owned()]));
}
