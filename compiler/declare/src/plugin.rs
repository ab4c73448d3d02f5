//! `#[plugin(…)] impl Type`: everything that a plugin contributes.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, ImplItem, ImplItemFn, Item, ItemImpl, LitStr, Token, Type, parenthesized};

use crate::arguments::{literal_text, or_field, read_arguments, unknown_key, within};
use crate::digest::{canonical_text, item_digest};
use crate::inject::{plain_path, service_path};
use crate::item::{doc, is_method_attribute, refuse_cfg, refuse_generics};
use crate::listener::read_listener;
use crate::model::{FromConfig, PluginDecl, ReachDecl, TakesDecl, Text};
use crate::mount::read_mount;
use crate::problems::{Parsed, Problems};
use crate::prompt::check_prompt;
use crate::reach::reach;
use crate::tool::read_tool;
use crate::verb::{check_entry, read_verb};

const KEYS: [&str; 7] = ["provides", "takes", "platforms", "hosts", "writes", "invariants", "guards"];

/// Reads a plugin from the attribute's arguments and the `impl` block below it.
#[must_use]
pub fn parse(arguments: TokenStream, item: &Item) -> Parsed<PluginDecl> {
    let mut problems = Problems::default();
    let digest = item_digest("plugin", &arguments, item);
    let given = read(arguments, &mut problems);
    let Item::Impl(block) = item else {
        problems.at(item, "`#[plugin]` stands on the `impl` block of the plugin's type");
        return Parsed::new(None, problems);
    };
    let Some(name) = type_name(block, &mut problems) else { return Parsed::new(None, problems) };
    let mut decl = PluginDecl {
        name,
        provides: given.provides,
        takes: given.takes,
        platforms: given.platforms,
        hosts: given.hosts,
        writes: given.writes,
        invariants: given.invariants,
        guards: given.guards,
        config: None,
        inject: None,
        listeners: Vec::new(),
        tools: Vec::new(),
        prompt: None,
        prompt_doc: String::new(),
        serve: None,
        verbs: Vec::new(),
        doc: doc(&block.attrs),
        digest,
    };
    let mut mount = None;
    for member in &block.items {
        match member {
            ImplItem::Fn(function) if function.sig.ident == "mount" => mount = Some(function),
            ImplItem::Fn(function) => read_method(function, block, &mut decl, &mut problems),
            _ => {}
        }
    }
    match mount {
        Some(function) => read_mount(function, &mut decl, &mut problems),
        None => problems.at(
            &decl.name,
            "a plugin has `pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError>`; \
             `config` and `inject` may be left out",
        ),
    }
    refuse_repeated(&decl, &mut problems);
    Parsed::new(Some(decl), problems)
}

/// The attribute's own arguments.
#[derive(Default)]
struct Given {
    provides: Vec<Type>,
    takes: Vec<TakesDecl>,
    platforms: Vec<Text>,
    hosts: Vec<ReachDecl>,
    writes: Vec<ReachDecl>,
    invariants: Vec<Text>,
    guards: Vec<Text>,
}

fn read(tokens: TokenStream, problems: &mut Problems) -> Given {
    let mut given = Given::default();
    let mut wrong = Problems::default();
    read_arguments(tokens, problems, |key, input| {
        match key.to_string().as_str() {
            "provides" => given.provides = list(input, Type::parse)?,
            "takes" => given.takes = list(input, taken)?,
            "platforms" => given.platforms = list(input, literal_text)?,
            "hosts" => given.hosts = list(input, reach)?,
            "writes" => given.writes = list(input, reach)?,
            "invariants" => given.invariants = list(input, literal_text)?,
            "guards" => given.guards = list(input, literal_text)?,
            _ => return Err(unknown_key(key, &KEYS)),
        }
        Ok(())
    });
    for TakesDecl { service, .. } in &given.takes {
        if service_path(service).is_none() {
            wrong.at(service, "expected a service: `dyn Trait` or a type");
        }
    }
    for (at, service) in given.provides.iter().enumerate() {
        if service_path(service).is_none() {
            wrong.at(service, "expected `dyn Trait` or the plugin's own type");
        }
        let text = canonical_text(service.to_token_stream());
        if given.provides[..at].iter().any(|other| canonical_text(other.to_token_stream()) == text) {
            wrong.at(service, "the service is listed twice");
        }
    }
    if let Some(error) = wrong.into_error() {
        problems.add(error);
    }
    given
}

