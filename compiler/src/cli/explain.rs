//! `dsh-build explain`.

use super::USAGE;
use super::output::Output;
use crate::console::say;
use crate::diagnostics::{nearest, rules};

/// Says what the code of a diagnostic stands for, why its rule is there and how to mend a breach.
pub(super) fn explain(code: &str, output: &Output) -> Result<(), u8> {
    let rules = rules();
    let code = full(code);
    let Some(rule) = rules.iter().find(|rule| rule.code == code) else {
        let near = nearest(&code, rules.iter().map(|rule| rule.code));
        let help = near.map(|near| format!("\nhelp: a similar code exists: `{near}`")).unwrap_or_default();
        say(format_args!("error: no diagnostic has the code `{code}`{help}"));
        return Err(USAGE);
    };
    output.answer(&format!("{} ({}): {}\n\n{}\n", rule.code, rule.severity.word(), rule.meaning, rule.doc.trim_end()))
}

/// A code as it is printed: `301`, `0301` and `dsh0301` are `DSH0301`. What is none stays what it is.
fn full(code: &str) -> String {
    let code = code.to_ascii_uppercase();
    match code.trim_start_matches("DSH").trim_start_matches('-').parse::<u16>() {
        Ok(number) if number <= 9999 => format!("DSH{number:04}"),
        _ => code,
    }
}
