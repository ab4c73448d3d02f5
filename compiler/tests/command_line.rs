//! The command line: exit statuses, what goes to which stream, and what cargo is asked for. A shell script stands in for cargo's
//! builds; its metadata are real.

mod scratch;

use std::fs;
use std::path::Path;
use std::process::Stdio;

use scratch::Scratch;
use scratch::small::{command, input, run, status, text};

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
        "{0}: build --package dsh-agent-small --bin dsh-small --profile release --message-format json --target-dir {0}/target/dsh/build\n",
        root.display()
    );
    // Nor is cargo told of the package whose test this is: build scripts would run again.
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
fn a_profile_outside_the_workspace_keeps_what_is_generated_beside_it() {
    let scratch = input();
    scratch.write("elsewhere/mine/profile.yml", "dsh: 1\nprofile: mine\npatch:\n  - insert: [{ id: one, plugin: one }]\n");
    let output = run(&scratch, &["--profile", "elsewhere/mine"]);
    assert_eq!(text(&output.stdout), format!("{}/target/dsh/dsh-mine\n", scratch.root().display()), "{}", text(&output.stderr));
    assert!(!scratch.holds("generated"));
    assert!(scratch.read("elsewhere/mine/generated/mine/src/wiring.rs").contains("// one (elsewhere/mine/profile.yml#one)"));
    assert_eq!(status(&run(&scratch, &["sync", "--check", "./elsewhere/mine"])), 0);
}

