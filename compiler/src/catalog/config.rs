//! Config: what can be set, and in a profile what is.

use dsh_declare::model::{ConfigBody, FieldDecl, FieldType, Number, VariantDecl};
use serde::Serialize;

use super::content::Content;
use super::declared::value_words;
use super::page::{code, or_dash, table};
use super::subject::{Subject, User};
use crate::check::{StructValue, Value};
use crate::index::{Index, ItemId};

#[derive(Serialize)]
struct Entry<'a> {
    /// Plugin, or row of the profile.
    user: &'a str,
    plugin: &'a str,
    fields: Vec<Field>,
}

#[derive(Serialize)]
struct Field {
    /// Path from the config's root; `[]` stands for each element of a list, `*` for each key of a map.
    field: String,
    r#type: String,
    required: bool,
    /// What holds where it is not given, as YAML has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    bounds: String,
    meaning: String,
    /// What the profile has for it, as YAML has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
}

pub(super) fn content(subject: &Subject<'_>) -> Content {
    let mut shown = Vec::new();
    let entries: Vec<Entry<'_>> = subject.users.iter().filter_map(|user| entry(user, subject.index, &mut shown)).collect();
    let body: String = entries.iter().map(|entry| section(entry, subject)).collect();
    let value = if subject.plan.is_some() {
        " Under *value* stands what the profile has; an expression is evaluated when the binary starts."
    } else {
        ""
    };
    let about = format!("What can be set of each {}: a field without a default is required.{value}", subject.user_word());
    Content::new("Config", about, &entries, body).showing(shown)
}

fn entry<'a>(user: &User<'a>, index: &Index, shown: &mut Vec<ItemId>) -> Option<Entry<'a>> {
    let mut walk = Walk { index, shown, fields: Vec::new() };
    walk.of_type(user.plugin.config.as_ref()?, "", user.config());
    Some(Entry { user: user.name, plugin: &user.plugin.name, fields: walk.fields })
}

struct Walk<'a> {
    index: &'a Index,
    shown: &'a mut Vec<ItemId>,
    fields: Vec<Field>,
}

impl Walk<'_> {
    /// The fields of a config type, each followed by those inside it.
    fn of_type(&mut self, item: &ItemId, before: &str, value: Option<&StructValue>) {
        self.shown.push(item.clone());
        let Some(ConfigBody::Struct(fields)) = self.index.configs.get(item).map(|config| &config.decl.body) else { return };
        for field in fields {
            let path = format!("{before}{}", field.key);
            let given = value.and_then(|value| value.fields.iter().find(|(name, _)| field.ident == name)).map(|(_, value)| value);
            let default = field.default.as_ref().map(|default| default.written(|text| format!("{text:?}")));
            let is_optional = matches!(field.ty, FieldType::Option(_));
            self.fields.push(Field {
                r#type: self.words(&item.package, &field.ty),
                required: default.is_none() && !is_optional,
                default: default.or_else(|| is_optional.then(|| "null".to_owned())),
                bounds: bounds(field),
                meaning: field.doc.clone(),
                // Of a mapping the values of its fields are told.
                value: given.filter(|value| !matches!(value, Value::Struct(_))).map(|value| value_words(value, self.index)),
                field: path.clone(),
            });
            self.inside(&item.package, &field.ty, &path, given);
        }
    }

    /// What a field of a named type holds, also as an element or an entry.
    fn inside(&mut self, package: &str, ty: &FieldType, path: &str, value: Option<&Value>) {
        match ty {
            FieldType::Option(inner) => {
                let value = if let Some(Value::Option(Some(value))) = value { Some(&**value) } else { None };
                self.inside(package, inner, path, value);
            }
            // The values of elements stand with the list.
            FieldType::List(inner) => self.inside(package, inner, &format!("{path}[]"), None),
            FieldType::Map(inner) => self.inside(package, inner, &format!("{path}.*"), None),
            FieldType::Named(name) => {
                let Some(config) = self.index.config(package, name) else { return };
                let value = if let Some(Value::Struct(value)) = value { Some(value) } else { None };
                self.of_type(&config.id, &format!("{path}."), value);
            }
            _ => {}
        }
    }

    fn words(&self, package: &str, ty: &FieldType) -> String {
        match ty {
            FieldType::Text => "text".to_owned(),
            FieldType::Bool => "`true` or `false`".to_owned(),
            FieldType::Int(_) => "integer".to_owned(),
            FieldType::Float => "number".to_owned(),
            FieldType::Path => "path".to_owned(),
            FieldType::SecretEnv => "variable that holds a secret".to_owned(),
            FieldType::Option(inner) => self.words(package, inner),
            FieldType::List(inner) => format!("list of {}", self.words(package, inner)),
            FieldType::Map(inner) => format!("map of {}", self.words(package, inner)),
            FieldType::Named(name) => match self.index.config_body(package, name) {
                Some(ConfigBody::Enum(variants)) => one_of(variants),
                Some(ConfigBody::Struct(_)) | None => "mapping".to_owned(),
            },
        }
    }
}

fn one_of(variants: &[VariantDecl]) -> String {
    variants.iter().map(|variant| code(&variant.key)).collect::<Vec<_>>().join(", ")
}

fn bounds(field: &FieldDecl) -> String {
    let number = |number: &Number| match number {
        Number::Int(number) => number.to_string(),
        Number::Float(number) => format!("{number:?}"),
    };
    let range = match (&field.bounds.min, &field.bounds.max) {
        (Some(min), Some(max)) => Some(format!("{} to {}", number(min), number(max))),
        (Some(min), None) => Some(format!("at least {}", number(min))),
        (None, Some(max)) => Some(format!("at most {}", number(max))),
        (None, None) => None,
    };
    let words = (!field.bounds.one_of.is_empty()).then(|| field.bounds.one_of.iter().map(|word| code(word)).collect::<Vec<_>>().join(", "));
    let empty = field.bounds.non_empty.then(|| "not empty".to_owned());
    let blank = field.bounds.non_blank.then(|| "not blank".to_owned());
    [range, words, empty, blank].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// What the profile has, unless it is what holds anyway.
fn value(field: &Field) -> String {
    match &field.value {
        Some(value) if Some(value) == field.default.as_ref() => "default".to_owned(),
        Some(value) => code(value),
        None => or_dash(""),
    }
}

fn section(entry: &Entry<'_>, subject: &Subject<'_>) -> String {
    let of = if subject.plan.is_some() { format!(" (plugin `{}`)", entry.plugin) } else { String::new() };
    let cells = |field: &Field| {
        let default = field.default.as_ref().map_or_else(|| "required".to_owned(), |default| code(default));
        [code(&field.field), field.r#type.clone(), default, or_dash(&field.bounds), field.meaning.clone()]
    };
    let rows = entry.fields.iter();
    let table = match subject.plan {
        None => table(["field", "type", "default", "bounds", "meaning"], rows.map(cells)),
        Some(_) => table(
            ["field", "type", "default", "bounds", "meaning", "value"],
            rows.map(|field| {
                let [name, ty, default, bounds, meaning] = cells(field);
                [name, ty, default, bounds, meaning, value(field)]
            }),
        ),
    };
    format!("## `{}`{of}\n\n{table}\n", entry.user)
}
