//! What a binary tells of itself: documents that load again, and what it is made of.

use std::fs;
use std::path::Path;

use dsh_product_tests::{Ended, Place, binary, compile, dsh_build, run_to_end, workspace};
use serde_json::Value;

async fn told(place: &Place, binary: &Path, words: &[&str]) -> Ended {
    let mut command = place.command(binary, "http://127.0.0.1:9");
    command.current_dir(place.workspace()).args(words);
    run_to_end(command).await
}

/// The digest in a document's first line.
fn digest(document: &str) -> &str {
    document.lines().next().and_then(|line| line.rsplit_once(' ')).map(|(_, digest)| digest).unwrap_or_default()
}

fn dumped(words: &[&str]) -> String {
    let output = compile(workspace()).args(words).arg("--offline").output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn compiler_and_binary_write_the_same_document_and_it_composes_to_the_same() {
    let place = Place::new();
    let dump = told(&place, &binary("minimal"), &["--dump-config"]).await;
    assert_eq!((dump.status, dump.stderr.as_str()), (0, ""));
    assert_eq!(dump.stdout, dumped(&["dump", "--profile", "minimal"]));
    assert_eq!(dump.stdout, dumped(&["--profile", "minimal", "--dump-config"]));
    let default = told(&place, &binary("minimal"), &["--dump-default-config"]).await.stdout;
    assert_eq!(default, dumped(&["--profile", "minimal", "--dump-default-config"]));
    assert!(default.starts_with("# profile minimal, its bundles alone\n\n# == profiles/bundles/minimal.yml#"), "{default}");
    assert_eq!(reloaded(&dump.stdout), digest(&dump.stdout));
}

#[tokio::test]
async fn a_document_under_overlays_composes_to_what_the_overlaid_binary_runs() {
    let place = Place::new();
    let overlay = "- id: terminal-bash\n  config: {timeoutMs: !expr env.T | int, shellArgs: [-l]}\n- id: sessions\n  config: {root: kept, compression: zstd}\n";
    fs::write(place.workspace().join("overlay.yml"), overlay).unwrap();
    let dump = told(&place, &binary("minimal"), &["--patch", "overlay.yml", "--dump-config"]).await;
    assert_eq!((dump.status, dump.stderr.as_str()), (0, ""), "expressions are not evaluated");
    let headers: Vec<&str> = dump.stdout.lines().filter(|line| line.starts_with("# ==")).collect();
    let bundle = "profiles/bundles/minimal.yml";
    assert_eq!(
        headers,
        [
            format!("# == {bundle}#sdk-jsonrpc-server to #pty"),
            format!("# == {bundle}#terminal-bash, patched by overlay.yml"),
            format!("# == {bundle}#fs-local to #str-replace-editor"),
            format!("# == {bundle}#sessions, patched by overlay.yml"),
            format!("# == {bundle}#session-verb to #session-export"),
        ]
    );
    assert_ne!(digest(&dump.stdout), digest(&dumped(&["dump", "--profile", "minimal"])));
    assert_eq!(reloaded(&dump.stdout), digest(&dump.stdout));
    // The compiler gives the same digest to a build with the overlay.
    let patch = place.workspace().join("overlay.yml");
    assert_eq!(digest(&dumped(&["dump", "--profile", "minimal", "--patch", patch.to_str().unwrap()])), digest(&dump.stdout));
}

/// The digest that a document composes to as the patch of a profile of the same name and aliases, outside of the workspace.
fn reloaded(document: &str) -> String {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("minimal");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("profile.yml"), "dsh: 1\nprofile: minimal\naliases: [sdk-minimal]\n").unwrap();
    fs::write(folder.join("all.yml"), document).unwrap();
    let patch = folder.join("all.yml");
    digest(&dumped(&["dump", "--profile", folder.to_str().unwrap(), "--patch", patch.to_str().unwrap()])).to_owned()
}

#[tokio::test]
async fn what_a_binary_is_made_of_is_told_to_readers_and_programs() {
    let place = Place::new();
    for kind in ["rows", "services", "events", "tools", "prompt"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/told").join(kind);
        let ended = told(&place, &binary("minimal"), &["inspect", kind]).await;
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{kind}");
        expect(&file.with_extension("txt"), &ended.stdout);
        let ended = told(&place, &binary("minimal"), &["inspect", kind, "--message-format", "json"]).await;
        assert_eq!((ended.status, ended.stdout.lines().count()), (0, 1), "{kind}: {}", ended.stderr);
        let mut answer: Value = serde_json::from_str(&ended.stdout).unwrap();
        // It changes with every declaration, and `--dump-config` tells the same.
        let composition = answer["composition"].take();
        assert_eq!(composition, digest(&told(&place, &binary("minimal"), &["--dump-config"]).await.stdout));
        // So does the digest of a plugin's sources, with every edit.
        let rows = answer.get_mut("rows").and_then(Value::as_array_mut);
        for row in rows.into_iter().flatten().filter(|row| !row["source"].is_null()) {
            assert_eq!(row["source"].take().as_str().map(str::len), Some(16), "{row}");
        }
        expect(&file.with_extension("json"), &(serde_json::to_string_pretty(&answer).unwrap() + "\n"));
    }
    assert_eq!(fs::read_dir(place.workspace()).unwrap().count(), 0, "nothing was started");
}

