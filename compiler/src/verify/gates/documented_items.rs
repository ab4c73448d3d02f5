//! Public numbers say their units.

use syn::visit::Visit;

use super::super::{Check, Cost, Gate, RustFile, Scope, Target};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "documented-items",
    rule: Rule::error(
        "DSH0618",
        "a public number does not say its unit",
        "A number means nothing without its unit, which its name or its doc gives. That every public item has a doc, and that one which can fail says \
         when, are lints of rustc and clippy.",
    ),
    fix: "end the name with its unit (`timeout_ms`, `max_bytes`) or name the unit in the doc",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Source(check),
};

/// Words of names and docs that tell what a number counts.
const UNITS: &[&str] = &[
    "ms",
    "millisecond",
    "second",
    "byte",
    "character",
    "line",
    "column",
    "token",
    "number",
    "count",
    "id",
    "seq",
    "index",
    "place",
    "percent",
    "width",
    "height",
    "row",
    "step",
    "turn",
    "digest",
    "offset",
    "status",
    "code",
    "port",
    "version",
    "ratio",
    "share",
    "days",
    "at most",
    "times",
    "retries",
    "attempts",
    "words",
    "entries",
    "events",
    "depth",
    "size",
    "length",
    "pid",
    "process",
    "signal",
    "temperature",
    "how many",
    "how often",
];

fn check(file: &RustFile<'_>, found: &mut Diagnostics) {
    if file.target == Target::Product {
        Items { file, found }.visit_file(file.syntax);
    }
}

struct Items<'a, 'b> {
    file: &'a RustFile<'b>,
    found: &'a mut Diagnostics,
}

impl<'ast> Visit<'ast> for Items<'_, '_> {
    fn visit_field(&mut self, field: &'ast syn::Field) {
        let Some(name) = &field.ident else { return };
        let is_public = matches!(field.vis, syn::Visibility::Public(_));
        let said = format!("{} {}", name.to_string().replace('_', " "), doc(&field.attrs)).to_lowercase();
        if is_public && is_number(&field.ty) && !UNITS.iter().any(|unit| said.contains(unit)) {
            let title = format!("`{name}` does not say what it counts");
            self.found.report(Diagnostic::new(&GATE.rule, title).at(&self.file.place(name), "a number without a unit"));
        }
    }
}

fn is_number(ty: &syn::Type) -> bool {
    const NUMBERS: [&str; 9] = ["u8", "u16", "u32", "u64", "usize", "i32", "i64", "f64", "u128"];
    matches!(ty, syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| NUMBERS.iter().any(|number| last.ident == number)))
}

fn doc(attributes: &[syn::Attribute]) -> String {
    let line = |attribute: &syn::Attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            syn::Expr::Lit(literal) => match &literal.lit {
                syn::Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    attributes.iter().filter_map(line).collect::<Vec<_>>().join("\n")
}
