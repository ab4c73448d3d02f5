//! Builds that do not end well, and two at once: what is said, and that the tree stays as it was. A shell script stands in for cargo's
//! builds.

mod scratch;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use scratch::Scratch;
use scratch::small::{command, input, run, status, text};

#[test]
fn a_failing_cargo_is_a_fault_of_the_compiler() {
    let scratch = input();
    let output = command(&scratch, &["--profile", "small"]).env("FAILS", "1").output().unwrap();
    assert_eq!((status(&output), text(&output.stdout)), (101, String::new()));
    assert!(text(&output.stderr).contains("error: no such luck\n"), "{}", text(&output.stderr));
}

/// The mistake of a plugin's author, who is told which row of the profile it is about.
#[test]
fn a_crate_that_does_not_compile_is_told_by_the_row_that_mounts_it() {
    let scratch = input();
    let build = |broken: &str| command(&scratch, &["--profile", "small"]).env("BROKEN", broken).output().unwrap();
    let output = build("dsh-one");
    assert_eq!((status(&output), text(&output.stdout)), (1, String::new()));
    let said = text(&output.stderr);
    let order = [
        "error[E0425]: such is rustc",
        "error[DSH0503]: plugin `one` does not compile",
        "profiles/small/profile.yml:4:33",
        "row `one` mounts it",
    ];
    let places: Vec<Option<usize>> = order.iter().map(|expected| said.find(expected)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{said}");
    assert!(!scratch.holds("generated") && !scratch.holds("Cargo.lock"), "a build that fails leaves nothing");

    let output = build("dsh-runtime");
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("error[DSH0504]: the crate `dsh-runtime` does not compile"), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("needed by `one`"), "{}", text(&output.stderr));
    let output = build("dsh-agent-small");
    assert_eq!(status(&output), 101, "that the wiring does not compile is the compiler's fault: {}", text(&output.stderr));
}

/// Starts a build of `small` whose cargo hangs, and yields it with the process that cargo started.
fn hanging(scratch: &Scratch) -> (Child, String) {
    let pid_file = scratch.root().join("pid");
    let child =
        command(scratch, &["--profile", "small"]).env("HANGS", &pid_file).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = loop {
        match fs::read_to_string(&pid_file) {
            Ok(text) if text.ends_with('\n') => break text.trim().to_owned(),
            _ => std::thread::yield_now(),
        }
    };
    (child, pid)
}

fn interrupt(child: &Child) {
    let own = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(own, rustix::process::Signal::INT).unwrap();
}

#[test]
fn an_interrupt_ends_cargo_and_what_it_started() {
    let scratch = input();
    let (child, pid) = hanging(&scratch);
    interrupt(&child);
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

#[test]
fn an_interrupted_build_leaves_the_tree_as_it_was() {
    let scratch = input();
    assert_eq!(status(&run(&scratch, &["sync"])), 0);
    assert_eq!(status(&run(&scratch, &["--profile", "small"])), 0);
    let profile = scratch.read("profiles/small/profile.yml");
    scratch.write("profiles/small/profile.yml", &profile.replace("id: one", "id: renamed"));
    let tree = || {
        let files = ["generated/small/Cargo.toml", "generated/small/src/wiring.rs", "Cargo.lock", "target/dsh/dsh-small"];
        files.map(|file| scratch.read(file))
    };
    let before = tree();
    let (child, _) = hanging(&scratch);
    assert_ne!(tree(), before, "cargo is given what it has to build");
    interrupt(&child);
    assert_eq!(status(&child.wait_with_output().unwrap()), 130);
    assert_eq!(tree(), before);

    std::fs::remove_dir_all(scratch.root().join("generated")).unwrap();
    fs::remove_file(scratch.root().join("pid")).unwrap();
    let (child, _) = hanging(&scratch);
    interrupt(&child);
    assert_eq!(status(&child.wait_with_output().unwrap()), 130);
    assert!(!scratch.holds("generated"), "what was not there is gone again");
}

#[test]
fn a_second_run_waits_and_says_for_whom() {
    let scratch = input();
    let (first, _) = hanging(&scratch);
    let mut second = command(&scratch, &["sync"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(second.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let expected = format!(
        "dsh-build: waiting for process {} (`dsh-build --profile small`), which works in `{}/target/dsh`\n",
        first.id(),
        scratch.root().display()
    );
    assert_eq!(line, expected);
    assert!(second.try_wait().unwrap().is_none() && !scratch.read("generated/small/src/wiring.rs").is_empty());
    interrupt(&first);
    assert_eq!(status(&first.wait_with_output().unwrap()), 130);
    std::io::copy(&mut said, &mut std::io::sink()).unwrap();
    assert!(second.wait().unwrap().success());
    assert_eq!(status(&run(&scratch, &["sync", "--check"])), 0, "the second run came after the first had put everything back");
}
