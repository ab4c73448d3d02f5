//! What a child inherits.

use std::ffi::OsString;
use std::fs;

use dsh_runtime::Environment;
use dsh_subprocess::{EnvironmentChanges, ExecutableError};

use crate::world::{World, collected, soon};

fn surroundings() -> Environment {
    Environment::of(
        [
            ("PATH", "/usr/bin:/bin"),
            ("PLAIN", "kept"),
            ("DROPPED", "x"),
            ("DEEPSEEK_API_KEY", "hidden-1"),
            ("db_password", "hidden-2"),
            ("Client_Secret", "hidden-3"),
            ("GITHUB_TOKEN", "hidden-4"),
            ("DSH_HOME", "hidden-5"),
        ],
        "/",
    )
}

#[tokio::test]
async fn secrets_and_harness_variables_stay_behind_unless_set() {
    let world = World::with(surroundings()).await;
    let changes = EnvironmentChanges::new().set("DSH_SHELL", "1").set("MY_TOKEN", "meant-for-it").remove("DROPPED");
    let child = world.spawn(dsh_subprocess::SpawnSpec { environment: changes, ..world.shell("env") }).await;
    soon(child.process.exited()).await;
    let text = collected(&child.stdout);
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("DSH_PROCESS_TREE=")).collect();
    lines.sort_unstable();
    let shells_own = |line: &&str| ["PWD=", "SHLVL=", "_=", "OLDPWD="].iter().any(|name| line.starts_with(name));
    lines.retain(|line| !shells_own(line));
    assert_eq!(lines, ["DSH_SHELL=1", "MY_TOKEN=meant-for-it", "PATH=/usr/bin:/bin", "PLAIN=kept"]);
    world.close().await;
}

#[tokio::test]
async fn no_descriptor_and_no_ignored_signal_reaches_a_child() {
    let world = World::new().await;
    // A duplicate is not closed on exec unless it is asked to be.
    let plain = rustix::io::dup(fs::File::open("/dev/null").expect("it opens")).expect("it is duplicated");
    let child = world.spawn(world.shell("grep -E '^Sig(Ign|Blk)' /proc/self/status; ls /proc/$$/fd; true")).await;
    soon(child.process.exited()).await;
    drop(plain);
    let text = collected(&child.stdout);
    let descriptors: Vec<&str> = text.lines().filter(|line| !line.starts_with("Sig")).collect();
    // The shell keeps its own copies at 10 and 255.
    assert!(descriptors.iter().all(|number| ["0", "1", "2", "10", "255"].contains(number)), "{descriptors:?}");
    assert!(text.contains("SigBlk:\t0000000000000000") && text.contains("SigIgn:\t0000000000000000"), "{text}");
    world.close().await;
}

#[tokio::test]
async fn programs_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = OsString::from(format!("relative:{}:/bin", folder.path().display()));
    let world = World::with(Environment::of([("PATH", path)], "/")).await;
    fs::write(folder.path().join("plain"), "no program").expect("it is written");
    let find = |name: &str| world.service.executable(name);
    assert_eq!(find("sh"), Ok("/bin/sh".into()));
    assert_eq!(find("/bin/sh"), Ok("/bin/sh".into()));
    assert_eq!(find("plain"), Err(ExecutableError::NotFound("plain".to_owned())));
    assert_eq!(find("/bin"), Err(ExecutableError::NotFound("/bin".to_owned())));
    assert_eq!(find("bin/sh"), Err(ExecutableError::Relative("bin/sh".to_owned())));
    assert_eq!(find(""), Err(ExecutableError::Empty));
    world.close().await;
}
