//! Assertions that the crates still declare what this wiring was made from. The compiler reads declarations from source and can
//! only predict what names mean; here rustc confirms it.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::names::Names;
use super::value::grouped;
use crate::plan::{Plan, PlannedPlugin};

/// One assertion for each plugin.
pub(super) fn freshness(plan: &Plan, names: &Names<'_>) -> TokenStream {
    plan.plugins.values().map(|plugin| assertion(plugin, names)).collect()
}

fn assertion(plugin: &PlannedPlugin, names: &Names<'_>) -> TokenStream {
    let item = names.item(&plugin.item);
    let PlannedPlugin { provides, listens, services, dispatches, .. } = plugin;
    let digest = hexadecimal(plugin.digest);
    quote! {
        const _: Confirmed<#item> = Confirmed::by(Declared {
            digest: #digest,
            provides: &[#(#provides),*],
            listens: &[#(#listens),*],
            services: &[#(#services),*],
            dispatches: &[#(#dispatches),*],
        });
    }
}

/// `0x0123_4567_89ab_cdef`
pub(super) fn hexadecimal(digest: u64) -> TokenStream {
    let text = format!("0x{}", grouped(&format!("{digest:016x}"), 4));
    // Hexadecimal digits and underscores after `0x` are a literal.
    let literal: Literal = text.parse().unwrap_or_else(|_| Literal::u64_unsuffixed(digest));
    quote!(#literal)
}
