//! A number that its field does not take.

use crate::check::config::FieldAt;
use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::schema::{IntType, Number};

/// `DSH0206`
pub static RULE: Rule = Rule::error("DSH0206", "a number is out of its field's bounds", include_str!("out_of_bounds.md"));

/// `bounds` are inclusive; `int` is the integer type, whose range is a bound that is not declared.
pub fn out_of_bounds(at: &FieldAt<'_>, place: &Place, value: Number, bounds: (Number, Number), int: Option<IntType>) -> Diagnostic {
    let (low, high) = bounds;
    let is_below = value.is_below(low);
    let limits_both = at.decl.bounds.min.is_some() == at.decl.bounds.max.is_some();
    let label = match (limits_both, is_below) {
        (true, _) => format!("must be between {} and {}", text(low), text(high)),
        (false, true) => format!("must be at least {}", text(low)),
        (false, false) => format!("must be at most {}", text(high)),
    };
    let is_declared = if is_below { at.decl.bounds.min.is_some() } else { at.decl.bounds.max.is_some() };
    let int = int.filter(|_| !is_declared);
    Diagnostic::new(&RULE, format!("`{}` cannot be {}", at.path, text(value)))
        .at(place, label)
        .note_if(int.map(|int| format!("the field's type is `{}`", int.name())))
        .note_if(at.doc())
}

fn text(number: Number) -> String {
    match number {
        Number::Int(value) => value.to_string(),
        Number::Float(value) => value.to_string(),
    }
}
