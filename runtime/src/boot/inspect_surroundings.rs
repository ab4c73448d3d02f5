//! `inspect surroundings`: what a binary reads of the place where it runs.

use serde::Serialize;

use crate::description::{ReadDescription, SurroundingsDescription};

/// The answer.
#[derive(Serialize)]
pub(super) struct Surroundings {
    /// Whether overlays are not even looked for.
    sealed: bool,
    #[serde(flatten)]
    composition: SurroundingsDescription,
}

impl Surroundings {
    pub(super) fn new(composition: SurroundingsDescription) -> Self {
        Self { sealed: cfg!(not(feature = "overlays")), composition }
    }

    /// What is read, as what, by which row and for which field.
    pub(super) fn rows(&self) -> Vec<Vec<String>> {
        let SurroundingsDescription { set, expressions, secrets } = self.composition;
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        let read = |kind: &'static str| move |read: &ReadDescription| row([read.name, kind, read.row, read.field]);
        let mut rows: Vec<Vec<String>> = set.iter().map(|(name, value)| row([&format!("env.{name}"), &is_set(value), "-", "-"])).collect();
        rows.extend(expressions.iter().map(read("expression")));
        rows.extend(secrets.iter().map(read("secret")));
        if !self.sealed {
            rows.push(row(["dsh.patch.yml in home", "overlay", "any", "any"]));
            rows.push(row(["--patch FILE", "overlay", "any", "any"]));
        }
        rows
    }
}

fn is_set(value: &str) -> String {
    if value.is_empty() { "set to nothing".to_owned() } else { format!("set to `{value}`") }
}
