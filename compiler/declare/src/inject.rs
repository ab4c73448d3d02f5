//! `#[derive(Inject)]` on a struct of services and dispatchers.

use syn::{Field, Fields, Item, Path, PathSegment, Type};

use crate::digest::item_digest;
use crate::field_type::type_arguments;
use crate::item::{refuse_cfg, refuse_generics, require_pub};
use crate::model::{InjectDecl, InjectField, Wants};
use crate::problems::{Parsed, Problems};

const EXPECTED: &str = "expected `Arc<dyn Trait>` or `Arc<Type>` (a service), `Option<Arc<…>>` (a service that may be absent) or \
                        `Dispatcher<Event>`";

/// Reads an inject struct.
#[must_use]
pub fn parse(item: &Item) -> Parsed<InjectDecl> {
    let mut problems = Problems::default();
    let digest = item_digest("inject", &proc_macro2::TokenStream::new(), item);
    let Item::Struct(item) = item else {
        problems.at(item, "`#[derive(Inject)]` stands on a struct");
        return Parsed::new(None, problems);
    };
    refuse_generics(&item.generics, &mut problems);
    refuse_cfg(&item.attrs, &mut problems);
    require_pub(&item.vis, &item.ident, "an inject struct", &mut problems);
    let Fields::Named(fields) = &item.fields else {
        problems.at(item, "an inject struct has named fields");
        return Parsed::new(None, problems);
    };
    let fields = fields.named.iter().filter_map(|field| read_field(field, &mut problems)).collect();
    Parsed::new(Some(InjectDecl { name: item.ident.clone(), fields, digest }), problems)
}

fn read_field(field: &Field, problems: &mut Problems) -> Option<InjectField> {
    let ident = field.ident.clone()?;
    refuse_cfg(&field.attrs, problems);
    require_pub(&field.vis, &ident, "a field of an inject struct", problems);
    let wants = wants(&field.ty);
    if wants.is_none() {
        problems.at(&field.ty, EXPECTED);
    }
    Some(InjectField { ident, wants: wants?, syn_type: field.ty.clone() })
}

fn wants(ty: &Type) -> Option<Wants> {
    let (name, argument) = generic(ty)?;
    match name.ident.to_string().as_str() {
        "Arc" => Some(Wants::Required(service(argument)?)),
        "Option" => {
            let (inner, argument) = generic(argument)?;
            (inner.ident == "Arc").then_some(())?;
            Some(Wants::Optional(service(argument)?))
        }
        "Dispatcher" => Some(Wants::Dispatch(plain_path(argument)?.clone())),
        _ => None,
    }
}

/// The last segment of a path and its only type argument.
fn generic(ty: &Type) -> Option<(&PathSegment, &Type)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    match type_arguments(last).as_slice() {
        [argument] => Some((last, argument)),
        _ => None,
    }
}

/// `dyn Trait` with one bound, or a plain path.
fn service(ty: &Type) -> Option<Type> {
    service_path(ty).map(|_| ty.clone())
}

/// The path in `dyn Trait` (one bound, no generics) or `Type`, and whether there is a `dyn`.
#[must_use]
pub fn service_path(ty: &Type) -> Option<(&Path, bool)> {
    match ty {
        Type::TraitObject(object) => match object.bounds.iter().collect::<Vec<_>>().as_slice() {
            [syn::TypeParamBound::Trait(bound)] if without_arguments(&bound.path) => Some((&bound.path, true)),
            _ => None,
        },
        _ => plain_path(ty).map(|path| (path, false)),
    }
}

/// A path without generic arguments.
pub(crate) fn plain_path(ty: &Type) -> Option<&Path> {
    match ty {
        Type::Path(path) if path.qself.is_none() && without_arguments(&path.path) => Some(&path.path),
        _ => None,
    }
}

fn without_arguments(path: &Path) -> bool {
    path.segments.iter().all(|segment| segment.arguments.is_none())
}