#[test]
fn generated_files_do_not_tell_where_a_profile_lies() {
    let (scratch, other) = (input(), Scratch::new(""));
    other.write("mine/profile.yml", "dsh: 1\nprofile: mine\nbundles: [own]\n");
    other.write("mine/bundles/own.yml", "- insert: [{ id: one, plugin: one }]\n");
    let output = run(&scratch, &["--profile", other.root().join("mine").to_str().unwrap()]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let wiring = other.read("mine/generated/mine/src/wiring.rs");
    assert!(wiring.contains("// one (bundles/own.yml#one)") && !wiring.contains("/tmp"), "{wiring}");
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
fn a_refusal_for_warnings_alone_says_that_they_were_denied() {
    let scratch = input();
    scratch.write("profiles/bundles/base.yml", "- insert: [{ id: one, plugin: one }]\n- { id: one, disabled: false }\n");
    let profile = "dsh: 1\nprofile: told\nbundles: [base]\npatch: [{ id: one, disabled: false }]\n";
    scratch.write("profiles/told/profile.yml", profile);
    let check = ["check", "--profile", "told"];
    let output = run(&scratch, &check);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("warning[DSH0140]"), "{}", text(&output.stderr));
    let output = run(&scratch, &[&check[..], &["--deny", "warnings"]].concat());
    assert_eq!(status(&output), 1);
    let end = "dsh-build: 1 warning\ndsh-build: refused, since warnings are denied (`--deny warnings`)\n";
    assert!(text(&output.stderr).ends_with(end), "{}", text(&output.stderr));
}

#[test]
fn wrong_usage_and_missing_workspaces_are_2() {
    let scratch = input();
    for words in [&[][..], &["--debug"], &["build"], &["check"], &["--profile", "small", "--debug", "--ship"]] {
        assert_eq!(status(&run(&scratch, words)), 2, "{words:?}");
    }
    let output = run(&scratch, &["--workspace", "profiles", "check", "--profile", "small"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("`profiles` is no workspace: it lacks `Cargo.toml`"), "{}", text(&output.stderr));
    assert_eq!(status(&run(&scratch, &["--help"])), 0);
}

#[test]
fn options_of_every_command_may_stand_before_it() {
    let output = run(&input(), &["--offline", "--message-format", "json", "check", "--profile", "small"]);
    assert_eq!((status(&output), text(&output.stdout)), (0, String::new()), "{}", text(&output.stderr));
}

#[test]
fn a_likely_slip_in_the_words_is_answered() {
    let cases: &[(&[&str], &str)] = &[
        (&["check", "small"], "help: a profile is named with `--profile small`\n"),
        (&["small"], "help: a profile is named with `--profile small`; `dsh-build --help` lists the commands\n"),
        (&["build", "small"], "help: a profile is built with `dsh-build --profile small`, which"),
        (&["run", "--profile", "small"], "help: a profile is built with `dsh-build --profile NAME`, which"),
        (&["help", "check"], "help: `dsh-build check --help`\n"),
        (&["lint"], "help: `dsh-build check --profile NAME` says what is wrong with a profile\n"),
        (&["chek"], "help: a similar command exists: `check`\n"),
        (&["list", "rows"], "help: `dsh-build plan --profile NAME` lists those of a profile\n"),
        (&["list", "profiles", "small"], "help: `list` speaks of the workspace, not of a profile\n"),
        (&["list"], "help: `dsh-build list profiles|plugins|bundles`\n"),
        (&["check", "--profile"], "help: `dsh-build list profiles` names those of the workspace\n"),
        (&["-p", "small"], "help: a profile is named with `--profile`\n"),
        (&["check", "--json", "--profile", "small"], "help: `--message-format json`\n"),
        (&["sync", "--profile", "small"], "help: `sync` and `diff` take the names of profiles without `--profile`\n"),
        (
            &["--patch", "more.yml", "check", "--profile", "small"],
            "the options of a command stand after it: `dsh-build check --profile NAME`",
        ),
        (&["--profil", "small"], "--profile"),
    ];
    for (words, expected) in cases {
        let output = run(&input(), words);
        assert_eq!(status(&output), 2, "{words:?}");
        let is_one = text(&output.stderr).matches("help: ").count() + text(&output.stderr).matches("tip: ").count() <= 1;
        assert!(is_one, "{words:?} is answered twice: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(expected), "{words:?}: {}", text(&output.stderr));
    }
}

/// Minutes of cargo's work must not end at a place that could have been looked at before.
#[test]
fn a_place_for_the_binary_that_is_none_is_refused_before_cargo_runs() {
    let scratch = input();
    scratch.write("folder/.keep", "");
    let device = "/dev/stdin";
    for place in ["folder", "folder/", "/proc/no/such/folder", "Cargo.toml/agent", device] {
        let mut command = command(&scratch, &["--profile", "small", "--out", place]);
        let output = command.stdin(Stdio::piped()).output().unwrap();
        assert_eq!(status(&output), 2, "{place}: {}", text(&output.stderr));
    }
    assert!(!scratch.holds("log"));
}

#[test]
fn a_reader_who_stops_reading_is_no_fault() {
    let scratch = input();
    let answers: [&[&str]; 4] =
        [&["plan", "--profile", "small"], &["show", "--profile", "small"], &["list", "plugins"], &["graph", "--profile", "small"]];
    for words in answers.into_iter().chain([&["--help"][..], &["check", "--profile", "none"]]) {
        let mut command = command(&scratch, words);
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = command.stdout(writer.try_clone().unwrap()).stderr(writer).status().unwrap();
        assert_ne!(status.code(), Some(101), "{words:?}");
    }
}

#[test]
fn a_code_is_explained() {
    let scratch = input();
    for code in ["DSH0112", "dsh0112", "0112", "112"] {
        let output = run(&scratch, &["explain", code]);
        assert_eq!(status(&output), 0);
        let said = text(&output.stdout);
        assert!(said.starts_with("DSH0112 (error): a patch changes a row that is not there\n\n"), "{code}: {said}");
    }
    for code in ["DSH9999", "9999", "99999", "DSH", "why"] {
        assert_eq!(status(&run(&scratch, &["explain", code])), 2, "{code}");
    }
}

/// A lock file that does not list a new dependency is brought up to date by a build, not by whoever only looks.
#[test]
fn looking_changes_nothing_in_the_workspace() {
    let scratch = input();
    run(&scratch, &["sync"]);
    let manifest = scratch.read("plugins/scratch/one/Cargo.toml");
    scratch.write("plugins/scratch/two/Cargo.toml", &manifest.replace("dsh-one", "dsh-two"));
    scratch.write("plugins/scratch/two/src/lib.rs", "");
    scratch.write("plugins/scratch/one/Cargo.toml", &format!("{manifest}dsh-two = {{ path = \"../two\" }}\n"));
    let before = scratch.read("Cargo.lock");
    // The crate that came is in no catalog yet.
    for (words, exit) in [(&["check", "--profile", "small"][..], 0), (&["plan", "--profile", "small"], 0), (&["sync", "--check"], 1)] {
        let output = run(&scratch, words);
        assert_eq!(status(&output), exit, "{words:?}: {}", text(&output.stderr));
        assert_eq!(scratch.read("Cargo.lock"), before, "{words:?}");
    }
    let output = run(&scratch, &["--locked", "check", "--profile", "small"]);
    assert_eq!(status(&output), 0, "what was found out is kept: {}", text(&output.stderr));
    std::fs::remove_dir_all(scratch.root().join("target/dsh/cache")).unwrap();
    let output = run(&scratch, &["--locked", "check", "--profile", "small"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("--locked"), "{}", text(&output.stderr));
}

/// What cargo answered names folders.
#[test]
fn a_workspace_that_was_copied_with_its_caches_is_itself() {
    let scratch = input();
    assert_eq!(status(&run(&scratch, &["sync"])), 0);
    let copy = tempfile::tempdir().unwrap();
    let copied = std::process::Command::new("cp").args(["-R", "."]).arg(copy.path()).current_dir(scratch.root()).status().unwrap();
    assert!(copied.success());
    for words in [&["check", "--profile", "small"][..], &["sync", "--check"]] {
        let output = command(&scratch, words).current_dir(copy.path()).output().unwrap();
        assert_eq!(status(&output), 0, "{words:?}: {}", text(&output.stderr));
    }
}

#[test]
fn colour_is_for_terminals_and_for_who_asks() {
    let scratch = input();
    let coloured = |variables: &[(&str, &str)]| {
        let mut command = command(&scratch, &["check", "--profile", "small", "--patch", "wrong.yml"]);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(variables.iter().copied());
        command.output().unwrap().stderr.contains(&b'\x1b')
    };
    assert!(!coloured(&[]), "no terminal reads it");
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "0")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "")]));
}

