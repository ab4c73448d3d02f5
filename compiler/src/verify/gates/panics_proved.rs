//! Code that may panic says why it does not.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::super::{Check, Cost, Gate, RustFile, Scope, Target};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "panics-proved",
    rule: Rule::error(
        "DSH0617",
        "code may panic and does not say why it cannot",
        "Bad input never panics. What cannot fail for a reason that the types do not show is an `expect` whose words are that reason.",
    ),
    fix: "return an error, or say with `expect` why it cannot happen",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Source(check),
};

fn check(file: &RustFile<'_>, found: &mut Diagnostics) {
    if file.target == Target::Product {
        Calls { file, found }.visit_file(file.syntax);
    }
}

struct Calls<'a, 'b> {
    file: &'a RustFile<'b>,
    found: &'a mut Diagnostics,
}

impl<'ast> Visit<'ast> for Calls<'_, '_> {
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if call.method == "unwrap" && call.args.is_empty() {
            let place = self.file.at(call.method.span().byte_range());
            self.found.report(Diagnostic::new(&GATE.rule, "`unwrap` gives no reason").at(&place, "why can this not fail?"));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let says_nothing = call.tokens.is_empty() && (call.path.is_ident("panic") || call.path.is_ident("unreachable"));
        let is_unfinished = call.path.is_ident("todo") || call.path.is_ident("unimplemented");
        if says_nothing || is_unfinished {
            let title = format!("`{}!` gives no reason", call.path.segments[0].ident);
            self.found.report(Diagnostic::new(&GATE.rule, title).at(&self.file.at(call.span().byte_range()), "why can this not happen?"));
        }
        visit::visit_macro(self, call);
    }
}
