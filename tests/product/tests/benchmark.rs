//! The examples of `docs/benchmark/`: each is run with the binary of the profile `bench` and a model server on this machine.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command as Blocking;

use dsh_product_tests::{Ended, KEY, Place, binary, run_to_end, workspace};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};
use tokio::process::Command;

fn examples() -> PathBuf {
    workspace().join("docs/benchmark")
}

fn shell(command: &str) -> Step {
    Step::tool("bash", &json!({ "command": command }))
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap()
}

/// Folders of a run with two tasks.
struct Bench {
    place: Place,
    root: PathBuf,
}

impl Bench {
    fn new() -> Self {
        let place = Place::new();
        let root = place.workspace();
        for folder in ["results", "work", "tools"] {
            fs::create_dir(root.join(folder)).unwrap();
        }
        symlink(binary("bench"), root.join("tools/dsh-bench")).unwrap();
        fs::copy(examples().join("one-task.sh"), root.join("tools/one-task.sh")).unwrap();
        for id in ["task-a", "task-b"] {
            let repository = root.join("tasks").join(id).join("repo");
            fs::create_dir_all(&repository).unwrap();
            fs::write(repository.join("a.txt"), "one\n").unwrap();
            fs::write(repository.join("../prompt.txt"), format!("Do {id}.\n")).unwrap();
            for words in [&["init", "--quiet"][..], &["add", "--all"], &["commit", "--quiet", "--message", "base"]] {
                let mut git = Blocking::new("git");
                git.args(["-c", "user.name=test", "-c", "user.email=test@example.org"]).args(words).current_dir(&repository);
                assert!(git.status().unwrap().success());
            }
        }
        fs::write(root.join("tasks/list"), "task-a\ntask-b\n").unwrap();
        Self { place, root }
    }

    /// A command with the folders of the run in its environment.
    fn command(&self, program: &str, server: &MockServer) -> Command {
        let mut command = self.place.command(Path::new(program), &server.url());
        let path = format!("{}:{}", self.root.join("tools").display(), std::env::var("PATH").unwrap());
        command.env("PATH", path).env("RUN", "first").env_remove("DSH_SESSION_ROOT");
        for (name, folder) in [("TASKS", "tasks"), ("RESULTS", "results"), ("WORK", "work"), ("TOOLS", "tools")] {
            command.env(name, self.root.join(folder));
        }
        command
    }

    async fn one_task(&self, number: &str, server: &MockServer) -> Ended {
        let mut command = self.command("sh", server);
        command.arg(self.root.join("tools/one-task.sh")).arg(number);
        run_to_end(command).await
    }

    fn kept(&self, id: &str, file: &str) -> PathBuf {
        self.root.join("results/first").join(id).join(file)
    }
}

#[tokio::test]
async fn each_task_has_a_workspace_a_session_and_exports_of_its_own() {
    let bench = Bench::new();
    let steps = [shell("echo two >> a.txt"), Step::text("Done a."), shell("echo b > b.txt"), Step::text("Done b.")];
    let server = MockServer::start(Script::new(steps)).await;
    for number in ["0", "1"] {
        let ended = bench.one_task(number, &server).await;
        assert_eq!((ended.status, ended.stdout.as_str(), ended.stderr.as_str()), (0, "", ""));
    }
    for (id, answer, changed, other) in [("task-a", "Done a.", "+two", "b.txt"), ("task-b", "Done b.", "+b", "a.txt")] {
        let verdict = read(&bench.kept(id, "verdict.json"));
        assert_eq!((&verdict["answer"], &verdict["outcome"], &verdict["taskId"]), (&json!(answer), &json!("completed"), &json!(id)));
        assert_eq!((&verdict["sandbox"], &verdict["composition"]["profile"]), (&json!("danger-full-access"), &json!("bench")));
        let trajectory = read(&bench.kept(id, "trajectory.json"));
        assert_eq!((&trajectory["session_id"], &trajectory["agent"]["name"]), (&verdict["sessionId"], &json!("dsh-bench")));
        assert_eq!(trajectory["extra"]["cwd"], json!(bench.root.join("work/first").join(id)));
        let prediction = read(&bench.kept(id, "prediction.jsonl"));
        assert_eq!(prediction["instance_id"], id);
        let patch = prediction["model_patch"].as_str().unwrap();
        assert!(patch.contains(changed) && !patch.contains(other), "{patch}");
    }
    let ended = bench.one_task("2", &server).await;
    assert!(ended.status == 2 && ended.stderr.contains("there is no task 2"), "{}", ended.stderr);
}

#[tokio::test]
async fn a_task_that_is_started_again_goes_on_in_its_session() {
    let bench = Bench::new();
    let steps = [shell("echo two >> a.txt"), Step::status(401), Step::text("Done.")];
    let server = MockServer::start(Script::new(steps)).await;
    let ended = bench.one_task("0", &server).await;
    assert_eq!(ended.status, 4, "what the provider refused may be tried again: {}", ended.stderr);
    assert!(read(&bench.kept("task-a", "prediction.jsonl"))["model_patch"].as_str().unwrap().contains("+two"), "what there is is exported");
    let first = read(&bench.kept("task-a", "verdict.json"));
    assert_eq!(bench.one_task("0", &server).await.status, 0);
    let second = read(&bench.kept("task-a", "verdict.json"));
    assert_eq!((&second["outcome"], &second["sessionId"]), (&json!("completed"), &first["sessionId"]));
    assert_eq!(bench.one_task("0", &server).await.status, 0);
    assert_eq!(server.requests().len(), 3, "a task that is done asks no model");
}

