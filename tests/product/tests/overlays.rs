//! Overlays: given to the compiler they change what the agent is made of, given to a finished binary they replace configs, and what it
//! cannot honour is refused before anything starts.

use std::fs;
use std::path::{Path, PathBuf};

use dsh_product_tests::{Client, Ended, Place, binary, compile, run_to_end, workspace};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::Value;
use tokio::process::Command;

#[tokio::test]
async fn patches_of_a_build_change_what_the_model_sees() {
    let place = Place::new();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let first = write(
        "first.yml",
        "- id: str-replace-editor\n  disabled: true\n- id: fs-local\n  disabled: true\n- id: system-prompt\n  config: {persona: You are the first.}\n",
    );
    let second = write(
        "second.yml",
        "- id: system-prompt\n  config: {persona: You are the second., includeHarnessIdentity: false, includeRuntimeContext: false}\n",
    );
    let patched = folder.path().join("dsh-patched");
    let generated = || fs::read_to_string(workspace().join("generated/minimal/src/wiring.rs")).unwrap_or_default();
    let before = generated();
    let mut build = compile(workspace());
    build
        .args(["--profile", "minimal", "--debug", "--offline"])
        .arg("--patch")
        .arg(&first)
        .arg("--patch")
        .arg(&second)
        .arg("--out")
        .arg(&patched);
    let output = build.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().last(), patched.to_str());
    assert_eq!(generated(), before, "a build with patches leaves the kept wiring alone");

    let server = MockServer::start(Script::new([Step::text("done")])).await;
    let mut client = Client::start(place.command(&patched, &server.url()));
    client.initialize(&place.workspace()).await;
    client.turn("patched", "hello").await;
    assert_eq!(client.close().await.status, 0);
    let body = server.requests()[0].body();
    let tools: Vec<&Value> = body["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(tools, ["bash"]);
    assert_eq!(body["messages"][0]["content"], "You are the second.");
}

/// The binary `minimal` with overlays in the working folder, before it is told what to do.
fn overlaid(place: &Place, patches: &[(&str, &str)], url: &str) -> Command {
    let mut command = place.command(&binary("minimal"), url);
    let folder = place.workspace();
    command.current_dir(&folder);
    for (name, text) in patches {
        fs::write(folder.join(name), text).unwrap();
        command.args(["--patch", name]);
    }
    command
}

const PERSONA: &str = "- id: system-prompt\n  config:\n    persona: !expr \"'Answer ' ~ env.DSH_MANNER\"\n    includeHarnessIdentity: false\n    includeRuntimeContext: false\n";

#[tokio::test]
async fn overlays_of_a_start_replace_configs_later_ones_win() {
    let place = Place::new();
    let server = MockServer::start(Script::new([Step::text("done")])).await;
    let home = "- id: persistent-bash\n  config: {description: From the home.}\n- id: system-prompt\n  config: {persona: From the home.}\n";
    let mut command =
        overlaid(&place, &[("manner.yml", PERSONA), ("none.yml", "- id: web\n  optional: true\n  config: {}\n")], &server.url());
    let patch = home_of(&command).join("dsh.patch.yml");
    fs::create_dir_all(patch.parent().unwrap()).unwrap();
    fs::write(&patch, home).unwrap();
    // The compiled persona reads this variable; a replaced config's expressions are not evaluated.
    command.env("DSH_MANNER", "briefly.").env("DSH_SYSTEM_PROMPT", "Compiled.").args(["run", "hello"]);
    let ended = run_to_end(command).await;
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let body = server.requests()[0].body();
    assert_eq!(body["messages"][0]["content"], "Answer briefly.");
    assert_eq!(body["tools"][0]["function"]["description"], "From the home.");
}

