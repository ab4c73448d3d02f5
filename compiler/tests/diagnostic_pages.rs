//! Each rule says in the file beside it why it is there, with an example that breaks it and one that does not. Both are compiled
//! here; `docs/diagnostics/` is made from the same text. `DSH_UPDATE=1` writes the pages anew.

mod fixture;
mod pages;
mod scratch;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use dsh_build::diagnostics::{Rule, Severity, rules};
use pages::{Example, examples, outcome};
use scratch::expect;

/// Gates and overlays of finished binaries have cases of their own, see `gates.rs` and the tests of the product.
fn is_gate(rule: &Rule) -> bool {
    rule.code >= "DSH0600"
}

/// What is wrong with the examples of a rule.
fn faults(rule: &Rule) -> Vec<String> {
    let Some((wrong, right)) = examples(rule.doc) else {
        return vec![format!("{}: the page has no example under `Wrong:` and `Right:`", rule.code)];
    };
    let says = |example: &Example| outcome(example).contains(&format!("[{}]", rule.code));
    let mut faults = Vec::new();
    if !says(&wrong) {
        faults.push(format!("{}: the wrong example does not break the rule:\n{}", rule.code, outcome(&wrong)));
    }
    let right = outcome(&right);
    if right.contains("error[") || right.contains("error:") || right.contains(&format!("[{}]", rule.code)) {
        faults.push(format!("{}: the right example is refused:\n{right}", rule.code));
    }
    faults
}

#[test]
fn examples_break_their_rule_or_no_rule() {
    let rules: Vec<&Rule> = rules().into_iter().filter(|rule| !is_gate(rule)).collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, std::num::NonZero::get) {
            scope.spawn(|| {
                while let Some(rule) = rules.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let faults = faults(rule);
                    found.lock().unwrap().extend(faults);
                }
            });
        }
    });
    let found = found.into_inner().unwrap();
    assert!(found.is_empty(), "{} examples\n\n{}", found.len(), found.join("\n\n"));
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("docs").join("diagnostics")
}

fn kind(rule: &Rule) -> &'static str {
    match rule.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

#[test]
fn pages_are_what_explain_says() {
    let mut table = String::from(
        "# Diagnostics\n\nEvery code that `dsh-build` can print, with what it means, an example that breaks the rule and one that does not. \
         `dsh-build explain CODE` prints the same. The plugins of the examples are made up; a block without a file name is the patch list of a \
         profile. The pages are written by `DSH_UPDATE=1 cargo test -p dsh-build --test diagnostic_pages`.\n\n| code | | meaning |\n|---|---|---|\n",
    );
    let all = rules();
    for rule in &all {
        writeln!(table, "| [{0}]({0}.md) | {1} | {2} |", rule.code, kind(rule), rule.meaning).unwrap();
        let page = format!("# {}: {}\n\nAn {}.\n\n{}\n", rule.code, rule.meaning, kind(rule), rule.doc.trim_end());
        expect(&folder().join(format!("{}.md", rule.code)), &page.replace("An warning", "A warning"));
    }
    expect(&folder().join("README.md"), &table);
    let known = |name: &str| name == "README.md" || all.iter().any(|rule| name == format!("{}.md", rule.code));
    for entry in std::fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(known(&name), "docs/diagnostics/{name} is the page of no rule");
    }
}
