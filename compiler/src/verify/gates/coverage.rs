//! What no test runs is known.

use std::fs;
use std::process::{Command, Stdio};

use super::super::{Check, Cost, Gate, GateError, Scope, Target, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};
use crate::index::cargo;

/// Fewest lines of a file that tests of its crates run, in percent.
const LINES: usize = 85;
/// Lines that none needs to run in a file of which some are run: conversions and the like weigh too much in a short file.
const FEW: usize = 10;

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "coverage",
    rule: Rule::error(
        "DSH0631",
        "tests run too little of a file",
        "A line that no test runs is a promise that nobody looked at. It gets a test or is deleted. Tests run at least 85 % of each file's lines, or all \
         but ten; a file whose lines only whole binaries run, which are \
         not measured, has an entry in `docs/exemptions.yml`. The lines are measured file by file, so that a crate with many tests hides no \
         file without.",
    ),
    fix: "test what the lines are for, delete them, or say in `docs/exemptions.yml` which test of a whole binary runs them",
    cost: Cost::Builds,
    scope: Scope::Plugins,
    check: Check::Asks(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) -> Result<(), GateError> {
    for measured in read(&measure(tree)?) {
        let Some(path) = measured.path.strip_prefix(&format!("{}/", tree.root().display())) else { continue };
        let all = measured.ran + measured.missed.len();
        let is_low = measured.ran * 100 < all * LINES && (measured.ran == 0 || measured.missed.len() > FEW);
        if let (Target::Product, Some(file), true) = (Target::of(path), tree.file(path), is_low) {
            let title = format!("tests run {} of the {all} lines of the file", measured.ran);
            let place = Place::start_of(file);
            found.report(
                Diagnostic::new(&GATE.rule, title).at(&place, "of this file").note(format!("not run: {}", spans(&measured.missed))),
            );
        }
    }
    Ok(())
}

/// Has the tests of the tree's crates run, and yields the report, of the form of `lcov`.
fn measure(tree: &Tree) -> Result<String, GateError> {
    let report = tree.workspace.own().join("coverage.lcov");
    let program = cargo();
    let mut command = Command::new(&program);
    command.current_dir(tree.root()).args(["llvm-cov", "--lcov", "--quiet"]);
    for (package, _) in tree.packages().filter(|(package, folder)| package.member && !folder.starts_with("tests/")) {
        command.args(["-p", &package.name]);
    }
    let output = command.arg("--output-path").arg(&report).stdin(Stdio::null()).output();
    let refused = |words: String| GateError::Program { program: format!("{} llvm-cov", program.display()), words };
    let output = output.map_err(|error| refused(error.to_string()))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        return Err(refused(words + "\nhelp: `cargo install cargo-llvm-cov` and `rustup component add llvm-tools` install it"));
    }
    fs::read_to_string(&report).map_err(|source| GateError::Io { path: report.display().to_string(), source })
}

/// The lines of a file that hold code.
struct Measured<'a> {
    path: &'a str,
    /// How many of them a test runs.
    ran: usize,
    /// The numbers of the others, ascending.
    missed: Vec<usize>,
}

fn read(report: &str) -> Vec<Measured<'_>> {
    let mut files: Vec<Measured<'_>> = Vec::new();
    for line in report.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            files.push(Measured { path, ran: 0, missed: Vec::new() });
        }
        let counted = line.strip_prefix("DA:").and_then(|counts| counts.split_once(','));
        if let (Some((number, times)), Some(file)) = (counted, files.last_mut()) {
            match number.parse() {
                Ok(number) if times == "0" => file.missed.push(number),
                _ => file.ran += 1,
            }
        }
    }
    files
}

/// Ascending numbers with runs of them drawn together.
fn spans(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|before, after| before + 1 == *after);
    let shown = runs.map(|run| if run.len() == 1 { run[0].to_string() } else { format!("{} to {}", run[0], run[run.len() - 1]) });
    shown.collect::<Vec<_>>().join(", ")
}
