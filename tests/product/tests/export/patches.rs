//! Patches of what an agent changed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use dsh_product_tests::{Place, binary, run_to_end};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};

use crate::{assert_refused, export, store};

const FORMAT: [&str; 2] = ["--format", "swebench-patch"];

fn git(folder: &Path, words: &[&str]) -> String {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"]).args(words);
    let output = git.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
    assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// A repository with one commit: texts, a program, a binary file, something that is ignored.
fn repository(folder: &Path) {
    fs::create_dir_all(folder.join("sub")).unwrap();
    git(folder, &["init", "--quiet"]);
    for (name, bytes) in [
        ("kept.txt", &b"one\ntwo\nthree\n"[..]),
        ("gone.txt", b"away\n"),
        ("moved.txt", b"a text that is long enough to be found again\n"),
        ("picture.bin", b"\x00\x01\x02"),
        ("sub/inner.txt", b"inside\n"),
        (".gitignore", b"*.log\n"),
    ] {
        fs::write(folder.join(name), bytes).unwrap();
    }
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", "base"]);
}

/// All files of a folder with what they hold and whether they are programs, those of git and the given ones left out.
fn files(folder: &Path, except: &[&str]) -> Vec<(PathBuf, Vec<u8>, bool)> {
    let mut found = Vec::new();
    let mut next = vec![folder.to_owned()];
    while let Some(at) = next.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(folder).unwrap().to_owned();
            match path.is_dir() {
                _ if name == Path::new(".git") || except.iter().any(|except| name == Path::new(except)) => {}
                true => next.push(path),
                false => found.push((name, fs::read(&path).unwrap(), path.metadata().unwrap().permissions().mode() & 0o100 != 0)),
            }
        }
    }
    found.sort();
    found
}

/// The prediction that an export gives.
async fn prediction(place: &Place, words: &[&str]) -> Value {
    let ended = export(place, words).await;
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert_eq!(ended.stdout.lines().count(), 1, "one line");
    serde_json::from_str(&ended.stdout).unwrap()
}

fn patch(prediction: &Value) -> &str {
    prediction["model_patch"].as_str().unwrap()
}

/// Applies a patch to a fresh copy of a revision, and yields the copy.
fn applied(place: &Place, repository: &Path, base: &str, patch: &str) -> PathBuf {
    let copy = place.temporary().join("copy");
    let _ = fs::remove_dir_all(&copy);
    git(repository, &["clone", "--quiet", "--no-checkout", ".", copy.to_str().unwrap()]);
    git(&copy, &["checkout", "--quiet", base]);
    let file = place.temporary().join("patch.diff");
    fs::write(&file, patch).unwrap();
    git(&copy, &["apply", "--whitespace=nowarn", file.to_str().unwrap()]);
    copy
}

/// Everything that git knows of a repository: index, references, objects, configuration.
fn state(folder: &Path) -> Vec<(PathBuf, Vec<u8>, bool)> {
    files(&folder.join(".git"), &[])
}

#[tokio::test]
async fn what_an_agent_did_is_applied_elsewhere() {
    let place = Place::new();
    let folder = place.workspace();
    repository(&folder);
    let base = git(&folder, &["rev-parse", "HEAD"]);
    let work = "sed -i s/two/2/ kept.txt; rm gone.txt; mv moved.txt there.txt; printf '\\0\\377' > picture.bin; mkdir new; \
                echo made > 'new/a \"file\" ü.txt'; echo '#!/bin/sh' > run.sh; chmod +x run.sh; echo noise > noise.log; \
                git -c user.name=a -c user.email=a@example.org commit --quiet --all --message 'by the agent'";
    let steps = [Step::tool("bash", &json!({ "command": work })), Step::text("Done.")];
    let server = MockServer::start(Script::new(steps)).await;
    let mut command = place.command(&binary("minimal"), &server.url());
    command.args(["run", "--json", "Do it."]);
    let ended = run_to_end(command).await;
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let session: Value = serde_json::from_str(ended.stdout.lines().next().unwrap()).unwrap();
    let session = session["sessionId"].as_str().unwrap();
    let before = state(&folder);

    let told = prediction(&place, &[&[session][..], &FORMAT, &["--base", &base]].concat()).await;
    assert_eq!((&told["instance_id"], &told["model_name_or_path"]), (&json!(session), &json!("deepseek-v4-flash")));
    assert_eq!(files(&applied(&place, &folder, &base, patch(&told)), &[]), files(&folder, &["noise.log"]), "{}", patch(&told));
    assert_eq!(state(&folder), before, "the repository is as it was");

    // From the agent's own commit there are only the new files.
    let words = [&[session][..], &FORMAT, &["--instance", "task-7", "--model-name", "ours"]].concat();
    let told = prediction(&place, &words).await;
    assert_eq!((&told["instance_id"], &told["model_name_or_path"]), (&json!("task-7"), &json!("ours")));
    assert!(patch(&told).contains("run.sh") && !patch(&told).contains("kept.txt"), "{}", patch(&told));
    assert_eq!(
        fs::read_dir(place.temporary()).unwrap().flatten().filter(|entry| entry.path().is_dir()).count(),
        1,
        "only the copy is left"
    );
}

