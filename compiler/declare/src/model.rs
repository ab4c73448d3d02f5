//! What a declaration says, independent of who asks: the macros expand these types, the compiler resolves them.
//!
//! Every type keeps the `syn` item or tokens that the macro needs for its expansion, so that a compile error points at
//! the author's own words.

use proc_macro2::Span;
use syn::{Ident, Path, Type};

/// A literal string in an attribute with its place.
#[derive(Clone, Debug)]
pub struct Text {
    /// The string's value.
    pub value: String,
    /// Where it stands.
    pub span: Span,
}

/// Doc comment of a declaration, lines joined by `\n`, one leading space of each removed; empty when there is none.
pub type Doc = String;

/// Any declaration that the parser found in a source file.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// `#[service]`
    Service(ServiceDecl),
    /// `#[event]`
    Event(EventDecl),
    /// `#[plugin]`
    Plugin(PluginDecl),
    /// `#[config]`
    Config(ConfigDecl),
    /// `#[derive(Inject)]`
    Inject(InjectDecl),
    /// `#[tool_args]`
    ToolArgs(ToolArgsDecl),
    /// `#[session_event]`
    SessionEvent(SessionEventDecl),
}

/// `#[service(key = "…")]`.
#[derive(Clone, Debug)]
pub struct ServiceDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// The key by which profiles and diagnostics call it.
    pub key: Text,
    /// Whether it is a trait (`dyn Name`) or a concrete type.
    pub kind: ServiceKind,
    /// Doc comment.
    pub doc: Doc,
    /// Digest of the item, see [`crate::digest`].
    pub digest: u64,
}

/// What a service's type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceKind {
    /// Injected as `Arc<dyn Name>`.
    Trait,
    /// Injected as `Arc<Name>`.
    Concrete,
}

/// How an event is dispatched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Observers, synchronous, nothing comes back.
    Emit,
    /// All listeners at once, awaited.
    Parallel,
    /// One listener after the other, awaited.
    Serial,
    /// Around-middleware with a result.
    Waterfall,
}

/// What a failing listener of an emitted event does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It is logged and the others run.
    Contained,
    /// It stops the dispatch and reaches the dispatcher.
    Veto,
}

/// `#[event(…)]`.
#[derive(Clone, Debug)]
pub struct EventDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// The event's own name, such as `tools/pre-execute`.
    pub event: Text,
    /// How it is dispatched.
    pub mode: Mode,
    /// Type that listeners receive.
    pub payload: Type,
    /// Result type of a waterfall.
    pub out: Option<Type>,
    /// What a failing listener does; `Contained` for other modes than emit.
    pub failure: Failure,
    /// Function that names the payload's agent scope.
    pub scope: Option<Path>,
    /// Whether `next` may run more than once.
    pub repeatable: bool,
    /// Doc comment.
    pub doc: Doc,
    /// Digest of the item.
    pub digest: u64,
}

/// `#[plugin(…)] impl Type`.
#[derive(Clone, Debug)]
pub struct PluginDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// Provided services as written (`dyn Subprocess`, `Tools`).
    pub provides: Vec<Type>,
    /// Platforms (`linux`), empty for all.
    pub platforms: Vec<Text>,
    /// `mount`'s second argument, when it takes one named `config`.
    pub config: Option<Type>,
    /// `mount`'s argument named `inject`.
    pub inject: Option<Type>,
    /// Listeners in source order.
    pub listeners: Vec<ListenerDecl>,
    /// Tools in source order.
    pub tools: Vec<ToolDecl>,
    /// Name of the method marked `#[serve]`.
    pub serve: Option<Ident>,
    /// Verbs of the binary.
    pub verbs: Vec<VerbDecl>,
    /// Doc comment of the impl block, else empty.
    pub doc: Doc,
    /// Digest of the block without function bodies.
    pub digest: u64,
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
    /// The method.
    pub method: Ident,
}

/// `#[config]` on a struct or an enum.
#[derive(Clone, Debug)]
pub struct ConfigDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// Its fields or variants.
    pub body: ConfigBody,
    /// Doc comment.
    pub doc: Doc,
    /// Digest of the item.
    pub digest: u64,
}

/// What a config type holds.
#[derive(Clone, Debug)]
pub enum ConfigBody {
    /// A mapping.
    Struct(Vec<FieldDecl>),
    /// One of a few words.
    Enum(Vec<VariantDecl>),
}

