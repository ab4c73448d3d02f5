//! The plan of a small composition and the crate that is generated for it, as a reviewer sees them: `tests/wiring/input.txt` holds
//! the workspace, the files beside it what comes out.

mod fixture;
mod scratch;

use std::collections::BTreeSet;
use std::path::PathBuf;

use dsh_build::check::Checked;
use dsh_build::emit::{Form, emit};
use dsh_build::index::{Index, Package, PackageSource};
use dsh_build::inventory::Inventory;
use dsh_build::plan::plan;
use scratch::{Scratch, described, expect, run_described};

fn beside(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wiring").join(name)
}

fn input() -> Scratch {
    Scratch::new(&std::fs::read_to_string(beside("input.txt")).unwrap())
}

/// The same workspace with a profile whose rows may be off, with groups, a realm and a preset.
fn options() -> Scratch {
    let read = |name: &str| std::fs::read_to_string(beside(name)).unwrap();
    Scratch::new(&(read("input.txt") + &read("options/input.txt")))
}

const FILES: [&str; 7] =
    ["Cargo.toml", "src/bundles.yml", "src/composed.yml", "src/description.rs", "src/lib.rs", "src/main.rs", "src/wiring.rs"];

#[test]
fn the_plan_says_who_mounts_when_and_who_provides_what() {
    let scratch = input();
    let output = scratch.run(&["plan", "--profile", "small", "--offline"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    expect(&beside("plan.txt"), &String::from_utf8(output.stdout).unwrap());
    let output = scratch.run(&["plan", "--profile", "small", "--message-format", "json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let plan: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    expect(&beside("plan.json"), &format!("{}\n", serde_json::to_string_pretty(&plan).unwrap()));
}

#[test]
fn the_generated_crate_is_what_a_reviewer_saw() {
    let scratch = input();
    assert!(run_described(&scratch, &["sync"]).status.success());
    for file in FILES {
        expect(&beside("generated").join(file), &scratch.read(&format!("generated/small/{file}")));
    }
}

#[test]
fn rows_that_may_be_off_realms_and_presets_are_wired_as_a_reviewer_saw() {
    let scratch = options();
    let output = scratch.run(&["plan", "--profile", "options", "--offline"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    expect(&beside("options/plan.txt"), &String::from_utf8(output.stdout).unwrap());
    let output = scratch.run(&["plan", "--profile", "options", "--message-format", "json"]);
    let text = String::from_utf8(output.stdout).unwrap();
    let plan: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    expect(&beside("options/plan.json"), &format!("{}\n", serde_json::to_string_pretty(&plan).unwrap()));
    assert!(run_described(&scratch, &["sync", "options"]).status.success());
    expect(&beside("options/wiring.rs"), &scratch.read("generated/options/src/wiring.rs"));
}

/// No overlay can switch rows of a sealed binary: only rows with conditions are options, and no requirements are carried.
#[test]
fn a_sealed_binary_holds_as_options_what_conditions_switch() {
    let folder = fixture::compositions().join("valid/two-providers-of-which-a-condition-chooses-one");
    let mut index: Index = fixture::index(&folder);
    let runtime = Package { lib: "dsh_runtime".to_owned(), source: PackageSource::Inherited, reaches: BTreeSet::new() };
    index.packages.insert("dsh-runtime".to_owned(), runtime);
    let checked = fixture::compile(&folder, &index).checked.expect("the composition is right");
    let generated = emit(&plan(&Checked { is_sealed: true, ..checked }, &index), &Inventory::default(), Form::Member);
    expect(&beside("options/sealed.rs"), &generated.files["src/wiring.rs"]);
}

#[test]
fn the_same_composition_gives_the_same_bytes_anywhere() {
    let (one, other) = (input(), input());
    assert!(run_described(&one, &["sync"]).status.success());
    // Another folder, another way to name it, another time.
    let root = other.root();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dsh-build"));
    command.args(["sync", "--workspace"]).arg(&root).current_dir("/");
    let output = described(&mut command, &other).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for file in FILES {
        let text = one.read(&format!("generated/small/{file}"));
        assert_eq!(text, other.read(&format!("generated/small/{file}")));
        assert!(
            !text.contains(root.to_str().unwrap()) && !text.contains(one.root().to_str().unwrap()),
            "{file} holds a path of this machine"
        );
    }
}

/// A row that moves within its file keeps the digest only when nothing else changes; a config change changes it.
#[test]
fn the_composition_digest_follows_what_is_composed() {
    let digest = |scratch: &Scratch| {
        let output = scratch.run(&["plan", "--profile", "small", "--message-format", "json"]);
        let text = String::from_utf8(output.stdout).unwrap();
        let plan: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        plan["digest"].as_str().unwrap().to_owned()
    };
    let scratch = input();
    let first = digest(&scratch);
    assert_eq!(first.len(), 16);
    let bundle = scratch.read("profiles/bundles/base.yml");
    scratch.write("profiles/bundles/base.yml", &format!("# A comment.\n{bundle}"));
    assert_eq!(digest(&scratch), first);
    scratch.write("profiles/bundles/base.yml", &bundle.replace("timeoutMs: 5000", "timeoutMs: 6000"));
    assert_ne!(digest(&scratch), first);
}

/// A reviewer sees the new row and nothing else: no number, and no line of another row, depends on it.
#[test]
fn a_row_between_others_changes_no_line_of_theirs() {
    let scratch = input();
    let wiring = |scratch: &Scratch| {
        assert!(run_described(scratch, &["sync"]).status.success());
        let text = scratch.read("generated/small/src/wiring.rs");
        text.lines().filter(|line| !line.trim_start().starts_with("digest:")).map(str::to_owned).collect::<Vec<_>>()
    };
    let before = wiring(&scratch);
    scratch.write(
        "profiles/bundles/base.yml",
        &format!("- insert: [{{id: first, plugin: guard}}]\n{}", scratch.read("profiles/bundles/base.yml")),
    );
    let after = wiring(&scratch);
    let mut rest = after.iter();
    let lost: Vec<&String> = before.iter().filter(|line| !rest.any(|other| other == *line)).collect();
    assert!(after.len() > before.len() && lost.is_empty(), "{lost:#?}");
}
