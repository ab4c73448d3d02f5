//! The rows' configs: one function each, and one that calls them all before anything mounts, so that all problems of a start are
//! reported together.

use proc_macro2::TokenStream;
use quote::quote;

use super::comment::comment;
use super::description::asks_for_config;
use super::names::Names;
use super::value::{Values, reads_machine};
use crate::check::StructValue;
use crate::plan::{Plan, PlannedRow};

/// The struct of all configs and the functions that make them; nothing when no row has a config.
pub(super) fn configs(plan: &Plan, names: &Names<'_>) -> TokenStream {
    let rows: Vec<_> = plan.rows.iter().filter_map(|row| Some((row, row.config.as_ref()?))).collect();
    if rows.is_empty() {
        return TokenStream::new();
    }
    let idents: Vec<_> = rows.iter().map(|(row, _)| names.row(&row.id)).collect();
    let types = rows.iter().map(|(_, config)| names.item(&config.item));
    let functions = rows.iter().map(|(row, _)| names.config_function(&row.id));
    let each = rows.iter().map(|(row, config)| function(row, config, asks_for_config(plan, row), names));
    quote! {
        /// The config of every row that takes one.
        struct Configs { #(#idents: #types),* }

        impl Configs {
            fn resolve(eval: &mut Evaluator) -> Self {
                Self { #(#idents: #functions(eval)),* }
            }
        }

        #(#each)*
    }
}

fn function(row: &PlannedRow, config: &StructValue, is_asked: bool, names: &Names<'_>) -> TokenStream {
    let (function, ty) = (names.config_function(&row.id), names.item(&config.item));
    let (marker, id, file) = (comment(&provenance(&row.id, &row.config_file)), &row.id, &row.config_file);
    let visible = is_asked.then(|| quote!(pub(super)));
    let literal = Values { names }.structure(config);
    // Where the values of expressions stand, for what is wrong with them.
    let site = reads_machine(config).then(|| quote!(let site = |field| Site { row: #id, field, file: #file };));
    quote! {
        #marker
        #visible fn #function(eval: &mut Evaluator) -> #ty {
            if let Some(config) = eval.overlay(#id) {
                return config;
            }
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
