//! Problems of single combinations of conditions, put together: each is told once, with what makes it occur.

use std::collections::BTreeSet;

use super::condition::{Combination, Conditions};
use super::graph::Graph;
use crate::diagnostics::{Diagnostic, Diagnostics};

/// What was found in the combinations that were looked at.
#[derive(Default)]
pub struct Findings {
    found: Vec<Finding>,
}

struct Finding {
    /// As it is in the first combination.
    diagnostic: Diagnostic,
    first: Combination,
    /// Every combination in which it occurs.
    breaking: BTreeSet<Combination>,
}

impl Findings {
    /// Looks at one combination. Problems of one code and title are one.
    pub fn of(&mut self, graph: &Graph<'_>, look: impl FnOnce(&Graph<'_>, &mut Diagnostics)) {
        let mut problems = Diagnostics::new();
        look(graph, &mut problems);
        let combination = graph.combination;
        for diagnostic in problems.into_found() {
            let is_known = |finding: &&mut Finding| {
                finding.diagnostic.rule.code == diagnostic.rule.code && finding.diagnostic.title == diagnostic.title
            };
            match self.found.iter_mut().find(is_known) {
                Some(finding) => drop(finding.breaking.insert(combination)),
                None => self.found.push(Finding { diagnostic, first: combination, breaking: BTreeSet::from([combination]) }),
            }
        }
    }

    /// Reports everything.
    pub fn report(self, conditions: &Conditions, problems: &mut Diagnostics) {
        for Finding { diagnostic, first, breaking } in self.found {
            let cause = conditions.cause(first, &breaking);
            problems.report(diagnostic.note_if(cause.map(|cause| format!("this is so where {cause}"))));
        }
    }
}
