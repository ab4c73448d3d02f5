//! Unsafe code stands where a reason stands.

use syn::visit::{self, Visit};

use super::super::{Check, Cost, Gate, RustFile, Scope};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "unsafe-reasons",
    rule: Rule::error(
        "DSH0607",
        "unsafe code without a reason",
        "Unsafe code is forbidden where it is not listed: each file that holds some has an entry in `docs/exemptions.yml` that says what cannot be \
         done without it, and each block has a comment `SAFETY:` above it that says why it is sound.",
    ),
    fix: "write it with a safe wrapper of the system's call; where there is none, say why above the block (`// SAFETY: …`) and list the file in \
          `docs/exemptions.yml`",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Source(check),
};

fn check(file: &RustFile<'_>, found: &mut Diagnostics) {
    Blocks { file, found }.visit_file(file.syntax);
}

struct Blocks<'a, 'b> {
    file: &'a RustFile<'b>,
    found: &'a mut Diagnostics,
}

impl Blocks<'_, '_> {
    fn report(&mut self, token: &syn::Token![unsafe], title: &str) {
        self.found.report(Diagnostic::new(&GATE.rule, title).at(&self.file.place(token), "unsafe"));
    }
}

impl<'ast> Visit<'ast> for Blocks<'_, '_> {
    fn visit_expr_unsafe(&mut self, block: &'ast syn::ExprUnsafe) {
        let place = self.file.place(&block.unsafe_token);
        let text = self.file.source.text();
        // The comment stands above the statement that the block is a part of, however many lines that has before it.
        let above = &text[..self.file.source.line_start(place.span.start)];
        let comment = above.lines().rev().skip_while(|line| !line.trim_start().starts_with("//") && !line.trim().is_empty());
        let is_explained = comment.take_while(|line| line.trim_start().starts_with("//")).any(|line| line.contains("SAFETY:"));
        self.report(&block.unsafe_token, if is_explained { "an unsafe block" } else { "an unsafe block without a comment `SAFETY:`" });
        visit::visit_expr_unsafe(self, block);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let Some(token) = &item.unsafety {
            self.report(token, "an unsafe impl");
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        if let syn::Safety::Unsafe(token) = &signature.safety {
            self.report(token, "an unsafe function");
        }
        visit::visit_signature(self, signature);
    }
}
