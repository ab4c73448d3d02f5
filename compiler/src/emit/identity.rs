//! What the binary knows of itself.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::Names;
use crate::plan::{Plan, VerbEntry};

/// The `IDENTITY` static.
pub(super) fn identity(plan: &Plan, names: &Names<'_>) -> TokenStream {
    let (profile, aliases, digest) = (&plan.profile, &plan.aliases, &plan.digest);
    let serves = !plan.serve.is_empty();
    let vocabulary = &plan.vocabulary.digest;
    let (types, forms): (Vec<_>, Vec<_>) = plan.vocabulary.words.iter().map(|(ty, form)| (ty, form)).unzip();
    let of_row = |entry: &VerbEntry| {
        let plugin = plan.rows.iter().find(|row| row.id == entry.row).map(|row| names.item(&plan.plugins[&row.plugin].item));
        let verb = |(verb, about): &(String, String)| quote!(Verb { name: #verb, about: #about, usage: <#plugin as Verbs>::usage });
        entry.words.iter().map(verb).collect::<Vec<_>>()
    };
    let verbs = plan.verbs.iter().flat_map(of_row);
    quote! {
        /// What the binary knows of itself without mounting anything.
        pub static IDENTITY: Identity = Identity {
            profile: #profile,
            aliases: &[#(#aliases),*],
            version: env!("CARGO_PKG_VERSION"),
            digest: #digest,
            serves: #serves,
            verbs: &[#(#verbs),*],
            vocabulary: Vocabulary { digest: #vocabulary, words: &[#((#types, #forms)),*] },
        };
    }
}
