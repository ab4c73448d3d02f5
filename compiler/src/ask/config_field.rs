//! Config fields by their paths, whether a composition gives them or not.

use dsh_declare::model::{ConfigBody, FieldDecl, FieldType};

use crate::diagnostics::Place;
use crate::index::{Index, ItemId, PluginEntry};

/// A declared field.
pub(super) struct ConfigField<'a> {
    /// Its declaration.
    pub decl: &'a FieldDecl,
    /// Where its name stands.
    pub place: Place,
}

/// The steps of a path: `models[0].id` and `models.0.id` are the same.
pub(super) fn steps(path: &str) -> Vec<String> {
    path.replace('[', ".").replace(']', "").split('.').map(str::to_owned).collect()
}

/// The field that a path leads to; the path of an element or an entry leads to the field that holds it.
pub(super) fn config_field<'a>(index: &'a Index, plugin: &PluginEntry, path: &[String]) -> Option<ConfigField<'a>> {
    find(index, plugin.config.as_ref()?, path)
}

/// Keys of a plugin's config.
pub(super) fn keys<'a>(index: &'a Index, plugin: &PluginEntry) -> Vec<&'a str> {
    match plugin.config.as_ref().and_then(|item| index.configs.get(item)).map(|declared| &declared.decl.body) {
        Some(ConfigBody::Struct(fields)) => fields.iter().map(|field| field.key.as_str()).collect(),
        Some(ConfigBody::Enum(_)) | None => Vec::new(),
    }
}

fn find<'a>(index: &'a Index, item: &ItemId, path: &[String]) -> Option<ConfigField<'a>> {
    let (first, rest) = path.split_first()?;
    let declared = index.configs.get(item)?;
    let ConfigBody::Struct(fields) = &declared.decl.body else { return None };
    let decl = fields.iter().find(|field| field.key == *first)?;
    let (ty, rest) = inside(&decl.ty, rest)?;
    match (rest, ty) {
        ([], _) => Some(ConfigField { decl, place: Place::new(&declared.place.file, decl.ident.span().byte_range()) }),
        (rest, FieldType::Named(name)) => find(index, &index.config(&item.package, name)?.id, rest),
        _ => None,
    }
}

/// The type that remains when the steps into lists and mappings are taken.
fn inside<'a, 'p>(ty: &'a FieldType, path: &'p [String]) -> Option<(&'a FieldType, &'p [String])> {
    match (ty, path) {
        (FieldType::Option(inner), _) => inside(inner, path),
        (FieldType::List(inner), [step, rest @ ..]) => step.parse::<usize>().ok().and_then(|_| inside(inner, rest)),
        (FieldType::Map(inner), [_, rest @ ..]) => inside(inner, rest),
        _ => Some((ty, path)),
    }
}

impl ConfigField<'_> {
    /// What holds when no layer gives it; `None` when one must.
    pub(super) fn default(&self) -> Option<String> {
        match (&self.decl.default, &self.decl.ty) {
            (Some(default), _) => Some(default.written(|text| format!("{text:?}"))),
            (None, FieldType::Option(_)) => Some("null".to_owned()),
            (None, _) => None,
        }
    }
}
