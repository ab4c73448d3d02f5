//! Each folder under `gates/` is named after a gate and holds a tree that breaks it, `input.txt`, with all that `verify` says of it,
//! `expected.txt`. `DSH_UPDATE=1` rewrites the expectations, for a reviewer to read.

mod scratch;

use std::path::{Path, PathBuf};
use std::process::Command;

use dsh_build::verify::gates;
use scratch::{Scratch, expect, stand_in_for_cargo};

/// Stands for the folder of the tree in a README, in a report of what tests cover, and in what is said.
const ROOT: &str = "{{root}}";

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("gates")
}

/// What `verify` with words says of a tree, and its exit status.
fn verify(input: &str, words: &[&str]) -> (String, Option<i32>) {
    let scratch = Scratch::new(input);
    scratch.write("plugins/.keep", "");
    let root = scratch.root().to_str().unwrap().to_owned();
    for file in ["README.md", "report.lcov"].into_iter().filter(|file| scratch.holds(file)) {
        scratch.write(file, &scratch.read(file).replace(ROOT, &root));
    }
    let mut command = scratch.command(&[&["verify"], words].concat());
    stand_in_for_cargo(&mut command, scratch.root().as_path());
    let output = command.output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (said.replace(&root, ROOT), output.status.code())
}

#[test]
fn every_gate_turns_red_on_its_case() {
    for gate in gates() {
        let folder = cases().join(gate.name);
        let input =
            std::fs::read_to_string(folder.join("input.txt")).unwrap_or_else(|_| panic!("`{}` has no case that breaks it", gate.name));
        let (said, status) = verify(&input, &[gate.name]);
        assert!(said.contains(&format!("error[{}]", gate.rule.code)), "`{}` is green on its case:\n{said}", gate.name);
        assert_eq!(status, Some(1), "{said}");
        expect(&folder.join("expected.txt"), &said);
    }
}

#[test]
fn exemptions_are_for_something() {
    let folder = cases().join("exemptions");
    let input = std::fs::read_to_string(folder.join("input.txt")).unwrap();
    let (said, status) = verify(&input, &["resolved-specs", "--exempted"]);
    expect(&folder.join("expected.txt"), &said);
    assert_eq!(status, Some(1));
}

#[test]
fn a_gate_is_called_by_its_name() {
    let (said, status) = verify("", &["doc-link"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("a similar gate exists: `doc-links`"), "{said}");
}

/// A new plugin outside of the workspace keeps the rules, and they see into it.
#[test]
fn a_plugin_outside_of_the_workspace_keeps_the_same_rules() {
    let folder = tempfile::tempdir().unwrap();
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dsh-build"));
        let output = command.args(words).current_dir(folder.path()).env("DSH_WORKSPACE", workspace).output().unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.code())
    };
    for kind in ["plugin", "tool"] {
        assert_eq!(run(&["new", kind, kind]).1, Some(0));
        let (said, status) = run(&["verify", "--tree", kind]);
        assert!(said.ends_with(", all green\n") && status == Some(0), "{said}");
    }
    let change = |file: &str, change: &dyn Fn(String) -> String| {
        let path = folder.path().join("plugin").join(file);
        std::fs::write(&path, change(std::fs::read_to_string(&path).unwrap())).unwrap();
    };
    let provider = workspace.join("plugins/fs/fs-local");
    change("Cargo.toml", &|text| text.replace("[dependencies]\n", &format!("[dependencies]\ndsh-fs-local = {{ path = {provider:?} }}\n")));
    change("README.md", &|text| text.replace("No runtime invariant", "Nothing to check"));
    change("src/lib.rs", &|text| text + "\n/// Reads.\npub fn read() {\n    drop(std::fs::read(\"file\").unwrap());\n}\n");
    let (said, status) = run(&["verify", "--tree", "plugin"]);
    assert_eq!(status, Some(1), "{said}");
    for found in [
        "error[DSH0601]: `dsh-plugin` depends on `dsh-fs-local`",
        "error[DSH0606]: `std::fs` asks the system for files",
        "error[DSH0609]: `dsh-plugin` does not use `dsh_fs_local`",
        "error[DSH0613]: `plugin` registers no invariant and gives no reason",
        "error[DSH0617]: `unwrap` gives no reason",
    ] {
        assert!(said.contains(found), "{found}\n{said}");
    }
    let (said, status) = run(&["verify", "--tree", "plugin", "mounted-plugins"]);
    assert_eq!(
        (said.as_str(), status),
        ("error: the gate `mounted-plugins` is about a workspace, which a plugin's folder is not\n", Some(2))
    );
    let (said, status) = run(&["verify", "--tree", "."]);
    assert!(said.ends_with("holds no crate: it lacks `Cargo.toml`\n") && status == Some(2), "{said}");
}

#[test]
fn gates_are_listed_for_readers_and_programs() {
    let (said, status) = verify("", &["--list"]);
    assert_eq!((status, said.lines().count()), (Some(0), gates().len()));
    let (json, status) = verify("", &["--list", "--message-format", "json"]);
    let listed: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((status, listed["gates"].as_array().map(Vec::len)), (Some(0), Some(gates().len())));
    for (gate, (line, object)) in gates().iter().zip(said.lines().zip(listed["gates"].as_array().unwrap())) {
        assert!(line.starts_with(gate.name) && line.contains(gate.rule.code), "{line}");
        assert_eq!((object["name"].as_str(), object["code"].as_str()), (Some(gate.name), Some(gate.rule.code)));
    }
}
