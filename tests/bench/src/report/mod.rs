//! What was measured, as it is written down.

mod markdown;

pub use markdown::markdown;

use serde::Serialize;

use crate::machine::Machine;
use crate::samples::Samples;

/// Everything of one run.
#[derive(Serialize)]
pub struct Report {
    /// Where it was measured.
    pub machine: Machine,
    /// Whether it was the quick form, whose figures say nothing.
    pub quick: bool,
    /// What was left out, and why.
    pub left_out: Vec<String>,
    /// The parts, in the order in which they ran.
    pub parts: Vec<Part>,
}

/// One subject.
#[derive(Default, Serialize)]
pub struct Part {
    /// Its name, as `--only` takes it.
    pub name: &'static str,
    /// What the figures are.
    pub about: &'static str,
    /// Headings of the columns after the first.
    pub columns: Vec<&'static str>,
    /// The figures.
    pub rows: Vec<Row>,
    /// What is compared with a budget.
    pub budgets: Vec<Budget>,
    /// Load of the machine before and after: how many processes wanted a processor over the last minute.
    pub load: (f64, f64),
}

/// One line of figures; not a number where there is none.
#[derive(Serialize)]
pub struct Row {
    /// Whose they are.
    pub label: String,
    /// One for each column.
    pub figures: Vec<f64>,
}

/// A figure and what it may be.
#[derive(Serialize)]
pub struct Budget {
    /// What is bounded.
    pub what: &'static str,
    /// The figure.
    pub measured: f64,
    /// The bound.
    pub at_most: f64,
    /// Unit of both.
    pub unit: &'static str,
}

impl Part {
    /// A part whose figures are times in milliseconds.
    pub fn of_times(name: &'static str, about: &'static str) -> Self {
        Self { name, about, columns: vec!["median ms", "p95 ms", "min ms"], ..Self::default() }
    }

    /// Adds a line.
    pub fn row(&mut self, label: impl Into<String>, figures: Vec<f64>) {
        self.rows.push(Row { label: label.into(), figures });
    }

    /// Adds a line of times, when there are any.
    pub fn times(&mut self, label: impl Into<String>, samples: &Samples) {
        if !samples.is_empty() {
            self.row(label, vec![samples.median(), samples.p95(), samples.min()]);
        }
    }

    /// Compares a figure with its bound.
    pub fn budget(&mut self, what: &'static str, measured: f64, at_most: f64, unit: &'static str) {
        self.budgets.push(Budget { what, measured, at_most, unit });
    }
}
