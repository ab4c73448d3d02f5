//! Files and functions stay readable.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::super::{Check, Cost, Gate, RustFile, Scope, Target};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule};

/// Lines of a file.
const FILE: usize = 400;
/// Lines of a function: a screen.
const FUNCTION: usize = 60;

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "file-sizes",
    rule: Rule::error(
        "DSH0608",
        "a file or function is too long to be read at once",
        "A file past 400 lines answers more than one question, a function of the product past 60 does more than one thing. One that is better whole has an entry \
         in `docs/exemptions.yml` that says why.",
    ),
    fix: "split it by the questions that it answers",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Source(check),
};

fn check(file: &RustFile<'_>, found: &mut Diagnostics) {
    let lines = file.source.text().lines().count();
    if lines > FILE {
        let problem = Diagnostic::new(&GATE.rule, format!("the file has {lines} lines of at most {FILE}"));
        found.report(problem.at(&Place::start_of(file.source), "this file"));
    }
    // A test that tells one story from top to bottom may be long.
    if file.target == Target::Product {
        Functions { file, found }.visit_file(file.syntax);
    }
}

struct Functions<'a, 'b> {
    file: &'a RustFile<'b>,
    found: &'a mut Diagnostics,
}

impl Functions<'_, '_> {
    fn judge(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let lines = block.span().end().line - signature.span().start().line + 1;
        if lines > FUNCTION {
            let problem = Diagnostic::new(&GATE.rule, format!("`{}` has {lines} lines of at most {FUNCTION}", signature.ident));
            self.found.report(problem.at(&self.file.place(&signature.ident), "this function"));
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_, '_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.judge(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.judge(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }
}
