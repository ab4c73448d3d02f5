use std::os::unix::fs::symlink;

use dsh_fs::{Fs, FsErrorCode, ResolveRequest};

use crate::world::{World, code, token};

#[tokio::test]
async fn all_names_of_a_file_share_one_key() {
    let world = World::new().await;
    world.put("file", "x");
    symlink("file", world.path("link")).unwrap();
    let (direct, linked) = (world.target("file").await, world.target("link").await);
    assert_eq!(direct.target_key, linked.target_key);
    assert!(linked.display_path.ends_with("link"), "{linked:?}");
    assert_eq!(world.target("./sub/../file").await.display_path, direct.display_path);
}

#[tokio::test]
async fn a_missing_file_is_known_by_its_nearest_ancestor() {
    let world = World::new().await;
    std::fs::create_dir(world.path("real")).unwrap();
    symlink("real", world.path("alias")).unwrap();
    let target = world.target("alias/new/file").await;
    assert_eq!(target.target_key.as_path(), world.path("real/new/file"));
    assert_eq!(world.fs.stat(target, token()).await, Ok(None));
}

#[tokio::test]
async fn a_link_that_leads_nowhere_is_the_file_that_it_names() {
    let world = World::new().await;
    symlink("second", world.path("first")).unwrap();
    symlink("absent", world.path("second")).unwrap();
    assert_eq!(world.target("first").await.target_key.as_path(), world.path("absent"));
}

#[tokio::test]
async fn a_base_given_with_the_path_wins_over_the_row() {
    let world = World::new().await;
    let other = tempfile::tempdir().unwrap();
    let request = ResolveRequest { path: "x".into(), cwd: Some(other.path().to_owned()) };
    assert_eq!(world.fs.resolve(request, token()).await.unwrap().display_path, other.path().join("x"));
}

#[tokio::test]
async fn paths_that_cannot_name_a_file_are_not_found() {
    let world = World::new().await;
    world.put("file", "x");
    for path in ["", "  ", "file/child", "file/child/deeper"] {
        assert_eq!(code(world.resolve(path).await), FsErrorCode::NotFound, "{path:?}");
    }
}

#[tokio::test]
async fn a_loop_of_links_is_an_error_and_not_a_hang() {
    let world = World::new().await;
    symlink("b", world.path("a")).unwrap();
    symlink("a", world.path("b")).unwrap();
    assert_eq!(code(world.resolve("a").await), FsErrorCode::IoError);
}
