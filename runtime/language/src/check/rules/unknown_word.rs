//! A word that is no variant of a field's type.

use crate::check::config::FieldAt;
use crate::diagnostics::{Diagnostic, Place, Rule, nearest, quoted};
use crate::schema::VariantSchema;

/// `DSH0209`
pub static RULE: Rule = Rule::error("DSH0209", "a word is none of those that its field takes", include_str!("unknown_word.md"));

/// `word` is what was written.
pub fn unknown_word(at: &FieldAt<'_>, word: &str, variants: &[VariantSchema], place: &Place) -> Diagnostic {
    let known = || variants.iter().map(|variant| &*variant.key);
    let found =
        Diagnostic::new(&RULE, format!("`{}` cannot be `{word}`", at.path)).at(place, format!("expected one of {}", quoted(known())));
    found.note_if(at.doc()).help_if(nearest(word, known()).map(|near| format!("a similar word exists: `{near}`")))
}
