//! Presets: for each a struct of what its rows take from the composition, and a function that mounts them.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::names::Names;
use super::row::{Rows, section};
use crate::plan::{Plan, PlannedPreset, PlannedRow, Supply};

/// Whether rows of a preset dispatch or hear events.
pub(super) fn asks_topics(plan: &Plan, preset: &PlannedPreset) -> bool {
    let dispatches = |row: &PlannedRow| row.injects.iter().any(|injected| matches!(injected.supply, Supply::Dispatcher(_)));
    let hears = |row: &PlannedRow| plan.topics.iter().any(|topic| topic.listeners.iter().any(|heard| heard.row == row.id));
    preset.rows.iter().any(|row| dispatches(row) || hears(row))
}

pub(super) fn has_configs(preset: &PlannedPreset) -> bool {
    preset.rows.iter().any(|row| row.config.is_some())
}

/// Rows of the composition that rows of a preset name, in mount order.
fn taken<'p>(plan: &'p Plan, preset: &PlannedPreset) -> Vec<&'p PlannedRow> {
    let mut named: BTreeSet<&String> = preset.contributions.iter().flat_map(|contribution| &contribution.registries).collect();
    for injected in preset.rows.iter().flat_map(|row| &row.injects) {
        if let Supply::Service { rows, .. } = &injected.supply {
            named.extend(rows);
        }
    }
    plan.rows.iter().filter(|row| named.contains(&row.id)).collect()
}

/// What offers the presets at the end of mounting.
pub(super) fn offers(plan: &Plan, names: &Names<'_>) -> TokenStream {
    let offer = |preset: &PlannedPreset| {
        let (name, part) = (&preset.name, names.preset(&preset.name));
        let (given, mount) = (&part.given, &part.mount);
        let fields = fields(plan, preset, names).into_iter().map(|Field { name, value, .. }| match value {
            Some(value) => quote!(#name: #value),
            None => quote!(#name: #name.clone()),
        });
        quote!(boot.offer(#name, #given { #(#fields),* }, #mount);)
    };
    section("presets, which mount when an agent first selects them", plan.presets.iter().map(offer))
}

/// A field of the struct, and what it is made of where that is not its clone.
struct Field {
    name: Ident,
    ty: TokenStream,
    value: Option<TokenStream>,
}

fn fields(plan: &Plan, preset: &PlannedPreset, names: &Names<'_>) -> Vec<Field> {
    let word = |word: &str| Ident::new(word, proc_macro2::Span::call_site());
    let part = names.preset(&preset.name);
    let mut fields = Vec::new();
    if has_configs(preset) {
        let (ty, field) = (&part.configs, &part.field);
        fields.push(Field { name: word("configs"), ty: quote!(#ty), value: Some(quote!(configs.#field)) });
    }
    if asks_topics(plan, preset) {
        fields.push(Field { name: word("topics"), ty: quote!(Topics), value: None });
    }
    for row in taken(plan, preset) {
        let item = names.item(&plan.plugins[&row.plugin].item);
        let ty = if row.may_be_off { quote!(Option<Mounted<#item>>) } else { quote!(Mounted<#item>) };
        fields.push(Field { name: names.row(&row.id).clone(), ty, value: None });
    }
    fields
}

/// The structs and functions.
pub(super) fn presets(plan: &Plan, names: &Names<'_>) -> TokenStream {
    plan.presets.iter().map(|preset| preset_items(plan, preset, names)).collect()
}

fn preset_items(plan: &Plan, preset: &PlannedPreset, names: &Names<'_>) -> TokenStream {
    let part = names.preset(&preset.name);
    let (given, mount, mount_rows) = (&part.given, &part.mount, &part.mount_rows);
    let fields = fields(plan, preset, names);
    let (idents, types): (Vec<_>, Vec<_>) = fields.iter().map(|field| (&field.name, &field.ty)).unzip();
    let used = used(plan, preset);
    let rows = Rows { plan, names, rows: &preset.rows, contributions: &preset.contributions, used: &used };
    let (mounted, listeners, contributions) = (rows.mounted(), rows.listeners(), rows.contributed());
    let takes = format!(" What the rows of the preset `{}` take from the composition.", preset.name);
    let mounts = format!(" Mounts the preset `{}`.", preset.name);
    // Without rows nothing is taken and nothing mounts.
    let boot = if preset.rows.is_empty() { quote!(_boot) } else { quote!(boot) };
    quote! {
        #[doc = #takes]
        #[derive(Clone)]
        struct #given { #(#idents: #types),* }

        #[doc = #mounts]
        fn #mount(boot: &mut Boot, given: #given) -> BoxFuture<'_, Result<(), BootError>> {
            Box::pin(#mount_rows(boot, given))
        }

        async fn #mount_rows(#boot: &mut Boot, given: #given) -> Result<(), BootError> {
            let #given { #(#idents),* } = given;
            #mounted
            #listeners
            #contributions
            Ok(())
        }
    }
}

/// Rows of a preset that something after their own statement names.
fn used<'p>(plan: &'p Plan, preset: &'p PlannedPreset) -> BTreeSet<&'p str> {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for injected in preset.rows.iter().flat_map(|row| &row.injects) {
        if let Supply::Service { rows, .. } = &injected.supply {
            used.extend(rows.iter().map(String::as_str));
        }
    }
    used.extend(plan.topics.iter().flat_map(|topic| &topic.listeners).map(|heard| heard.row.as_str()));
    for contribution in &preset.contributions {
        used.insert(&contribution.row);
        used.extend(contribution.registries.iter().map(String::as_str));
    }
    used
}
