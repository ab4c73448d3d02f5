//! A plugin as an author writes it: services, config, inject, events of all modes, mounted and wired by hand as the wiring does.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use dsh_runtime::{
    Dispatcher, Event, Exit, Flow, Inject, InjectMeta, ListenerError, MountError, Next, Plugin, PluginContext, ScopeId, ServeSession,
    Service, Surroundings, Topic, Verbs, config, event, implements, mount, plugin, service,
};

#[derive(Debug, thiserror::Error)]
#[error("refused")]
pub struct SpawnError;

/// Starts things.
#[service(key = "subprocess")]
pub trait Subprocess: Send + Sync {
    /// Starts one.
    async fn spawn(&self, spec: String) -> Result<u32, SpawnError>;
    /// Has a body.
    async fn twice(&self, spec: String) -> Result<u32, SpawnError> {
        let first = self.spawn(spec.clone()).await?;
        if first == 0 {
            return Err(SpawnError);
        }
        Ok(first + self.spawn(spec).await?)
    }
    /// Looks one up.
    fn resolve(&self, name: &str) -> Option<PathBuf>;
    /// Returns nothing.
    async fn forget(&self);
}

#[service(key = "registry")]
pub struct Registry {
    pub heard: Mutex<Vec<String>>,
}

pub struct Line {
    pub text: String,
    pub scope: Option<ScopeId>,
}

fn scope_of(line: &Line) -> Option<ScopeId> {
    line.scope
}

/// A line was read.
#[event(name = "line/read", mode = emit, payload = Line, scope = scope_of)]
pub struct LineRead;

#[event(name = "line/check", mode = emit, payload = Line, failure = veto)]
pub struct LineCheck;

#[event(name = "line/flush", mode = parallel, payload = Line)]
pub struct LineFlush;

#[event(name = "line/stop", mode = serial, payload = Line)]
pub struct LineStop;

#[event(name = "line/change", mode = waterfall, payload = Line, out = Result<String, String>, repeatable)]
pub struct LineChange;

/// How it works.
#[config]
pub struct Config {
    #[config(default = "x")]
    pub prefix: String,
}

#[derive(Inject)]
pub struct Inject {
    pub subprocess: Arc<dyn Subprocess>,
    pub registry: Option<Arc<Registry>>,
    pub read: Dispatcher<LineRead>,
}

pub struct Local {
    config: Config,
    heard: Mutex<Vec<String>>,
}

#[plugin(provides(dyn Subprocess), platforms("linux"))]
impl Local {
    pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError> {
        inject.subprocess.forget().await;
        if config.prefix == cx.row_id() {
            return Err(MountError::new("prefix"));
        }
        Ok(Self { config, heard: Mutex::default() })
    }

    #[on(LineRead)]
    fn read(&self, line: &Line) {
        self.heard.lock().unwrap().push(format!("{}{}", self.config.prefix, line.text));
    }

    #[on(LineCheck, first)]
    fn check(&self, line: &Line) -> Result<(), ListenerError> {
        if line.text.is_empty() { Err(ListenerError::new("empty")) } else { Ok(()) }
    }

    #[on(LineFlush, optional)]
    async fn flush(&self, line: &Line) -> Result<(), ListenerError> {
        tokio::task::yield_now().await;
        self.heard.lock().unwrap().push(format!("flush {}", line.text));
        Ok(())
    }

    #[on(LineStop, last)]
    async fn stop(self: &Arc<Self>, line: &Line) -> Result<(), ListenerError> {
        self.heard.lock().unwrap().push(format!("stop {}", line.text));
        Ok(())
    }

    #[on(LineChange)]
    async fn change(&self, line: &mut Line, next: Next<'_, LineChange>) -> Flow<LineChange> {
        if line.text == "decide" {
            return next.decide(Err("decided".to_owned()));
        }
        line.text.push('!');
        let again = next.again();
        let first = again.run(line).await;
        if first.get().is_ok() {
            return first.map(|out| out.map(|text| format!("<{text}>")));
        }
        next.run(line).await
    }

    #[serve]
    async fn serve(&self, session: ServeSession) -> Exit {
        drop(session);
        Exit::COMPLETED
    }

    #[verb(name = "run", about = "Runs it")]
    async fn run(&self, args: Vec<String>, _session: ServeSession) -> Exit {
        Exit(u8::try_from(args.len()).unwrap())
    }
}

#[implements]
impl Subprocess for Local {
    async fn spawn(&self, spec: String) -> Result<u32, SpawnError> {
        if spec.is_empty() {
            return Err(SpawnError);
        }
        let length = u32::try_from(spec.len()).map_err(|_| SpawnError)?;
        tokio::task::yield_now().await;
        Ok(length)
    }
    fn resolve(&self, name: &str) -> Option<PathBuf> {
        Some(PathBuf::from(name))
    }
    async fn forget(&self) {
        self.heard.lock().unwrap().clear();
    }
}

#[tokio::test]
async fn works() {
    let cx = PluginContext::new("local", 0, Surroundings::of_process());
    let topic = Topic::<LineRead>::new();
    let first = Arc::new(Local { config: Config { prefix: "y".to_owned() }, heard: Mutex::default() });
    let inject = Inject { subprocess: first.clone(), registry: None, read: topic.dispatcher() };
    let mounted = mount::<Local>(cx, Config { prefix: "x".to_owned() }, inject).await.unwrap();
    topic.attach(&mounted);
    topic.dispatcher().emit(&Line { text: "a".into(), scope: None }).unwrap();
    assert_eq!(*mounted.plugin().heard.lock().unwrap(), ["xa"]);
    let service: Arc<dyn Subprocess> = mounted.plugin();
    assert_eq!(service.twice("abc".into()).await.unwrap(), 6);
    assert_eq!(Local::PROVIDES, ["dsh-runtime::Subprocess"]);
    assert_eq!(Inject::SERVICES, ["dsh-runtime::Subprocess", "?dsh-runtime::Registry"]);
    assert_eq!(<dyn Subprocess as Service>::KEY, "subprocess");
    assert_eq!(LineChange::NAME, "line/change");
    assert_eq!(Local::VERBS, [("run", "Runs it")]);
}
