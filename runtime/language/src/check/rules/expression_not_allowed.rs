//! An expression where a field takes none.

use crate::check::config::FieldAt;
use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::schema::{ConfigBody, FieldType, Schemas};

/// `DSH0213`
pub static RULE: Rule = Rule::error("DSH0213", "a field takes no expression", include_str!("expression_not_allowed.md"));

/// The problem with an expression for a value of a type, if there is one.
pub fn expression_not_allowed(at: &FieldAt<'_>, ty: &FieldType, place: &Place, schemas: &Schemas) -> Option<Diagnostic> {
    let (reason, help) = match obstacle(ty, at.package, schemas)? {
        Obstacle::Secret => ("it is a secret", "write the name of the environment variable that holds the secret"),
        Obstacle::Nested => ("its value is a nested config", "write the mapping out and put `!expr` before the values in it"),
    };
    let found = Diagnostic::new(&RULE, format!("`{}` takes no expression", at.path)).at(place, reason);
    Some(found.help(help))
}

enum Obstacle {
    Secret,
    Nested,
}

fn obstacle(ty: &FieldType, package: &str, schemas: &Schemas) -> Option<Obstacle> {
    match ty {
        FieldType::SecretEnv => Some(Obstacle::Secret),
        FieldType::Option(inner) | FieldType::List(inner) | FieldType::Map(inner) => obstacle(inner, package, schemas),
        FieldType::Named(name) => matches!(schemas.named(package, name)?.1, ConfigBody::Struct(_)).then_some(Obstacle::Nested),
        FieldType::Text | FieldType::Bool | FieldType::Int(_) | FieldType::Float | FieldType::Path => None,
    }
}
