//! What a declaration says, independent of who asks: the macros expand these types, the compiler resolves them.
//!
//! Every type keeps the `syn` item or tokens that the macro needs for its expansion, so that a compile error points at
//! the author's own words.

mod config;
mod event;
mod inject;
mod plugin;
mod service;
mod session_event;
mod tool_args;

pub use config::{ConfigBody, ConfigDecl, FieldDecl, FieldType, VariantDecl};
pub use dsh_schema::{Bounds, Default, IntType, Number};
pub use event::{EventDecl, Failure, Mode};
pub use inject::{InjectDecl, InjectField, Wants};
pub use plugin::{FromConfig, ListenerCall, ListenerDecl, PluginDecl, Position, ReachDecl, Render, TakesDecl, ToolDecl, VerbDecl};
pub use service::{ServiceDecl, ServiceKind};
pub use session_event::{SessionEventDecl, SessionField};
pub use tool_args::{ArgField, ArgType, ToolArgsBody, ToolArgsDecl};

use proc_macro2::Span;

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
    Event(Box<EventDecl>),
    /// `#[plugin]`
    Plugin(Box<PluginDecl>),
    /// `#[config]`
    Config(ConfigDecl),
    /// `#[derive(Inject)]`
    Inject(InjectDecl),
    /// `#[tool_args]`
    ToolArgs(ToolArgsDecl),
    /// `#[session_event]`
    SessionEvent(SessionEventDecl),
}
