//! What every binary needs and no more: contexts, effects, events, scopes, services, configuration, invariants, clock and
//! ids, expressions, boot and teardown. Nothing here knows of models, tools or sessions.
//!
//! A plugin author depends on this crate alone; it re-exports the declaration macros.

// The macros name this crate in their output, also where they are used inside it.
extern crate self as dsh_runtime;

pub mod boot;
mod clock;
pub mod config;
mod context;
mod declared;
pub mod description;
mod digest;
mod effect;
pub mod embed;
mod entry;
mod environment;
mod eval;
pub mod event;
mod ids;
mod invariant;
mod layered;
mod plugin;
mod presets;
mod process;
mod scope;
mod service;

pub use clock::{Clock, ManualClock, SystemClock, Timestamp};
#[cfg(feature = "overlays")]
pub use config::Documented;
pub use config::{ConfigMeta, ConfigProblem, SecretEnv, SecretValue};
pub use context::{PluginContext, Surroundings};
pub use declared::{Confirmed, Declared};
pub use digest::{combine, fnv1a};
pub use dsh_macros::{Inject, config, event, implements, plugin, service, session_event, tool_args};
pub use effect::{EffectStack, TeardownReport};
pub use entry::{Exit, Identity, Input, Output, ServeSession, Serves, Usage, Verb, Verbs, Vocabulary};
pub use environment::{Environment, is_secret_name};
pub use eval::{Evaluator, ExpressionValue, FromExpression, Site, choose};
pub use event::{
    Dispatcher, EmitEvent, Event, Flow, ListenerError, ListensTo, Next, ParallelEvent, Position, RepeatableEvent, SerialEvent, Topic,
    WaterfallEvent,
};
pub use ids::{IdSource, RandomIds, SequentialIds};
pub use invariant::{Installer, InvariantError, Invariants};
pub use layered::Layered;
pub use plugin::{InjectMeta, MountError, Mounted, NoConfig, NoInject, Plugin, mount, plugin_name};
pub use presets::{Preset, PresetError, Presets};
pub use process::Process;
pub use scope::{Scope, ScopeId};
pub use service::Service;

/// The schema of config types, as `#[config]` names it.
#[cfg(feature = "overlays")]
pub use dsh_language::schema;

/// Keeps what `#[config]` writes for overlays.
#[cfg(feature = "overlays")]
#[doc(hidden)]
#[macro_export]
macro_rules! for_overlays {
    ($($item:item)*) => { $($item)* };
}

/// Drops what `#[config]` writes for overlays: this binary takes none.
#[cfg(not(feature = "overlays"))]
#[doc(hidden)]
#[macro_export]
macro_rules! for_overlays {
    ($($item:item)*) => {};
}

/// A boxed future that may be sent to another thread; what async methods of services return.
pub type BoxFuture<'a, T> = futures_util::future::BoxFuture<'a, T>;

/// Cancellation of a wait; cloned freely, cancelled once.
pub use tokio_util::sync::CancellationToken;
