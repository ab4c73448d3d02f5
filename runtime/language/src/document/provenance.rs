//! Which files gave a row.

use super::yaml::append_value;
use super::{names, switch};
use crate::load::Node;
use crate::resolve::{Row, Setting};

/// The files that gave a row, as generated files call them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The one that inserted it.
    pub inserted: String,
    /// Others that gave it other values, in order, each once.
    pub patched: Vec<String>,
}

impl Provenance {
    /// Of a row after all layers. Who restates a value that holds already is not named.
    #[must_use]
    pub fn of(row: &Row) -> Self {
        let mut found = Self { inserted: row.id.place.file.origin().to_owned(), patched: Vec::new() };
        let config = |node: &Node| {
            let mut text = String::new();
            append_value(&mut text, node, 0);
            text
        };
        let isolate = givers(row.isolate.as_ref(), |keys| names(keys));
        let plugin = givers(row.plugin.as_ref(), |name| name.clone().unwrap_or_default());
        for file in
            plugin.into_iter().chain(givers(row.config.as_ref(), config)).chain(givers(row.disabled.as_ref(), switch)).chain(isolate)
        {
            found.patched_by(file.to_owned());
        }
        found
    }

    /// Names another file, unless it is named already.
    pub fn patched_by(&mut self, file: String) {
        if file != self.inserted && !self.patched.contains(&file) {
            self.patched.push(file);
        }
    }
}

/// The files that gave a key another value than it had.
fn givers<T>(setting: Option<&Setting<T>>, text: impl Fn(&T) -> String) -> Vec<&str> {
    let mut files = Vec::new();
    let mut before = None;
    for given in setting.into_iter().flat_map(|setting| setting.earlier.iter().chain([&setting.current])) {
        let value = Some(text(&given.value));
        if value != before {
            files.push(given.key.file.origin());
        }
        before = value;
    }
    files
}
