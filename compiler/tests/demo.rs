//! `dsh-build demo`: its verdict is that of the program's own test. Shell scripts stand in for cargo's builds and for the agent.

mod scratch;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use scratch::{Scratch, stand_in_for_cargo};

const INPUT: &str = "\
//- crate one
use dsh_runtime::plugin;
/// Runs a task.
pub struct One;
#[plugin]
impl One {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> { Ok(Self) }
    #[verb(name = \"run\", about = \"Runs one task\")]
    pub async fn run(&self, args: Vec<String>, session: ServeSession) -> Exit { Exit::COMPLETED }
}
//- file profiles/demo/profile.yml
dsh: 1
profile: demo
patch:
  - insert: [{ id: one, plugin: one }]
//- file profiles/demo/script.yml
path: \"{{workspace}}/add.sh\"
//- file mends.sh
#!/usr/bin/env bash
[ \"$1\" = run ] && [ -n \"$2\" ] && [ -n \"$DSH_SESSION_ROOT\" ] || exit 2
[ \"$(cat \"$DSH_DEMO_SCRIPT\")\" = \"path: \\\"$PWD/add.sh\\\"\" ] || exit 2
echo 'a step of the agent' >&2
echo 'echo \"$(($1 + $2))\"' > add.sh
//- file idles.sh
#!/usr/bin/env bash
echo 'done'
//- file gives-up.sh
#!/usr/bin/env bash
echo 'echo \"$(($1 + $2))\"' > add.sh
exit 1
";

fn demo(agent: &str) -> Output {
    let scratch = Scratch::new(INPUT);
    let root = scratch.root();
    fs::set_permissions(root.join(agent), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = scratch.command(&["demo"]);
    stand_in_for_cargo(&mut command, &root);
    command.env("MADE", root.join(agent)).env("TMPDIR", &root);
    command.output().unwrap()
}

#[test]
fn an_agent_that_mends_the_program_is_a_success() {
    let output = demo("mends.sh");
    let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{stdout}{stderr}");
    assert!(stderr.contains("\na step of the agent\n"), "{stderr}");
    assert!(stdout.contains("FAIL: 2 + 3 = 5, but add.sh says -1\n") && stdout.contains("ok:   2 + 3 = 5\n"), "{stdout}");
    assert!(stdout.contains("\nverdict: the test failed before, the agent mended the program, the test passes now\nlog: "), "{stdout}");
}

#[test]
fn an_agent_that_changes_nothing_is_not() {
    let output = demo("idles.sh");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("\nverdict: the test still fails\n"));
}

#[test]
fn an_agent_that_says_it_failed_is_not() {
    let output = demo("gives-up.sh");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("but the agent did not complete its task\n"));
}
