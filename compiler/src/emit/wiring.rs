//! The wiring: assembled from its parts and formatted.

use quote::quote;

use super::configs::configs;
use super::first_line;
use super::freshness::freshness;
use super::graph::graph;
use super::identity::identity;
use super::imports::imports;
use super::mount::mount;
use super::names::Names;
use super::spaced::spaced;
use crate::plan::Plan;

/// `src/wiring.rs`.
///
/// # Panics
/// When what was assembled is no Rust, which is a fault of the compiler.
pub(super) fn wiring(plan: &Plan) -> String {
    let names = Names::new(plan);
    let (identity, graph, mount) = (identity(plan, &names), graph(plan, &names), mount(plan, &names));
    let (configs, freshness) = (configs(plan, &names), freshness(plan, &names));
    let body = quote!(#identity #mount #configs #graph #freshness);
    let imports = imports(&body);
    let file: syn::File = syn::parse2(quote!(#imports #body)).unwrap_or_else(|error| panic!("the wiring is no Rust: {error}"));
    format!("// {}\n\n{}", first_line(&plan.profile), spaced(&prettyplease::unparse(&file)))
}
