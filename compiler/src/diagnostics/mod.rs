//! What the compiler says about its input: the diagnostics of the language, and the table of all rules.

mod rules;

pub use dsh_language::diagnostics::{Class, Diagnostic, Diagnostics, Label, Place, Rule, Severity, SourceFile, Style, nearest, quoted};
pub use rules::rules;
