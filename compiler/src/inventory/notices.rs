//! The notices of licences, each text once, with the lines of copyright of all crates that have it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::{Component, Origin};
use crate::workspace::Workspace;

/// How the names of files with notices begin, in lower case.
const NAMES: [&str; 6] = ["license", "licence", "copying", "copyright", "notice", "unlicense"];

/// The licence that is taken where a crate leaves the choice: its text is the shortest.
const PREFERRED: &str = "MIT";
/// Words of its text and of no other.
const PREFERRED_WORDS: &str = "Permission is hereby granted, free of charge, to any person obtaining a copy";

/// A text that several crates have.
struct Notice {
    /// What makes two texts the same: the words without lines of copyright.
    words: String,
    /// As the first crate has it, without lines of copyright.
    text: String,
    /// Those lines, of all crates.
    copyright: BTreeSet<String>,
    /// The crates.
    crates: Vec<String>,
}

/// All notices as one text. What cannot be read is left out: a folder that cargo resolved is there.
pub(super) fn notices(components: &[Component], workspace: &Workspace) -> String {
    let mut notices: Vec<Notice> = Vec::new();
    for component in components {
        let mut texts = texts_in(&component.folder);
        // The crates of a workspace have one licence, at its root.
        if texts.is_empty() && component.origin == Origin::Folder {
            texts = texts_in(workspace.root());
        }
        if takes_preferred(component) && texts.iter().any(|text| is_preferred(text)) {
            texts.retain(|text| is_preferred(text));
        }
        let name = format!("{} {}", component.name, component.version);
        texts.iter().for_each(|text| add(&mut notices, &name, text));
    }
    notices.iter().map(Notice::written).collect()
}

impl Notice {
    /// The crates, then who holds the copyright and the text, set off.
    fn written(&self) -> String {
        let copyright: String = self.copyright.iter().map(|line| format!("{line}\n")).collect();
        let gap = if copyright.is_empty() { "" } else { "\n" };
        let mut written = format!("{}\n\n", self.crates.join(", "));
        for line in format!("{copyright}{gap}{}", self.text).lines() {
            // Writing to a string does not fail.
            let _ = writeln!(written, "{}", format!("    {line}").trim_end());
        }
        written + "\n"
    }
}

fn add(notices: &mut Vec<Notice>, name: &str, text: &str) {
    let is_copyright = |line: &&str| line.trim().to_lowercase().starts_with("copyright (c)") || line.trim().starts_with("Copyright ©");
    let copyright = text.lines().filter(is_copyright).map(|line| line.trim().to_owned());
    let body: Vec<&str> = text.lines().filter(|line| !is_copyright(line)).collect();
    let words = body.iter().flat_map(|line| line.split_whitespace()).collect::<Vec<_>>().join(" ");
    let known = notices.iter().position(|notice| notice.words == words);
    let notice = match known {
        Some(known) => &mut notices[known],
        None => {
            let text = body.join("\n").trim_matches('\n').to_owned();
            notices.push(Notice { words, text, copyright: BTreeSet::new(), crates: Vec::new() });
            let last = notices.len() - 1;
            &mut notices[last]
        }
    };
    notice.copyright.extend(copyright);
    if notice.crates.last().is_none_or(|last| last != name) {
        notice.crates.push(name.to_owned());
    }
}

/// Whether a file with this name holds a notice.
pub(crate) fn holds_notice(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_lowercase();
    NAMES.iter().any(|start| name.starts_with(start))
}

/// The texts of the files with notices, by name.
fn texts_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.filter(|entry| holds_notice(&entry.file_name())).map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    paths.iter().filter_map(|path| fs::read(path).ok()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).collect()
}

fn takes_preferred(component: &Component) -> bool {
    let expression = component.licence.as_deref().map(spdx::Expression::parse);
    expression
        .is_some_and(|parsed| parsed.is_ok_and(|terms| terms.evaluate(|asked| asked.license.id().is_some_and(|id| id.name == PREFERRED))))
}

fn is_preferred(text: &str) -> bool {
    text.split_whitespace().collect::<Vec<_>>().join(" ").contains(PREFERRED_WORDS)
}
