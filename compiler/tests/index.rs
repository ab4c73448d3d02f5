//! What the index stage makes of plugin sources. Each folder in `tests/index/` is a case: `input.txt` holds the files of a scratch
//! workspace, `expected.txt` the diagnostics, or the index when there are none.

mod scratch;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use dsh_build::diagnostics::{Class, Style, rules};
use dsh_build::index::{Index, PluginEntry, WantKind};
use dsh_declare::digest::combine;
use scratch::{Scratch, expect};

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/index");
    let mut cases: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    cases
}

#[test]
fn every_case_gives_what_is_expected() {
    let cases = cases();
    assert!(!cases.is_empty());
    for case in cases {
        let scratch = Scratch::new(&fs::read_to_string(case.join("input.txt")).unwrap());
        let (index, diagnostics) = scratch.index();
        let found = if diagnostics.is_empty() { describe(&index) } else { diagnostics.human(Style::Plain) };
        expect(&case.join("expected.txt"), &found);
    }
}

/// Rules about the machine are broken by the tests below, which need more than files of text.
#[test]
fn every_rule_about_sources_has_a_case() {
    let expected: String = cases().iter().map(|case| fs::read_to_string(case.join("expected.txt")).unwrap()).collect();
    for rule in rules().into_iter().filter(|rule| rule.code.starts_with("DSH04") && rule.class == Class::Composition) {
        assert!(expected.contains(rule.code), "{}: {}", rule.code, rule.meaning);
    }
}

#[test]
fn a_source_that_is_no_text_is_told() {
    let scratch = Scratch::new("//- crate one\n");
    fs::write(scratch.root().join("plugins/scratch/one/src/lib.rs"), [0xff, 0xfe]).unwrap();
    let (_, diagnostics) = scratch.index();
    let text = diagnostics.human(Style::Plain);
    assert!(text.starts_with("error[DSH0402]: `plugins/scratch/one/src/lib.rs` cannot be read: "), "{text}");
    assert_eq!(diagnostics.class(), Some(Class::Environment));
}

fn describe(index: &Index) -> String {
    index.plugins.values().map(describe_plugin).collect()
}

fn describe_plugin(plugin: &PluginEntry) -> String {
    let mut text = format!("plugin {} ({})\n", plugin.name, plugin.declared.id);
    let mut line = |words: String| writeln!(text, "  {words}").unwrap();
    plugin.provides.iter().for_each(|id| line(format!("provides {id}")));
    plugin.config.iter().for_each(|id| line(format!("config {id}")));
    plugin.inject.iter().for_each(|id| line(format!("inject {id}")));
    for want in &plugin.wants {
        let (word, id) = match &want.kind {
            WantKind::Required(id) => ("requires", id),
            WantKind::Optional(id) => ("may take", id),
            WantKind::Dispatch(id) => ("dispatches", id),
        };
        line(format!("{word} {id} as {}", want.field));
    }
    plugin.listens.iter().for_each(|listen| line(format!("hears {} at {:?}, optional {}", listen.event, listen.position, listen.optional)));
    plugin.tool_args.iter().for_each(|id| line(format!("tool arguments {id}")));
    text
}

/// The rule by which the macros combine digests, applied by hand.
#[test]
fn digests_combine_as_the_macros_combine_them() {
    let scratch =
        Scratch::new(&fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/index/names-resolve/input.txt")).unwrap());
    let (index, diagnostics) = scratch.index();
    assert!(diagnostics.is_empty());
    let plugin = &index.plugins["bash"];
    let own = |name: &str| index.configs.iter().find(|(id, _)| id.name == name).unwrap().1.decl.digest;
    let service = |name: &str| index.services.iter().find(|(id, _)| id.name == name).unwrap().1.digest;
    let event = |name: &str| index.events.iter().find(|(id, _)| id.name == name).unwrap().1.digest;
    let args = |name: &str| index.tool_args.iter().find(|(id, _)| id.name == name).unwrap().1.decl.digest;
    let limits = combine(&[own("Limits")]);
    let config = combine(&[own("Config"), limits, limits]);
    let inject_item = index.injects.values().next().unwrap().decl.digest;
    let inject = combine(&[inject_item, service("Subprocess"), service("Invariants"), service("Tools"), event("PreExecute")]);
    let tool = combine(&[args("Args"), combine(&[args("Choice")])]);
    let expected =
        combine(&[plugin.declared.decl.digest, config, inject, service("Shell"), event("PreExecute"), event("PostExecute"), tool]);
    assert_eq!(plugin.declared.digest, expected);
}

/// A second run takes cargo's answer from the cache, and a changed manifest is noticed.
#[test]
fn metadata_is_kept_until_a_manifest_changes() {
    let scratch = Scratch::new("//- crate one\n#[service(key = \"one\")]\npub struct One;\n");
    assert_eq!(scratch.index().0.services.len(), 2);
    let kept = scratch.read("target/dsh/cache/metadata.json");
    assert_eq!(scratch.index().0.services.len(), 2);
    assert_eq!(scratch.read("target/dsh/cache/metadata.json"), kept);
    let manifest = scratch.read("plugins/scratch/one/Cargo.toml");
    scratch.write("plugins/scratch/two/Cargo.toml", &manifest.replace("dsh-one", "dsh-two"));
    scratch.write("plugins/scratch/two/src/lib.rs", "#[service(key = \"two\")]\npub struct Two;\n");
    assert_eq!(scratch.index().0.services.len(), 3);
}

/// What cargo said holds absolute paths: a checkout that was copied with its `target/` must not read the sources of the first one.
#[test]
fn metadata_is_not_kept_for_a_copy_of_the_workspace() {
    let input = "//- crate one\n#[service(key = \"one\")]\npub struct One;\n";
    let (first, copy) = (Scratch::new(input), Scratch::new(input));
    first.index();
    copy.write("target/dsh/cache/metadata.json", &first.read("target/dsh/cache/metadata.json"));
    first.write("plugins/scratch/one/src/lib.rs", "");
    assert_eq!(copy.index().0.services.len(), 2);
}

#[test]
fn what_cargo_refuses_is_told() {
    let scratch = Scratch::new("//- file plugins/scratch/one/Cargo.toml\nno manifest\n");
    let (_, diagnostics) = scratch.index();
    let text = diagnostics.human(Style::Plain);
    assert!(text.starts_with("error[DSH0490]: cargo cannot read the workspace\n"), "{text}");
    assert!(text.contains("plugins/scratch/one/Cargo.toml"), "{text}");
}

#[test]
fn a_workspace_of_another_project_is_told() {
    let scratch = Scratch::new(
        "//- file Cargo.toml\n[workspace]\nresolver = \"3\"\nmembers = [\"runtime\"]\n//- file plugins/.keep\n//- file runtime/Cargo.toml\n[package]\nname = \"other\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    );
    let (_, diagnostics) = scratch.index();
    let text = diagnostics.human(Style::Plain);
    assert!(text.starts_with("error[DSH0491]: no package of the workspace is or needs `dsh-runtime`\n"), "{text}");
    assert_eq!(diagnostics.class(), Some(Class::Environment));
}
