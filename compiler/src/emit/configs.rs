//! The rows' configs: one function each, and one that calls them all before anything mounts, so that all problems of a start are
//! reported together.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::comment::comment;
use super::description::asks_for_config;
use super::mount::decides;
use super::names::{Names, PresetNames};
use super::presets::has_configs;
use super::value::{Values, reads_machine};
use crate::check::StructValue;
use crate::plan::{Plan, PlannedPreset, PlannedRow};

/// The structs of all configs and the functions that make them; nothing when no row has a config.
pub(super) fn configs(plan: &Plan, names: &Names<'_>) -> TokenStream {
    if !plan.all_rows().any(|row| row.config.is_some()) {
        return TokenStream::new();
    }
    let (all, no_attribute) = (Ident::new("Configs", Span::call_site()), TokenStream::new());
    let presets: Vec<&PlannedPreset> = plan.presets.iter().filter(|preset| has_configs(preset)).collect();
    let parts: Vec<&PresetNames> = presets.iter().map(|preset| names.preset(&preset.name)).collect();
    let whole = Struct { name: &all, doc: " The config of every row that takes one.", attribute: &no_attribute };
    let whole = whole.of(plan, &plan.rows, &parts, names);
    let of_preset = |(preset, part): (&&PlannedPreset, &&PresetNames)| {
        let doc = format!(" The config of every row of the preset `{}` that takes one.", preset.name);
        Struct { name: &part.configs, doc: &doc, attribute: &quote!(#[derive(Clone)]) }.of(plan, &preset.rows, &[], names)
    };
    let of_presets = presets.iter().zip(&parts).map(of_preset);
    let each = plan.all_rows().filter_map(|row| Some(function(row, row.config.as_ref()?, plan, names)));
    quote!(#whole #(#of_presets)* #(#each)*)
}

/// A struct of configs.
struct Struct<'a> {
    name: &'a Ident,
    doc: &'a str,
    attribute: &'a TokenStream,
}

impl Struct<'_> {
    /// Of the rows that take a config and of the presets that have such rows. The config of a row that is off is not made.
    fn of(&self, plan: &Plan, rows: &[PlannedRow], presets: &[&PresetNames], names: &Names<'_>) -> TokenStream {
        let rows: Vec<_> = rows.iter().filter_map(|row| Some((row, row.config.as_ref()?))).collect();
        let decides = decides(plan);
        let fields = rows.iter().map(|(row, config)| {
            let (ident, item) = (names.row(&row.id), names.item(&config.item));
            if row.may_be_off { quote!(#ident: Option<#item>) } else { quote!(#ident: #item) }
        });
        let values = rows.iter().map(|(row, _)| {
            let (ident, function, place) = (names.row(&row.id), names.config_function(&row.id), names.place(&row.id));
            if row.may_be_off {
                quote!(#ident: rows.is_on(Row::#place as usize).then(|| #function(eval)))
            } else {
                quote!(#ident: #function(eval))
            }
        });
        let preset_fields = presets.iter().map(|PresetNames { field, configs, .. }| quote!(#field: #configs));
        let argument = decides.then(|| quote!(, rows));
        let preset_values = presets.iter().map(|PresetNames { field, configs, .. }| quote!(#field: #configs::resolve(eval #argument)));
        let is_asked = rows.iter().any(|(row, _)| row.may_be_off) || !presets.is_empty();
        let parameter = decides.then(|| if is_asked { quote!(, rows: &Rows) } else { quote!(, _rows: &Rows) });
        let Self { name, doc, attribute } = self;
        quote! {
            #[doc = #doc]
            #attribute
            struct #name { #(#fields,)* #(#preset_fields,)* }

            impl #name {
                fn resolve(eval: &mut Evaluator #parameter) -> Self {
                    Self { #(#values,)* #(#preset_values,)* }
                }
            }
        }
    }
}

fn function(row: &PlannedRow, config: &StructValue, plan: &Plan, names: &Names<'_>) -> TokenStream {
    let (function, ty) = (names.config_function(&row.id), names.item(&config.item));
    let (marker, id, file) = (comment(&provenance(&row.id, &row.config_file)), &row.id, &row.config_file);
    let visible = asks_for_config(plan, row).then(|| quote!(pub(super)));
    let overlay = (!plan.is_sealed).then(|| quote!(if let Some(config) = eval.overlay(#id) { return config; }));
    let literal = Values { names }.structure(config);
    // Where the values of expressions stand, for what is wrong with them.
    let site = reads_machine(config).then(|| quote!(let site = |field| Site { row: #id, field, file: #file };));
    quote! {
        #marker
        #visible fn #function(eval: &mut Evaluator) -> #ty {
            #overlay
            #site
            let config = #literal;
            eval.check(#id, #file, config)
        }
    }
}

/// `row (file#row)`: where something came from, without a line, which would change with every line above it.
pub(super) fn provenance(row: &str, file: &str) -> String {
    format!("{row} ({file}#{row})")
}
