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
    /// Looks at one combination. Problems of one code and title in several combinations are one, also where they show at other places:
    /// the row that lacks a service may itself be off in one of them.
    pub fn of(&mut self, graph: &Graph<'_>, look: impl FnOnce(&Graph<'_>, &mut Diagnostics)) {
        let mut problems = Diagnostics::new();
        look(graph, &mut problems);
        let combination = graph.combination;
        for diagnostic in problems.into_found() {
            let is_same =
                |finding: &Finding| finding.diagnostic.rule.code == diagnostic.rule.code && finding.diagnostic.title == diagnostic.title;
            let is_here = |finding: &Finding| is_same(finding) && finding.diagnostic.place() == diagnostic.place();
            let is_elsewhere = |finding: &Finding| is_same(finding) && !finding.breaking.contains(&combination);
            let known = self.found.iter().position(is_here).or_else(|| self.found.iter().position(is_elsewhere));
            match known {
                Some(known) => drop(self.found[known].breaking.insert(combination)),
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
