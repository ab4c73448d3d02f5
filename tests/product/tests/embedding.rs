//! `docs/cookbook/embed/`: a program with an agent inside. It is built as a reader would build it, and run with a scripted model.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::Duration;

use dsh_product_tests::{Log, Place, workspace};
use tokio::io::AsyncWriteExt;

/// The program, built once in a test process. It is copied out of the tree, so that nothing of the tree is written, and built from the
/// versions of the workspace's lock file, with its settings, so that what was compiled for other tests serves this one.
fn mender() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = tempfile::Builder::new().prefix("dsh-embed-").tempdir().unwrap();
        let from = workspace().join("docs/cookbook/embed");
        let read = |path: PathBuf| fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let manifest = read(from.join("Cargo.toml"));
        let (named, generated) = ("path = \"../../../generated/demo\"", workspace().join("generated/demo"));
        assert!(manifest.contains(named), "{manifest}");
        let settings = read(workspace().join("Cargo.toml"));
        let settings = settings.split_once("[profile.dev]").expect("the workspace has settings").1;
        let manifest = manifest.replace(named, &format!("path = {generated:?}")) + "\n[profile.dev]" + settings;
        fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
        fs::copy(workspace().join("Cargo.lock"), folder.path().join("Cargo.lock")).unwrap();
        fs::create_dir(folder.path().join("src")).unwrap();
        fs::copy(from.join("src/main.rs"), folder.path().join("src/main.rs")).unwrap();
        let target = workspace().join("target/dsh/build");
        let mut cargo = std::process::Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--quiet", "--offline", "--target-dir"]).arg(&target).current_dir(folder.path());
        for (name, _) in std::env::vars_os() {
            // What the test's own cargo says of the test's package would have crates with C code built anew.
            if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")) {
                cargo.env_remove(name);
            }
        }
        let output = cargo.env_remove("CARGO_TARGET_DIR").env("RUSTFLAGS", "-Dwarnings").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        target.join("debug/mender")
    })
}

/// A folder with the program that the demonstration mends.
fn broken(place: &Place) -> PathBuf {
    let (fixture, folder) = (workspace().join("compiler/src/demo/fixture"), place.workspace());
    for file in ["add.sh", "test.sh"] {
        fs::copy(fixture.join(file), folder.join(file)).unwrap();
    }
    folder
}

/// Runs the program with a script of the model: exit status, and lines of both streams.
async fn run(place: &Place, script: &str, limit: &str) -> (Option<i32>, Vec<String>, String) {
    let file = place.temporary().join("script.yml");
    fs::write(&file, script).unwrap();
    let mut command = place.command(mender(), "http://127.0.0.1:9");
    command.env_remove("DSH_SESSION_ROOT").env("DSH_DEMO_SCRIPT", &file).arg(place.workspace()).arg(limit);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().unwrap();
    // More than one line: what the program does not read itself must not be read by the agent.
    child.stdin.take().unwrap().write_all(b"Make test.sh pass.\nnot for the agent\n").await.unwrap();
    let output = tokio::time::timeout(Duration::from_secs(60), child.wait_with_output()).await.expect("it ends").unwrap();
    let lines = String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    (output.status.code(), lines, String::from_utf8(output.stderr).unwrap())
}

/// The one log of the folder's sessions.
fn log(folder: &Path) -> Log {
    let mut found = Vec::new();
    let mut next = vec![folder.join(".sessions")];
    while let Some(at) = next.pop() {
        for path in fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                next.push(path)
            } else if path.ends_with("session.jsonl") {
                found.push(path)
            }
        }
    }
    assert_eq!(found.len(), 1, "{found:?}");
    Log::read(&found[0])
}

#[tokio::test]
async fn the_program_hands_a_task_in_and_gets_events_and_the_answer() {
    let place = Place::new();
    let folder = broken(&place);
    let script = fs::read_to_string(workspace().join("profiles/demo/script.yml")).unwrap();
    let (status, lines, stderr) = run(&place, &script.replace("{{workspace}}", folder.to_str().unwrap()), "300").await;
    assert_eq!((status, stderr.as_str()), (Some(0), ""), "nothing but the program writes to its streams: {lines:?}");
    let used = |tool: &str| [format!("the agent uses \"{tool}\""), "it has \"completed\"".to_owned()];
    let expected = [
        &["bash", "str_replace_editor", "str_replace_editor", "bash"].map(used).concat()[..],
        &[
            "answer: \"add.sh subtracted its numbers; it adds them now, and all three checks of test.sh pass.\"".to_owned(),
            "exit status: 0".to_owned(),
            "rows that did not end in order: 0".to_owned(),
        ],
    ];
    assert_eq!(lines, expected.concat());
    assert!(fs::read_to_string(folder.join("add.sh")).unwrap().contains("$1 + $2"), "the program was mended");
    let log = log(&folder);
    assert_eq!(log.events.last().unwrap()["data"]["reason"]["kind"], "completed");
    assert!(log.events.iter().any(|event| event["type"] == "user/message" && event["data"]["content"][0]["text"] == "Make test.sh pass."));
    place.wait_until_nothing_runs().await;
}

#[tokio::test]
async fn a_cancelled_call_ends_with_its_record_complete_and_nothing_left_running() {
    let place = Place::new();
    let folder = broken(&place);
    let script = "steps:\n  - text: I wait.\n    tools:\n      - name: bash\n        arguments: {command: sleep 300 & sleep 300}\n";
    let (status, lines, stderr) = run(&place, script, "3").await;
    assert_eq!((status, stderr.as_str()), (Some(0), ""), "the program goes on: {lines:?}");
    assert_eq!(lines[lines.len() - 3..], ["problem: \"interrupted\"", "exit status: 1", "rows that did not end in order: 0"], "{lines:?}");
    assert_eq!(log(&folder).events.last().unwrap()["type"], "turn/end");
    place.wait_until_nothing_runs().await;
}

#[test]
fn the_page_shows_the_program() {
    let page = fs::read_to_string(workspace().join("docs/cookbook/embed.md")).unwrap();
    let program = fs::read_to_string(workspace().join("docs/cookbook/embed/src/main.rs")).unwrap();
    assert!(page.contains(&format!("\n```rust\n{program}```\n")), "the page's program is not that of the folder");
}
