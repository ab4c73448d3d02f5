use std::os::unix::fs::symlink;

use dsh_fs::{FileKind, Fs, FsErrorCode};

use crate::world::{World, code, token};

#[tokio::test]
async fn children_come_in_order_with_links_followed() {
    let world = World::new().await;
    for name in ["b", "A", "c"] {
        world.put(name, "");
    }
    std::fs::create_dir(world.path("dir")).unwrap();
    symlink("dir", world.path("link")).unwrap();
    symlink("nowhere", world.path("dangling")).unwrap();
    let entries = world.fs.list_dir(world.target(".").await, token()).await.unwrap();
    let seen: Vec<_> = entries.iter().map(|entry| (entry.name.to_str().unwrap(), entry.kind)).collect();
    let (file, dir, other) = (FileKind::File, FileKind::Directory, FileKind::Other);
    assert_eq!(seen, [("A", file), ("b", file), ("c", file), ("dangling", other), ("dir", dir), ("link", dir)]);
}

#[tokio::test]
async fn only_directories_have_children() {
    let world = World::new().await;
    world.put("file", "");
    assert_eq!(code(world.fs.list_dir(world.target("file").await, token()).await), FsErrorCode::NotDirectory);
    assert_eq!(code(world.fs.list_dir(world.target("missing").await, token()).await), FsErrorCode::NotFound);
}
