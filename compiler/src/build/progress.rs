//! Shows on stderr how far a build is: a bar on a terminal, cargo's own lines elsewhere.

use std::collections::BTreeSet;
use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressStyle};

use crate::console::say;

/// First words of the lines by which cargo tells what it is doing; a bar says the same.
const STATUS: [&str; 12] = [
    "Adding",
    "Blocking",
    "Building",
    "Checking",
    "Compiling",
    "Downloaded",
    "Downloading",
    "Finished",
    "Fresh",
    "Locking",
    "Removing",
    "Updating",
];

/// The progress of one build.
pub(super) struct Progress {
    /// `None` where there is no terminal.
    bar: Option<ProgressBar>,
    packages: BTreeSet<String>,
}

impl Progress {
    /// Of a build that takes about `expected` packages.
    pub(super) fn start(expected: usize) -> Self {
        let terminal = std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        let bar = terminal.then(|| {
            let bar = ProgressBar::new(expected as u64);
            // No colour, so that there is none to switch off. The template is a constant.
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
            bar
        });
        Self { bar, packages: BTreeSet::new() }
    }

    /// A package is there.
    pub(super) fn built(&mut self, package: String) {
        if let Some(bar) = &self.bar {
            self.packages.insert(package);
            bar.set_position(self.packages.len() as u64);
        }
    }

    /// A line of cargo's.
    pub(super) fn line(&self, line: &str) {
        match &self.bar {
            None => say(line),
            Some(bar) => match line.trim_start().split_once(' ') {
                Some((first, rest)) if line.starts_with(' ') && STATUS.contains(&first) => bar.set_message(rest.to_owned()),
                _ => bar.suspend(|| say(line)),
            },
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
