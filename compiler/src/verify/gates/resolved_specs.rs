//! Defaults are resolved, not hidden: a type named `…Spec` has no optional field.

use syn::visit::{self, Visit};

use super::super::{Check, Cost, Gate, RustFile, Scope};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "resolved-specs",
    rule: Rule::error(
        "DSH0605",
        "a resolved request has an optional field",
        "A request type has optional fields, and resolving it yields a `…Spec` in which every default was filled in. A `Spec` with an `Option` \
         leaves the default to whoever reads it, and then there are two.",
    ),
    fix: "give the field its type without `Option` and fill the default in where the request is resolved; where absence itself has a meaning, \
          name it with an enum",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Source(check),
};

fn check(file: &RustFile<'_>, found: &mut Diagnostics) {
    Specs { file, found }.visit_file(file.syntax);
}

struct Specs<'a, 'b> {
    file: &'a RustFile<'b>,
    found: &'a mut Diagnostics,
}

impl<'ast> Visit<'ast> for Specs<'_, '_> {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        if item.ident.to_string().ends_with("Spec") {
            for field in item.fields.iter().filter(|field| is_option(&field.ty)) {
                let name = field.ident.as_ref().map_or_else(|| "a field".to_owned(), |name| format!("`{name}`"));
                let title = format!("{name} of `{}` is optional", item.ident);
                self.found.report(Diagnostic::new(&GATE.rule, title).at(&self.file.place(&field.ty), "a default that is not resolved"));
            }
        }
        visit::visit_item_struct(self, item);
    }
}

fn is_option(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Option"))
}
