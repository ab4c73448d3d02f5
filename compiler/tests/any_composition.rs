//! Whatever composition is drawn: a right one is accepted with exactly the rows and values that its layers come to, mounts in an order
//! in which everybody finds what they need, and is undone in reverse with nothing left; a wrong one is refused for the fault that was
//! planted, and for nothing else.
//!
//! `DSH_DRAWS` sets how many are drawn; `DSH_SEED` draws others.

#[path = "any_composition/batch.rs"]
mod batch;
#[path = "any_composition/draw.rs"]
mod draw;
#[path = "any_composition/family.rs"]
mod family;
#[path = "any_composition/fault.rs"]
mod fault;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use draw::{Drawn, Expected, draws};
use dsh_build::check::{Checked, Value, check};
use dsh_build::diagnostics::{Diagnostics, Severity, Style};
use dsh_build::index::{Index, Network, index};
use dsh_build::load::{BuildFlags, LoadRequest, load};
use dsh_build::resolve::resolve;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// Reads the declarations of the family.
fn declarations() -> Index {
    let mut problems = Diagnostics::new();
    let (index, _) = index(&family::workspace(), Network::default(), &mut problems);
    assert!(problems.is_empty(), "{}", problems.human(Style::Plain));
    index
}

/// Writes a composition as the profile of a folder.
fn write(folder: &Path, drawn: &Drawn, more: &str) {
    let name = folder.file_name().expect("a profile's folder has a name").to_string_lossy();
    let indented: String =
        drawn.patch.iter().map(String::as_str).chain([more]).flat_map(str::lines).map(|line| format!("  {line}\n")).collect();
    let patch = if indented.is_empty() { " []\n".to_owned() } else { format!("\n{indented}") };
    std::fs::create_dir_all(folder.join("bundles")).expect("a folder can be made");
    let bundle = if drawn.bundle.is_empty() { "[]\n".to_owned() } else { drawn.bundle.join("\n") + "\n" };
    std::fs::write(folder.join("bundles/base.yml"), bundle).expect("a bundle can be written");
    let profile = format!("dsh: 1\nprofile: {name}\nbundles: [base]\npatch:{patch}");
    std::fs::write(folder.join("profile.yml"), profile).expect("a profile can be written");
}

/// What the front half of the compiler makes of a profile.
fn compile(folder: &Path, index: &Index) -> (Option<Checked>, Diagnostics) {
    let request = LoadRequest {
        workspace: folder.to_owned(),
        home: None,
        cwd: folder.to_owned(),
        profile: folder.to_string_lossy().into_owned(),
        patches: Vec::<PathBuf>::new(),
        crates: Vec::new(),
        flags: BuildFlags::default(),
    };
    let mut problems = Diagnostics::new();
    let composition = load(&request, &mut problems).map(|loaded| resolve(&loaded, &mut problems));
    let checked = composition.and_then(|composition| check(&composition, index, &mut problems));
    (checked, problems)
}

/// The rows that a checked composition mounts.
fn rows(checked: &Checked) -> BTreeMap<String, (String, i128)> {
    let size = |row: &dsh_build::check::CheckedRow| {
        let fields = row.config.as_ref().map(|config| config.fields.as_slice()).unwrap_or_default();
        match fields.iter().find(|(name, _)| name.as_str() == "size") {
            Some((_, Value::Int(size))) => *size,
            other => panic!("`size` is {other:?}"),
        }
    };
    checked.rows.iter().map(|row| (row.id.to_string(), (row.plugin.to_string(), size(row)))).collect()
}

fn expected(rows: &BTreeMap<String, Expected>) -> BTreeMap<String, (String, i128)> {
    rows.iter().map(|(id, row)| (id.clone(), (row.plugin.to_owned(), i128::from(row.size)))).collect()
}

/// The number of draws, and the numbers that they are drawn with.
fn runner(draws: u32) -> TestRunner {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let cases = number("DSH_DRAWS").map_or(draws, |draws| u32::try_from(draws).unwrap_or(u32::MAX));
    let mut seed = [0_u8; 32];
    seed[..8].copy_from_slice(&number("DSH_SEED").unwrap_or(1).to_le_bytes());
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &seed))
}

fn try_all(draws_of_a_run: u32, test: impl Fn(&Drawn, &Path, &Index) -> Result<(), String>) {
    let index = declarations();
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let profile = folder.path().join("any");
    let outcome = runner(draws_of_a_run).run(&draws(), |draw| test(&draw.compose(), &profile, &index).map_err(TestCaseError::fail));
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn a_right_composition_comes_to_the_rows_of_its_layers() {
    try_all(256, |drawn, profile, index| {
        write(profile, drawn, "");
        let (checked, problems) = compile(profile, index);
        let Some(checked) = checked else { return Err(format!("refused\n{}\n{drawn:#?}", problems.human(Style::Plain))) };
        let (found, wanted) = (rows(&checked), expected(&drawn.rows));
        if found == wanted { Ok(()) } else { Err(format!("{found:?} where {wanted:?} was meant\n{drawn:#?}")) }
    });
}

#[test]
fn a_wrong_composition_is_refused_for_the_planted_fault_alone() {
    try_all(64, |drawn, profile, index| {
        for fault in fault::faults(drawn) {
            write(profile, drawn, &fault.entries);
            let (checked, problems) = compile(profile, index);
            let codes: BTreeSet<&str> =
                problems.iter().filter(|problem| problem.rule.severity == Severity::Error).map(|problem| problem.rule.code).collect();
            if checked.is_some() || codes != BTreeSet::from([fault.code]) {
                let said = problems.human(Style::Plain);
                return Err(format!("{} was planted by\n{}\nand said was\n{said}\n{drawn:#?}", fault.code, fault.entries));
            }
        }
        Ok(())
    });
}

#[test]
fn a_right_composition_mounts_and_is_undone_with_nothing_left() {
    let index = declarations();
    let mut runner = runner(48);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut cases = Vec::new();
    for at in 0..runner.config().cases {
        let drawn = draws().new_tree(&mut runner).expect("a composition can be drawn").current().compose();
        let profile = folder.path().join(format!("case-{at}"));
        write(&profile, &drawn, "");
        let (checked, problems) = compile(&profile, &index);
        let checked = checked.unwrap_or_else(|| panic!("{}\n{drawn:#?}", problems.human(Style::Plain)));
        cases.push(batch::Case { drawn, plan: dsh_build::plan::plan(&checked, &index) });
    }
    batch::run(&cases);
}
