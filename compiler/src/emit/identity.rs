//! What the binary knows of itself.

use proc_macro2::TokenStream;
use quote::quote;

use crate::plan::Plan;

/// The `IDENTITY` static.
pub(super) fn identity(plan: &Plan) -> TokenStream {
    let (profile, aliases, digest) = (&plan.profile, &plan.aliases, &plan.digest);
    let serves = !plan.serve.is_empty();
    let verbs = plan.verbs.iter().flat_map(|entry| &entry.words).map(|(verb, about)| quote!((#verb, #about)));
    quote! {
        /// What the binary knows of itself without mounting anything.
        pub static IDENTITY: Identity = Identity {
            profile: #profile,
            aliases: &[#(#aliases),*],
            version: env!("CARGO_PKG_VERSION"),
            digest: #digest,
            serves: #serves,
            verbs: &[#(#verbs),*],
        };
    }
}
