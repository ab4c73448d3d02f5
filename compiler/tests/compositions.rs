//! Each folder under `compositions/valid` and `compositions/invalid` is a composition whose name is what it shows; its
//! `expected.txt` holds all that the front half of the compiler says of it, and `expected.json`, where there is one, the same for
//! programs. `DSH_UPDATE=1` rewrites them, for a reviewer to read.

mod fixture;
mod print;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use dsh_build::diagnostics::{Style, rules};
use fixture::{Outcome, compile, compositions, index};

fn cases(kind: &str) -> Vec<PathBuf> {
    let folder = compositions().join(kind);
    let entries = std::fs::read_dir(&folder).expect("the folder of cases can be listed");
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.expect("a case can be listed").path()).filter(|path| path.is_dir()).collect();
    cases.sort();
    cases
}

/// Compares with the expectation, or rewrites it; what differs is told.
fn compare(file: &Path, actual: &str) -> Option<String> {
    let expected = std::fs::read_to_string(file).unwrap_or_default();
    if expected == actual {
        return None;
    }
    if std::env::var_os("DSH_UPDATE").is_some() {
        std::fs::write(file, actual).expect("an expectation can be written");
        return None;
    }
    Some(format!("{}\n--- expected\n{expected}--- actual\n{actual}", file.display()))
}

fn run(kind: &str, says: impl Fn(&Outcome) -> Result<String, String>) {
    let mut wrong = Vec::new();
    for case in cases(kind) {
        let outcome = compile(&case, &index(&case));
        match says(&outcome) {
            Ok(text) => wrong.extend(compare(&case.join("expected.txt"), &text)),
            Err(fault) => wrong.push(format!("{}: {fault}\n{}", case.display(), outcome.problems.human(Style::Plain))),
        }
        let json = case.join("expected.json");
        if json.is_file() {
            wrong.extend(compare(&json, &outcome.problems.json()));
        }
    }
    assert!(wrong.is_empty(), "{} cases differ\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn valid_compositions_are_checked() {
    run("valid", |outcome| match &outcome.checked {
        Some(checked) => Ok(outcome.problems.human(Style::Plain) + &print::checked(checked)),
        None => Err("refused".to_owned()),
    });
}

#[test]
fn invalid_compositions_are_refused() {
    run("invalid", |outcome| match (&outcome.checked, outcome.problems.has_errors()) {
        (None, true) => Ok(outcome.problems.human(Style::Plain)),
        _ => Err("accepted".to_owned()),
    });
}

/// Adding a rule without a case that breaks it fails here.
#[test]
fn every_rule_of_the_front_half_has_a_case() {
    // A file beyond the size limit is made by a test of its own rather than kept.
    let elsewhere =
        BTreeSet::from(["DSH0013", "DSH0124", "DSH0125", "DSH0126", "DSH0127", "DSH0128", "DSH0129", "DSH0136", "DSH0137", "DSH0138"]);
    let said: String = ["valid", "invalid"]
        .iter()
        .flat_map(|kind| cases(kind))
        .map(|case| std::fs::read_to_string(case.join("expected.txt")).unwrap_or_default())
        .collect();
    let codes: Vec<&str> = rules().into_iter().map(|rule| rule.code).filter(|code| *code < "DSH0400").collect();
    let missing: Vec<&str> = codes.into_iter().filter(|code| !elsewhere.contains(code) && !said.contains(&format!("[{code}]"))).collect();
    assert!(missing.is_empty(), "no case breaks {missing:?}");
}
