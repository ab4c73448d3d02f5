//! From a name in a declaration to the identity of what it names.

use std::collections::BTreeSet;

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Path, Type};

use super::entry::ItemId;
use super::metadata::{Metadata, MetadataPackage};
use super::modules::place;
use super::rules;
use super::table::{FileScope, Kind, Table};
use crate::diagnostics::{Diagnostics, nearest, quoted};

/// Resolves names of one file.
pub(crate) struct Names<'a> {
    pub table: &'a Table,
    pub metadata: &'a Metadata,
    pub scope: &'a FileScope,
}

/// A package and a name in it, whether or not the package declares it.
struct Located<'a> {
    /// The package, as a place in the metadata.
    place: usize,
    package: &'a MetadataPackage,
    name: String,
}

impl<'a> Names<'a> {
    /// The names of the file at `file` in the table.
    pub(crate) fn of_file(file: usize, table: &'a Table, metadata: &'a Metadata) -> Self {
        Self { table, metadata, scope: &table.files[file] }
    }

    /// The declaration of kind `wanted` that a type of one path, with or without `dyn`, names. What is wrong is reported.
    pub(crate) fn resolve_type(&self, ty: &Type, wanted: Kind, diagnostics: &mut Diagnostics) -> Option<ItemId> {
        // The grammar has reported any other form already.
        let (path, _) = dsh_declare::inject::service_path(ty)?;
        self.resolve(path, wanted, diagnostics)
    }

    /// The declaration of kind `wanted` that a path names. What is wrong is reported.
    pub(crate) fn resolve(&self, path: &Path, wanted: Kind, diagnostics: &mut Diagnostics) -> Option<ItemId> {
        let segments: Vec<String> = path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect();
        let located = self.locate(&segments, self.scope, true);
        let id = located.as_ref().map(|located| ItemId { package: located.package.name.clone(), name: located.name.clone() });
        // An import may be of a macro alone: `use dsh_runtime::Inject` beside a struct `Inject` of this package.
        let id = id.filter(|id| self.table.kinds.contains_key(id)).or_else(|| self.declared_here(&segments, wanted));
        match id.as_ref().and_then(|id| self.table.kinds.get_key_value(id)) {
            Some((id, (kind, _))) if *kind == wanted => Some(id.clone()),
            Some((id, (kind, _))) => {
                let at = place(&self.scope.source, path.span());
                diagnostics.report(rules::wrong_kind::wrong_kind(&at, id, &kind.with_article(), &wanted.with_article(), None));
                None
            }
            None => {
                self.report(path.span(), &segments, located, wanted, diagnostics);
                None
            }
        }
    }

    fn declared_here(&self, segments: &[String], wanted: Kind) -> Option<ItemId> {
        let [name] = segments else { return None };
        let id = ItemId { package: self.metadata.packages[self.scope.package].name.clone(), name: name.clone() };
        self.table.kinds.get(&id).is_some_and(|(kind, _)| *kind == wanted).then_some(id)
    }

    /// Follows the first segment: an import of the file, a dependency, or this package.
    fn locate(&self, segments: &[String], scope: &FileScope, follow_imports: bool) -> Option<Located<'a>> {
        let own = &self.metadata.packages[scope.package];
        let (first, last) = (segments.first()?, segments.last()?);
        if follow_imports && let Some(import) = scope.imports.names.get(first) {
            let full: Vec<String> = import.iter().chain(&segments[1..]).cloned().collect();
            return self.locate(&full, scope, false);
        }
        let is_own = matches!(first.as_str(), "crate" | "self" | "super") || own.lib.as_ref().is_some_and(|(lib, _)| lib == first);
        let place = match own.deps.get(first) {
            Some(dependency) if !is_own && segments.len() > 1 => *dependency,
            _ => scope.package,
        };
        Some(Located { place, package: &self.metadata.packages[place], name: last.clone() })
    }

    fn report(&self, span: Span, segments: &[String], located: Option<Located<'_>>, wanted: Kind, diagnostics: &mut Diagnostics) {
        // What is wrong with a package is told already; that declarations are missing from it is no news.
        if located.as_ref().is_some_and(|located| self.table.broken.contains(&located.place)) {
            return;
        }
        let at = place(&self.scope.source, span);
        if let Some(located) = &located
            && let Some(declared) = self.behind_export(located)
        {
            let named = ItemId { package: located.package.name.clone(), name: located.name.clone() };
            let lib = self.lib_of(&declared.package);
            return diagnostics.report(rules::foreign_name::foreign_name(&at, &named, &declared, &lib));
        }
        let written = segments.join("::");
        let (mut notes, help) = self.advice(segments, located.as_ref(), wanted);
        let globs: BTreeSet<String> = self.scope.imports.globs.iter().map(|glob| format!("{}::*", glob.join("::"))).collect();
        if segments.len() == 1 && !globs.is_empty() {
            notes.push(format!("globs are not searched: {}", quoted(globs.iter().map(String::as_str))));
        }
        diagnostics.report(rules::unknown_name::unknown_name(&at, &written, wanted.words(), notes, help));
    }

    /// The declaration behind a `pub use` of the located package.
    fn behind_export(&self, located: &Located<'_>) -> Option<ItemId> {
        let of_package = self.table.files.iter().filter(|file| file.package == located.place);
        of_package.filter_map(|file| Some((file, file.imports.exported.get(&located.name)?))).find_map(|(file, path)| {
            let behind = self.locate(path, file, false)?;
            let id = ItemId { package: behind.package.name.clone(), name: behind.name };
            (behind.package.name != located.package.name && self.table.kinds.contains_key(&id)).then_some(id)
        })
    }

    /// What else is known of the name, and what to do.
    fn advice(&self, segments: &[String], located: Option<&Located<'_>>, wanted: Kind) -> (Vec<String>, String) {
        let name = segments.last().map_or("", String::as_str);
        let of_kind = || self.table.kinds.iter().filter(|(_, (kind, _))| *kind == wanted).map(|(id, _)| id);
        // The types of a plugin's own are called the same in every package.
        let is_shared = matches!(wanted, Kind::Service | Kind::Event);
        if let Some(id) = of_kind().find(|id| is_shared && id.name == name) {
            let lib = self.lib_of(&id.package);
            let own = &self.metadata.packages[self.scope.package];
            let depends = own.deps.values().any(|dependency| self.metadata.packages[*dependency].name == id.package);
            let notes = vec![format!("`{}` declares {} of this name", id.package, wanted.with_article())];
            let dependency = if depends { String::new() } else { format!(" and depend on `{}`", id.package) };
            return (notes, format!("import it by name: `use {lib}::{name};`{dependency}"));
        }
        let near =
            located.and_then(|located| nearest(name, of_kind().filter(|id| id.package == located.package.name).map(|id| id.name.as_str())));
        let help = match (near, located) {
            (Some(near), _) => format!("{} with a similar name exists: `{near}`", wanted.with_article()),
            (None, Some(located)) => format!("declare it in `{}`, or import it by name from the package that does", located.package.name),
            (None, None) => "import it by name from the package that declares it".to_owned(),
        };
        (Vec::new(), help)
    }

    fn lib_of(&self, package: &str) -> String {
        let found = self.metadata.packages.iter().find(|known| known.name == package);
        found.and_then(|package| package.lib.as_ref()).map_or_else(|| package.replace('-', "_"), |(lib, _)| lib.clone())
    }
}
