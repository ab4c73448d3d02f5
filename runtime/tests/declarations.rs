//! Declarations as an author writes them, and what the macros make of them: ids, names, digests equal to those that the
//! compiler computes from this very file.
#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use dsh_declare::digest;
use dsh_declare::model::Declaration;
use dsh_declare::source::declarations;
use dsh_runtime::{
    ConfigMeta, Dispatcher, Event, Exit, Flow, Inject, InjectMeta, ListensTo, MountError, Next, NoConfig, NoInject, Plugin, PluginContext,
    Position, SecretEnv, ServeSession, Service, Surroundings, Usage, Verbs, config, event, mount, plugin, plugin_name, service,
};

/// Starts processes; it's the only one that may.
///
/// Second paragraph with "quotes", a \ and an ü.
#[service(key = "subprocess")]
pub trait Subprocess: Send + Sync {
    /** A block comment
     * of two lines. */
    async fn spawn(&self, spec: String) -> Result<u32, String>;
    /// This body is no part of the digest.
    fn resolve(&self, name: &str) -> Option<PathBuf> {
        Some(PathBuf::from(name))
    }
}

#[doc = "Written as an attribute."]
#[derive(Debug, Default)]
#[service(key = r"registry")]
pub struct Registry {
    pub names: Vec<String>,
}

#[event(name = "line/read", mode = emit, payload = BTreeMap<String, u64>)]
pub struct LineRead;

#[dsh_runtime::event(name = "line/change", mode = waterfall, payload = String, out = (), repeatable,)]
pub struct LineChange;

/// Words.
#[config]
#[derive(Hash)]
pub enum ShellKind {
    /// The default.
    Bash,
    PosixSh,
}

#[config]
pub struct Limits {
    #[config(default = 10, min = 1, max = 0x20)]
    pub steps: u32,
    #[config(default = -1.5)]
    pub bias: f64,
}

/// Nested types, each mention counts.
#[derive(Eq, PartialOrd, Ord)]
#[config]
pub struct Settings {
    #[config(default = "bash", name = "shellKind")]
    pub shell: OrderedShell,
    pub key: Option<String>,
}

#[derive(Eq, PartialOrd, Ord)]
#[config]
pub struct OrderedShell {
    pub name: String,
}

#[config]
pub struct Config {
    #[config(default = ["bash", "sh"], non_empty)]
    pub shells: Vec<String>,
    #[config(default = {})]
    pub limits: Limits,
    pub more: BTreeMap<String, Limits>,
    pub kind: Option<ShellKind>,
    pub key: SecretEnv,
    pub settings: Vec<Settings>,
}

#[derive(Inject, Clone)]
pub struct Inject {
    /// Required.
    pub subprocess: Arc<dyn Subprocess>,
    pub registry: Option<Arc<Registry>>,
    pub read: Dispatcher<LineRead>,
    pub concrete: Arc<Registry>,
}

pub struct Local;

/// Runs things here.
#[plugin(provides(dyn Subprocess), platforms("linux"))]
#[allow(clippy::unused_async)]
impl Local {
    /// Starts.
    pub async fn mount(_cx: &PluginContext, _config: Config, _inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }

    #[on(LineRead, first, optional)]
    fn read(&self, _: &BTreeMap<String, u64>) {}

    #[on(LineChange, last)]
    async fn change(&self, line: &mut String, next: Next<'_, LineChange>) -> Flow<LineChange> {
        next.run(line).await
    }

    #[serve]
    async fn serve(&self, session: ServeSession) -> Exit {
        drop(session);
        Exit::COMPLETED
    }

    #[verb(name = "run", about = "Runs one task", usage = look_at)]
    async fn run(&self, args: Vec<String>, session: ServeSession) -> Exit {
        drop(session);
        Exit(u8::try_from(args.len()).unwrap_or(u8::MAX))
    }

    fn look_at(words: &[String]) -> Usage {
        Usage::Wrong(format!("not {}", words.join(" ")))
    }

    #[verb(name = "list-all", about = "Lists")]
    async fn list(self: &Arc<Self>, _args: Vec<String>, _session: ServeSession) -> Exit {
        Exit::GAVE_UP
    }
}

#[dsh_runtime::implements]
impl Subprocess for Local {
    async fn spawn(&self, spec: String) -> Result<u32, String> {
        u32::try_from(spec.len()).map_err(|error| error.to_string())
    }
}

/// A plugin that is the service, needs nothing and takes no config.
#[plugin(provides(Registry))]
impl Registry {
    async fn mount(_: &PluginContext) -> Result<Self, MountError> {
        Ok(Self::default())
    }
}

/// Own digests of this file's declarations by type name; the block of a plugin under `impl Name`.
fn own_digests() -> BTreeMap<String, u64> {
    let file = syn::parse_file(include_str!("declarations.rs")).expect("rustc compiled it");
    let (found, errors) = declarations(file);
    assert!(errors.is_empty(), "{errors:?}");
    let named = found.iter().map(|declaration| match declaration {
        Declaration::Service(decl) => (decl.name.to_string(), decl.digest),
        Declaration::Event(decl) => (decl.name.to_string(), decl.digest),
        Declaration::Plugin(decl) => (format!("impl {}", decl.name), decl.digest),
        Declaration::Config(decl) => (decl.name.to_string(), decl.digest),
        Declaration::Inject(decl) => (decl.name.to_string(), decl.digest),
        Declaration::ToolArgs(decl) => (decl.name.to_string(), decl.digest),
        Declaration::SessionEvent(decl) => (decl.name.to_string(), decl.digest),
    });
    named.collect()
}

