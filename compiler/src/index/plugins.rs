//! Joins the plugins: what each provides, takes, hears and offers, by identity.

use std::collections::BTreeMap;

use dsh_declare::digest::combine;
use dsh_declare::model::{ConfigBody, FieldDecl, FieldType, FromConfig, IntType, PluginDecl};
use syn::{Ident, Type};

use super::entry::{Index, ItemId, Listen, PluginEntry, Take};
use super::link::{WantsByInject, declared, service};
use super::metadata::Metadata;
use super::modules::place;
use super::names::Names;
use super::rules;
use super::table::{Found, Kind, Table};
use crate::diagnostics::{Diagnostics, Place};

/// The name by which rows mount a package's plugin.
pub(crate) fn plugin_name(package: &str) -> &str {
    package.strip_prefix("dsh-").unwrap_or(package)
}

/// Adds every plugin to the index.
pub(super) fn link_plugins(table: &Table, metadata: &Metadata, wants: &WantsByInject, index: &mut Index, diagnostics: &mut Diagnostics) {
    let mut first: BTreeMap<&str, &Found<PluginDecl>> = BTreeMap::new();
    for found in &table.plugins {
        let name = plugin_name(&found.id.package);
        if let Some(other) = first.insert(name, found) {
            let packages = [other.id.package.as_str(), found.id.package.as_str()];
            diagnostics.report(rules::duplicate_plugin::duplicate_plugin(name, packages, &found.place, &other.place));
            continue;
        }
        let entry = Linking { names: Names::of_file(found.file, table, metadata), wants, index, diagnostics }.entry(found, name);
        index.plugins.insert(name.to_owned(), entry);
    }
}

struct Linking<'a, 'i> {
    names: Names<'a>,
    wants: &'a WantsByInject,
    index: &'i Index,
    diagnostics: &'a mut Diagnostics,
}

