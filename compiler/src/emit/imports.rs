//! The imports of the wiring: of all that it may name without a path, what it does name.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::quote;

/// Path and name of everything that the wiring may name without a path.
const CANDIDATES: [(&str, &str); 16] = [
    ("std::collections", "BTreeMap"),
    ("std::path", "PathBuf"),
    ("dsh_runtime::boot", "Boot"),
    ("dsh_runtime::boot", "BootError"),
    ("dsh_runtime::boot", "Entries"),
    ("dsh_runtime::boot", "contributed"),
    ("dsh_runtime", "BoxFuture"),
    ("dsh_runtime", "Declared"),
    ("dsh_runtime", "Evaluator"),
    ("dsh_runtime", "Identity"),
    ("dsh_runtime", "Mounted"),
    ("dsh_runtime", "NoConfig"),
    ("dsh_runtime", "NoInject"),
    ("dsh_runtime", "SecretEnv"),
    ("dsh_runtime", "Site"),
    ("dsh_runtime", "Topic"),
];

/// The `use` items that `body` needs.
pub(super) fn imports(body: &TokenStream) -> TokenStream {
    let mut named = BTreeSet::new();
    collect(body.clone(), &mut named);
    let mut by_path: BTreeMap<&str, Vec<Ident>> = BTreeMap::new();
    for (path, name) in CANDIDATES.into_iter().filter(|(_, name)| named.contains(*name)) {
        by_path.entry(path).or_default().push(Ident::new(name, Span::call_site()));
    }
    let (std, runtime): (Vec<_>, Vec<_>) = by_path.into_iter().partition(|(path, _)| path.starts_with("std"));
    std.into_iter()
        .chain(runtime)
        .map(|(path, names)| {
            let path = path.split("::").map(|segment| Ident::new(segment, Span::call_site()));
            match names.as_slice() {
                [name] => quote!(use #(#path)::*::#name;),
                names => quote!(use #(#path)::*::{#(#names),*};),
            }
        })
        .collect()
}

/// Names that stand alone: neither the end of a path, nor a member, nor the name of a field.
fn collect(tokens: TokenStream, named: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |at: Option<&TokenTree>, sign: char| matches!(at, Some(TokenTree::Punct(punct)) if punct.as_char() == sign);
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) if group.delimiter() != Delimiter::None => collect(group.stream(), named),
            TokenTree::Ident(ident) => {
                let before = |distance: usize| at.checked_sub(distance).and_then(|at| tokens.get(at));
                let follows_path = is(before(1), ':') && is(before(2), ':');
                let names_field = is(tokens.get(at + 1), ':') && !is(tokens.get(at + 2), ':');
                if !follows_path && !is(before(1), '.') && !names_field {
                    named.insert(ident.to_string());
                }
            }
            _ => {}
        }
    }
}
