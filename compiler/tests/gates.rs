//! Each folder under `gates/` is named after a gate and holds a tree that breaks it, `input.txt`, with all that `verify` says of it,
//! `expected.txt`. `DSH_UPDATE=1` rewrites the expectations, for a reviewer to read.

mod scratch;

use std::path::{Path, PathBuf};

use dsh_build::verify::{Cost, gates};
use scratch::{Scratch, expect};

/// Stands for the folder of the tree in a README and in what is said.
const ROOT: &str = "{{root}}";

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("gates")
}

/// What `verify` with words says of a tree, and its exit status.
fn verify(input: &str, words: &[&str]) -> (String, Option<i32>) {
    let scratch = Scratch::new(input);
    scratch.write("plugins/.keep", "");
    let root = scratch.root().to_str().unwrap().to_owned();
    if scratch.holds("README.md") {
        scratch.write("README.md", &scratch.read("README.md").replace(ROOT, &root));
    }
    let output = scratch.run(&[&["verify"], words].concat());
    (String::from_utf8(output.stderr).unwrap().replace(&root, ROOT), output.status.code())
}

#[test]
fn every_gate_turns_red_on_its_case() {
    for gate in gates().iter().filter(|gate| gate.cost == Cost::Reads) {
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
    let (said, status) = verify(&input, &["resolved-specs"]);
    expect(&folder.join("expected.txt"), &said);
    assert_eq!(status, Some(1));
}

#[test]
fn a_gate_is_called_by_its_name() {
    let (said, status) = verify("", &["doc-link"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("a similar gate exists: `doc-links`"), "{said}");
}
