//! The types that config fields and tool arguments may have.

use syn::{GenericArgument, Path, PathArguments, PathSegment, Type};

use crate::model::{ArgType, FieldType, IntType};

const FIELD_TYPES: &str = "`String`, `bool`, `u16`, `u32`, `u64`, `i64`, `usize`, `f64`, `PathBuf`, `SecretEnv`, `Option<T>`, `Vec<T>`, \
                           `BTreeMap<String, T>` or a type with `#[config]`";
const ARG_TYPES: &str = "`String`, `bool`, `u64`, `i64`, `f64`, `Option<T>`, `Vec<T>`, `serde_json::Value` or a type with `#[tool_args]`";

/// The type of a config field.
pub(crate) fn field_type(ty: &Type) -> Result<FieldType, syn::Error> {
    let (path, last) = path_of(ty).ok_or_else(|| refuse(ty, FIELD_TYPES))?;
    let arguments = type_arguments(last);
    let inner = |ty: &Type| field_type(ty).map(Box::new);
    Ok(match (last.ident.to_string().as_str(), arguments.as_slice()) {
        ("String", []) => FieldType::Text,
        ("bool", []) => FieldType::Bool,
        ("u16", []) => FieldType::Int(IntType::U16),
        ("u32", []) => FieldType::Int(IntType::U32),
        ("u64", []) => FieldType::Int(IntType::U64),
        ("i64", []) => FieldType::Int(IntType::I64),
        ("usize", []) => FieldType::Int(IntType::Usize),
        ("f64", []) => FieldType::Float,
        ("PathBuf", []) => FieldType::Path,
        ("SecretEnv", []) => FieldType::SecretEnv,
        ("Option", [inside]) => match inner(inside)? {
            held if matches!(*held, FieldType::Option(_)) => return Err(syn::Error::new_spanned(ty, "an `Option` of an `Option`")),
            held => FieldType::Option(held),
        },
        ("Vec", [inside]) => FieldType::List(inner(inside)?),
        ("BTreeMap", [key, inside]) if is_string(key) => FieldType::Map(inner(inside)?),
        (name, []) if path.segments.len() > 1 || !is_foreign(name) => FieldType::Named(path.clone()),
        _ => return Err(refuse(ty, FIELD_TYPES)),
    })
}

/// The type of a tool's argument; `Option` stands outermost only.
pub(crate) fn arg_type(ty: &Type) -> Result<ArgType, syn::Error> {
    let (path, last) = path_of(ty).ok_or_else(|| refuse(ty, ARG_TYPES))?;
    let arguments = type_arguments(last);
    let inner = |ty: &Type| match arg_type(ty)? {
        ArgType::Option(_) => Err(syn::Error::new_spanned(ty, "an `Option` stands outermost: it means that the argument is not required")),
        held => Ok(Box::new(held)),
    };
    Ok(match (last.ident.to_string().as_str(), arguments.as_slice()) {
        ("String", []) => ArgType::Text,
        ("bool", []) => ArgType::Bool,
        ("u64" | "i64", []) => ArgType::Int,
        ("f64", []) => ArgType::Float,
        ("Value", []) => ArgType::Any,
        ("Option", [inside]) => ArgType::Option(inner(inside)?),
        ("Vec", [inside]) => ArgType::List(inner(inside)?),
        (name, []) if path.segments.len() > 1 || !is_foreign(name) => ArgType::Named(path.clone()),
        _ => return Err(refuse(ty, ARG_TYPES)),
    })
}

fn path_of(ty: &Type) -> Option<(&Path, &PathSegment)> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last().map(|last| (&path.path, last)),
        _ => None,
    }
}

/// The type arguments of a path's last segment; empty also where there are others than types.
pub(crate) fn type_arguments(segment: &PathSegment) -> Vec<&Type> {
    match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => {
            let types = arguments.args.iter().filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            });
            types.collect()
        }
        _ => Vec::new(),
    }
}

fn is_string(ty: &Type) -> bool {
    path_of(ty).is_some_and(|(_, last)| last.ident == "String")
}

/// Primitive types and common ones of std that are no declarations, so that their refusal can say what to use.
fn is_foreign(name: &str) -> bool {
    let primitive = name.starts_with(|letter: char| letter.is_ascii_lowercase());
    primitive
        || matches!(
            name,
            "PathBuf"
                | "SecretEnv"
                | "OsString"
                | "Duration"
                | "Box"
                | "Arc"
                | "Rc"
                | "HashMap"
                | "BTreeMap"
                | "HashSet"
                | "BTreeSet"
                | "Vec"
                | "Option"
                | "Self"
        )
}

fn refuse(ty: &Type, allowed: &str) -> syn::Error {
    syn::Error::new_spanned(ty, format!("this type cannot be read from outside, expected {allowed}"))
}
