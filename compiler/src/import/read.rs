//! Compositions of the reference as nodes.

use std::sync::Arc;

use saphyr_parser::{Event, Parser};

use crate::diagnostics::{Diagnostics, SourceFile};
use crate::load::{Node, NodeKind, parse};
use dsh_language::load::rules::wrong_kind;

/// The tag of expressions there.
pub(super) const TAG: &str = "!!js";
/// The tag of expressions here.
pub(super) const TAG_HERE: &str = "!expr";

/// What a list of the reference holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Rows.
    Rows,
    /// Entries that insert and override rows.
    Patch,
}

/// A file of the reference.
#[derive(Clone, Debug)]
pub struct Original {
    /// Its text, with the tags of this language.
    pub file: Arc<SourceFile>,
    /// What its elements are.
    pub form: Form,
    /// Its elements.
    pub items: Vec<Node>,
}

/// Reads a file. `None` when it cannot be a composition; problems say why. `form` is found out when it is not given: a list is one of
/// rows when each element names a plugin and none inserts.
pub fn original(file: &SourceFile, form: Option<Form>, problems: &mut Diagnostics) -> Option<Original> {
    let file = SourceFile::new(file.name(), retagged(file.text()));
    let root = parse(&file, problems)?;
    let NodeKind::List(items) = &root.kind else {
        problems.report(wrong_kind(&root, "a composition of the reference", "a list of rows or entries"));
        return None;
    };
    let is_row = |item: &Node| item.get("name").is_some() && item.get("insert").is_none();
    let found = if items.iter().all(is_row) && !items.is_empty() { Form::Rows } else { Form::Patch };
    Some(Original { file, form: form.unwrap_or(found), items: items.clone() })
}

/// The text with the tag of expressions that the language's own reader knows. What cannot be read is left to that.
fn retagged(text: &str) -> String {
    let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    let mut tags = Vec::new();
    for event in Parser::new_from_str(text) {
        match event {
            Ok((Event::Scalar(_, _, _, Some(tag)), span)) if tag.suffix == "js" => {
                let start = bytes.get(span.start.index()).copied().unwrap_or(text.len());
                tags.extend(text[start..].find(TAG).map(|at| start + at));
            }
            Ok(_) => {}
            Err(_) => break,
        }
    }
    let mut retagged = String::with_capacity(text.len() + tags.len());
    let mut at = 0;
    for tag in tags.into_iter().filter(|tag| text[*tag..].starts_with(TAG)) {
        retagged.push_str(&text[at..tag]);
        retagged.push_str(TAG_HERE);
        at = tag + TAG.len();
    }
    retagged + &text[at..]
}
