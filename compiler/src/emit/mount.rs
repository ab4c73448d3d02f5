//! The mount function: rows in mount order, then listeners, then tools, then the ways in.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::comment::comment;
use super::configs::provenance;
use super::names::{Names, in_row_order, member};
use crate::plan::{Contribution, Plan, PlannedRow, PlannedTopic, Supply};

/// The topics, and the functions that mount everything.
pub(super) fn mount(plan: &Plan, names: &Names<'_>) -> TokenStream {
    let prelude = prelude(plan);
    let used = used_rows(plan);
    let rows = plan.rows.iter().map(|row| mount_row(plan, row, &used, names));
    let (listeners, contributions) = (listeners(plan, names), contributions(plan, names));
    let serve = plan.serve.iter().map(|row| (row, quote!(serve)));
    let verbs = plan.verbs.iter().map(|entry| (&entry.row, quote!(verbs)));
    let entries = serve.chain(verbs).map(|(row, way)| {
        let row = names.row(row);
        quote!(.#way(&#row))
    });
    let (places, topics) = (places(plan, names), topics(plan, names));
    quote! {
        #places

        #topics

        /// Mounts the composition.
        pub fn mount(boot: &mut Boot) -> BoxFuture<'_, Result<Entries, BootError>> {
            Box::pin(mount_rows(boot))
        }

        async fn mount_rows(boot: &mut Boot) -> Result<Entries, BootError> {
            #prelude
            #(#rows)*
            #listeners
            #contributions
            Ok(boot.finish()#(#entries)*)
        }
    }
}

fn prelude(plan: &Plan) -> TokenStream {
    let configs = plan.rows.iter().any(|row| row.config.is_some()).then(|| quote!(let configs = boot.configure(Configs::resolve)?;));
    let topics = (!plan.topics.is_empty()).then(|| quote!(let topics = Topics::default();));
    quote!(#configs #topics)
}

/// A row that is put between others changes one line here, and no number elsewhere.
fn places(plan: &Plan, names: &Names<'_>) -> TokenStream {
    if plan.rows.is_empty() {
        return TokenStream::new();
    }
    let rows = in_row_order(plan).into_iter().map(|id| names.place(id));
    quote! {
        /// The rows in the order of the composition, in which listeners of one event run.
        enum Row { #(#rows),* }
    }
}

fn topics(plan: &Plan, names: &Names<'_>) -> TokenStream {
    if plan.topics.is_empty() {
        return TokenStream::new();
    }
    let fields = plan.topics.iter().map(|topic| {
        let (field, event, doc) = (names.topic(&topic.event), names.item(&topic.event), format!(" `{}`", topic.name));
        quote!(#[doc = #doc] #field: Topic<#event>)
    });
    quote! {
        /// The events that a row dispatches or hears.
        #[derive(Default)]
        struct Topics { #(#fields),* }
    }
}

/// Rows that something after their own statement names.
fn used_rows(plan: &Plan) -> BTreeSet<&str> {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for row in &plan.rows {
        used.extend(row.injects.iter().filter_map(|injected| match &injected.supply {
            Supply::Service { row, .. } => Some(row.as_str()),
            Supply::Absent(_) | Supply::Dispatcher(_) => None,
        }));
    }
    used.extend(plan.topics.iter().flat_map(|topic| &topic.listeners).map(|heard| heard.row.as_str()));
    used.extend(plan.contributions.iter().flat_map(|contribution| [contribution.row.as_str(), contribution.registry.as_str()]));
    used.extend(plan.serve.as_deref());
    used.extend(plan.verbs.iter().map(|entry| entry.row.as_str()));
    used
}

fn mount_row(plan: &Plan, row: &PlannedRow, used: &BTreeSet<&str>, names: &Names<'_>) -> TokenStream {
    let plugin = &plan.plugins[&row.plugin];
    let (ident, item, marker) = (names.row(&row.id), names.item(&plugin.item), comment(&provenance(&row.id, &row.file)));
    // What nothing names is kept to the end of the function all the same, like the rest.
    let variable = if used.contains(row.id.as_str()) { ident.clone() } else { Ident::new(&format!("_{ident}"), Span::call_site()) };
    let config = if row.config.is_some() { quote!(configs.#ident) } else { quote!(NoConfig {}) };
    let inject = match &plugin.inject {
        Some(inject) => {
            let (inject, fields) = (names.item(inject), inject_fields(row, names));
            quote!(#inject { #(#fields),* })
        }
        None => quote!(NoInject {}),
    };
    let (place, id) = (names.place(&row.id), &row.id);
    quote! {
        #marker
        let #variable: Mounted<#item> = boot.mount(Row::#place as usize, #id, #config, #inject).await?;
    }
}

fn inject_fields(row: &PlannedRow, names: &Names<'_>) -> Vec<TokenStream> {
    let field = |name: &str, supply: &Supply| {
        let name = member(name);
        let value = match supply {
            Supply::Service { row, optional, .. } => {
                let row = names.row(row);
                if *optional { quote!(Some(#row.plugin())) } else { quote!(#row.plugin()) }
            }
            Supply::Absent(_) => quote!(None),
            Supply::Dispatcher(event) => {
                let topic = names.topic(event);
                quote!(topics.#topic.dispatcher())
            }
        };
        quote!(#name: #value)
    };
    row.injects.iter().map(|injected| field(&injected.field, &injected.supply)).collect()
}

fn listeners(plan: &Plan, names: &Names<'_>) -> TokenStream {
    let of_topic = |topic: &PlannedTopic| {
        let field = names.topic(&topic.event);
        let rows: Vec<_> = topic.listeners.iter().map(|heard| names.row(&heard.row)).collect();
        quote!(#(topics.#field.attach(&#rows);)*)
    };
    section("listeners, of each event in the order in which they run", plan.topics.iter().map(of_topic))
}

fn contributions(plan: &Plan, names: &Names<'_>) -> TokenStream {
    let of_row = |contribution: &Contribution| {
        let (row, registry) = (names.row(&contribution.row), names.row(&contribution.registry));
        quote!(contributed(#row.context(), #registry.plugin().contribute(&#row))?;)
    };
    section("tools", plan.contributions.iter().map(of_row))
}

/// Statements under a comment; nothing when there are none.
fn section(title: &str, statements: impl Iterator<Item = TokenStream>) -> TokenStream {
    let statements: TokenStream = statements.collect();
    let title = comment(title);
    if statements.is_empty() { TokenStream::new() } else { quote!(#title #statements) }
}
