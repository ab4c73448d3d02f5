//! The schemas that editors get, held against the corpus of compositions by a validator that is not ours. YAML is read as editors read
//! it: plain scalars have the types of YAML 1.2, and an expression is a string.

mod fixture;
mod scratch;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dsh_build::diagnostics::{Diagnostics, SourceFile};
use dsh_build::index::Index;
use dsh_build::load::{Node, NodeKind, parse};
use dsh_build::schema::{PATCH, PROFILE, schemas};
use fixture::{compositions, index};
use jsonschema::Validator;
use scratch::expect;
use serde_json::Value;

/// Problems that show in one file without its tags, and so in an editor.
const VISIBLE: &[&str] = &[
    "DSH0014", "DSH0101", "DSH0102", "DSH0103", "DSH0104", "DSH0105", "DSH0109", "DSH0110", "DSH0111", "DSH0115", "DSH0116", "DSH0117",
    "DSH0119", "DSH0201", "DSH0202", "DSH0203", "DSH0204", "DSH0205", "DSH0206", "DSH0207", "DSH0208", "DSH0209", "DSH0210", "DSH0211",
    "DSH0213", "DSH0220",
];

/// Cases that go the other way, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("a-broken-bundle-hides-no-other-fault", "which plugin the changed row has stands in another file"),
    ("a-config-for-the-plugin-before", "which plugin the changed row has stands in another file"),
    ("a-profile-given-as-a-patch-file", "an editor takes it for the profile that it is"),
    ("an-unknown-profile", "the profiles beside it lack a key, and are never read"),
    ("yaml-merge-keys", "what holds a merge key is not YAML as the language has it"),
    ("constant-expressions-without-a-usable-value", "the value of an expression is known to the compiler alone"),
    ("a-bundle-of-the-profile-in-a-preset", "the lists of the profile and of its preset are each without repetition"),
    ("expressions-in-quotes-and-of-the-shell", "an expression in quotes is a string that looks like one with its tag"),
];

struct Editor {
    profile: Validator,
    patch: Validator,
}

impl Editor {
    fn new(index: &Index) -> Self {
        let texts = schemas(index);
        Self { profile: validator(&texts[PROFILE]), patch: validator(&texts[PATCH]) }
    }

    /// What it marks in a file, by the schema of a profile or of a patch list. Nothing in what is not YAML as the language has it.
    fn marks(&self, path: &Path) -> Vec<String> {
        let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
        let mut refused = Diagnostics::new();
        let Some(root) = parse(&SourceFile::new("file.yml", text), &mut refused).filter(|_| refused.is_empty()) else { return Vec::new() };
        let schema = if path.ends_with("profile.yml") { &self.profile } else { &self.patch };
        let value = as_editors_read(&root);
        schema.iter_errors(&value).map(|error| format!("{}: {} {error}", path.display(), error.instance_path())).collect()
    }
}

fn validator(text: &str) -> Validator {
    let schema: Value = serde_json::from_str(text).expect("a schema is JSON");
    jsonschema::draft7::meta::validate(&schema).unwrap_or_else(|error| panic!("no schema of draft 7: {error}"));
    jsonschema::draft7::new(&schema).expect("a schema can be used")
}

/// The core schema of YAML 1.2.
fn as_editors_read(node: &Node) -> Value {
    match &node.kind {
        NodeKind::Plain(_) if node.is_null() => Value::Null,
        NodeKind::Plain(text) => match text.as_str() {
            "true" | "True" | "TRUE" => true.into(),
            "false" | "False" | "FALSE" => false.into(),
            text => number(text).unwrap_or_else(|| text.into()),
        },
        NodeKind::Quoted(text) | NodeKind::Expression(text) => text.as_str().into(),
        NodeKind::List(items) => items.iter().map(as_editors_read).collect(),
        NodeKind::Map(entries) => entries.iter().map(|(key, value)| (key.text.clone(), as_editors_read(value))).collect(),
        NodeKind::Refused => unreachable!("a file with a refused value is not looked at"),
    }
}

fn number(text: &str) -> Option<Value> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    text.parse::<i64>().map(Value::from).ok().or_else(|| text.parse::<f64>().ok().map(Value::from))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder can be listed") {
        let path = entry.expect("an entry can be listed").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "yml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Cases of a kind, with what their editor marks and what the compiler says.
fn cases(kind: &str) -> BTreeMap<String, (Vec<String>, String)> {
    let folder = compositions().join(kind);
    let shared = Editor::new(&index(&folder));
    let mut cases = BTreeMap::new();
    for entry in std::fs::read_dir(&folder).expect("the cases can be listed") {
        let case = entry.expect("a case can be listed").path();
        let own = case.join("plugins.rs").is_file().then(|| Editor::new(&index(&case)));
        let editor = own.as_ref().unwrap_or(&shared);
        let marks = files(&case).iter().flat_map(|file| editor.marks(file)).collect();
        let says = std::fs::read_to_string(case.join("expected.txt")).expect("a case has an expectation");
        cases.insert(case.file_name().expect("a case has a name").to_string_lossy().into_owned(), (marks, says));
    }
    cases
}

#[test]
fn valid_compositions_are_not_marked() {
    let marked: Vec<_> = cases("valid").into_iter().filter(|(_, (marks, _))| !marks.is_empty()).collect();
    assert!(marked.is_empty(), "{marked:#?}");
}

#[test]
fn faults_that_one_file_shows_are_marked_and_others_are_not() {
    let mut wrong = Vec::new();
    for (name, (marks, says)) in cases("invalid") {
        let visible = VISIBLE.iter().any(|code| says.contains(&format!("error[{code}]")));
        let is_exception = EXCEPTIONS.iter().any(|(case, _)| *case == name);
        if marks.is_empty() == (visible != is_exception) {
            let codes: Vec<&str> = says.lines().filter(|line| line.starts_with("error[")).collect();
            wrong.push(format!("{name}: {marks:#?} {codes:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_editors_get_is_reviewed() {
    let index = index(&compositions());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/schema");
    for (name, text) in schemas(&index) {
        expect(&folder.join(name), &text);
    }
}

/// The shipped files, with the schemas that `sync --check` keeps fresh.
#[test]
fn shipped_profiles_are_not_marked() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |name: &str| validator(&std::fs::read_to_string(root.join("generated/schema").join(name)).expect("the schemas are kept"));
    let editor = Editor { profile: read(PROFILE), patch: read(PATCH) };
    let bundles = files(&root.join("profiles/bundles"));
    let profiles = files(&root.join("profiles")).into_iter().filter(|file| file.ends_with("profile.yml"));
    let all: Vec<PathBuf> = profiles.chain(bundles).collect();
    assert!(all.len() > 2, "{all:?}");
    let marks: Vec<String> = all.iter().flat_map(|file| editor.marks(file)).collect();
    assert!(marks.is_empty(), "{marks:#?}");
}
