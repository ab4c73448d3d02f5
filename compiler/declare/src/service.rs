//! `#[service(key = "…")]` on a trait or a concrete type.

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};
use syn::{
    FnArg, GenericParam, Item, ItemTrait, Lifetime, ParenthesizedGenericArguments, ReceiverKind, ReturnType, Signature, TraitItem, Type,
};
use syn::{TypeFnPtr, TypeImplTrait, TypeReference};

use crate::arguments::{read_arguments, text, unknown_key};
use crate::digest::item_digest;
use crate::item::{doc, refuse_cfg, refuse_generics};
use crate::model::{ServiceDecl, ServiceKind};
use crate::problems::{Parsed, Problems};

/// Reads a service from the attribute's arguments and the item below it.
#[must_use]
pub fn parse(arguments: TokenStream, item: &Item) -> Parsed<ServiceDecl> {
    let mut problems = Problems::default();
    let digest = item_digest("service", &arguments, item);
    let (mut key, mut named) = (None, false);
    read_arguments(arguments, &mut problems, |name, input| match name.to_string().as_str() {
        "key" => {
            named = true;
            text(input).map(|value| key = Some(value))
        }
        _ => Err(unknown_key(name, &["key"])),
    });
    let (name, generics, attributes, kind) = match item {
        Item::Trait(item) => {
            check_functions(item, &mut problems);
            (&item.ident, &item.generics, &item.attrs, ServiceKind::Trait)
        }
        Item::Struct(item) => (&item.ident, &item.generics, &item.attrs, ServiceKind::Concrete),
        Item::Enum(item) => (&item.ident, &item.generics, &item.attrs, ServiceKind::Concrete),
        other => {
            problems.at(other, "`#[service]` stands on a trait, a struct or an enum");
            return Parsed::new(None, problems);
        }
    };
    refuse_generics(generics, &mut problems);
    refuse_cfg(attributes, &mut problems);
    if !named {
        problems.at(name, "a service states its key: `#[service(key = \"…\")]`");
    }
    let decl = key.map(|key| ServiceDecl { name: name.clone(), key, kind, doc: doc(attributes), digest });
    Parsed::new(decl, problems)
}

fn check_functions(item: &ItemTrait, problems: &mut Problems) {
    for member in &item.items {
        match member {
            TraitItem::Fn(function) if function.sig.asyncness.is_some() => check_async(&function.sig, problems),
            TraitItem::Fn(_) => {}
            other => problems.at(other, "a service trait has functions only: it is used as `dyn`"),
        }
    }
}

/// Checks that an async function can be turned into one that returns a boxed future that borrows `self` alone.
pub fn check_async(signature: &Signature, problems: &mut Problems) {
    match signature.receiver().map(|receiver| &receiver.kind) {
        Some(ReceiverKind::Reference(_, None, None)) => {}
        _ => problems.at(&signature.ident, "an async function of a service takes `&self`"),
    }
    for parameter in &signature.generics.params {
        let GenericParam::Lifetime(_) = parameter else {
            problems.at(parameter, "a service is used as `dyn`, so its functions have no type parameters");
            continue;
        };
        problems.at(parameter, "an async function of a service borrows `self` alone: take arguments by value");
    }
    for argument in &signature.inputs {
        if let FnArg::Typed(argument) = argument {
            Borrows { problems }.visit_type(&argument.ty);
        }
    }
    if let ReturnType::Type(_, returned) = &signature.output
        && let Type::ImplTrait(returned) = &**returned
    {
        problems.at(returned, "an async function of a service returns a named type");
    }
}

/// Reports references and lifetimes in an argument's type, other than `'static` ones and those inside function types.
struct Borrows<'p> {
    problems: &'p mut Problems,
}

impl<'ast> Visit<'ast> for Borrows<'_> {
    fn visit_type_reference(&mut self, reference: &'ast TypeReference) {
        if reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static") {
            visit::visit_type(self, &reference.elem);
        } else {
            self.problems.at(
                reference,
                "an async function of a service takes arguments by value: the future outlives the call, so pass an owned type \
                 (`String` for `&str`, `Arc<T>` for a shared value)",
            );
        }
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        if lifetime.ident != "static" {
            self.problems.at(lifetime, "an async function of a service borrows `self` alone: take arguments by value");
        }
    }

    fn visit_type_impl_trait(&mut self, argument: &'ast TypeImplTrait) {
        self.problems.at(argument, "a service is used as `dyn`, so its functions have no type parameters");
    }

    fn visit_parenthesized_generic_arguments(&mut self, _: &'ast ParenthesizedGenericArguments) {}

    fn visit_type_fn_ptr(&mut self, _: &'ast TypeFnPtr) {}
}