/// A stand-in for the container runtime: the folders that are bound are found where they are.
const APPTAINER: &str = r#"#!/bin/bash
set -eu
printf '%s\n' "$@" > "$RESULTS/apptainer.txt"
while [ "$1" != image.sif ]; do
    case $1 in
    --bind) bind=$2; shift ;;
    --env) variables=$2; shift ;;
    esac
    shift
done
shift
outside() {
    local pair from to
    for pair in ${bind//,/ }; do
        IFS=: read -r from to _ <<< "$pair"
        case $1 in "$to" | "$to"/*) printf '%s' "$from${1#"$to"}"; return ;; esac
    done
    printf '%s' "$1"
}
inner=(env -i HOME=/nowhere)
for name in ${!APPTAINERENV_@}; do inner+=("${name#APPTAINERENV_}=${!name}"); done
IFS=, read -ra pairs <<< "$variables"
for pair in "${pairs[@]}"; do
    case $pair in PATH=*) inner+=("PATH=$TOOLS:$PATH") ;; *) inner+=("${pair%%=*}=$(outside "${pair#*=}")") ;; esac
done
exec "${inner[@]}" "$1" "$(outside "$2")" "$3"
"#;

#[tokio::test]
async fn the_array_of_slurm_does_the_task_of_its_number() {
    let bench = Bench::new();
    let apptainer = bench.root.join("tools/apptainer");
    fs::write(&apptainer, APPTAINER).unwrap();
    fs::set_permissions(&apptainer, PermissionsExt::from_mode(0o755)).unwrap();
    let server = MockServer::start(Script::new([shell("echo b > b.txt"), Step::text("Done.")])).await;
    let mut command = bench.command("bash", &server);
    command.arg(examples().join("slurm.sh")).env("SLURM_ARRAY_TASK_ID", "1").env("IMAGE", "image.sif").env("DSH_MODEL", "another-model");
    let ended = run_to_end(command).await;
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!(read(&bench.kept("task-b", "verdict.json"))["outcome"], "completed");
    assert_eq!(server.requests()[0].body()["model"], "another-model");
    let words = fs::read_to_string(bench.root.join("results/apptainer.txt")).unwrap();
    assert!(words.contains("--containall\n") && !words.contains(KEY), "{words}");
}

#[test]
fn the_job_of_kubernetes_gives_the_script_what_it_asks_for() {
    let script = fs::read_to_string(examples().join("one-task.sh")).unwrap();
    let job: serde_yaml::Value = serde_yaml::from_str(&fs::read_to_string(examples().join("kubernetes.yml")).unwrap()).unwrap();
    let container = &job["spec"]["template"]["spec"]["containers"][0];
    let given: Vec<&str> = container["env"].as_sequence().unwrap().iter().map(|variable| variable["name"].as_str().unwrap()).collect();
    let asked: Vec<&str> = script.split("${").skip(1).filter_map(|rest| rest.split_once(":?}")).map(|(name, _)| name).collect();
    assert_eq!(asked, ["TASKS", "RESULTS", "WORK", "RUN"]);
    assert!(asked.iter().chain(&["DEEPSEEK_API_KEY", "PATH"]).all(|name| given.contains(name)), "{given:?}");
    assert!(container["command"][2].as_str().unwrap().contains("one-task.sh \"$JOB_COMPLETION_INDEX\""));
    let rule = &job["spec"]["podFailurePolicy"]["rules"][0]["onExitCodes"];
    assert_eq!(rule["containerName"], container["name"]);
}

/// Runs the tests of the class for Harbor, against Harbor's own base class where this Python has it.
async fn harbor(place: &Place, change: impl FnOnce(&mut Command)) {
    let mut command = place.command(Path::new("python3"), "");
    command.arg("-B").arg(examples().join("harbor/tests/test_agent.py"));
    change(&mut command);
    let ended = run_to_end(command).await;
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stderr.contains("OK"), "{}", ended.stderr);
}

#[tokio::test]
async fn the_class_for_harbor_keeps_its_side_of_the_agreement() {
    harbor(&Place::new(), |_| {}).await;
}

#[tokio::test]
async fn the_class_for_harbor_runs_the_real_binary() {
    let server = MockServer::start(Script::new([shell("echo made > made.txt"), Step::text("Done.")])).await;
    let url = server.url();
    harbor(&Place::new(), |command| {
        command.env("DSH_BENCH", binary("bench")).env("DEEPSEEK_BASE_URL", url);
    })
    .await;
    assert_eq!(server.requests()[0].body()["messages"][1]["content"], "Make a file.");
}
