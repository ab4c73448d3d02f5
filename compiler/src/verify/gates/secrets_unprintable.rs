//! Secrets have a type that cannot be printed.

use syn::visit::{self, Visit};

use super::super::{Check, Cost, Gate, RustFile, Scope, Target};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};

/// Parts of names that only secrets have.
const SECRET: [&str; 7] = ["api_key", "secret", "password", "credential", "bearer", "auth_token", "private_key"];

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "secrets-unprintable",
    rule: Rule::error(
        "DSH0625",
        "a secret has a type that can be printed",
        "What can be printed ends in a log. A secret is a `SecretEnv` where it is named and a `SecretValue` where it is held, neither of which has a \
         printed form.",
    ),
    fix: "hold it as a `SecretValue`, and name it in a config as a `SecretEnv`",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Source(check),
};

fn check(file: &RustFile<'_>, found: &mut Diagnostics) {
    if file.target == Target::Product {
        Fields { file, found }.visit_file(file.syntax);
    }
}

struct Fields<'a, 'b> {
    file: &'a RustFile<'b>,
    found: &'a mut Diagnostics,
}

impl<'ast> Visit<'ast> for Fields<'_, '_> {
    fn visit_field(&mut self, field: &'ast syn::Field) {
        if let Some(name) = &field.ident {
            let said = name.to_string();
            if SECRET.iter().any(|word| said.contains(word)) && is_text(&field.ty) {
                let title = format!("`{said}` can be printed");
                self.found.report(Diagnostic::new(&GATE.rule, title).at(&self.file.place(&field.ty), "a type with a printed form"));
            }
        }
        visit::visit_field(self, field);
    }
}

/// Whether a type holds text: a string, bytes, or an option or box of one.
fn is_text(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            matches!(last.ident.to_string().as_str(), "String" | "str" | "OsString" | "HeaderValue")
                || matches!(&last.arguments, syn::PathArguments::AngleBracketed(of) if of.args.iter().any(is_text_argument))
        }),
        syn::Type::Reference(reference) => is_text(&reference.elem),
        _ => false,
    }
}

fn is_text_argument(argument: &syn::GenericArgument) -> bool {
    matches!(argument, syn::GenericArgument::Type(ty) if is_text(ty))
}