#[test]
fn rustc_and_the_reader_of_sources_compute_the_same_digests() {
    let own = own_digests();
    let own = |name: &str| own[name];
    assert_eq!(<dyn Subprocess as Service>::DIGEST, own("Subprocess"));
    assert_eq!(<Registry as Service>::DIGEST, own("Registry"));
    assert_eq!(LineRead::DIGEST, own("LineRead"));
    assert_eq!(LineChange::DIGEST, own("LineChange"));
    let join = digest::combine;
    assert_eq!(ShellKind::DIGEST, join(&[own("ShellKind")]));
    assert_eq!(Limits::DIGEST, join(&[own("Limits")]));
    let settings = join(&[own("Settings"), join(&[own("OrderedShell")])]);
    assert_eq!(Settings::DIGEST, settings);
    let limits = Limits::DIGEST;
    let config = join(&[own("Config"), limits, limits, ShellKind::DIGEST, settings]);
    assert_eq!(Config::DIGEST, config);
    let inject = join(&[own("Inject"), own("Subprocess"), own("Registry"), own("LineRead"), own("Registry")]);
    assert_eq!(Inject::DIGEST, inject);
    let plugin = join(&[own("impl Local"), config, inject, own("Subprocess"), own("LineRead"), own("LineChange")]);
    assert_eq!(Local::DIGEST, plugin);
    assert_eq!(<Registry as Plugin>::DIGEST, join(&[own("impl Registry"), 0, 0, own("Registry")]));
    assert_eq!((NoConfig::DIGEST, NoInject::DIGEST), (0, 0));
    assert_eq!(dsh_runtime::combine(&[1, u64::MAX]), join(&[1, u64::MAX]));
    assert_eq!(dsh_runtime::fnv1a(b"a"), digest::fnv1a(b"a"));
}

#[test]
fn constants_state_what_a_plugin_is_and_needs() {
    assert_eq!((Local::NAME, Local::VERSION), ("runtime", env!("CARGO_PKG_VERSION")));
    assert_eq!((plugin_name("dsh-bash-local"), plugin_name("other-plugin"), plugin_name("dsh")), ("bash-local", "other-plugin", "dsh"));
    assert_eq!(Local::PROVIDES, ["dsh-runtime::Subprocess"]);
    assert_eq!(Local::LISTENS, ["dsh-runtime::LineRead", "dsh-runtime::LineChange"]);
    assert_eq!(Inject::SERVICES, ["dsh-runtime::Subprocess", "?dsh-runtime::Registry", "dsh-runtime::Registry"]);
    assert_eq!(Inject::DISPATCHES, ["dsh-runtime::LineRead"]);
    assert_eq!((<dyn Subprocess as Service>::KEY, <Registry as Service>::KEY), ("subprocess", "registry"));
    assert_eq!((LineRead::NAME, LineChange::NAME), ("line/read", "line/change"));
    assert_eq!(<Local as ListensTo<LineRead>>::POSITION, Position::First);
    assert_eq!(<Local as ListensTo<LineChange>>::POSITION, Position::Last);
    let verbs: Vec<_> = Local::VERBS.iter().map(|verb| (verb.name, verb.about, (verb.usage)(verb.name, &["x".to_owned()]))).collect();
    assert_eq!(verbs, [("run", "Runs one task", Usage::Wrong("not x".to_owned())), ("list-all", "Lists", Usage::Fits)]);
}

fn session() -> ServeSession {
    ServeSession {
        input: Box::pin(tokio::io::empty()),
        output: Box::pin(tokio::io::sink()),
        errors: Box::pin(tokio::io::sink()),
        shutdown: dsh_runtime::CancellationToken::new(),
    }
}

#[tokio::test]
async fn entry_points_and_services_reach_the_methods_of_the_block() {
    use dsh_runtime::Serves;

    let cx = PluginContext::new("registry", 0, Surroundings::of_process());
    let registry = mount::<Registry>(cx, NoConfig {}, NoInject {}).await.expect("it cannot fail").plugin();
    assert_eq!(registry.names, Vec::<String>::new());
    let local = Arc::new(Local);
    assert_eq!(Arc::clone(&local).serve(session()).await, Exit::COMPLETED);
    assert_eq!(Arc::clone(&local).run_verb("run", vec!["a".to_owned(), "b".to_owned()], session()).await, Exit(2));
    assert_eq!(Arc::clone(&local).run_verb("list-all", Vec::new(), session()).await, Exit::GAVE_UP);
    let service: Arc<dyn Subprocess> = local;
    assert_eq!(service.spawn("four".to_owned()).await, Ok(4));
    assert_eq!(service.resolve("x"), Some(PathBuf::from("x")));
}
