use dsh_fs::{FileKind, Fs, FsErrorCode};
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::world::{World, code, token};

#[tokio::test]
async fn text_is_strict_utf8_without_a_byte_order_mark() {
    let world = World::new().await;
    world.put("plain", "añb\r\n");
    world.put("bom", "\u{feff}a");
    world.put("latin", b"a\xf1b");
    assert_eq!(world.text("plain").await.unwrap(), "añb\r\n");
    assert_eq!(world.text("bom").await.unwrap(), "a");
    assert_eq!(code(world.text("latin").await), FsErrorCode::NotText);
}

#[tokio::test]
async fn a_nul_near_the_start_means_binary() {
    let world = World::new().await;
    world.put("early", [vec![b'a'; 8191], vec![0]].concat());
    world.put("late", [vec![b'a'; 8192], vec![0]].concat());
    assert_eq!(code(world.text("early").await), FsErrorCode::NotText);
    assert_eq!(world.text("late").await.unwrap().len(), 8193);
}

#[tokio::test]
async fn the_limit_is_inclusive() {
    let world = World::new().await;
    world.put("ten", "0123456789");
    let target = world.target("ten").await;
    assert_eq!(world.fs.read_bytes(target.clone(), 10, token()).await.unwrap(), b"0123456789");
    assert_eq!(code(world.fs.read_bytes(target, 9, token()).await), FsErrorCode::TooLarge);
}

#[tokio::test]
async fn a_file_that_claims_no_size_is_still_bounded() {
    let world = World::new().await;
    let target = world.target("/proc/self/status").await;
    assert!(world.fs.read_text(target.clone(), 100_000, token()).await.unwrap().contains("Pid:"));
    assert_eq!(code(world.fs.read_text(target, 10, token()).await), FsErrorCode::TooLarge);
}

#[tokio::test]
async fn only_regular_files_are_read_and_a_pipe_does_not_block() {
    let world = World::new().await;
    mknodat(CWD, world.path("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
    for name in ["pipe", "."] {
        assert_eq!(code(world.text(name).await), FsErrorCode::NotRegularFile, "{name}");
    }
    assert_eq!(code(world.text("missing").await), FsErrorCode::NotFound);
}

#[tokio::test]
async fn stat_follows_links_and_versions_change_with_the_content() {
    let world = World::new().await;
    world.put("file", "one");
    std::os::unix::fs::symlink("file", world.path("link")).unwrap();
    let stat = world.fs.stat(world.target("link").await, token()).await.unwrap().unwrap();
    assert_eq!((stat.kind, stat.size), (FileKind::File, Some(3)));
    assert_eq!(stat.version, world.version("file").await);
    world.put("file", "four");
    assert_ne!(stat.version, world.version("file").await);
}

#[tokio::test]
async fn a_cancelled_read_fails_with_its_own_code() {
    let world = World::new().await;
    world.put("file", "x");
    let cancelled = token();
    cancelled.cancel();
    assert_eq!(code(world.fs.read_text(world.target("file").await, 10, cancelled).await), FsErrorCode::Aborted);
}