/// Compares with a file that `DSH_UPDATE=1` writes.
fn expect(file: &Path, found: &str) {
    if std::env::var_os("DSH_UPDATE").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, found).unwrap();
    }
    let expected = fs::read_to_string(file).unwrap_or_default();
    assert_eq!(found, expected, "{}", file.display());
}

#[tokio::test]
async fn answers_follow_overlays() {
    let place = Place::new();
    let overlay = "- id: persistent-bash\n  config: {description: Runs things.}\n- id: system-prompt\n  config: {persona: Overlaid.}\n";
    fs::write(place.workspace().join("overlay.yml"), overlay).unwrap();
    fs::write(place.workspace().join("off.yml"), "- id: str-replace-editor\n  disabled: true\n- id: fs-local\n  disabled: true\n").unwrap();
    let asked = async |kind: &'static str| {
        let ended = told(
            &place,
            &binary("minimal"),
            &["--patch", "overlay.yml", "--patch", "off.yml", "--message-format", "json", "inspect", kind],
        )
        .await;
        serde_json::from_str::<Value>(&ended.stdout).unwrap_or_else(|error| panic!("{kind}: {error}: {}", ended.stderr))
    };
    let tools = asked("tools").await;
    assert_eq!(tools["tools"][0]["description"], "Runs things.");
    assert_eq!(tools["tools"].as_array().unwrap().len(), 1, "a row that is off has no tools");
    let rows = asked("rows").await;
    let patched = |id: &str| rows["rows"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap()["patched"].clone();
    let off: Vec<&Value> = rows["rows"].as_array().unwrap().iter().filter(|row| row["on"] == false).map(|row| &row["id"]).collect();
    assert_eq!(off, ["fs-local", "str-replace-editor"]);
    // What is off is so in the document too, which composes to the same.
    let dump = told(&place, &binary("minimal"), &["--patch", "overlay.yml", "--patch", "off.yml", "--dump-config"]).await.stdout;
    assert_eq!((reloaded(&dump), &rows["composition"]), (digest(&dump).to_owned(), &Value::from(digest(&dump))));
    assert_eq!((patched("persistent-bash"), patched("sessions")), (serde_json::json!(["overlay.yml"]), serde_json::json!([])));
    let prompt = asked("prompt").await;
    let persona = prompt["prompt"]["parts"].as_array().unwrap().iter().find(|part| part["name"] == "deployment:persona").unwrap();
    assert_eq!(persona["text"], "Overlaid.");
}

#[tokio::test]
async fn a_profile_outside_the_workspace_has_overlays_and_documents_too() {
    let place = Place::new();
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("apart");
    fs::create_dir_all(folder.join("bundles")).unwrap();
    let profile = "dsh: 1\nprofile: apart\nbundles: [minimal, manner]\npatch:\n  - id: agent-loop\n    config: {maxParallelToolCalls: 2}\n";
    fs::write(folder.join("profile.yml"), profile).unwrap();
    fs::write(folder.join("bundles/manner.yml"), "- id: system-prompt\n  config: {persona: Apart.}\n").unwrap();
    let output = compile(workspace()).args(["--debug", "--offline", "--profile"]).arg(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let built = String::from_utf8(output.stdout).unwrap().lines().last().unwrap().to_owned();
    let dump = told(&place, Path::new(&built), &["--dump-config"]).await.stdout;
    let headers: Vec<&str> = dump.lines().filter(|line| line.contains("patched by")).collect();
    let bundle = "# == profiles/bundles/minimal.yml";
    assert_eq!(
        headers,
        [format!("{bundle}#system-prompt, patched by bundles/manner.yml"), format!("{bundle}#agent-loop, patched by profile.yml")]
    );
    let default = told(&place, Path::new(&built), &["--dump-default-config"]).await.stdout;
    assert!(default.contains("Apart.") && !default.contains("maxParallelToolCalls"), "{default}");
    fs::write(place.workspace().join("overlay.yml"), "- id: agent-loop\n  config: {maxParallelToolCalls: none}\n").unwrap();
    let ended = told(&place, Path::new(&built), &["--patch", "overlay.yml"]).await;
    assert!(ended.status == 1 && ended.stderr.contains("error[DSH0204]: `maxParallelToolCalls`"), "{}", ended.stderr);
    assert!(dsh_build().is_file());
}
