//! Async functions of services as functions that return a boxed future, which `dyn` needs.

use dsh_declare::Problems;
use dsh_declare::service::check_async;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Block, Ident, ImplItem, ItemImpl, ReturnType, Signature, Type, parse_quote, parse_quote_spanned};

/// Turns `async fn f(&self, …) -> R` into `fn f(&self, …) -> BoxFuture<'_, R>` and yields `R`.
pub(crate) fn rewrite_signature(signature: &mut Signature) -> Type {
    let returned: Type = match &signature.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, returned) => (**returned).clone(),
    };
    signature.asyncness = None;
    signature.output = parse_quote!(-> ::dsh_runtime::BoxFuture<'_, #returned>);
    returned
}

/// The body of an async function as a boxed future. The result's type is stated, so that the body's `?` and `return` are
/// checked against it as in an async function.
pub(crate) fn rewrite_body(block: &Block, returned: &Type) -> Block {
    let unit = matches!(returned, Type::Tuple(tuple) if tuple.elems.is_empty());
    if unit {
        return parse_quote!({ ::std::boxed::Box::pin(async move #block) });
    }
    let result = Ident::new("result", Span::mixed_site());
    let brace = block.brace_token.span.join();
    parse_quote_spanned! {brace=> {
        ::std::boxed::Box::pin(async move {
            if let ::core::option::Option::Some(#result) = ::core::option::Option::None::<#returned> {
                return #result;
            }
            let #result: #returned = #block;
            #[allow(unreachable_code)]
            #result
        })
    }}
}

/// `#[implements]`: rewrites every async function of the block.
pub(crate) fn expand_impl(mut block: ItemImpl) -> TokenStream {
    let mut problems = Problems::default();
    if block.trait_.is_none() {
        problems.at(&block.self_ty, "`#[implements]` stands on the `impl` of a service trait");
    }
    for member in &mut block.items {
        let ImplItem::Fn(function) = member else { continue };
        if function.sig.asyncness.is_some() {
            check_async(&function.sig, &mut problems);
            let returned = rewrite_signature(&mut function.sig);
            function.block = rewrite_body(&function.block, &returned);
            function.attrs.push(parse_quote!(#[allow(clippy::diverging_sub_expression)]));
        }
    }
    let errors = problems.into_error().map(|error| error.to_compile_error());
    let block = block.into_token_stream();
    quote!(#block #errors)
}
