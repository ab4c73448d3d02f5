//! Reads the JavaScript expressions and package names that compositions of the reference hold, as far as they have an equal here.
//!
//! A translation means the same wherever both languages give a value: an unset variable and an empty one are told apart as JavaScript
//! tells them. Where JavaScript makes text or no number of what is unset, the translation is refused when the binary starts. What only
//! looks alike (whether an empty list counts as true, names of processors in a text) is not translated.

mod meaning;
mod print;
mod syntax;
mod term;
#[cfg(test)]
mod tests;
mod tokens;

pub use print::{Numbers, literal};

use term::{Kinds, Term};

/// Why an expression has no translation: a clause about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untranslated {
    /// The clause, in lower case without a full stop.
    pub reason: String,
}

impl Untranslated {
    fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }

    fn sign(letter: char) -> Self {
        Self::new(format!("`{letter}` is not read here"))
    }
}

/// What is done with the value of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// What numbers are made with.
    pub numbers: Numbers,
    /// A literal of this language for where the value is undefined or null, which in JavaScript leaves it to the plugin's default.
    /// Without one it stays undefined.
    pub unset: Option<String>,
    /// Whether it is asked for its truth.
    pub is_condition: bool,
}

/// The plugin that a package of the reference stands for.
#[must_use]
pub fn plugin_of_package(package: &str) -> Option<&str> {
    package.strip_prefix("@deepseek-ai/dsh-").filter(|name| super::reading::is_name(name))
}

/// The `!expr` text that says the same as a JavaScript expression. `None` when there is none, or none that is known.
#[must_use]
pub fn translate(script: &str) -> Option<String> {
    translate_for(script, &Use { numbers: Numbers::Whole, unset: None, is_condition: false }).ok()
}

/// The same for a value that something is done with.
///
/// # Errors
/// Why there is none.
pub fn translate_for(script: &str, of: &Use) -> Result<String, Untranslated> {
    let mut term = meaning::meaning(&syntax::parse(script)?)?;
    if term.kinds().has(Kinds::TEXT) && term == Term::Arch {
        return Err(Untranslated::new("the languages name processors differently: `process.arch` can only be compared"));
    }
    if let Some(unset) = &of.unset {
        term = term.settled(&Term::Given(unset.clone()));
    }
    if of.is_condition && !term.kinds().within(Kinds::TRUTH) {
        if term.kinds().has(Kinds::ANY) {
            return Err(Untranslated::new("whether a value made of JSON counts as true differs between the languages"));
        }
        term = Term::Choice(Box::new(term), Box::new(Term::Truth(true)), Box::new(Term::Truth(false)));
    }
    Ok(print::print(&term, of.numbers))
}
