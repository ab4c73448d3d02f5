//! The rows of a composition or of a preset: a statement for each, then their listeners and tools.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::comment::comment;
use super::configs::provenance;
use super::names::{Names, member};
use crate::plan::{Contribution, Plan, PlannedRow, PlannedTopic, Supply};

/// Rows that one function mounts.
pub(super) struct Rows<'a> {
    pub plan: &'a Plan,
    pub names: &'a Names<'a>,
    /// In mount order.
    pub rows: &'a [PlannedRow],
    /// Their tools.
    pub contributions: &'a [Contribution],
    /// Rows that something after their own statement names.
    pub used: &'a BTreeSet<&'a str>,
}

impl Rows<'_> {
    /// One statement for each row.
    pub fn mounted(&self) -> TokenStream {
        self.rows.iter().map(|row| self.statement(row)).collect()
    }

    fn statement(&self, row: &PlannedRow) -> TokenStream {
        let plugin = &self.plan.plugins[&row.plugin];
        let (ident, item) = (self.names.row(&row.id), self.names.item(&plugin.item));
        let marker = comment(&provenance(&row.id, &row.file));
        // What nothing names is kept to the end of the function all the same, like the rest.
        let is_used = self.used.contains(row.id.as_str());
        let variable = if is_used { ident.clone() } else { Ident::new(&format!("_{ident}"), Span::call_site()) };
        let inject = match &plugin.inject {
            Some(inject) => {
                let (inject, fields) = (self.names.item(inject), self.inject_fields(row));
                quote!(#inject { #(#fields),* })
            }
            None => quote!(NoInject {}),
        };
        let (place, id) = (self.names.place(&row.id), &row.id);
        let (mounted, mount) = match (row.may_be_off, row.config.is_some()) {
            (false, true) => (quote!(Mounted<#item>), quote!(mount(Row::#place as usize, #id, configs.#ident, #inject))),
            (false, false) => (quote!(Mounted<#item>), quote!(mount(Row::#place as usize, #id, NoConfig {}, #inject))),
            (true, true) => {
                let given = quote!(|| Some((configs.#ident?, #inject)));
                (quote!(Option<Mounted<#item>>), quote!(mount_if_on(Row::#place as usize, #id, #given)))
            }
            (true, false) => {
                let given = quote!(|| Some((NoConfig {}, #inject)));
                (quote!(Option<Mounted<#item>>), quote!(mount_if_on(Row::#place as usize, #id, #given)))
            }
        };
        quote! {
            #marker
            let #variable: #mounted = boot.#mount.await?;
        }
    }

    fn inject_fields(&self, row: &PlannedRow) -> Vec<TokenStream> {
        let field = |name: &str, supply: &Supply| {
            let name = member(name);
            let value = match supply {
                Supply::Service { rows, optional: false, .. } => self.required(rows),
                Supply::Service { rows, optional: true, is_trait, .. } => self.optional(rows, *is_trait),
                Supply::Absent(_) => quote!(None),
                Supply::Dispatcher(event) => {
                    let topic = self.names.topic(event);
                    quote!(topics.#topic.dispatcher())
                }
            };
            quote!(#name: #value)
        };
        row.injects.iter().map(|injected| field(&injected.field, &injected.supply)).collect()
    }

    /// The service of the first row that is on. For a row that is on there is one.
    fn required(&self, rows: &[String]) -> TokenStream {
        match rows {
            [first, ..] if !self.may_be_off(first) => {
                let row = self.names.row(first);
                quote!(#row.plugin())
            }
            [only] => {
                let row = self.names.row(only);
                quote!(#row.as_ref()?.plugin())
            }
            several => self.first_on(several, &quote!(row.plugin()), &quote!(return None)),
        }
    }

    fn optional(&self, rows: &[String], is_trait: bool) -> TokenStream {
        match rows {
            [first, ..] if !self.may_be_off(first) => {
                let row = self.names.row(first);
                quote!(Some(#row.plugin()))
            }
            [only] => {
                let row = self.names.row(only);
                if is_trait { quote!(#row.as_ref().map(|row| row.plugin() as _)) } else { quote!(#row.as_ref().map(Mounted::plugin)) }
            }
            several => self.first_on(several, &quote!(Some(row.plugin())), &quote!(None)),
        }
    }

    /// `match (&one, &other) { (Some(row), _) => …, (_, Some(row)) => …, _ => none }`
    fn first_on(&self, rows: &[String], found: &TokenStream, none: &TokenStream) -> TokenStream {
        // A row that is always on ends the search.
        let certain = rows.iter().position(|row| !self.may_be_off(row));
        let uncertain = &rows[..certain.unwrap_or(rows.len())];
        let idents: Vec<&Ident> = uncertain.iter().map(|row| self.names.row(row)).collect();
        let arms = (0..idents.len()).map(|at| {
            let patterns = (0..idents.len()).map(|other| if other == at { quote!(Some(row)) } else { quote!(_) });
            quote!((#(#patterns),*) => #found)
        });
        let last = match certain {
            Some(at) => {
                let row = self.names.row(&rows[at]);
                quote!({ let row = &#row; #found })
            }
            None => none.clone(),
        };
        match idents.as_slice() {
            [only] => quote!(match &#only { Some(row) => #found, None => #last }),
            _ => quote!(match (#(&#idents),*) { #(#arms,)* _ => #last }),
        }
    }

    fn may_be_off(&self, id: &str) -> bool {
        self.plan.all_rows().any(|row| row.id == id && row.may_be_off)
    }

    fn holds(&self, id: &str) -> bool {
        self.rows.iter().any(|row| row.id == id)
    }

    /// What attaches the listeners.
    pub fn listeners(&self) -> TokenStream {
        let of_topic = |topic: &PlannedTopic| {
            let field = self.names.topic(&topic.event);
            let own = topic.listeners.iter().filter(|heard| self.holds(&heard.row));
            let rows: Vec<_> = own.map(|heard| self.names.row(&heard.row)).collect();
            quote!(#(topics.#field.attach(&#rows);)*)
        };
        section("listeners, of each event in the order in which they run", self.plan.topics.iter().map(of_topic))
    }

    /// What registers the tools.
    pub fn contributed(&self) -> TokenStream {
        section("tools", self.contributions.iter().map(|contribution| self.contribution(contribution)))
    }

    fn contribution(&self, Contribution { row: id, registries, .. }: &Contribution) -> TokenStream {
        let row = self.names.row(id);
        let registry = match registries.as_slice() {
            [first, ..] if !self.may_be_off(first) => {
                let registry = self.names.row(first);
                if !self.may_be_off(id) {
                    return quote!(contributed(#row.context(), #registry.plugin().contribute(&#row))?;);
                }
                quote!(Some(&#registry))
            }
            several => {
                let each = several.iter().map(|registry| {
                    let ident = self.names.row(registry);
                    if self.may_be_off(registry) { quote!(#ident.as_ref()) } else { quote!(Some(&#ident)) }
                });
                each.reduce(|first, next| quote!(#first.or(#next))).unwrap_or_else(|| quote!(None))
            }
        };
        let row = if self.may_be_off(id) { quote!(#row.as_ref()) } else { quote!(Some(&#row)) };
        quote! {
            if let (Some(registry), Some(row)) = (#registry, #row) {
                contributed(row.context(), registry.plugin().contribute(row))?;
            }
        }
    }
}

/// Statements under a comment; nothing when there are none.
pub(super) fn section(title: &str, statements: impl Iterator<Item = TokenStream>) -> TokenStream {
    let statements: TokenStream = statements.collect();
    let title = comment(title);
    if statements.is_empty() { TokenStream::new() } else { quote!(#title #statements) }
}