#[test]
fn completions_know_every_command() {
    let scratch = Scratch::new("");
    for shell in ["bash", "zsh", "fish"] {
        // No workspace is needed.
        let output = command(&scratch, &["completions", shell]).current_dir("/").output().unwrap();
        assert_eq!(status(&output), 0);
        let script = text(&output.stdout);
        assert!(["dsh-build", "completions", "explain", "profile"].iter().all(|word| script.contains(word)), "{shell}: {script}");
    }
    assert_eq!(status(&run(&scratch, &["completions", "cmd"])), 2);
}

#[test]
fn clean_removes_what_builds_made_and_nothing_else() {
    let scratch = input();
    assert_eq!(status(&run(&scratch, &["--profile", "small"])), 0);
    scratch.write("target/debug/other", "not ours");
    let output = run(&scratch, &["clean"]);
    assert_eq!((status(&output), text(&output.stderr)), (0, "dsh-build: cleaned target/dsh\n".to_owned()));
    let left: Vec<_> = fs::read_dir(scratch.root().join("target/dsh")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["run.lock"]);
    assert!(scratch.holds("generated/small/src/wiring.rs") && scratch.holds("target/debug/other"));
    assert_eq!(status(&run(&scratch, &["--profile", "small"])), 0);
}

#[test]
fn answers_go_to_standard_output_in_both_forms() {
    let scratch = input();
    let asked: [&[&str]; 7] = [
        &["list", "profiles"],
        &["list", "plugins"],
        &["list", "bundles"],
        &["show", "--profile", "small"],
        &["why", "one", "--profile", "small"],
        &["graph", "--profile", "small", "--events"],
        &["diff", "small", "small"],
    ];
    for words in asked {
        let output = run(&scratch, words);
        assert_eq!((status(&output), text(&output.stderr)), (0, String::new()), "{words:?}");
        assert!(!output.stdout.is_empty() && output.stdout.ends_with(b"\n") && !output.stdout.contains(&b'\x1b'), "{words:?}");
        let output = run(&scratch, &[words, &["--message-format", "json"]].concat());
        assert_eq!(text(&output.stdout).lines().count(), 1, "{words:?}: {}", text(&output.stdout));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap();
    }
    assert!(!scratch.holds("generated") && !scratch.holds("log"));
}