#[tokio::test]
async fn overlays_of_a_start_switch_rows() {
    let place = Place::new();
    let server = MockServer::start(Script::new([Step::text("done")])).await;
    let off = "- id: str-replace-editor\n  disabled: true\n- id: fs-local\n  disabled: !expr env.WITHOUT_FILES is defined\n";
    let mut command = overlaid(&place, &[("off.yml", off)], &server.url());
    command.env("WITHOUT_FILES", "1").args(["run", "hello"]);
    let ended = run_to_end(command).await;
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let body = server.requests()[0].body();
    let tools: Vec<&Value> = body["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
    assert_eq!(tools, ["bash"]);
}

#[tokio::test]
async fn what_an_overlay_likely_does_not_mean_is_told_and_it_is_honoured() {
    let place = Place::new();
    let text = "- id: fs-local\n  config: {cwd: $HOME/files}\n- id: str-replace-editor\n  disabled: !expr env.EDITOR_OF == 'nobody'\n";
    let mut command = overlaid(&place, &[("likely.yml", text)], "http://127.0.0.1:9");
    command.env("EDITOR_OF", "all").arg("--dump-config");
    let ended = run_to_end(command).await;
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("$HOME/files"), "{}", ended.stdout);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/overlays/honoured-with-warnings.txt");
    expect(&file, &ended.stderr);

    let mut command = overlaid(&place, &[("likely.yml", text)], "http://127.0.0.1:9");
    command.args(["--message-format", "json", "inspect", "rows"]);
    let ended = run_to_end(command).await;
    // Here the variable is not set, of which the warning is; that is told as the error that it is, and the warnings not again.
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    let told: Vec<Value> = ended.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<_> = told.iter().map(|problem| (problem["code"].as_str().unwrap(), problem["severity"].as_str().unwrap())).collect();
    assert_eq!(told, [("DSH0224", "warning"), ("DSH0225", "warning"), ("DSH0703", "error")]);
}

fn home_of(command: &Command) -> PathBuf {
    let home = command.as_std().get_envs().find(|(name, _)| *name == "DSH_HOME").and_then(|(_, value)| value);
    home.expect("a place has a harness home").into()
}

#[tokio::test]
async fn what_a_binary_cannot_honour_is_refused_before_anything_starts() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/overlays");
    let mut names: Vec<_> = fs::read_dir(&cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.extension().is_some_and(|extension| extension == "yml"));
    names.sort();
    assert!(names.len() > 10, "{names:?}");
    for case in names {
        let place = Place::new();
        let text = fs::read_to_string(&case).unwrap();
        let ended = run_to_end(overlaid(&place, &[("overlay.yml", &text)], "http://127.0.0.1:9")).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "{}: {}", case.display(), ended.stderr);
        expect(&case.with_extension("txt"), &ended.stderr);
        let left: Vec<_> = fs::read_dir(place.workspace()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["overlay.yml"], "nothing was written");
    }
}

/// The pages of `docs/diagnostics/` are made from what is read here, and have a wrong and a right overlay each.
#[tokio::test]
async fn the_examples_of_the_pages_about_overlays_are_judged_as_they_say() {
    let pages = workspace().join("docs/diagnostics");
    for code in ["DSH0701", "DSH0702", "DSH0703", "DSH0704"] {
        let page = fs::read_to_string(pages.join(format!("{code}.md"))).unwrap();
        let (_, examples) = page.split_once("\nWrong:\n\n```yaml\n").unwrap();
        let (wrong, rest) = examples.split_once("```\n").unwrap();
        let (_, right) = rest.split_once("Right:\n\n```yaml\n").unwrap();
        let (right, _) = right.split_once("```\n").unwrap();
        let place = Place::new();
        let ended = run_to_end(overlaid(&place, &[("overlay.yml", wrong)], "http://127.0.0.1:9")).await;
        assert_eq!(ended.status, 1, "{code}: {}", ended.stderr);
        let told = ended.stderr.matches("error[").count();
        assert!(ended.stderr.starts_with(&format!("error[{code}]")) && told == 1, "{code}: {}", ended.stderr);
        let ended = run_to_end(overlaid(&place, &[("overlay.yml", right)], "http://127.0.0.1:9")).await;
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{code}");
    }
}

