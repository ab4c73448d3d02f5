//! The rows' configs: one function each, and one that calls them all before anything mounts, so that all problems of a start are
//! reported together.

use proc_macro2::TokenStream;
use quote::quote;

use super::comment::comment;
use super::names::Names;
use super::value::Values;
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
    let each = rows.iter().map(|(row, config)| {
        let (function, ty) = (names.config_function(&row.id), names.item(&config.item));
        let literal = Values { names, row: &row.id }.structure(config);
        let (marker, id, file) = (comment(&provenance(row)), &row.id, &row.file);
        quote! {
            #marker
            fn #function(eval: &mut Evaluator) -> #ty {
                let config = #literal;
                eval.check(#id, #file, config)
            }
        }
    });
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

/// `row (file#row)`: where a row came from, without a line, which would change with every line above it.
pub(super) fn provenance(row: &PlannedRow) -> String {
    format!("{} ({}#{})", row.id, row.file, row.id)
}
