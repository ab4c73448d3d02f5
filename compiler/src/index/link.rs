//! Joins the declarations into the index: names resolved, digests combined.

use std::collections::BTreeMap;

use dsh_declare::digest::combine;
use dsh_declare::model::{ConfigDecl, InjectDecl, ServiceKind, ToolArgsDecl, Wants};
use syn::spanned::Spanned;
use syn::{Path, Type};

use super::entry::{Declared, Index, ItemId, Want, WantKind};
use super::metadata::Metadata;
use super::modules::place;
use super::names::Names;
use super::rules;
use super::table::{Found, Kind, Table};
use crate::diagnostics::Diagnostics;

/// The fields of each inject struct, resolved.
pub(super) type WantsByInject = BTreeMap<ItemId, Vec<Want>>;

/// Joins everything but the plugins.
pub(super) fn link(table: &Table, metadata: &Metadata, diagnostics: &mut Diagnostics) -> (Index, WantsByInject) {
    let mut index = Index {
        services: table.services.iter().map(|found| (found.id.clone(), declared(found, found.decl.digest))).collect(),
        events: table.events.iter().map(|found| (found.id.clone(), declared(found, found.decl.digest))).collect(),
        session_events: table.session_events.iter().map(|found| (found.id.clone(), declared(found, found.decl.digest))).collect(),
        ..Index::default()
    };
    let mut linker = Linker { table, metadata, diagnostics };
    index.configs = linker.joined(&table.configs, Kind::Config, ConfigDecl::named, |decl| decl.digest);
    index.tool_args = linker.joined(&table.tool_args, Kind::ToolArgs, ToolArgsDecl::named, |decl| decl.digest);
    let mut wants_by_inject = WantsByInject::new();
    for found in &table.injects {
        let wants = wants(found, table, metadata, &index, linker.diagnostics);
        index.injects.insert(found.id.clone(), declared(found, inject_digest(&found.decl, &wants, &index)));
        wants_by_inject.insert(found.id.clone(), wants);
    }
    (index, wants_by_inject)
}

/// A declaration as the index holds it.
pub(super) fn declared<T: Clone>(found: &Found<T>, digest: u64) -> Declared<T> {
    Declared { id: found.id.clone(), decl: found.decl.clone(), place: found.place.clone(), digest }
}

struct Linker<'a> {
    table: &'a Table,
    metadata: &'a Metadata,
    diagnostics: &'a mut Diagnostics,
}

impl Linker<'_> {
    /// Types that may hold each other: the digest of each joins those of the types in it.
    fn joined<T: Clone>(
        &mut self,
        all: &[Found<T>],
        kind: Kind,
        named: fn(&T) -> Vec<&Path>,
        own: fn(&T) -> u64,
    ) -> BTreeMap<ItemId, Declared<T>> {
        let mut inner: BTreeMap<&ItemId, Vec<ItemId>> = BTreeMap::new();
        for found in all {
            let names = Names::of_file(found.file, self.table, self.metadata);
            let mut held = Vec::new();
            for path in named(&found.decl) {
                let Some(id) = names.resolve(path, kind, self.diagnostics) else { continue };
                if kind == Kind::Config && id.package != found.id.package {
                    let at = place(&names.scope.source, path.span());
                    self.diagnostics.report(rules::foreign_config::foreign_config(&at, &id, &found.id.package));
                }
                held.push(id);
            }
            inner.insert(&found.id, held);
        }
        let by_id: BTreeMap<&ItemId, &Found<T>> = all.iter().map(|found| (&found.id, found)).collect();
        let mut digests = BTreeMap::new();
        for found in all {
            if let Err(cycle) = join(&found.id, &inner, &|id| by_id.get(id).map(|found| own(&found.decl)), &mut digests, &mut Vec::new())
                && cycle.first() == Some(&found.id)
                // A loop shows from each of its types, and one of a single type is the grammar's to refuse.
                && cycle.iter().min() == Some(&found.id)
                && cycle.len() > 2
            {
                let names: Vec<String> = cycle.iter().map(|id| id.name.clone()).collect();
                self.diagnostics.report(rules::recursive_type::recursive_type(&found.place, &names));
            }
        }
        all.iter().map(|found| (found.id.clone(), declared(found, digests.get(&found.id).copied().unwrap_or_default()))).collect()
    }
}

fn inject_digest(decl: &InjectDecl, wants: &[Want], index: &Index) -> u64 {
    let of_want = |want: &Want| match &want.kind {
        WantKind::Required(id) | WantKind::Optional(id) => index.services.get(id).map_or(0, |service| service.digest),
        WantKind::Dispatch(id) => index.events.get(id).map_or(0, |event| event.digest),
    };
    let parts: Vec<u64> = std::iter::once(decl.digest).chain(wants.iter().map(of_want)).collect();
    combine(&parts)
}

/// The digest of a type with those of the types in it, or the loop that it is part of.
fn join(
    id: &ItemId,
    inner: &BTreeMap<&ItemId, Vec<ItemId>>,
    own: &dyn Fn(&ItemId) -> Option<u64>,
    digests: &mut BTreeMap<ItemId, u64>,
    path: &mut Vec<ItemId>,
) -> Result<u64, Vec<ItemId>> {
    if let Some(digest) = digests.get(id) {
        return Ok(*digest);
    }
    if let Some(start) = path.iter().position(|outer| outer == id) {
        return Err(path[start..].iter().chain(std::iter::once(id)).cloned().collect());
    }
    path.push(id.clone());
    let mut parts = vec![own(id).unwrap_or_default()];
    for held in inner.get(id).into_iter().flatten() {
        parts.push(join(held, inner, own, digests, path)?);
    }
    path.pop();
    let digest = combine(&parts);
    digests.insert(id.clone(), digest);
    Ok(digest)
}

/// A field whose name leads nowhere is reported and left out.
fn wants(found: &Found<InjectDecl>, table: &Table, metadata: &Metadata, index: &Index, diagnostics: &mut Diagnostics) -> Vec<Want> {
    let names = Names::of_file(found.file, table, metadata);
    let mut wants = Vec::new();
    for field in &found.decl.fields {
        let kind = match &field.wants {
            Wants::Required(ty) => service(&names, ty, index, diagnostics).map(WantKind::Required),
            Wants::Optional(ty) => service(&names, ty, index, diagnostics).map(WantKind::Optional),
            Wants::Dispatch(path) => names.resolve(path, Kind::Event, diagnostics).map(WantKind::Dispatch),
        };
        wants.extend(kind.map(|kind| Want { field: field.ident.to_string(), kind }));
    }
    wants
}

/// A service, written with `dyn` exactly when it is a trait.
pub(super) fn service(names: &Names<'_>, ty: &Type, index: &Index, diagnostics: &mut Diagnostics) -> Option<ItemId> {
    let id = names.resolve_type(ty, Kind::Service, diagnostics)?;
    let is_dyn = matches!(ty, Type::TraitObject(_));
    let kind = index.services.get(&id)?.decl.kind;
    let (found, wanted, right) = match (kind, is_dyn) {
        (ServiceKind::Trait, true) | (ServiceKind::Concrete, false) => return Some(id),
        (ServiceKind::Trait, false) => ("a service trait", "`dyn` before it", format!("dyn {}", id.name)),
        (ServiceKind::Concrete, true) => ("a concrete service", "the type without `dyn`", id.name.clone()),
    };
    let at = place(&names.scope.source, ty.span());
    diagnostics.report(rules::wrong_kind::wrong_kind(&at, &id, found, wanted, Some(format!("write `{right}`"))));
    None
}