/// Compares with a file that `DSH_UPDATE=1` writes.
fn expect(file: &Path, found: &str) {
    if std::env::var_os("DSH_UPDATE").is_some() {
        fs::write(file, found).unwrap();
    }
    let expected = fs::read_to_string(file).unwrap_or_default();
    assert_eq!(found, expected, "{}", file.display());
}

#[tokio::test]
async fn refusals_are_told_in_one_form_and_end_by_what_was_started() {
    let place = Place::new();
    let refused = |patches: &'static [(&str, &str)], words: &'static [&str]| {
        let mut command = overlaid(&place, patches, "http://127.0.0.1:9");
        command.args(words);
        run_to_end(command)
    };
    const BAD: &[(&str, &str)] = &[("bad.yml", "- id: agent-loop\n  config: {maxParallelToolCalls: 0}\n")];
    let ended: Ended = refused(BAD, &["run", "hello"]).await;
    assert_eq!(ended.status, 5, "{}", ended.stderr);
    assert!(ended.stderr.starts_with("error[DSH0206]: `maxParallelToolCalls` cannot be 0\n --> bad.yml:2:34\n"), "{}", ended.stderr);
    let ended = refused(BAD, &["inspect", "rows", "--message-format", "json"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (1, ""));
    let problem: Value = serde_json::from_str(&ended.stderr).unwrap();
    assert_eq!((&problem["code"], &problem["primary"]["line"]), (&Value::from("DSH0206"), &Value::from(2)));
    // Files that are missing, or given twice.
    let ended = refused(&[], &["--patch", "absent.yml"]).await;
    assert!(ended.status == 1 && ended.stderr.contains("error[DSH0001]: cannot read `absent.yml`"), "{}", ended.stderr);
    let ended = refused(&[("twice.yml", "[]\n")], &["--patch", "./twice.yml"]).await;
    assert!(ended.status == 1 && ended.stderr.contains("`./twice.yml`"), "{}", ended.stderr);
}

#[tokio::test]
async fn an_expression_that_fails_here_is_refused_without_showing_values() {
    let place = Place::new();
    let overlay = "- id: agent-loop\n  config: {maxParallelToolCalls: !expr \"env.MOST | trim\"}\n";
    let mut command = overlaid(&place, &[("most.yml", overlay)], "http://127.0.0.1:9");
    command.env("MOST", "hunter2");
    let ended = run_to_end(command).await;
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.starts_with("error[DSH0703]: the expression for `maxParallelToolCalls`"), "{}", ended.stderr);
    assert!(ended.stderr.contains("--> most.yml:2:34") && ended.stderr.contains("env.MOST"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("hunter2"), "{}", ended.stderr);
}

#[tokio::test]
async fn a_finished_binary_says_how_to_get_what_it_cannot_do() {
    let place = Place::new();
    for (words, told) in [(&["--profile", "web"][..], "dsh-build --profile web"), (&["--no-such-flag"], "--no-such-flag")] {
        let mut command = place.command(&binary("minimal"), "http://127.0.0.1:9");
        command.args(words);
        let ended = run_to_end(command).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{words:?}");
        assert!(ended.stderr.contains(told), "{words:?}: {}", ended.stderr);
    }
}

#[tokio::test]
async fn a_binary_answers_to_its_own_names() {
    let place = Place::new();
    for name in ["minimal", "sdk-minimal"] {
        let mut command = place.command(&binary("minimal"), "http://127.0.0.1:9");
        command.args(["--profile", name]);
        assert_eq!(run_to_end(command).await.status, 0, "{name}: the end of input ends it");
    }
    let mut command = place.command(&binary("minimal"), "http://127.0.0.1:9");
    command.arg("--version");
    let ended = run_to_end(command).await;
    assert!(ended.status == 0 && ended.stdout.contains("profile minimal"), "{}", ended.stdout);
}
