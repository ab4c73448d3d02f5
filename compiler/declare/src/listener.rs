//! `#[on(Event, …)]` on a method: a listener.

use syn::parse::{ParseStream, Parser};
use syn::{Attribute, FnArg, Ident, ImplItemFn, Path, ReceiverKind, Signature, Token, Type};

use crate::arguments::attribute_tokens;
use crate::item::doc;
use crate::model::{ListenerCall, ListenerDecl, Position};
use crate::problems::Problems;

const SIGNATURES: &str = "a listener is `fn f(&self, payload: &P)` (emit), `async fn f(&self, payload: &P) -> Result<(), ListenerError>` \
                          (parallel, serial) or `async fn f(&self, payload: &mut P, next: Next<'_, Event>) -> Flow<Event>` (waterfall)";

/// Reads a listener; `None` when the attribute or the signature cannot be used.
pub(crate) fn read_listener(attribute: &Attribute, function: &ImplItemFn, problems: &mut Problems) -> Option<ListenerDecl> {
    let tokens = attribute_tokens(attribute, problems);
    let arguments = if tokens.is_empty() {
        problems.at(attribute, "a listener states its event: `#[on(Event)]`");
        None
    } else {
        problems.keep(read.parse2(tokens))
    };
    let call = call(&function.sig);
    if call.is_none() {
        problems.at(&function.sig, SIGNATURES);
    }
    let (event, position, optional) = arguments?;
    Some(ListenerDecl { event, method: function.sig.ident.clone(), call: call?, position, optional, doc: doc(&function.attrs) })
}

fn read(input: ParseStream) -> syn::Result<(Path, Position, bool)> {
    let event = input.call(Path::parse_mod_style)?;
    let (mut position, mut optional) = (None, false);
    while !input.is_empty() {
        input.parse::<Token![,]>()?;
        if input.is_empty() {
            break;
        }
        let flag: Ident = input.parse()?;
        let place = match flag.to_string().as_str() {
            "first" => Position::First,
            "last" => Position::Last,
            "optional" if !optional => {
                optional = true;
                continue;
            }
            "optional" => return Err(syn::Error::new(flag.span(), "`optional` is given twice")),
            _ => return Err(syn::Error::new(flag.span(), "expected `first`, `last` or `optional`")),
        };
        if position.replace(place).is_some() {
            return Err(syn::Error::new(flag.span(), "one of `first` and `last`, once"));
        }
    }
    Ok((event, position.unwrap_or(Position::Row), optional))
}

fn call(signature: &Signature) -> Option<ListenerCall> {
    let is_async = signature.asyncness.is_some();
    match signature.inputs.iter().collect::<Vec<_>>().as_slice() {
        [receiver, payload] if borrows_plugin(receiver) && reference(payload) == Some(false) => {
            Some(if is_async { ListenerCall::Participant } else { ListenerCall::Observer })
        }
        [receiver, payload, FnArg::Typed(_)] if is_async && borrows_plugin(receiver) && reference(payload) == Some(true) => {
            Some(ListenerCall::Around)
        }
        _ => None,
    }
}

/// Whether a parameter is `&self` or `self: &Arc<Self>`.
pub(crate) fn borrows_plugin(input: &FnArg) -> bool {
    match input {
        FnArg::Receiver(receiver) => match &receiver.kind {
            ReceiverKind::Reference(_, _, mutable) => mutable.is_none(),
            ReceiverKind::Typed(_, ty) => matches!(&**ty, Type::Reference(reference) if reference.mutability.is_none()),
            _ => false,
        },
        FnArg::Typed(_) => false,
    }
}

/// For a parameter that is a reference, whether it is mutable.
fn reference(input: &FnArg) -> Option<bool> {
    match input {
        FnArg::Typed(argument) => match &*argument.ty {
            Type::Reference(reference) => Some(reference.mutability.is_some()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}
