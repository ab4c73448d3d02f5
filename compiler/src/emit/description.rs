//! `src/description.rs`: what the binary tells of itself without mounting anything. It is a file of its own, so that a change of a
//! document or a service leaves the wiring's diff alone.

use std::collections::BTreeMap;

use dsh_declare::model::Mode;
use proc_macro2::TokenStream;
use quote::quote;

use super::first_line;
use super::imports::imports;
use super::names::Names;
use super::spaced::spaced;
use crate::check::DocumentedRow;
use crate::plan::{Plan, PlannedTopic, Supply};

/// The file.
///
/// # Panics
/// When what was assembled is no Rust, which is a fault of the compiler.
pub(super) fn description(plan: &Plan) -> String {
    let names = Names::new(plan);
    let composed = quote!(include_str!("composed.yml"));
    let bundles = if plan.documents.bundles == plan.documents.composed { composed.clone() } else { quote!(include_str!("bundles.yml")) };
    let rows = plan.documents.rows.iter().map(|documented| row(documented, plan, &names));
    let (services, events, tools) = (services(plan), plan.topics.iter().map(event), tools(plan, &names));
    let body = quote! {
        /// What the binary tells of itself without mounting anything.
        pub static DESCRIPTION: Description = Description {
            composed: #composed,
            bundles: #bundles,
            rows: &[#(#rows),*],
            services: &[#(#services),*],
            events: &[#(#events),*],
            tools,
        };

        #tools
    };
    let imports = imports(&body);
    let configs = configs(plan, &names);
    let file = quote!(#imports #configs #body);
    let file: syn::File = syn::parse2(file).unwrap_or_else(|error| panic!("the description is no Rust: {error}"));
    format!("// {}\n\n{}", first_line(&plan.profile), spaced(&prettyplease::unparse(&file)))
}

fn row(documented: &DocumentedRow, plan: &Plan, names: &Names<'_>) -> TokenStream {
    let id = &documented.id;
    let plugin = option(documented.plugin.as_ref().map(|plugin| quote!(#plugin)));
    let carried = plan.rows.iter().find(|row| row.id == *id).map(|row| {
        let item = names.item(&plan.plugins[&row.plugin].item);
        if row.config.is_some() { quote!(PluginDescription::configured::<#item>()) } else { quote!(PluginDescription::plain::<#item>()) }
    });
    let (carried, inserted, patched) = (option(carried), &documented.provenance.inserted, &documented.provenance.patched);
    quote! {
        RowDescription { id: #id, plugin: #plugin, carried: #carried, inserted: #inserted, patched: &[#(#patched),*] }
    }
}

/// By key; one that nobody provides is there for those who would take it.
fn services(plan: &Plan) -> Vec<TokenStream> {
    let mut services: BTreeMap<(&str, &str), (Option<&str>, Vec<&str>)> = BTreeMap::new();
    let key = |id: &str| plan.service_keys.get_key_value(id).map(|(id, key)| (key.as_str(), id.as_str()));
    for row in &plan.rows {
        for id in &plan.plugins[&row.plugin].provides {
            services.entry(key(id).unwrap_or((id, id))).or_default().0 = Some(&row.id);
        }
        for injected in &row.injects {
            let (Supply::Service { service, .. } | Supply::Absent(service)) = &injected.supply else { continue };
            let service = service.to_string();
            let Some(key) = key(&service) else { continue };
            let consumers = &mut services.entry(key).or_default().1;
            if !consumers.contains(&row.id.as_str()) {
                consumers.push(&row.id);
            }
        }
    }
    let service = |((key, id), (provider, consumers)): (_, (Option<&str>, Vec<&str>))| {
        let provider = option(provider.map(|row| quote!(#row)));
        quote!(ServiceDescription { key: #key, id: #id, provider: #provider, consumers: &[#(#consumers),*] })
    };
    services.into_iter().map(service).collect()
}

fn event(topic: &PlannedTopic) -> TokenStream {
    let (name, id, dispatchers) = (&topic.name, topic.event.to_string(), &topic.dispatchers);
    let listeners = topic.listeners.iter().map(|heard| &heard.row);
    let mode = match topic.mode {
        Mode::Emit => "emit",
        Mode::Parallel => "parallel",
        Mode::Serial => "serial",
        Mode::Waterfall => "waterfall",
    };
    quote! {
        EventDescription { name: #name, id: #id, mode: #mode, dispatchers: &[#(#dispatchers),*], listeners: &[#(#listeners),*] }
    }
}

/// The function that describes the tools under the configs of their rows.
fn tools(plan: &Plan, names: &Names<'_>) -> TokenStream {
    let rows = plan.contributions.iter().map(|contribution| {
        let row = plan.rows.iter().find(|row| row.id == contribution.row).unwrap_or_else(|| panic!("a tool is of a row that mounts"));
        let registry = plan.rows.iter().find(|row| row.id == contribution.registry).unwrap_or_else(|| panic!("a registry is a row"));
        let (item, registry) = (names.item(&plan.plugins[&row.plugin].item), names.item(&plan.plugins[&registry.plugin].item));
        let config = if row.config.is_some() {
            let function = names.config_function(&row.id);
            quote!(#function(eval))
        } else {
            quote!(NoConfig {})
        };
        let id = &row.id;
        quote!(tools.extend(#registry::describe::<#item>(#id, &#config));)
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return quote! {
            fn tools(_eval: &mut Evaluator) -> Vec<ToolDescription> {
                Vec::new()
            }
        };
    }
    let eval = if plan.contributions.iter().any(|contribution| has_config(plan, &contribution.row)) { quote!(eval) } else { quote!(_eval) };
    quote! {
        fn tools(#eval: &mut Evaluator) -> Vec<ToolDescription> {
            let mut tools = Vec::new();
            #(#rows)*
            tools
        }
    }
}

fn has_config(plan: &Plan, row: &str) -> bool {
    plan.rows.iter().any(|planned| planned.id == row && planned.config.is_some())
}

/// The import of the functions that make the configs of rows with tools.
fn configs(plan: &Plan, names: &Names<'_>) -> TokenStream {
    let rows = plan.contributions.iter().filter(|contribution| has_config(plan, &contribution.row));
    let functions: Vec<_> = rows.map(|contribution| names.config_function(&contribution.row)).collect();
    match functions.as_slice() {
        [] => TokenStream::new(),
        [function] => quote!(use super::wiring::#function;),
        functions => quote!(use super::wiring::{#(#functions),*};),
    }
}

fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(|| quote!(None), |value| quote!(Some(#value)))
}
