//! Plugins reach processes, files, time and ids through the seams.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::super::{Check, Cost, Gate, RustFile, Scope, Target};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "seams-used",
    rule: Rule::error(
        "DSH0606",
        "a plugin passes a seam by",
        "Time, ids, the environment, files and processes have services or come from the plugin's context, so that a composition can confine \
         them and a test can set them. A plugin that asks the system itself escapes both. Providers of a seam are exempted by name.",
    ),
    fix: "take it from the context (`cx.clock()`, `cx.ids()`, `cx.environment()`) or inject the service; a provider of the seam gets an entry in \
          `docs/exemptions.yml`",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Source(check),
};

/// What must not be named, by a part of a path, and what it is. Tokio's own instants follow the clock of its runtime, which tests set.
const PASSED_BY: &[(&[&str], &str)] = &[
    (&["std", "fs"], "files"),
    (&["tokio", "fs"], "files"),
    (&["std", "process"], "processes"),
    (&["tokio", "process"], "processes"),
    (&["std", "env"], "the environment"),
    (&["std", "time", "SystemTime"], "the time"),
    (&["std", "time", "Instant"], "the time"),
    (&["Uuid", "new_v4"], "ids"),
];

fn check(file: &RustFile<'_>, found: &mut Diagnostics) {
    if file.target == Target::Product && file.tree.is_of_plugins(file.path) {
        Paths { file, found }.visit_file(file.syntax);
    }
}

struct Paths<'a, 'b> {
    file: &'a RustFile<'b>,
    found: &'a mut Diagnostics,
}

impl Paths<'_, '_> {
    fn judge(&mut self, segments: &[String], span: proc_macro2::Span) {
        let is_named = |words: &[&str]| segments.windows(words.len()).any(|window| window == words);
        if let Some((words, what)) = PASSED_BY.iter().find(|(words, _)| is_named(words)) {
            let title = format!("`{}` asks the system for {what}", words.join("::"));
            self.found.report(Diagnostic::new(&GATE.rule, title).at(&self.file.at(span.byte_range()), "passes the seam by"));
        }
    }

    fn tree(&mut self, tree: &syn::UseTree, before: &[String]) {
        match tree {
            syn::UseTree::Path(path) => {
                let segments = [before, &[path.ident.to_string()]].concat();
                self.judge_last(&segments, path.ident.span());
                self.tree(&path.tree, &segments);
            }
            syn::UseTree::Name(name) => self.judge_last(&[before, &[name.ident.to_string()]].concat(), name.ident.span()),
            syn::UseTree::Rename(name) => self.judge_last(&[before, &[name.ident.to_string()]].concat(), name.ident.span()),
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| self.tree(item, before)),
            syn::UseTree::Glob(_) => {}
        }
    }

    /// Judges a path that grew by one segment: what was there before was judged already.
    fn judge_last(&mut self, segments: &[String], span: proc_macro2::Span) {
        let ends_in = |words: &[&str]| segments.len() >= words.len() && segments[segments.len() - words.len()..] == *words;
        if PASSED_BY.iter().any(|(words, _)| ends_in(words)) {
            self.judge(segments, span);
        }
    }
}

impl<'ast> Visit<'ast> for Paths<'_, '_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.judge(&segments, path.span());
        visit::visit_path(self, path);
    }
}
