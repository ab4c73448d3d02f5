//! The declarations of all packages by identity, before names are resolved.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use dsh_declare::model::{ConfigDecl, Declaration, EventDecl, InjectDecl, PluginDecl, ServiceDecl, SessionEventDecl, ToolArgsDecl};
use proc_macro2::Ident;

use super::entry::ItemId;
use super::exports::Exports;
use super::imports::Imports;
use super::modules::{ParsedFile, place};
use super::rules;
use crate::diagnostics::{Diagnostics, Place, SourceFile};

/// A package's file with what names in it need.
pub(crate) struct FileScope {
    /// Its text.
    pub source: Arc<SourceFile>,
    /// The package, as a place in the metadata.
    pub package: usize,
    /// Its imports.
    pub imports: Imports,
}

/// A declaration with the file in which its names are resolved.
pub(crate) struct Found<T> {
    /// Identity.
    pub id: ItemId,
    /// What it says.
    pub decl: T,
    /// Place of its name.
    pub place: Place,
    /// The file, as a place in [`Table::files`].
    pub file: usize,
}

/// What kind of declaration a type is. A plugin is none: its type may be a service as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Service,
    Event,
    Config,
    Inject,
    ToolArgs,
    SessionEvent,
}

impl Kind {
    /// The kind in a message, without an article.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Event => "event",
            Self::Config => "config type",
            Self::Inject => "inject struct",
            Self::ToolArgs => "type of tool arguments",
            Self::SessionEvent => "session event",
        }
    }

    /// The kind in a message with its article.
    pub(crate) fn with_article(self) -> String {
        let article = if matches!(self, Self::Event | Self::Inject) { "an" } else { "a" };
        format!("{article} {}", self.words())
    }
}

/// All declarations.
#[derive(Default)]
pub(crate) struct Table {
    pub files: Vec<FileScope>,
    pub kinds: BTreeMap<ItemId, (Kind, Place)>,
    pub services: Vec<Found<ServiceDecl>>,
    pub events: Vec<Found<EventDecl>>,
    pub configs: Vec<Found<ConfigDecl>>,
    pub injects: Vec<Found<InjectDecl>>,
    pub tool_args: Vec<Found<ToolArgsDecl>>,
    pub session_events: Vec<Found<SessionEventDecl>>,
    /// At most one of each package.
    pub plugins: Vec<Found<PluginDecl>>,
    /// What the root of each package's library makes public.
    pub exports: BTreeMap<String, Exports>,
    /// Packages that could not be read whole. A name that leads into one may lead to what is missing.
    pub broken: BTreeSet<usize>,
}

impl Table {
    /// Adds the declarations of a package's file.
    pub(crate) fn add(&mut self, package: usize, package_name: &str, file: ParsedFile, diagnostics: &mut Diagnostics) {
        let ParsedFile { source, syntax, in_bodies, conditional } = file;
        let imports = Imports::of(&syntax.items);
        // The root comes first.
        self.exports.entry(package_name.to_owned()).or_insert_with(|| Exports::of(&syntax.items));
        let (declarations, mut errors) = dsh_declare::source::declarations(syntax);
        errors.extend(in_bodies);
        if !errors.is_empty() {
            self.broken.insert(package);
        }
        for error in &errors {
            diagnostics.report(rules::declaration::declaration(&place(&source, error.span()), error));
        }
        self.files.push(FileScope { source: Arc::clone(&source), package, imports });
        for declaration in declarations {
            let mut entering = Entering { package: package_name, source: &source, conditional, table: self, diagnostics };
            entering.declaration(declaration);
        }
    }
}

struct Entering<'a> {
    package: &'a str,
    source: &'a Arc<SourceFile>,
    /// Whether the file stands under `cfg`.
    conditional: bool,
    table: &'a mut Table,
    diagnostics: &'a mut Diagnostics,
}

impl Entering<'_> {
    fn declaration(&mut self, declaration: Declaration) {
        match declaration {
            Declaration::Service(decl) => {
                let found = self.found(decl.name.clone(), Kind::Service, decl);
                self.table.services.extend(found);
            }
            Declaration::Event(decl) => {
                let found = self.found(decl.name.clone(), Kind::Event, *decl);
                self.table.events.extend(found);
            }
            Declaration::Config(decl) => {
                let found = self.found(decl.name.clone(), Kind::Config, decl);
                self.table.configs.extend(found);
            }
            Declaration::Inject(decl) => {
                let found = self.found(decl.name.clone(), Kind::Inject, decl);
                self.table.injects.extend(found);
            }
            Declaration::ToolArgs(decl) => {
                let found = self.found(decl.name.clone(), Kind::ToolArgs, decl);
                self.table.tool_args.extend(found);
            }
            Declaration::SessionEvent(decl) => {
                let found = self.found(decl.name.clone(), Kind::SessionEvent, decl);
                self.table.session_events.extend(found);
            }
            Declaration::Plugin(decl) => self.plugin(*decl),
        }
    }

    /// `None` when the identity is taken; the first declaration stays.
    fn found<T>(&mut self, name: Ident, kind: Kind, decl: T) -> Option<Found<T>> {
        let found = self.at(&name, decl);
        if let Some((_, first)) = self.table.kinds.get(&found.id) {
            self.diagnostics.report(rules::duplicate_declaration::duplicate_declaration(&found.id, &found.place, first));
            return None;
        }
        self.table.kinds.insert(found.id.clone(), (kind, found.place.clone()));
        Some(found)
    }

    fn plugin(&mut self, decl: PluginDecl) {
        let found = self.at(&decl.name.clone(), decl);
        match self.table.plugins.iter().find(|other| other.id.package == found.id.package) {
            Some(first) => self.diagnostics.report(rules::two_plugins::two_plugins(self.package, &found.place, &first.place)),
            None => self.table.plugins.push(found),
        }
    }

    fn at<T>(&mut self, name: &Ident, decl: T) -> Found<T> {
        let at = place(self.source, name.span());
        if self.conditional {
            self.diagnostics.report(rules::conditional_file::conditional_file(&at, &name.to_string()));
        }
        let id = ItemId { package: self.package.to_owned(), name: name.to_string() };
        Found { id, decl, place: at, file: self.table.files.len() - 1 }
    }
}
