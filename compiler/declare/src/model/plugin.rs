//! A plugin and its contributions as declared.

use syn::{Ident, Path, Type};

use super::{Doc, Text};

/// `#[plugin(…)] impl Type`.
#[derive(Clone, Debug)]
pub struct PluginDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// Provided services as written (`dyn Subprocess`, `Tools`).
    pub provides: Vec<Type>,
    /// What it takes of services that only one row can have.
    pub takes: Vec<TakesDecl>,
    /// Platforms (`linux`), empty for all.
    pub platforms: Vec<Text>,
    /// Hosts that it may contact.
    pub hosts: Vec<ReachDecl>,
    /// Files and tables that it writes for itself; what a model has it write is none.
    pub writes: Vec<ReachDecl>,
    /// Relationships that it has checked while it runs, one sentence each.
    pub invariants: Vec<Text>,
    /// What its guards of tool calls deny, one sentence each.
    pub guards: Vec<Text>,
    /// `mount`'s second argument, when it takes one named `config`.
    pub config: Option<Type>,
    /// `mount`'s argument named `inject`.
    pub inject: Option<Type>,
    /// Listeners in source order.
    pub listeners: Vec<ListenerDecl>,
    /// Tools in source order.
    pub tools: Vec<ToolDecl>,
    /// Name of the function marked `#[prompt]`.
    pub prompt: Option<Ident>,
    /// Its doc comment.
    pub prompt_doc: Doc,
    /// Name of the method marked `#[serve]`.
    pub serve: Option<Ident>,
    /// Verbs of the binary.
    pub verbs: Vec<VerbDecl>,
    /// Doc comment of the impl block, else empty.
    pub doc: Doc,
    /// Digest of the block without function bodies.
    pub digest: u64,
}

/// Something outside of the process that a plugin reaches.
#[derive(Clone, Debug)]
pub struct ReachDecl {
    /// What it reaches; `{field}` stands for the value of a config field, by its Rust name.
    pub target: Text,
    /// For what.
    pub meaning: Text,
}

impl ReachDecl {
    /// The config fields that the target names.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.target.value.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(field, _)| field)
    }
}

/// Where a listener stands among the listeners of its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Position {
    /// Before those that ask for nothing.
    First,
    /// In row order.
    Row,
    /// After those that ask for nothing.
    Last,
}

/// How a listener's method is called, by its signature. rustc confirms that the event's mode calls it so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListenerCall {
    /// `fn f(&self, payload: &P)`: emit.
    Observer,
    /// `async fn f(&self, payload: &P)`: parallel and serial.
    Participant,
    /// `async fn f(&self, payload: &mut P, next: Next<'_, E>)`: waterfall.
    Around,
}

/// `#[on(Event, …)]`.
#[derive(Clone, Debug)]
pub struct ListenerDecl {
    /// The event as written.
    pub event: Path,
    /// The method.
    pub method: Ident,
    /// How the method is called.
    pub call: ListenerCall,
    /// Place in the order.
    pub position: Position,
    /// No warning when no row dispatches the event.
    pub optional: bool,
    /// Doc comment of the method.
    pub doc: Doc,
}

/// A value that is a literal or a field of the plugin's config.
#[derive(Clone, Debug)]
pub enum FromConfig<T> {
    /// Written in the attribute.
    Literal(T),
    /// `config.<field>`.
    Field(Ident),
}

/// An entry of `takes(…)`: what the plugin takes of a service that only one row can have, such as a name under which it registers.
#[derive(Clone, Debug)]
pub struct TakesDecl {
    /// The service as written.
    pub service: Type,
    /// What it takes; two rows clash when they take the same of one provider.
    pub what: FromConfig<Text>,
}

/// How a client shows a tool's calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Render {
    /// A plain card.
    Generic,
    /// A terminal with the command's output.
    Terminal,
    /// A difference between two texts.
    Diff,
}

/// `#[tool(…)]`.
#[derive(Clone, Debug)]
pub struct ToolDecl {
    /// Name that the model uses.
    pub tool: FromConfig<Text>,
    /// The method.
    pub method: Ident,
    /// Type of the second parameter, the arguments.
    pub args: Type,
    /// How its calls are shown.
    pub render: Render,
    /// Whether calls may overlap.
    pub concurrent: bool,
    /// Time limit in milliseconds, enforced by the timeout policy.
    pub timeout_ms: Option<FromConfig<u64>>,
    /// Associated function that makes the description from the config.
    pub describe: Option<Ident>,
    /// Doc comment of the method: the description when `describe` is absent.
    pub doc: Doc,
}

/// `#[verb(…)]`.
#[derive(Clone, Debug)]
pub struct VerbDecl {
    /// The word on the command line.
    pub verb: Text,
    /// One line for the help.
    pub about: Text,
    /// Associated function that looks at the words before anything mounts; without one all words fit.
    pub usage: Option<Ident>,
    /// The method.
    pub method: Ident,
}
