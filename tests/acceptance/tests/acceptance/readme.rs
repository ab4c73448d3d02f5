//! The list of rows in `README.md` speaks of tests and cases that exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The words of a text that stand in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_row_names_a_test_or_a_case_that_exists_and_every_test_is_named() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(package.join("README.md")).unwrap();
    let mut tests = BTreeSet::new();
    for entry in fs::read_dir(package.join("tests/acceptance")).unwrap() {
        let source = fs::read_to_string(entry.unwrap().path()).unwrap();
        let signatures = source.lines().map(|line| line.trim_start_matches("async ")).filter_map(|line| line.strip_prefix("fn "));
        let names = signatures.filter_map(|signature| signature.split_once('(')).map(|(name, _)| name.to_owned());
        tests.extend(names.filter(|name| name.starts_with("row_")));
    }
    let named: BTreeSet<String> = quoted(&readme).filter(|word| word.starts_with("row_")).map(str::to_owned).collect();
    assert_eq!(named, tests);
    let cases = package.join("../compile-fail/cases");
    for case in quoted(&readme).filter(|word| word.starts_with("a-") || word.starts_with("an-")) {
        assert!(cases.join(case).with_extension("rs").is_file(), "there is no case `{case}`");
    }
    let missing: Vec<String> = (1..=20).map(|row| format!("| {row} |")).filter(|row| !readme.contains(row)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
