//! Expressions as a schema sees them: strings.

use serde_json::{Map, Value, json};

/// A string that can be an expression for a value that is no string. A plain word or number in quotes is none: that is a value of the
/// wrong type, and the commonest slip.
pub(super) const VALUE: &str = "expression";
/// The same where a string, one of a few words, is wanted.
pub(super) const WORD: &str = "word-expression";

/// Something that only an expression has: an operator, a filter, a call, a string, or a name of the language.
const PATTERN: &str = r#"[|~()\[\]{}<>=+*/%'"]| - |\b(env|cwd|home|platform|arch|profile|not|and|or|range|dict)\b"#;
/// The lone name of a string of the machine, which is never taken for another type.
const STRING_OF_THE_MACHINE: &str = r"^\s*(env\s*\.\s*\w+|env\s*\[[^\]]*\]|cwd|home|platform|arch)\s*$";

pub(super) fn definitions() -> Map<String, Value> {
    // Without descriptions: an editor would show those in place of the field's.
    let value = json!({ "type": "string", "pattern": PATTERN, "not": { "pattern": STRING_OF_THE_MACHINE } });
    let word = json!({ "type": "string", "pattern": PATTERN });
    Map::from_iter([(VALUE.to_owned(), value), (WORD.to_owned(), word)])
}
