//! A profile with conditions, a realm and a preset, built once and run in its several ways.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use dsh_product_tests::{Ended, Log, Place, compile, run_to_end, workspace};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};
use tempfile::TempDir;

const PROFILE: &str = r#"
dsh: 1
profile: choices
bundles: [minimal]
patch:
  - id: sdk-jsonrpc-server
    disabled: !expr env.NO_SERVER is defined
  - id: persistent-bash
    disabled: !expr env.NO_SHELL | default('false') | bool
  - id: str-replace-editor
    disabled: true
  # Of two personas the variable chooses one.
  - id: system-prompt
    disabled: !expr env.TERSE is defined
  - insert:
      - id: terse-prompt
        plugin: system-prompt
        disabled: !expr env.TERSE is not defined
        config: {persona: Be terse., includeHarnessIdentity: false, includeRuntimeContext: false}
    after: system-prompt
  # What only its own rows see: the model is told nothing of this editor.
  - insert:
      - id: hidden
        isolate: [tools, systemPrompt]
        rows:
          - {id: hidden-prompt, plugin: system-prompt}
          - {id: hidden-tools, plugin: tools}
          - {id: hidden-editor, plugin: tool-str-replace-editor}
presets:
  edit:
    patch:
      - insert:
          - {id: editor, plugin: tool-str-replace-editor}
          # Takes the place of the composition's for the editor above, unless it is off.
          - {id: own-fs, plugin: fs-local, config: {cwd: !expr cwd}, disabled: !expr env.TERSE is defined}
  empty: {}
"#;

struct Built {
    _folder: TempDir,
    binary: PathBuf,
}

/// The binary, built once in a test process from a profile outside of the workspace.
fn binary() -> &'static PathBuf {
    static BUILT: OnceLock<Built> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let profile = folder.path().join("choices");
        fs::create_dir(&profile).unwrap();
        fs::write(profile.join("profile.yml"), PROFILE.trim_start()).unwrap();
        let binary = folder.path().join("dsh-choices");
        let mut build = compile(workspace());
        let output = build.arg("--profile").arg(&profile).args(["--debug", "--offline", "--out"]).arg(&binary).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Built { _folder: folder, binary }
    });
    &built.binary
}

/// Runs a task, with a model that answers so.
async fn run(place: &Place, steps: impl IntoIterator<Item = Step>, variables: &[(&str, &str)], words: &[&str]) -> (Ended, Vec<Value>) {
    let server = MockServer::start(Script::new(steps)).await;
    let mut command = place.command(binary(), &server.url());
    command.arg("run").args(words).envs(variables.iter().copied());
    let ended = run_to_end(command).await;
    (ended, server.requests().iter().map(|request| request.body()).collect())
}

fn tools(body: &Value) -> Vec<&str> {
    let tools = body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    tools.iter().filter_map(|tool| tool["function"]["name"].as_str()).collect()
}

#[tokio::test]
async fn conditions_decide_where_the_binary_runs() {
    for (variables, expected, persona) in [
        (&[][..], &["bash"][..], "You are a software engineer."),
        (&[("NO_SHELL", "1")], &[], "You are a software engineer."),
        (&[("NO_SHELL", "false"), ("TERSE", "1")], &["bash"], "Be terse."),
    ] {
        let place = Place::new();
        let (ended, requests) = run(&place, [Step::text("done")], variables, &["go"]).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (0, "done\n"), "{variables:?}: {}", ended.stderr);
        assert_eq!(tools(&requests[0]), expected, "{variables:?}");
        let system = requests[0]["messages"][0]["content"].as_str().unwrap();
        assert!(system.starts_with(persona), "{variables:?}: {system}");
    }
}

#[tokio::test]
async fn a_condition_without_a_boolean_stops_the_start_and_names_row_field_file_and_variable() {
    let place = Place::new();
    let (ended, requests) = run(&place, [Step::text("never asked")], &[("NO_SHELL", "perhaps")], &["go"]).await;
    assert_eq!((ended.status, ended.stdout.as_str(), requests.len()), (5, "", 0), "{}", ended.stderr);
    for told in ["row `persistent-bash`", "field `disabled`", "profile.yml", "env.NO_SHELL"] {
        assert!(ended.stderr.contains(told), "`{told}`: {}", ended.stderr);
    }
    assert!(!place.sessions().exists(), "nothing mounted");
}

#[tokio::test]
async fn an_agent_that_joins_the_preset_has_its_tool_and_another_has_not() {
    let place = Place::new();
    let file = place.workspace().join("made.txt");
    let create = json!({ "command": "create", "path": file, "file_text": "by the preset\n" });
    let steps = [Step::tool("str_replace_editor", &create), Step::text("done")];
    let (ended, requests) = run(&place, steps, &[], &["--preset", "edit", "go"]).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "done\n"), "{}", ended.stderr);
    assert_eq!(tools(&requests[0]), ["bash", "str_replace_editor"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), "by the preset\n");
    let [log] = &place.logs()[..] else { panic!("one log: {:?}", place.logs()) };
    assert_eq!(Log::read(log).header["agentPreset"], "edit");
    place.wait_until_nothing_runs().await;

    let place = Place::new();
    let steps = [Step::tool("str_replace_editor", &create), Step::text("done")];
    let (ended, requests) = run(&place, steps, &[], &["go"]).await;
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!(tools(&requests[0]), ["bash"]);
    let told = requests[1]["messages"].to_string();
    assert!(told.contains("str_replace_editor") && !place.workspace().join("made.txt").exists(), "{told}");
}

#[tokio::test]
async fn a_preset_that_is_not_there_is_wrong_usage() {
    let place = Place::new();
    let (ended, requests) = run(&place, [Step::text("never asked")], &[], &["--preset", "edi", "go"]).await;
    assert_eq!((ended.status, ended.stdout.as_str(), requests.len()), (2, "", 0), "{}", ended.stderr);
    assert!(ended.stderr.contains("there is no preset \"edi\"; there are edit, empty"), "{}", ended.stderr);
}

#[tokio::test]
async fn a_way_in_whose_row_is_off_is_told() {
    let place = Place::new();
    let mut command = place.command(binary(), "http://127.0.0.1:9");
    command.env("NO_SERVER", "1");
    let ended = run_to_end(command).await;
    assert_eq!((ended.status, ended.stdout.as_str()), (1, ""), "{}", ended.stderr);
    assert!(ended.stderr.contains("the row that answers this is off"), "{}", ended.stderr);
}