#[tokio::test]
async fn nothing_that_the_repository_names_is_run() {
    let place = Place::new();
    let folder = place.workspace();
    repository(&folder);
    let trap = place.temporary().join("trap.sh");
    fs::write(&trap, format!("#!/bin/sh\ntouch {}\ncat\n", place.temporary().join("sprung").display())).unwrap();
    fs::set_permissions(&trap, PermissionsExt::from_mode(0o755)).unwrap();
    let trap = trap.to_str().unwrap();
    for key in
        ["filter.trap.clean", "core.fsmonitor", "diff.trap.command", "diff.trap.textconv", "diff.external", "core.pager", "core.sshCommand"]
    {
        git(&folder, &["config", key, trap]);
    }
    for hook in ["post-index-change", "pre-commit", "reference-transaction", "fsmonitor-watchman"] {
        fs::create_dir_all(folder.join(".git/hooks")).unwrap();
        fs::copy(trap, folder.join(".git/hooks").join(hook)).unwrap();
    }
    fs::write(folder.join(".gitattributes"), "*.txt filter=trap diff=trap\n").unwrap();
    fs::write(folder.join("kept.txt"), "changed\n").unwrap();
    store(&place, "trapped", &folder, "", "");
    let told = prediction(&place, &[&["trapped"][..], &FORMAT].concat()).await;
    assert!(patch(&told).contains("+changed"), "{}", patch(&told));
    assert!(!place.temporary().join("sprung").exists(), "something of the repository was run");
}

#[tokio::test]
async fn a_text_that_is_not_utf_8_is_kept() {
    let place = Place::new();
    let folder = place.workspace();
    repository(&folder);
    fs::write(folder.join("kept.txt"), b"caf\xe9\n").unwrap();
    fs::write(folder.join("new.txt"), "new\n").unwrap();
    store(&place, "latin", &folder, "", "");
    let told = prediction(&place, &[&["latin"][..], &FORMAT].concat()).await;
    assert_eq!(files(&applied(&place, &folder, "HEAD", patch(&told)), &[]), files(&folder, &[]));
}

#[tokio::test]
async fn only_the_sessions_folder_is_compared_and_its_log_is_left_out() {
    let place = Place::new();
    let folder = place.workspace();
    repository(&folder);
    fs::write(folder.join("kept.txt"), "outside\n").unwrap();
    fs::write(folder.join("sub/inner.txt"), "changed\n").unwrap();
    fs::write(folder.join(".git/info/exclude"), "*.mine\n").unwrap();
    fs::write(folder.join("sub/a.mine"), "").unwrap();
    store(&place, "below", &folder.join("sub"), "", "");
    let told = prediction(&place, &[&["below"][..], &FORMAT].concat()).await;
    let changed: Vec<&str> = patch(&told).lines().filter(|line| line.starts_with("diff --git")).collect();
    assert_eq!(changed, ["diff --git a/sub/inner.txt b/sub/inner.txt"]);

    // The sessions lie in the folder, as they do by default.
    let sessions = folder.join("sub/.sessions");
    fs::rename(place.sessions(), &sessions).unwrap();
    let mut command = place.command(&binary("minimal"), "");
    command.env("DSH_SESSION_ROOT", &sessions).args(["export", "below"]).args(FORMAT);
    let ended = run_to_end(command).await;
    assert!(ended.status == 0 && !ended.stdout.contains("session.jsonl"), "{}{}", ended.stdout, ended.stderr);
}

#[tokio::test]
async fn an_unchanged_folder_gives_an_empty_patch() {
    let place = Place::new();
    repository(&place.workspace());
    store(&place, "idle", &place.workspace(), "", "");
    let told = prediction(&place, &[&["idle"][..], &FORMAT].concat()).await;
    assert_eq!(told, json!({ "instance_id": "idle", "model_name_or_path": "dsh-minimal", "model_patch": "" }));
}

#[tokio::test]
async fn what_a_patch_needs_and_is_not_there_is_told() {
    let place = Place::new();
    let words = [&["s"][..], &FORMAT].concat();
    store(&place, "s", &place.workspace(), "", "");
    let workspace = place.workspace();
    let folder = workspace.to_str().unwrap();
    assert_refused(&export(&place, &words).await, 5, &[folder, "is in no git repository", "not a git repository"]);

    repository(&place.workspace());
    for base in ["nowhere", "--all"] {
        let option = format!("--base={base}");
        let wrong = [&words[..], &[&*option]].concat();
        assert_refused(&export(&place, &wrong).await, 5, &[folder, &format!("`{base}` is no revision")]);
    }

    let mut command = place.command(&binary("minimal"), "");
    command.env("PATH", place.temporary()).arg("export").args(&words);
    assert_refused(&run_to_end(command).await, 5, &["git is needed to make a patch", "`git` was not found"]);

    fs::remove_dir_all(place.workspace()).unwrap();
    let mut command = place.command(&binary("minimal"), "");
    command.current_dir(place.temporary()).arg("export").args(&words);
    assert_refused(&run_to_end(command).await, 5, &[folder]);
}