impl<'i> Linking<'_, 'i> {
    fn entry(&mut self, found: &Found<PluginDecl>, name: &str) -> PluginEntry {
        let decl = &found.decl;
        let provides = decl.provides.iter().filter_map(|ty| service(&self.names, ty, self.index, self.diagnostics)).collect();
        let takes = self.takes(decl);
        let config = self.named(decl.config.as_ref(), Kind::Config);
        let inject = self.named(decl.inject.as_ref(), Kind::Inject);
        let mut entry = PluginEntry {
            name: name.to_owned(),
            declared: declared(found, 0),
            provides,
            takes,
            wants: inject.as_ref().and_then(|id| self.wants.get(id)).cloned().unwrap_or_default(),
            config,
            inject,
            listens: self.listens(decl),
            tool_args: decl.tools.iter().filter_map(|tool| self.named(Some(&tool.args), Kind::ToolArgs)).collect(),
        };
        self.refuse_foreign(&entry, &found.place);
        self.check_fields(&entry);
        self.check_reach(&entry);
        entry.declared.digest = self.digest(&entry);
        entry
    }

    fn named(&mut self, ty: Option<&Type>, kind: Kind) -> Option<ItemId> {
        self.names.resolve_type(ty?, kind, self.diagnostics)
    }

    fn takes(&mut self, decl: &PluginDecl) -> Vec<Take> {
        let mut takes = Vec::new();
        for taken in &decl.takes {
            let service = service(&self.names, &taken.service, self.index, self.diagnostics);
            takes.extend(service.map(|service| Take { service, what: taken.what.clone() }));
        }
        takes
    }

    fn listens(&mut self, decl: &PluginDecl) -> Vec<Listen> {
        let mut listens = Vec::new();
        for listener in &decl.listeners {
            let event = self.names.resolve(&listener.event, Kind::Event, self.diagnostics);
            listens.extend(event.map(|event| Listen { event, position: listener.position, optional: listener.optional }));
        }
        listens
    }

    fn refuse_foreign(&mut self, entry: &PluginEntry, at: &Place) {
        let package = &entry.declared.id.package;
        if let Some(config) = entry.config.as_ref().filter(|config| config.package != *package) {
            self.diagnostics.report(rules::foreign_config::foreign_config(at, config, package));
        }
    }

    /// The fields of a plugin's config; `None` where it is no struct or its name leads nowhere, which is told already.
    fn config_fields(&self, entry: &PluginEntry) -> Option<&'i [FieldDecl]> {
        match (&entry.declared.decl.config, &entry.config) {
            (None, _) => Some(&[]),
            (Some(_), Some(id)) => match self.index.configs.get(id).map(|config| &config.decl.body) {
                Some(ConfigBody::Struct(fields)) => Some(fields),
                Some(ConfigBody::Enum(_)) | None => None,
            },
            (Some(_), None) => None,
        }
    }

    /// A tool's name and time limit, and what is taken of a service, may be fields of the plugin's config.
    fn check_fields(&mut self, entry: &PluginEntry) {
        let Some(fields) = self.config_fields(entry) else { return };
        for taken in &entry.declared.decl.takes {
            if let FromConfig::Field(field) = &taken.what {
                self.check_field(field, fields, "a `String`", |ty| matches!(ty, FieldType::Text));
            }
        }
        for tool in &entry.declared.decl.tools {
            if let FromConfig::Field(field) = &tool.tool {
                self.check_field(field, fields, "a `String`", |ty| matches!(ty, FieldType::Text));
            }
            if let Some(FromConfig::Field(field)) = &tool.timeout_ms {
                self.check_field(field, fields, "a `u64` or an `Option<u64>`", is_limit);
            }
        }
    }

    /// Hosts and files may be named by fields of the plugin's config.
    fn check_reach(&mut self, entry: &PluginEntry) {
        let Some(fields) = self.config_fields(entry) else { return };
        let decl = &entry.declared.decl;
        for reach in decl.hosts.iter().chain(&decl.writes) {
            for field in reach.fields().filter(|field| !fields.iter().any(|known| known.ident == field)) {
                let known: Vec<String> = fields.iter().map(|known| known.ident.to_string()).collect();
                let at = place(&self.names.scope.source, reach.target.span);
                self.diagnostics.report(rules::reach_field::reach_field(&at, field, &known));
            }
        }
    }

    fn check_field(&mut self, field: &Ident, fields: &[FieldDecl], expected: &str, fits: fn(&FieldType) -> bool) {
        let at = place(&self.names.scope.source, field.span());
        match fields.iter().find(|found| found.ident == *field) {
            Some(found) if fits(&found.ty) => {}
            Some(_) => self.diagnostics.report(rules::tool_field::field_of_other_type(&at, &field.to_string(), expected)),
            None => {
                let known: Vec<String> = fields.iter().filter(|field| fits(&field.ty)).map(|field| field.ident.to_string()).collect();
                self.diagnostics.report(rules::tool_field::absent_field(&at, &field.to_string(), &known));
            }
        }
    }

    /// The rule of the macro: the item, config and inject or 0, provided services, heard events, arguments of tools.
    fn digest(&self, entry: &PluginEntry) -> u64 {
        let index = self.index;
        let config = entry.config.as_ref().and_then(|id| index.configs.get(id)).map_or(0, |config| config.digest);
        let inject = entry.inject.as_ref().and_then(|id| index.injects.get(id)).map_or(0, |inject| inject.digest);
        let mut parts = vec![entry.declared.decl.digest, config, inject];
        parts.extend(entry.provides.iter().filter_map(|id| index.services.get(id)).map(|service| service.digest));
        parts.extend(entry.listens.iter().filter_map(|listen| index.events.get(&listen.event)).map(|event| event.digest));
        parts.extend(entry.tool_args.iter().filter_map(|id| index.tool_args.get(id)).map(|args| args.digest));
        combine(&parts)
    }
}

fn is_limit(ty: &FieldType) -> bool {
    match ty {
        FieldType::Option(inner) => is_limit(inner),
        ty => matches!(ty, FieldType::Int(IntType::U64)),
    }
}
