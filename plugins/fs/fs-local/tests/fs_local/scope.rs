use std::os::unix::fs::symlink;

use dsh_fs::{EditRequest, Fs, FsErrorCode, WriteScope};

use crate::world::{World, code, token};

#[tokio::test]
async fn read_only_refuses_every_mutation() {
    let world = World::new().await;
    world.put("file", "old");
    assert_eq!(code(world.write_in("file", "new", None, WriteScope::ReadOnly).await), FsErrorCode::SandboxDenied);
    let edit = EditRequest { scope: WriteScope::ReadOnly, ..world.edit_request("file", "old", "new").await };
    assert_eq!(code(world.fs.edit_text(edit, token()).await), FsErrorCode::SandboxDenied);
    assert_eq!(world.content("file"), "old");
}

#[tokio::test]
async fn roots_admit_themselves_and_what_lies_under_them() {
    let world = World::new().await;
    std::fs::create_dir(world.path("ws")).unwrap();
    std::fs::create_dir(world.path("ws-other")).unwrap();
    symlink("ws", world.path("alias")).unwrap();
    let roots = WriteScope::Roots(vec![world.path("alias")]);
    world.write_in("ws/deep/file", "x", None, roots.clone()).await.unwrap();
    world.write_in("ws/../ws/file", "x", None, roots.clone()).await.unwrap();
    for outside in ["file", "ws-other/file", "ws/../file"] {
        assert_eq!(code(world.write_in(outside, "x", None, roots.clone()).await), FsErrorCode::SandboxDenied, "{outside}");
    }
    assert_eq!(world.names(), ["alias", "ws", "ws-other"]);
}

#[tokio::test]
async fn a_link_inside_does_not_lead_a_write_outside() {
    let world = World::new().await;
    std::fs::create_dir(world.path("ws")).unwrap();
    std::fs::create_dir(world.path("outside")).unwrap();
    symlink("../outside", world.path("ws/link")).unwrap();
    symlink("../outside/new", world.path("ws/dangling")).unwrap();
    let roots = WriteScope::Roots(vec![world.path("ws")]);
    for name in ["ws/link/x", "ws/dangling"] {
        assert_eq!(code(world.write_in(name, "x", None, roots.clone()).await), FsErrorCode::SandboxDenied, "{name}");
    }
}

#[tokio::test]
async fn a_directory_swapped_for_a_link_after_resolving_is_noticed() {
    let world = World::new().await;
    std::fs::create_dir_all(world.path("ws/sub")).unwrap();
    std::fs::create_dir(world.path("outside")).unwrap();
    let roots = WriteScope::Roots(vec![world.path("ws")]);
    let edit = EditRequest { scope: roots, ..world.edit_request("ws/sub/file", "a", "b").await };
    std::fs::remove_dir(world.path("ws/sub")).unwrap();
    symlink("../outside", world.path("ws/sub")).unwrap();
    world.put("outside/file", "a");
    assert_eq!(code(world.fs.edit_text(edit, token()).await), FsErrorCode::SandboxDenied);
    assert_eq!(world.content("outside/file"), "a");
}
