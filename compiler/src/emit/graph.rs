//! The composition as data: what rows require of each other, for a binary in which rows may be off.

use proc_macro2::TokenStream;
use quote::quote;

use super::mount::decides;
use super::names::{Names, in_row_order};
use crate::check::{CheckedGroup, Disabled, Exclusive};
use crate::plan::{Plan, PlannedRow, Supply};

/// The `GRAPH` static; nothing when no row may be off.
pub(super) fn graph(plan: &Plan, names: &Names<'_>) -> TokenStream {
    if !decides(plan) {
        return TokenStream::new();
    }
    let profile = &plan.profile;
    let groups = plan.groups.iter().map(|group| group_entry(group, names));
    let rows = in_row_order(plan).into_iter().filter_map(|id| plan.all_rows().find(|row| row.id == id));
    let rows = rows.map(|row| row_entry(plan, row, names));
    // Only an overlay at start can break what holds in every combination of conditions.
    let exclusives = plan.exclusives.iter().filter(|_| !plan.is_sealed).map(|Exclusive { what, rows }| {
        let rows = places(rows, names);
        quote!((#what, #rows))
    });
    let places = plan.groups.iter().map(|group| names.group(&group.id));
    let group_enum = (!plan.groups.is_empty()).then(|| {
        quote! {
            /// The groups of the composition.
            enum Group { #(#places),* }
        }
    });
    quote! {
        #group_enum

        /// What the rows require of each other, and when they are off.
        pub(super) static GRAPH: Graph = Graph {
            profile: #profile,
            groups: &[#(#groups),*],
            rows: &[#(#rows),*],
            exclusives: &[#(#exclusives),*],
        };
    }
}

fn group_entry(group: &CheckedGroup, names: &Names<'_>) -> TokenStream {
    let (id, within, off_when) = (&group.id, within(group.parent.as_ref(), names), off_when(group.disabled.as_ref()));
    quote!(GraphGroup::new(#id)#within #off_when)
}

fn row_entry(plan: &Plan, row: &PlannedRow, names: &Names<'_>) -> TokenStream {
    let (id, within, off_when) = (&row.id, within(row.groups.last(), names), off_when(row.disabled.as_ref()));
    let mut requires: Vec<TokenStream> = Vec::new();
    if !plan.is_sealed {
        for injected in &row.injects {
            if let Supply::Service { service, rows, optional: false, .. } = &injected.supply {
                let (key, rows) = (&plan.service_keys[&service.to_string()], places(rows, names));
                requires.push(quote!((#key, #rows)));
            }
        }
        let entered = plan.all_contributions().find(|contribution| contribution.row == row.id);
        let registry = crate::check::tool_registry().to_string();
        // A registry enters its own tools, and one that is injected is there already.
        let is_asked = |injected: &crate::plan::Injected| matches!(&injected.supply, Supply::Service { service, optional: false, .. } if service.to_string() == registry);
        if let Some(contribution) = entered.filter(|found| !found.registries.contains(&row.id) && !row.injects.iter().any(is_asked)) {
            let key = plan.service_keys.get(&registry).unwrap_or(&registry);
            let rows = places(&contribution.registries, names);
            requires.push(quote!((#key, #rows)));
        }
    }
    let requires = (!requires.is_empty()).then(|| quote!(.requires(&[#(#requires),*])));
    quote!(GraphRow::new(#id)#within #off_when #requires)
}

fn places(rows: &[String], names: &Names<'_>) -> TokenStream {
    let rows = rows.iter().map(|row| names.place(row));
    quote!(&[#(Row::#rows as usize),*])
}

fn within(group: Option<&String>, names: &Names<'_>) -> Option<TokenStream> {
    let place = names.group(group?);
    Some(quote!(.within(Group::#place as usize)))
}

fn off_when(disabled: Option<&Disabled>) -> Option<TokenStream> {
    disabled.map(|Disabled { text, file }| quote!(.off_when(#text, #file)))
}
