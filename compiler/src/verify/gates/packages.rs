//! A crate is whole by itself: it can be packaged, and what its sources include is in the package.

use std::process::{Command, Stdio};
use std::sync::Arc;

use syn::visit::{self, Visit};

use super::super::{Check, Cost, Gate, GateError, Scope, Target, Tree};
use super::leads_to::leads_to;
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule, SourceFile};
use crate::index::cargo;

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "packages",
    rule: Rule::error(
        "DSH0629",
        "a crate cannot be packaged, or lacks a file in its package",
        "A crate may be used from a package, a copied folder or a repository of its own. Cargo accepts its manifest, and a file that its sources \
         include lies in its own folder: what lies elsewhere is not there any more.",
    ),
    fix: "move the file into the crate that includes it, or have the other crate offer its text",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Asks(check),
};

fn check(tree: &Tree, found: &mut Diagnostics) -> Result<(), GateError> {
    if let (Some(words), Some(manifest)) = (refusal(tree)?, tree.file("Cargo.toml")) {
        let problem = Diagnostic::new(&GATE.rule, "cargo cannot package the crates").at(&Place::start_of(manifest), "of this manifest");
        found.report(problem.note(words).help("mend what cargo names"));
    }
    let folders: Vec<String> = tree.packages().map(|(_, folder)| Tree::joined(&folder, "")).collect();
    for (path, source) in tree.files_with(".rs").filter(|(path, _)| Target::of(path) == Target::Product) {
        // The innermost package is the file's own.
        let own = folders.iter().filter(|folder| path.starts_with(folder.as_str())).max_by_key(|folder| folder.len());
        if let (Some(own), Ok(syntax)) = (own, syn::parse_file(source.text())) {
            Includes { path, source, own, found }.visit_file(&syntax);
        }
    }
    Ok(())
}

/// What cargo says against the crates; it lists what it would package and writes nothing.
fn refusal(tree: &Tree) -> Result<Option<String>, GateError> {
    let program = cargo();
    let words = ["package", "--workspace", "--list", "--allow-dirty", "--offline", "--quiet", "--exclude-lockfile"];
    let output = Command::new(&program).args(words).current_dir(tree.root()).stdin(Stdio::null()).output();
    let output =
        output.map_err(|error| GateError::Program { program: format!("{} package", program.display()), words: error.to_string() })?;
    let root = format!("{}/", tree.root().display());
    Ok((!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).trim_end().replace(&root, "")))
}

struct Includes<'a> {
    path: &'a str,
    source: &'a Arc<SourceFile>,
    /// Folder of the file's package, empty or with `/` at its end.
    own: &'a str,
    found: &'a mut Diagnostics,
}

impl<'ast> Visit<'ast> for Includes<'_> {
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let includes = call.path.segments.last().is_some_and(|last| last.ident.to_string().starts_with("include"));
        if let (true, Ok(named)) = (includes, call.parse_body::<syn::LitStr>())
            && !leads_to(self.path, &named.value()).is_some_and(|file| file.starts_with(self.own))
        {
            let title = format!("`{}` lies outside of the crate that includes it", named.value());
            let place = Place::new(self.source, named.span().byte_range());
            self.found.report(Diagnostic::new(&GATE.rule, title).at(&place, "not in the package"));
        }
        visit::visit_macro(self, call);
    }
}
