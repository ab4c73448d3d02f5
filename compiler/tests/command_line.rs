//! The command line: exit statuses, what goes to which stream, and what cargo is asked for. A shell script stands in for cargo's
//! builds; its metadata are real.

mod scratch;

use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use scratch::{Scratch, stand_in_for_cargo};

const INPUT: &str = "\
//- crate one
use dsh_runtime::plugin;
/// Serves.
pub struct One;
#[plugin]
impl One {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> { Ok(Self) }
    #[serve]
    pub async fn serve(&self, session: ServeSession) -> Exit { Exit::COMPLETED }
}
//- file profiles/small/profile.yml
dsh: 1
profile: small
patch:
  - insert: [{ id: one, plugin: one }]
//- file wrong.yml
- id: two
  disabled: true
//- file more.yml
- id: one
  plugin: one
";

fn input() -> Scratch {
    Scratch::new(INPUT)
}

fn command(scratch: &Scratch, words: &[&str]) -> Command {
    let mut command = scratch.command(words);
    stand_in_for_cargo(&mut command, &scratch.root());
    command
}

fn run(scratch: &Scratch, words: &[&str]) -> Output {
    command(scratch, words).output().unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_build_ends_with_the_path_of_its_binary() {
    let scratch = input();
    let root = scratch.root();
    let output = run(&scratch, &["--profile", "small"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), format!("{}/target/dsh/dsh-small\n", root.display()));
    assert_eq!(scratch.read("target/dsh/dsh-small"), "made\n");
    assert!(scratch.holds("generated/small/src/wiring.rs"));
    let expected = format!(
        "{0}: build --package dsh-agent-small --bin dsh-small --profile release --message-format json-render-diagnostics --target-dir {0}/target/dsh/build\n",
        root.display()
    );
    assert_eq!(scratch.read("log"), expected);
}

#[test]
fn flags_choose_the_cargo_profile_and_the_place() {
    let scratch = input();
    let root = scratch.root();
    let cases: [(&[&str], &str, &str); 3] = [
        (&["--debug"], "target/dsh/debug/dsh-small", "--profile dev"),
        (&["--ship", "--offline"], "target/dsh/ship/dsh-small", "--profile ship"),
        (&["--out", "bin/agent", "--locked"], "bin/agent", "--locked"),
    ];
    for (flags, place, asked) in cases {
        let words = [&["--profile", "small"], flags].concat();
        let output = run(&scratch, &words);
        assert_eq!(text(&output.stdout), format!("{}/{place}\n", root.display()), "{}", text(&output.stderr));
        assert!(scratch.holds(place));
        assert!(scratch.read("log").lines().last().unwrap().contains(asked));
    }
}

#[test]
fn a_build_with_patches_leaves_no_trace_in_generated() {
    let scratch = input();
    let output = run(&scratch, &["--profile", "small", "--patch", "more.yml"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(!scratch.holds("generated"));
    assert!(scratch.holds("target/dsh/scratch/small/generated/small-scratch/src/wiring.rs"));
    assert!(scratch.read("log").starts_with(&format!("{}/target/dsh/scratch/small: build", scratch.root().display())));
}

#[test]
fn a_profile_of_its_own_folder_is_built_without_a_trace() {
    let scratch = input();
    scratch.write("elsewhere/mine/profile.yml", "dsh: 1\nprofile: mine\npatch:\n  - insert: [{ id: one, plugin: one }]\n");
    let output = run(&scratch, &["--profile", "elsewhere/mine"]);
    assert_eq!(text(&output.stdout), format!("{}/target/dsh/dsh-mine\n", scratch.root().display()), "{}", text(&output.stderr));
    assert!(!scratch.holds("generated"));
}

#[test]
fn a_refused_composition_is_told_and_nothing_is_built() {
    let scratch = input();
    for words in [&["--profile", "small", "--patch", "wrong.yml"][..], &["check", "--profile", "small", "--patch", "wrong.yml"]] {
        let output = run(&scratch, words);
        assert_eq!((status(&output), text(&output.stdout)), (1, String::new()));
        assert!(text(&output.stderr).contains("wrong.yml:1:7"), "{}", text(&output.stderr));
    }
    assert!(!scratch.holds("log"));
}

#[test]
fn problems_for_programs_go_to_standard_output() {
    let scratch = input();
    let output = run(&scratch, &["check", "--profile", "small", "--patch", "wrong.yml", "--message-format", "json"]);
    assert_eq!((status(&output), text(&output.stderr)), (1, String::new()));
    let problem: serde_json::Value = serde_json::from_str(text(&output.stdout).lines().next().unwrap()).unwrap();
    assert_eq!(problem["primary"]["file"], "wrong.yml");
}

#[test]
fn a_check_that_finds_nothing_says_so() {
    let output = run(&input(), &["check", "--profile", "small"]);
    assert_eq!((status(&output), text(&output.stdout)), (0, String::new()));
    assert!(text(&output.stderr).starts_with("dsh-build: profile `small` is right: 1 row, composition "), "{}", text(&output.stderr));
}

#[test]
fn wrong_usage_and_missing_workspaces_are_2() {
    let scratch = input();
    for words in [&[][..], &["--debug"], &["build"], &["check"], &["--profile", "small", "--debug", "--ship"]] {
        assert_eq!(status(&run(&scratch, words)), 2, "{words:?}");
    }
    assert_eq!(status(&run(&scratch, &["--workspace", "profiles", "check", "--profile", "small"])), 2);
    assert_eq!(status(&run(&scratch, &["--profile", "small", "--out", "/proc/no/such/folder"])), 2);
    assert_eq!(status(&run(&scratch, &["--help"])), 0);
}

#[test]
fn a_failing_cargo_is_a_fault_of_the_compiler() {
    let scratch = input();
    let output = command(&scratch, &["--profile", "small"]).env("FAILS", "1").output().unwrap();
    assert_eq!((status(&output), text(&output.stdout)), (101, String::new()));
    assert!(text(&output.stderr).contains("error: no such luck\n"), "{}", text(&output.stderr));
}

#[test]
fn an_interrupt_ends_cargo_and_what_it_started() {
    let scratch = input();
    let pid_file = scratch.root().join("pid");
    let child =
        command(&scratch, &["--profile", "small"]).env("HANGS", &pid_file).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = loop {
        match fs::read_to_string(&pid_file) {
            Ok(text) if text.ends_with('\n') => break text.trim().to_owned(),
            _ => std::thread::yield_now(),
        }
    };
    let own = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(own, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(status(&output), 130, "{}", text(&output.stderr));
    // What was killed may take a moment to go. It still has an entry, which says so, until someone waits for it.
    let state = || fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let deadline = Instant::now() + Duration::from_secs(10);
    while !state().is_empty() && !state().contains(") Z ") {
        assert!(Instant::now() < deadline, "{}", state());
        std::thread::yield_now();
    }
}
