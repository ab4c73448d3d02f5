//! `dsh-build demo`: what somebody meets who has nothing but a clone.

use std::path::Path;

use dsh_product_tests::{Log, compile, workspace};

#[test]
fn the_demonstration_builds_an_agent_that_mends_a_program() {
    let temporary = tempfile::tempdir().unwrap();
    let output = compile(workspace()).args(["demo", "--offline"]).env("TMPDIR", temporary.path()).output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    assert!(stdout.contains("verdict: the test failed before, the agent mended the program, the test passes now"), "{stdout}");

    let sessions = stdout.lines().find_map(|line| line.strip_prefix("log: ")).map(Path::new).expect("the place of the log is told");
    let logs = logs_below(sessions);
    assert_eq!(logs.len(), 1, "{logs:?}");
    let log = Log::read(&logs[0]);
    assert_eq!(log.events.last().map(|event| &event["data"]["reason"]["kind"]), Some(&"completed".into()));
    assert!(log.kinds().iter().filter(|kind| **kind == "tool/call").count() >= 4, "{:?}", log.kinds());
    let program = Path::new(log.header["cwd"].as_str().unwrap()).join("add.sh");
    assert!(std::fs::read_to_string(program).unwrap().contains("$1 + $2"), "the program was mended");
}

fn logs_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let files = entries.flat_map(|path| if path.is_dir() { logs_below(&path) } else { vec![path] });
    files.filter(|path| path.file_name().is_some_and(|name| name == "session.jsonl")).collect()
}
