//! The index's config types as the schema by which the language judges configs.

use std::borrow::Cow;

use dsh_declare::model;
use dsh_language::schema::{ConfigBody, ConfigSchema, FieldSchema, FieldType, Inner, Schemas, Text, VariantSchema};

use crate::index::Index;

/// The schema of every config type.
#[must_use]
pub fn schemas(index: &Index) -> Schemas {
    index.configs.values().map(|declared| schema(&declared.id.package, &declared.decl)).collect()
}

fn schema(package: &str, decl: &model::ConfigDecl) -> ConfigSchema {
    let body = match &decl.body {
        model::ConfigBody::Struct(fields) => ConfigBody::Struct(fields.iter().map(field).collect()),
        model::ConfigBody::Enum(variants) => ConfigBody::Enum(variants.iter().map(variant).collect()),
    };
    ConfigSchema { package: text(package), name: decl.name.to_string().into(), body }
}

fn field(decl: &model::FieldDecl) -> FieldSchema {
    FieldSchema {
        ident: decl.ident.to_string().into(),
        key: text(&decl.key),
        ty: field_type(&decl.ty),
        default: decl.default.clone(),
        bounds: decl.bounds.clone(),
        doc: text(decl.doc.lines().next().unwrap_or_default()),
    }
}

fn variant(decl: &model::VariantDecl) -> VariantSchema {
    VariantSchema { ident: decl.ident.to_string().into(), key: text(&decl.key) }
}

fn field_type(ty: &model::FieldType) -> FieldType {
    let inner = |ty| Inner::Read(Box::new(field_type(ty)));
    match ty {
        model::FieldType::Text => FieldType::Text,
        model::FieldType::Bool => FieldType::Bool,
        model::FieldType::Int(int) => FieldType::Int(*int),
        model::FieldType::Float => FieldType::Float,
        model::FieldType::Path => FieldType::Path,
        model::FieldType::SecretEnv => FieldType::SecretEnv,
        model::FieldType::Option(ty) => FieldType::Option(inner(ty)),
        model::FieldType::List(ty) => FieldType::List(inner(ty)),
        model::FieldType::Map(ty) => FieldType::Map(inner(ty)),
        model::FieldType::Named(path) => {
            FieldType::Named(path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default().into())
        }
    }
}

fn text(text: &str) -> Text {
    Cow::Owned(text.to_owned())
}