/// A field of a config struct.
#[derive(Clone, Debug)]
pub struct FieldDecl {
    /// Rust name.
    pub ident: Ident,
    /// YAML key.
    pub key: String,
    /// The field's type.
    pub ty: FieldType,
    /// The type as written.
    pub syn_type: Type,
    /// Default; a field with none is required unless it is an `Option`.
    pub default: Option<Default>,
    /// Inclusive lower bound.
    pub min: Option<Number>,
    /// Inclusive upper bound.
    pub max: Option<Number>,
    /// At least one character, element or entry.
    pub non_empty: bool,
    /// At least one character that is not white space.
    pub non_blank: bool,
    /// Allowed values of a string.
    pub one_of: Vec<String>,
    /// Doc comment.
    pub doc: Doc,
}

/// A numeric bound or default as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// A number with a fraction or an exponent.
    Float(f64),
}

/// A default in an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Default {
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string; also the kebab-case variant of an enum.
    Text(String),
    /// `[…]`.
    List(Vec<Default>),
    /// `{}`: a nested config whose fields all have defaults, or an empty map.
    Empty,
}

/// The types that a config field may have.
#[derive(Clone, Debug)]
pub enum FieldType {
    /// `String`
    Text,
    /// `bool`
    Bool,
    /// An integer type by its Rust name.
    Int(IntType),
    /// `f64`
    Float,
    /// `PathBuf`
    Path,
    /// `SecretEnv`
    SecretEnv,
    /// `Option<T>`
    Option(Box<FieldType>),
    /// `Vec<T>`
    List(Box<FieldType>),
    /// `BTreeMap<String, T>`
    Map(Box<FieldType>),
    /// Another `#[config]` type, as written.
    Named(Path),
}

/// Integer types of config fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum IntType {
    U16,
    U32,
    U64,
    I64,
    Usize,
}

/// A variant of a config enum.
#[derive(Clone, Debug)]
pub struct VariantDecl {
    /// Rust name.
    pub ident: Ident,
    /// YAML word.
    pub key: String,
    /// Doc comment.
    pub doc: Doc,
}

/// `#[derive(Inject)]`.
#[derive(Clone, Debug)]
pub struct InjectDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// Its fields.
    pub fields: Vec<InjectField>,
    /// Digest of the item.
    pub digest: u64,
}

/// A field of an inject struct.
#[derive(Clone, Debug)]
pub struct InjectField {
    /// Rust name.
    pub ident: Ident,
    /// What it asks for.
    pub wants: Wants,
    /// The type as written.
    pub syn_type: Type,
}

/// What an inject field asks for.
#[derive(Clone, Debug)]
pub enum Wants {
    /// `Arc<dyn Trait>` or `Arc<Type>`: the type inside the `Arc`.
    Required(Type),
    /// The same in an `Option`.
    Optional(Type),
    /// `Dispatcher<Event>`.
    Dispatch(Path),
}

/// `#[tool_args]`.
#[derive(Clone, Debug)]
pub struct ToolArgsDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// Its fields or variants.
    pub body: ToolArgsBody,
    /// Doc comment.
    pub doc: Doc,
    /// Digest of the item.
    pub digest: u64,
}

/// What a tool argument type holds.
#[derive(Clone, Debug)]
pub enum ToolArgsBody {
    /// An object.
    Struct(Vec<ArgField>),
    /// One of a few words, in snake_case.
    Enum(Vec<VariantDecl>),
}

/// A field of a tool's arguments.
#[derive(Clone, Debug)]
pub struct ArgField {
    /// Name, in Rust and on the wire.
    pub ident: Ident,
    /// The field's type.
    pub ty: ArgType,
    /// The type as written.
    pub syn_type: Type,
    /// Doc comment: the description that the model reads.
    pub doc: Doc,
}

/// The types that a tool's argument may have.
#[derive(Clone, Debug)]
pub enum ArgType {
    /// `String`
    Text,
    /// `bool`
    Bool,
    /// `u64` or `i64`
    Int,
    /// `f64`
    Float,
    /// `Option<T>`: not required.
    Option(Box<ArgType>),
    /// `Vec<T>`
    List(Box<ArgType>),
    /// `serde_json::Value`
    Any,
    /// Another `#[tool_args]` type, as written.
    Named(Path),
}

/// `#[session_event(…)]`.
#[derive(Clone, Debug)]
pub struct SessionEventDecl {
    /// Type name; identity together with the package.
    pub name: Ident,
    /// The event's type in the log, such as `turn/start`.
    pub event: Text,
    /// Whether it takes a position in the model-visible list.
    pub surface: bool,
    /// Whether a reader that does not know it may pass over it.
    pub ignorable: bool,
    /// Doc comment.
    pub doc: Doc,
    /// Digest of the item.
    pub digest: u64,
}
