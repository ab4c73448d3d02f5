//! Compositions of the reference, one file for each of its shipped ones under `tests/import/reference`, translated with the declarations
//! in `tests/import/plugins.rs`. A case names the files of one run; its folder holds the document of the last one and what is said
//! of it, as a reviewer sees them. `DSH_UPDATE=1` writes them anew.

mod fixture;
mod scratch;

use std::path::{Path, PathBuf};

use dsh_build::diagnostics::{Diagnostics, SourceFile};
use dsh_build::import::{Form, Kind, Original, Report, import, original};
use dsh_build::index::Index;
use dsh_build::load::{BuildFlags, LoadRequest, load_bundle};
use fixture::index;
use proptest::prelude::*;
use scratch::expect;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import")
}

fn read(name: &str, text: &str) -> Option<Original> {
    original(&SourceFile::new(name, text), None, &mut Diagnostics::new())
}

fn translate(text: &str, index: &Index) -> Report {
    import(&[read("given.yml", text).expect("a composition of the reference")], index)
}

/// Names and texts of the files of a case.
fn files(case: &Path) -> Vec<(String, String)> {
    let names = std::fs::read_to_string(case.join("files.txt")).expect("a case names its files");
    let text = |name: &str| std::fs::read_to_string(folder().join("reference").join(name)).expect("a file of the reference");
    names.lines().map(|name| (name.to_owned(), text(name))).collect()
}

fn cases() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder().join("cases")).expect("the cases can be listed");
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.expect("a case can be listed").path()).collect();
    cases.sort();
    cases
}

#[test]
fn compositions_of_the_reference_are_translated() {
    let index = index(&folder());
    for case in cases() {
        let originals: Vec<Original> = files(&case).iter().map(|(name, text)| read(name, text).expect("a composition")).collect();
        let report = import(&originals, &index);
        let last = report.files.last().expect("a case has a file");
        expect(&case.join(&last.file), &last.document);
        expect(&case.join("report.txt"), &last.to_string());
        if case.ends_with("own-forms") {
            expect(&case.join("report.json"), &format!("{}\n", serde_json::to_string_pretty(&report).unwrap()));
        }
    }
}

/// Every row and every changed row stands in the document, as itself or in a comment.
#[test]
fn no_row_vanishes() {
    let index = index(&folder());
    let mut rows = 0;
    for case in cases().into_iter().filter(|case| !case.ends_with("own-forms")) {
        let files = files(&case);
        let originals: Vec<Original> = files.iter().map(|(name, text)| read(name, text).expect("a composition")).collect();
        for ((name, text), translated) in files.iter().zip(import(&originals, &index).files) {
            let ids = text.lines().filter_map(|line| line.trim_start().trim_start_matches("- ").strip_prefix("id: "));
            for id in ids.filter(|id| !id.starts_with("!!js") && *id != "include") {
                rows += 1;
                let is_there = translated.document.lines().any(|line| line.ends_with(&format!("id: {id}")));
                assert!(is_there, "{}: {name}: {id}\n{}", case.display(), translated.document);
            }
        }
    }
    assert!(rows > 500, "{rows}");
}

#[test]
fn no_comment_vanishes() {
    let own = std::fs::read_to_string(folder().join("reference/own-forms.yml")).unwrap();
    let document = translate(&own, &index(&folder())).files.remove(0).document;
    let comments: Vec<&str> = own.lines().filter_map(|line| line.find("# ").map(|at| &line[at..])).collect();
    assert!(comments.len() > 12, "{comments:?}");
    for comment in comments {
        assert_eq!(document.matches(comment).count(), 1, "{comment}\n{document}");
    }
}

/// A document is what the language's own reader takes, and what was left is refused by no accident of YAML.
#[test]
fn documents_can_be_loaded() {
    let index = index(&folder());
    for case in cases() {
        let originals: Vec<Original> = files(&case).iter().map(|(name, text)| read(name, text).expect("a composition")).collect();
        let report = import(&originals, &index);
        let scratch = tempfile::tempdir().unwrap();
        let profile = scratch.path().join("imported");
        std::fs::create_dir(&profile).unwrap();
        std::fs::write(profile.join("profile.yml"), "dsh: 1\nprofile: imported\n").unwrap();
        let mut arguments = String::new();
        for file in &report.files {
            std::fs::write(profile.join(&file.file), &file.document).unwrap();
            arguments.push_str(&format!(" --patch {}", file.file));
        }
        let outcome = fixture::compile_with(&profile, &format!("--profile ../imported{arguments}"), &index);
        for line in outcome.problems.json().lines() {
            let problem: serde_json::Value = serde_json::from_str(line).unwrap();
            let code = problem["code"].as_str().unwrap();
            // What this version does not have yet, rows that no file inserts or two do, what a left part leaves open, what no row uses.
            let expected = ["DSH0112", "DSH0113", "DSH0114", "DSH0130", "DSH0131", "DSH0135", "DSH0205", "DSH0213", "DSH0214"];
            let is_placeholder = code != "DSH0214" || problem["title"].as_str().unwrap().contains("`not_translated`");
            let is_expected = expected.contains(&code) && is_placeholder || code >= "DSH0300";
            assert!(is_expected, "{}: {line}", case.display());
        }
    }
}

#[test]
fn a_list_is_one_of_rows_when_each_names_a_plugin() {
    let form = |text: &str| read("given.yml", text).unwrap().form;
    assert_eq!(form("- {id: a, name: x}\n- {name: y}\n"), Form::Rows);
    assert_eq!(form("- {id: a, name: x}\n- {id: a, disabled: true}\n"), Form::Patch);
    assert_eq!(form("- insert: []\n"), Form::Patch);
    assert_eq!(form("[]\n"), Form::Patch);
    let asked =
        original(&SourceFile::new("given.yml", "- {id: llm, name: '@deepseek-ai/dsh-llm'}\n"), Some(Form::Patch), &mut Diagnostics::new());
    assert_eq!(asked.unwrap().form, Form::Patch);
}