/// Reads `Service = "…"` or `Service = config.<field>`.
fn taken(input: ParseStream) -> Result<TakesDecl, Error> {
    let service: Type = input.parse()?;
    if !input.peek(Token![=]) {
        return Err(Error::new_spanned(service, "what is taken follows the service: `Service = \"…\"` or `Service = config.<field>`"));
    }
    Ok(TakesDecl { service, what: or_field(input, |input| input.peek(LitStr), literal_text)? })
}

/// Reads `(a, b, …)`.
fn list<T>(input: ParseStream, read: fn(ParseStream) -> Result<T, Error>) -> Result<Vec<T>, Error> {
    let inside;
    parenthesized!(inside in input);
    let items = within(&inside, |inside| Punctuated::<T, Token![,]>::parse_terminated_with(inside, read))?;
    Ok(items.into_iter().collect())
}

fn type_name(block: &ItemImpl, problems: &mut Problems) -> Option<Ident> {
    refuse_generics(&block.generics, problems);
    refuse_cfg(&block.attrs, problems);
    if let Some((path, _)) = &block.trait_ {
        problems.at(path, "`#[plugin]` stands on an inherent `impl` block");
    }
    let name = plain_path(&block.self_ty).and_then(|path| path.get_ident());
    if name.is_none() {
        problems.at(&block.self_ty, "`#[plugin]` stands beside its type: expected the type's name");
    }
    name.cloned()
}

fn read_method(function: &ImplItemFn, block: &ItemImpl, decl: &mut PluginDecl, problems: &mut Problems) {
    let own: Vec<&Attribute> = function.attrs.iter().filter(|attribute| is_method_attribute(attribute)).collect();
    let Some(attribute) = own.first() else { return };
    refuse_cfg(&function.attrs, problems);
    if let Some(second) = own.get(1) {
        problems.at(second, "a method has one of `#[on]`, `#[tool]`, `#[prompt]`, `#[serve]` and `#[verb]`, once");
    }
    if !function.sig.generics.params.is_empty() {
        problems.at(&function.sig.generics.params, "a declared method has no generics");
    }
    if attribute.path().is_ident("on") {
        decl.listeners.extend(read_listener(attribute, function, problems));
    } else if attribute.path().is_ident("tool") {
        decl.tools.extend(read_tool(attribute, function, block, problems));
    } else if attribute.path().is_ident("prompt") {
        check_prompt(function, problems);
        decl.prompt_doc = doc(&function.attrs);
        if decl.prompt.replace(function.sig.ident.clone()).is_some() {
            problems.at(&function.sig.ident, "a plugin has one `#[prompt]`");
        }
    } else if attribute.path().is_ident("verb") {
        decl.verbs.extend(read_verb(attribute, function, problems));
    } else {
        check_entry(function, "`pub async fn serve(&self, session: ServeSession) -> Exit`", 1, problems);
        if decl.serve.replace(function.sig.ident.clone()).is_some() {
            problems.at(&function.sig.ident, "a plugin has one `#[serve]`");
        }
    }
}

/// Two of one name in a block can be seen here; those of different plugins are the compiler's to find.
fn refuse_repeated(decl: &PluginDecl, problems: &mut Problems) {
    for (at, listener) in decl.listeners.iter().enumerate() {
        let text = canonical_text(listener.event.to_token_stream());
        if decl.listeners[..at].iter().any(|other| canonical_text(other.event.to_token_stream()) == text) {
            problems.at(&listener.event, "a plugin listens to an event once: do both in one method");
        }
    }
    for (at, tool) in decl.tools.iter().enumerate() {
        if decl.tools[..at].iter().any(|other| same_name(&other.tool, &tool.tool)) {
            problems.at(&tool.method, "another tool of the block has this name");
        }
    }
    for (at, verb) in decl.verbs.iter().enumerate() {
        if decl.verbs[..at].iter().any(|other| other.verb.value == verb.verb.value) {
            problems.at_span(verb.verb.span, format!("another method has the verb `{}`", verb.verb.value));
        }
    }
}

fn same_name(one: &FromConfig<Text>, other: &FromConfig<Text>) -> bool {
    match (one, other) {
        (FromConfig::Literal(one), FromConfig::Literal(other)) => one.value == other.value,
        (FromConfig::Field(one), FromConfig::Field(other)) => one == other,
        (FromConfig::Literal(_), FromConfig::Field(_)) | (FromConfig::Field(_), FromConfig::Literal(_)) => false,
    }
}
