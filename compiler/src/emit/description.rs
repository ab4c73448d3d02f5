//! `src/description.rs`: what the binary tells of itself without mounting anything. It is a file of its own, so that a change of a
//! document or a service leaves the wiring's diff alone.

use std::collections::BTreeMap;

use dsh_declare::model::Mode;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::first_line;
use super::freshness::hexadecimal;
use super::has_bundles_of_its_own;
use super::imports::imports;
use super::mount::decides;
use super::names::Names;
use super::spaced::spaced;
use crate::build::CARGO_PROFILE;
use crate::check::DocumentedRow;
use crate::plan::{Contribution, Plan, PlannedHost, PlannedRow, PlannedTopic, Read, Supply, Surroundings};

/// The file.
///
/// # Panics
/// When what was assembled is no Rust, which is a fault of the compiler.
pub(super) fn description(plan: &Plan) -> String {
    let names = Names::new(plan);
    let composed = quote!(include_str!("composed.yml"));
    let bundles = if has_bundles_of_its_own(plan) { quote!(include_str!("bundles.yml")) } else { composed.clone() };
    let rows = plan.documents.rows.iter().map(|documented| documented_row(documented, plan, &names));
    let frame = hexadecimal(plan.frame_digest);
    let graph = option(decides(plan).then(|| quote!(&GRAPH)));
    let (services, events) = (services(plan), plan.topics.iter().map(event));
    let (surroundings, tools, prompt) = (surroundings(plan), tools(plan, &names), prompt(plan, &names));
    let hosts =
        plan.hosts.iter().map(|PlannedHost { row, host, meaning }| quote!(HostDescription { row: #row, host: #host, meaning: #meaning }));
    let variable = CARGO_PROFILE;
    let body = quote! {
        /// What the binary tells of itself without mounting anything.
        pub static DESCRIPTION: Description = Description {
            composed: #composed,
            bundles: #bundles,
            frame: #frame,
            surroundings: #surroundings,
            graph: #graph,
            rows: &[#(#rows),*],
            services: &[#(#services),*],
            events: &[#(#events),*],
            tools,
            prompt,
            hosts: &[#(#hosts),*],
            components: include_str!("components.txt"),
            notices: include_str!("notices.txt"),
            cargo_profile: option_env!(#variable),
        };

        #tools

        #prompt
    };
    let imports = imports(&body);
    let configs = configs(plan, &names);
    let file = quote!(#imports #configs #body);
    let file: syn::File = syn::parse2(file).unwrap_or_else(|error| panic!("the description is no Rust: {error}"));
    format!("// {}\n\n{}", first_line(&plan.profile), spaced(&prettyplease::unparse(&file)))
}

fn documented_row(documented: &DocumentedRow, plan: &Plan, names: &Names<'_>) -> TokenStream {
    let id = &documented.id;
    let plugin = option(documented.plugin.as_ref().map(|plugin| quote!(#plugin)));
    let carried = plan.all_rows().find(|row| row.id == *id).map(|row| {
        let item = names.item(&plan.plugins[&row.plugin].item);
        let of = if row.config.is_some() { quote!(configured) } else { quote!(plain) };
        let (digest, groups) = (hexadecimal(plan.row_digests[id]), &row.groups);
        let off_when = option(row.disabled.as_ref().map(|disabled| &disabled.text).map(|text| quote!(#text)));
        quote!(Carried { plugin: PluginDescription::#of::<#item>(), digest: #digest, groups: &[#(#groups),*], off_when: #off_when })
    });
    let (carried, inserted, patched) = (option(carried), &documented.provenance.inserted, &documented.provenance.patched);
    quote! {
        RowDescription { id: #id, plugin: #plugin, carried: #carried, inserted: #inserted, patched: &[#(#patched),*] }
    }
}

/// What the composition reads of the surroundings.
fn surroundings(plan: &Plan) -> TokenStream {
    let Surroundings { set, expressions, secrets } = &plan.surroundings;
    let set = set.iter().map(|(name, value)| quote!((#name, #value)));
    let read = |Read { name, row, field }: &Read| quote!(ReadDescription { name: #name, row: #row, field: #field });
    let (expressions, secrets) = (expressions.iter().map(read), secrets.iter().map(read));
    quote! {
        SurroundingsDescription { set: &[#(#set),*], expressions: &[#(#expressions),*], secrets: &[#(#secrets),*] }
    }
}

/// Who provides a service and who takes it.
#[derive(Default)]
struct Service<'p> {
    providers: Vec<&'p str>,
    consumers: Vec<&'p str>,
}

/// By key; one that nobody provides is there for those who would take it.
fn services(plan: &Plan) -> Vec<TokenStream> {
    let mut services: BTreeMap<(&str, &str), Service<'_>> = BTreeMap::new();
    let key = |id: &str| plan.service_keys.get_key_value(id).map(|(id, key)| (key.as_str(), id.as_str()));
    for row in plan.all_rows() {
        for id in &plan.plugins[&row.plugin].provides {
            services.entry(key(id).unwrap_or((id, id))).or_default().providers.push(&row.id);
        }
        for injected in &row.injects {
            let (Supply::Service { service, .. } | Supply::Absent(service)) = &injected.supply else { continue };
            let service = service.to_string();
            let Some(key) = key(&service) else { continue };
            let consumers = &mut services.entry(key).or_default().consumers;
            if !consumers.contains(&row.id.as_str()) {
                consumers.push(&row.id);
            }
        }
    }
    let service = |((key, id), Service { providers, consumers }): ((&str, &str), Service<'_>)| quote!(ServiceDescription { key: #key, id: #id, providers: &[#(#providers),*], consumers: &[#(#consumers),*] });
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
    let of_row = |contribution: &Contribution| {
        // All rows that may be the registry have the same plugin: the registry is a type.
        let registry = contribution.registries.first()?;
        let registry = names.item(&plan.plugins[&row(plan, registry).plugin].item);
        Some(described(&quote!(#registry::describe), row(plan, &contribution.row), plan, names))
    };
    collecting(&quote!(tools), &quote!(ToolDescription), plan.all_contributions().filter_map(of_row).collect())
}

/// The function that describes the prompt under the configs of the rows that add to it.
fn prompt(plan: &Plan, names: &Names<'_>) -> TokenStream {
    let rows = plan.prompts.iter().map(|id| described(&quote!(prompt_of), row(plan, id), plan, names));
    collecting(&quote!(prompt), &quote!(PromptDescription), rows.collect())
}

fn row<'p>(plan: &'p Plan, id: &str) -> &'p PlannedRow {
    plan.all_rows().find(|row| row.id == id).unwrap_or_else(|| panic!("the row `{id}` is planned"))
}

/// What a row contributes under its config.
fn described(describe: &TokenStream, row: &PlannedRow, plan: &Plan, names: &Names<'_>) -> TokenStream {
    let (id, item) = (&row.id, names.item(&plan.plugins[&row.plugin].item));
    let config = match &row.config {
        Some(_) => {
            let function = names.config_function(&row.id);
            quote!(#function(eval))
        }
        None => quote!(NoConfig {}),
    };
    quote!(if on(#id) { #describe::<#item>(#id, &#config) } else { Vec::new() })
}

fn collecting(function: &TokenStream, ty: &TokenStream, parts: Vec<TokenStream>) -> TokenStream {
    let asks = parts.iter().any(|part| part.to_string().contains("(eval)"));
    let eval = if asks { quote!(eval) } else { quote!(_eval) };
    let body = if parts.is_empty() { quote!(Vec::new()) } else { quote!([#(#parts),*].concat()) };
    let on = if parts.is_empty() { quote!(_on) } else { quote!(on) };
    quote! {
        fn #function(#eval: &mut Evaluator, #on: &dyn Fn(&str) -> bool) -> Vec<#ty> { #body }
    }
}

/// Whether the description asks for a row's config.
pub(super) fn asks_for_config(plan: &Plan, row: &PlannedRow) -> bool {
    let has_tools = plan.all_contributions().any(|contribution| contribution.row == row.id);
    row.config.is_some() && (has_tools || plan.prompts.contains(&row.id))
}

/// The import of the functions that make the configs that the description asks for.
fn configs(plan: &Plan, names: &Names<'_>) -> TokenStream {
    let rows = plan.all_rows().filter(|row| asks_for_config(plan, row));
    let mut functions: Vec<_> = rows.map(|row| names.config_function(&row.id)).collect();
    functions.extend(decides(plan).then(|| Ident::new("GRAPH", Span::call_site())));
    match functions.as_slice() {
        [] => TokenStream::new(),
        [function] => quote!(use super::wiring::#function;),
        functions => quote!(use super::wiring::{#(#functions),*};),
    }
}

fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(|| quote!(None), |value| quote!(Some(#value)))
}