#[test]
fn what_is_no_composition_is_refused() {
    for text in ["", "a: 1\n", "- [\n", "word\n", "- &a {id: a}\n- *a\n"] {
        let mut problems = Diagnostics::new();
        let read = original(&SourceFile::new("given.yml", text), None, &mut problems);
        assert!(problems.has_errors(), "{text}: {read:?}");
    }
}

#[test]
fn what_has_a_counterpart_leaves_nothing() {
    let index = index(&folder());
    let report = translate(
        "- id: tools\n  name: '@deepseek-ai/dsh-tools'\n  config: {mode: !!js process.env.DSH_TOOLS_MODE}\n\
         - id: sessions\n  name: '@deepseek-ai/dsh-session-persistence-jsonl'\n  config: {root: !!js \"dshHomePath('sessions')\"}\n",
        &index,
    );
    let document = "# Translated by `dsh-build import` from given.yml.\n\
        - insert:\n    \
            - id: tools\n      plugin: tools\n      config:\n        mode: !expr \"env.DSH_TOOLS_MODE | default('native')\"\n    \
            - id: sessions\n      plugin: session-persistence-jsonl\n      config:\n        root: !expr \"home | path('sessions')\"\n";
    assert_eq!((report.left, report.files[0].rows, report.files[0].document.as_str()), (0, 2, document));
}

/// Each kind of part that can be left is, and is counted.
#[test]
fn what_is_left_is_counted() {
    let index = index(&folder());
    let own = std::fs::read_to_string(folder().join("reference/own-forms.yml")).unwrap();
    let report = translate(&own, &index);
    for kind in [Kind::Row, Kind::Change, Kind::ConfigField, Kind::Expression, Kind::Feature] {
        assert!(report.files[0].left.iter().any(|finding| finding.kind == kind), "{kind:?}");
    }
    assert_eq!(report.left, report.files[0].left.len());
    assert_eq!(report.left, report.files[0].document.matches("# Not translated: ").count());
}

/// A value in one line, of keys and scalars that compositions of the reference hold, in any shape.
fn value() -> impl Strategy<Value = String> {
    let scalar = prop::sample::select(vec![
        "true",
        "null",
        "~",
        "5",
        "word",
        "''",
        "'a # b'",
        "\"a: 'b'\"",
        "é",
        "cordis:group",
        "'@deepseek-ai/dsh-llm-deepseek'",
        "'@deepseek-ai/dsh-tools'",
        "'@deepseek-ai/dsh-nothing'",
        "!!js process.cwd()",
        "!!js x.y",
        "!!js \"process.env.A ?? '}'\"",
        "!!js '('",
    ]);
    scalar.prop_map(str::to_owned).prop_recursive(4, 24, 4, |inner| {
        let entries = prop::collection::btree_map(key(), inner.clone(), 0..4).prop_map(|entries| {
            let entries: Vec<String> = entries.iter().map(|(key, value)| format!("{key}: {value}")).collect();
            format!("{{{}}}", entries.join(", "))
        });
        prop_oneof![prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(", "))), entries]
    })
}

fn key() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "id",
        "name",
        "config",
        "group",
        "isolate",
        "disabled",
        "inject",
        "intercept",
        "insert",
        "models",
        "mode",
        "apiKeyEnv",
        "fs",
        "'a: b'",
        "other",
    ])
}

/// A list of mappings with comments in every place.
fn compositions() -> impl Strategy<Value = String> {
    let comment = || prop::sample::select(vec!["", "", "", " # beside"]);
    let above = || prop::sample::select(vec!["", "", "", "# above\n", "\n# apart\n\n", "  # inside\n"]);
    let line = (above(), value(), comment());
    let entry = prop::collection::btree_map(key(), line, 1..6).prop_map(|lines| {
        let lines = lines.iter().enumerate().map(|(at, (key, (above, value, comment)))| {
            let start = if at == 0 { "- " } else { "  " };
            format!("{above}{start}{key}: {value}{comment}\n")
        });
        lines.collect::<String>()
    });
    let other = (above(), value(), comment()).prop_map(|(above, value, comment)| format!("{above}- {value}{comment}\n"));
    prop::collection::vec(prop_oneof![4 => entry, 1 => other], 1..5).prop_map(|entries| entries.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Whatever a file holds, it becomes a patch list without a fault that one file can have.
    #[test]
    fn any_list_becomes_a_patch_list(text in compositions()) {
        thread_local!(static INDEX: Index = index(&folder()));
        let mut refused = Diagnostics::new();
        let original = original(&SourceFile::new("given.yml", text.as_str()), None, &mut refused);
        prop_assert!(original.is_some(), "{}\n{}", text, refused.json());
        let original = original.expect("it was read");
        let report = INDEX.with(|index| import(&[original], index));
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("given.yml");
        std::fs::write(&path, &report.files[0].document).unwrap();
        let folder = scratch.path().to_owned();
        let request = LoadRequest { workspace: folder.clone(), home: None, cwd: folder, profile: String::new(), patches: Vec::new(), crates: Vec::new(), flags: BuildFlags::default() };
        let mut problems = Diagnostics::new();
        load_bundle(&request, &path, &mut problems);
        prop_assert!(!problems.has_errors(), "{}\n{}\n{}", text, report.files[0].document, problems.json());
    }
}
