//! Declared things in words: types as they were written, config values as YAML writes them.

use dsh_declare::model::ConfigBody;
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, Type};

use crate::check::{StructValue, Value};
use crate::index::{Index, ItemId};

/// A type as people write it, without the `Arc` around it.
pub(super) fn type_words(ty: &Type) -> String {
    let text = dsh_declare::digest::canonical_text(inside_arc(ty).to_token_stream());
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(' ').fold(String::new(), |words, token| {
        let apart = words.ends_with(',') || words.ends_with(is_word) && token.starts_with(is_word);
        words + if apart { " " } else { "" } + token
    })
}

fn inside_arc(ty: &Type) -> &Type {
    let Type::Path(path) = ty else { return ty };
    let Some(last) = path.path.segments.last().filter(|last| last.ident == "Arc") else { return ty };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return ty };
    let inner = arguments.args.iter().find_map(|argument| if let GenericArgument::Type(inner) = argument { Some(inner) } else { None });
    inner.unwrap_or(ty)
}

/// A config value in the flow style of YAML.
pub(super) fn value_words(value: &Value, index: &Index) -> String {
    let quoted = |text: &str| format!("{text:?}");
    let list = |items: Vec<String>, ends: [char; 2]| format!("{}{}{}", ends[0], items.join(", "), ends[1]);
    match value {
        Value::Text(text) | Value::Path(text) | Value::SecretEnv(text) => quoted(text),
        Value::Bool(on) => on.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Option(None) => "null".to_owned(),
        Value::Option(Some(inner)) => value_words(inner, index),
        Value::List(items) => list(items.iter().map(|item| value_words(item, index)).collect(), ['[', ']']),
        Value::Map(entries) => {
            list(entries.iter().map(|(key, value)| format!("{}: {}", quoted(key), value_words(value, index))).collect(), ['{', '}'])
        }
        Value::Struct(value) => list(keyed(value, index), ['{', '}']),
        Value::Variant(ty, name) => quoted(&variant_key(ty, name, index)),
        Value::Expression { text, .. } => format!("!expr {text}"),
    }
}

/// The members that are there, each with its key.
fn keyed(value: &StructValue, index: &Index) -> Vec<String> {
    let Some(ConfigBody::Struct(fields)) = index.configs.get(&value.item).map(|config| &config.decl.body) else { return Vec::new() };
    let given = value.fields.iter().filter(|(_, value)| !matches!(value, Value::Option(None)));
    let key = |name: &str| fields.iter().find(|field| field.ident == name).map(|field| field.key.as_str());
    given.map(|(name, value)| format!("{}: {}", key(name).unwrap_or(name), value_words(value, index))).collect()
}

/// The YAML word of a variant.
fn variant_key(ty: &ItemId, name: &str, index: &Index) -> String {
    let found = match index.configs.get(ty).map(|config| &config.decl.body) {
        Some(ConfigBody::Enum(variants)) => variants.iter().find(|variant| variant.ident == name),
        Some(ConfigBody::Struct(_)) | None => None,
    };
    found.map_or(name, |variant| variant.key.as_str()).to_owned()
}
