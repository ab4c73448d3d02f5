//! The mount function: rows in mount order, then listeners, then tools, then presets and the ways in.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Names, in_row_order};
use super::presets;
use super::row::Rows;
use crate::plan::{Plan, Supply};

/// The places of rows, the topics, and the functions that mount everything.
pub(super) fn mount(plan: &Plan, names: &Names<'_>) -> TokenStream {
    let prelude = prelude(plan);
    let used = used_rows(plan);
    let rows = Rows { plan, names, rows: &plan.rows, contributions: &plan.contributions, used: &used };
    let (mounted, listeners, contributions) = (rows.mounted(), rows.listeners(), rows.contributed());
    let offers = presets::offers(plan, names);
    let serve = plan.serve.iter().map(|row| (row, quote!(serve)));
    let verbs = plan.verbs.iter().map(|entry| (&entry.row, quote!(verbs)));
    let entries = serve.chain(verbs).map(|(row, way)| {
        let row = names.row(row);
        quote!(.#way(&#row))
    });
    let (places, topics, presets) = (places(plan, names), topics(plan, names), presets::presets(plan, names));
    quote! {
        #places

        #topics

        /// Mounts the composition.
        pub fn mount(boot: &mut Boot) -> BoxFuture<'_, Result<Entries, BootError>> {
            Box::pin(mount_rows(boot))
        }

        async fn mount_rows(boot: &mut Boot) -> Result<Entries, BootError> {
            #prelude
            #mounted
            #listeners
            #contributions
            #offers
            Ok(boot.finish()#(#entries)*)
        }

        #presets
    }
}

/// Whether some row may be off, so that the wiring decides which are on.
pub(super) fn decides(plan: &Plan) -> bool {
    plan.all_rows().any(|row| row.may_be_off)
}

fn prelude(plan: &Plan) -> TokenStream {
    let has_configs = plan.all_rows().any(|row| row.config.is_some());
    let configs = match (decides(plan), has_configs) {
        (true, true) => quote!(let configs = boot.resolve(&GRAPH, Configs::resolve)?;),
        (true, false) => quote!(boot.resolve(&GRAPH, |_, _| ())?;),
        (false, true) => quote!(let configs = boot.configure(Configs::resolve)?;),
        (false, false) => TokenStream::new(),
    };
    let topics = (!plan.topics.is_empty()).then(|| quote!(let topics = Topics::default();));
    quote!(#configs #topics)
}

/// A row that is put between others changes one line here, and no number elsewhere.
fn places(plan: &Plan, names: &Names<'_>) -> TokenStream {
    if plan.all_rows().next().is_none() {
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
    let clone = plan.presets.iter().any(|preset| presets::asks_topics(plan, preset)).then(|| quote!(Clone,));
    quote! {
        /// The events that a row dispatches or hears.
        #[derive(#clone Default)]
        struct Topics { #(#fields),* }
    }
}

/// Rows that something after their own statement names.
fn used_rows(plan: &Plan) -> BTreeSet<&str> {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for row in plan.all_rows() {
        used.extend(row.injects.iter().flat_map(|injected| match &injected.supply {
            Supply::Service { rows, .. } => rows.iter().map(String::as_str).collect(),
            Supply::Absent(_) | Supply::Dispatcher(_) => Vec::new(),
        }));
    }
    used.extend(plan.topics.iter().flat_map(|topic| &topic.listeners).map(|heard| heard.row.as_str()));
    for contribution in plan.all_contributions() {
        used.insert(&contribution.row);
        used.extend(contribution.registries.iter().map(String::as_str));
    }
    used.extend(plan.serve.iter().map(String::as_str));
    used.extend(plan.verbs.iter().map(|entry| entry.row.as_str()));
    used
}