#[test]
fn a_question_about_what_is_not_there_is_wrong_usage() {
    let scratch = input();
    let output = run(&scratch, &["why", "on", "--profile", "small"]);
    assert_eq!((status(&output), text(&output.stdout)), (2, String::new()));
    assert!(text(&output.stderr).ends_with("of profile `small`\nhelp: a similar name exists: `one`\n"), "{}", text(&output.stderr));
    for words in [&["why", "--profile", "small"][..], &["list"], &["list", "rows"], &["diff", "small"], &["graph", "--profile", "none"]] {
        assert_eq!(status(&run(&scratch, words)), 2, "{words:?}");
    }
}

#[test]
fn a_question_about_a_refused_profile_is_not_answered() {
    let scratch = input();
    scratch.write("profiles/broken/profile.yml", "dsh: 1\nprofile: broken\npatch:\n  - insert: [{ id: one, plugin: none }]\n");
    scratch.write("profiles/torn/profile.yml", "dsh: [\n");
    for words in [&["show", "--profile", "broken"][..], &["why", "one", "--profile", "broken"], &["diff", "small", "broken"]] {
        let output = run(&scratch, words);
        assert_eq!((status(&output), text(&output.stdout)), (1, String::new()), "{words:?}");
        assert!(text(&output.stderr).contains("profiles/broken/profile.yml:4:33"), "{}", text(&output.stderr));
    }
    scratch.write("profiles/bundles/worn.yml", "- insert: {\n");
    let listed = text(&run(&scratch, &["list", "bundles"]).stdout);
    assert!(listed.contains("worn    unreadable  profiles/bundles/worn.yml\n"), "{listed}");
    let listed = text(&run(&scratch, &["list", "profiles"]).stdout);
    assert!(listed.contains("broken   -        profiles/broken/profile.yml\n"), "{listed}");
    assert!(listed.contains("cannot be read, see `dsh-build check --profile torn`"), "{listed}");
}

/// A shell script stands in for Graphviz: it takes the format from its words and the graph from its input.
#[test]
fn pictures_are_drawn_by_graphviz_where_it_is() {
    let scratch = input();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scratch/graphviz");
    let with_dot = |words: &[&str]| {
        let path = format!("{}:{}", script.display(), std::env::var("PATH").unwrap());
        command(&scratch, &[&["graph", "--profile", "small"], words].concat()).env("PATH", path).output().unwrap()
    };
    let graph = text(&with_dot(&["--format", "dot"]).stdout);
    assert!(graph.starts_with("digraph \"small\""), "{graph}");
    let drawn = with_dot(&["--format", "svg"]);
    assert_eq!((status(&drawn), text(&drawn.stdout)), (0, format!("drawn -Tsvg\n{graph}")), "{}", text(&drawn.stderr));
    let kept = with_dot(&["--format", "png", "--output", "picture.png"]);
    assert_eq!((status(&kept), text(&kept.stdout)), (0, String::new()), "{}", text(&kept.stderr));
    assert_eq!(scratch.read("picture.png"), format!("drawn -Tpng\n{graph}"));
    // The other forms need no Graphviz and go to files too.
    with_dot(&["--format", "json", "--output", "graph.json"]);
    assert!(scratch.read("graph.json").starts_with("{\"profile\":\"small\""));
    assert_eq!(status(&with_dot(&["--output", "nowhere/graph.mmd"])), 2);
}

#[test]
fn a_picture_without_graphviz_says_what_to_install() {
    let scratch = input();
    scratch.write("picture.svg", "as it was");
    let words = ["graph", "--profile", "small", "--format", "svg", "--output", "picture.svg"];
    let folder = Path::new(env!("CARGO")).parent().unwrap();
    let output = command(&scratch, &words).env("PATH", folder).env("CARGO", env!("CARGO")).output().unwrap();
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("install Graphviz (package `graphviz`)"), "{}", text(&output.stderr));
    assert_eq!(scratch.read("picture.svg"), "as it was");
}

#[test]
fn a_picture_that_graphviz_refuses_is_not_kept() {
    let scratch = input();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scratch/graphviz");
    let path = format!("{}:{}", script.display(), std::env::var("PATH").unwrap());
    let words = ["graph", "--profile", "small", "--format", "svg", "--output", "picture.svg"];
    let output = command(&scratch, &words).env("PATH", path).env("FAILS", "1").output().unwrap();
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("no such luck\nerror: `dot -Tsvg` failed"), "{}", text(&output.stderr));
    assert!(!scratch.holds("picture.svg"));
}
