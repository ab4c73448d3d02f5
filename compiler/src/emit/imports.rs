//! The imports of the wiring: of all that it may name without a path, what it does name.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::quote;

/// Path and name of everything that the wiring may name without a path, in the order of the imports.
const CANDIDATES: [(&str, &str); 36] = [
    ("std::collections", "BTreeMap"),
    ("std::path", "PathBuf"),
    ("dsh_runtime::boot", "Boot"),
    ("dsh_runtime::boot", "BootError"),
    ("dsh_runtime::boot", "Entries"),
    ("dsh_runtime::boot", "Graph"),
    ("dsh_runtime::boot", "GraphGroup"),
    ("dsh_runtime::boot", "GraphRow"),
    ("dsh_runtime::boot", "Rows"),
    ("dsh_runtime::boot", "contributed"),
    ("dsh_runtime::description", "Carried"),
    ("dsh_runtime::description", "Description"),
    ("dsh_runtime::description", "EventDescription"),
    ("dsh_runtime::description", "HostDescription"),
    ("dsh_runtime::description", "PluginDescription"),
    ("dsh_runtime::description", "PromptDescription"),
    ("dsh_runtime::description", "ReadDescription"),
    ("dsh_runtime::description", "RowDescription"),
    ("dsh_runtime::description", "ServiceDescription"),
    ("dsh_runtime::description", "SurroundingsDescription"),
    ("dsh_runtime::description", "ToolDescription"),
    ("dsh_runtime::description", "prompt_of"),
    ("dsh_runtime", "BoxFuture"),
    ("dsh_runtime", "Confirmed"),
    ("dsh_runtime", "Declared"),
    ("dsh_runtime", "Evaluator"),
    ("dsh_runtime", "Identity"),
    ("dsh_runtime", "Mounted"),
    ("dsh_runtime", "NoConfig"),
    ("dsh_runtime", "NoInject"),
    ("dsh_runtime", "SecretEnv"),
    ("dsh_runtime", "Site"),
    ("dsh_runtime", "Topic"),
    ("dsh_runtime", "Verb"),
    ("dsh_runtime", "Verbs"),
    ("dsh_runtime", "Vocabulary"),
];

/// The `use` items that `body` needs.
pub(super) fn imports(body: &TokenStream) -> TokenStream {
    let mut named = BTreeSet::new();
    collect(body.clone(), &mut named);
    let mut groups: Vec<(&str, Vec<Ident>)> = Vec::new();
    for (path, name) in CANDIDATES.into_iter().filter(|(_, name)| named.contains(*name)) {
        let name = Ident::new(name, Span::call_site());
        match groups.last_mut() {
            Some((last, names)) if *last == path => names.push(name),
            _ => groups.push((path, vec![name])),
        }
    }
    groups.into_iter().map(|(path, names)| import(path, &names)).collect()
}

fn import(path: &str, names: &[Ident]) -> TokenStream {
    let path = path.split("::").map(|segment| Ident::new(segment, Span::call_site()));
    match names {
        [name] => quote!(use #(#path)::*::#name;),
        names => quote!(use #(#path)::*::{#(#names),*};),
    }
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
