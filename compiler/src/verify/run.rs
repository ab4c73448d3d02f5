//! Runs gates at once and says what each found.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::exemptions::{Exempted, Exemptions};
use super::rust_file::remove_tests;
use super::{Check, Gate, GateError, RustFile, Target, Tree, gates};
use crate::diagnostics::{Diagnostic, Diagnostics, SourceFile};
use crate::index::Index;

/// What became of a gate.
#[derive(Debug)]
pub struct Outcome {
    /// The gate.
    pub gate: &'static Gate,
    /// What it found and no exemption covers; or why it could not look.
    pub found: Result<Diagnostics, GateError>,
    /// What it found and an exemption covers.
    pub exempted: Vec<Exempted>,
}

impl Outcome {
    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_green(&self) -> bool {
        self.found.as_ref().is_ok_and(Diagnostics::is_empty)
    }
}

/// Runs gates over a tree, on as many threads as the machine has processors. Outcomes stand in the order of the gates; problems of
/// the exemptions come beside them.
#[must_use]
pub fn run(tree: &Tree, index: &Index, chosen: &[&'static Gate]) -> (Vec<Outcome>, Diagnostics) {
    let mut problems = Diagnostics::new();
    let known: Vec<&str> = gates().iter().map(|gate| gate.name).collect();
    let exemptions = Exemptions::read(tree, &known, &mut problems);
    let found: Vec<Mutex<Result<Diagnostics, GateError>>> = chosen.iter().map(|_| Mutex::new(Ok(Diagnostics::new()))).collect();
    let sources: Vec<_> = if chosen.iter().any(|gate| matches!(gate.check, Check::Source(_))) {
        tree.files_with(".rs").filter(|(path, _)| Target::of(path) != Target::Generated).collect()
    } else {
        Vec::new()
    };
    // Whole trees first: one of them takes longer than one file. Declarations hold syntax, which stays on this thread.
    let work = AtomicUsize::new(0);
    let next = || {
        let at = work.fetch_add(1, Ordering::Relaxed);
        (at < chosen.len() + sources.len()).then_some(at)
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, std::num::NonZero::get) {
            scope.spawn(|| {
                while let Some(at) = next() {
                    match at.checked_sub(chosen.len()) {
                        None => look_at_tree(tree, chosen[at], &found[at]),
                        Some(source) => look_at_file(tree, sources[source], chosen, &found),
                    }
                }
            });
        }
        for (gate, found) in chosen.iter().zip(&found) {
            look_at_declarations(tree, index, gate, found);
        }
    });
    let outcomes =
        chosen.iter().zip(found).map(|(gate, found)| match taken(found).map(|found| exemptions.apply(gate, &with_fix(gate, &found))) {
            Ok((found, exempted)) => Outcome { gate, found: Ok(found), exempted },
            Err(error) => Outcome { gate, found: Err(error), exempted: Vec::new() },
        });
    (outcomes.collect(), problems)
}

fn look_at_tree(tree: &Tree, gate: &Gate, found: &Mutex<Result<Diagnostics, GateError>>) {
    let mut diagnostics = Diagnostics::new();
    let outcome = match gate.check {
        Check::Tree(check) => {
            check(tree, &mut diagnostics);
            Ok(())
        }
        Check::Asks(check) => check(tree, &mut diagnostics),
        Check::Declarations(_) | Check::Source(_) => return,
    };
    *locked(found) = outcome.map(|()| diagnostics);
}

fn look_at_declarations(tree: &Tree, index: &Index, gate: &Gate, found: &Mutex<Result<Diagnostics, GateError>>) {
    if let Check::Declarations(check) = gate.check {
        let mut diagnostics = Diagnostics::new();
        check(tree, index, &mut diagnostics);
        *locked(found) = Ok(diagnostics);
    }
}

fn look_at_file(
    tree: &Tree,
    (path, source): (&str, &Arc<SourceFile>),
    chosen: &[&'static Gate],
    found: &[Mutex<Result<Diagnostics, GateError>>],
) {
    // Texts that are no Rust are kept for tests of what must not compile; in the rest rustc finds what is wrong.
    let Ok(mut syntax) = syn::parse_file(source.text()) else { return };
    let target = Target::of(path);
    if target == Target::Product {
        remove_tests(&mut syntax.items);
    }
    let file = RustFile { tree, path, source, syntax: &syntax, target };
    for (gate, found) in chosen.iter().zip(found) {
        if let Check::Source(check) = gate.check {
            let mut diagnostics = Diagnostics::new();
            check(&file, &mut diagnostics);
            if let Ok(all) = locked(found).as_mut() {
                all.append(diagnostics);
            }
        }
    }
}

/// The findings, each with something to do about it.
fn with_fix(gate: &Gate, found: &Diagnostics) -> Diagnostics {
    let mut all = Diagnostics::new();
    for diagnostic in found.iter() {
        let has_help = !diagnostic.helps.is_empty();
        all.report(if has_help { diagnostic.clone() } else { Diagnostic::clone(diagnostic).help(gate.fix) });
    }
    all
}

/// A gate that panicked is a fault of the program, which the scope passes on.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn taken<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
