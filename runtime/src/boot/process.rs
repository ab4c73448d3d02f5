//! The process around a composition: tracing, signals, standard streams, exit status.

use std::ffi::OsStr;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use super::bom::licences;
use super::command_line::{self, Asked, Request, Start, Tell};
use super::composed::{Composed, Refused, default_document};
use super::{Boot, Entries, Wire, conduct};
use super::{conceal, names, signals};
use crate::context::Surroundings;
use crate::description::Description;
use crate::entry::{Exit, Identity, ServeSession};
use crate::environment::{Environment, is_blank};
use crate::process::Process;

/// Variable that says how much is told on standard error.
const LEVEL_VARIABLE: &str = "DSH_LOG";

/// Runs a binary from command line to exit status; the whole `main` of a generated crate.
#[must_use]
pub fn run(identity: &'static Identity, description: &'static Description, wire: Wire) -> ExitCode {
    let Asked { request, patches, format } = match command_line::read(identity, std::env::args().skip(1).collect()) {
        Ok(asked) => asked,
        Err(text) => return refuse(&text, Exit::USAGE),
    };
    let compose = || {
        let environment = Environment::of_process().fixing(description.surroundings.fixed());
        let process = Process::current(identity);
        let surroundings = Surroundings { process, environment: Arc::new(environment), ..Surroundings::of_process() };
        let composed = Composed::new(identity, description, surroundings, &patches, format);
        composed.inspect(|composed| eprint!("{}", composed.warnings()))
    };
    match request {
        Request::Print(text) => answer(&text),
        Request::Tell(Tell::DumpDefaultConfig) => answer(&default_document(identity, description)),
        Request::Tell(Tell::DumpConfig) => told(compose().map(|composed| composed.document())),
        Request::Tell(Tell::Licences) => answer(&licences(description)),
        Request::Tell(Tell::SelfDescription) => told(compose().and_then(Composed::self_description)),
        Request::Tell(Tell::Inspect(kind)) => told(compose().and_then(|composed| composed.inspect(kind))),
        Request::Start(start) => match compose().and_then(Composed::boot) {
            Ok((boot, surroundings)) => started(identity, wire, boot, surroundings, start),
            Err(Refused(text)) => refuse(&text, if start == Start::Serve { Exit::GAVE_UP } else { Exit::ENVIRONMENT }),
        },
    }
}

fn told(outcome: Result<String, Refused>) -> ExitCode {
    match outcome {
        Ok(text) => answer(&text),
        Err(Refused(text)) => refuse(&text, Exit::GAVE_UP),
    }
}

fn answer(text: &str) -> ExitCode {
    // Whoever asked and closed the pipe does not want it.
    let _ = std::io::stdout().write_all(text.as_bytes());
    ExitCode::from(Exit::COMPLETED.0)
}

fn refuse(text: &str, exit: Exit) -> ExitCode {
    eprint!("{text}");
    ExitCode::from(exit.0)
}

/// From here on the process answers to signals.
fn started(identity: &'static Identity, wire: Wire, boot: Boot, surroundings: Surroundings, start: Start) -> ExitCode {
    start_tracing(identity);
    names::without_shared_libraries();
    // One thread: sessions are tasks that mostly wait, and a start costs no thread pool.
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("dsh-{}: the asynchronous runtime did not start: {error}", identity.profile);
            return ExitCode::from(Exit::ENVIRONMENT.0);
        }
    };
    let exit = runtime.block_on(live(identity, wire, boot, surroundings, start));
    // A read of standard input may still be pending in a thread that nothing can interrupt.
    runtime.shutdown_background();
    ExitCode::from(exit.0)
}

async fn live(identity: &'static Identity, wire: Wire, mut boot: Boot, surroundings: Surroundings, start: Start) -> Exit {
    conceal::secrets(&surroundings.environment);
    if let Err(error) = signals::watch(identity.profile, &surroundings) {
        eprintln!("dsh-{}: signals cannot be watched: {error}", identity.profile);
        return Exit::ENVIRONMENT;
    }
    let serving = start == Start::Serve;
    if serving && surroundings.process.input_is_terminal() {
        // Nobody types a protocol.
        eprintln!("dsh-{}: serves its protocol on stdin and stdout; `--help` names the other ways to use it", identity.profile);
    }
    let wired = tokio::select! {
        wired = wire(&mut boot) => Some(wired),
        // What has mounted so far, and what the row that was mounting recorded, is undone below.
        () = surroundings.shutdown.cancelled() => None,
    };
    let exit = match wired {
        Some(Ok(entries)) => enter(identity.profile, entries, start, &surroundings).await,
        Some(Err(error)) => {
            eprintln!("dsh-{}: {error}", identity.profile);
            if serving { Exit::GAVE_UP } else { error.exit() }
        }
        // A signal came first; it decides below.
        None => Exit::GAVE_UP,
    };
    // A verb that has ended says how; a signal that comes during teardown does not change that.
    let signal = surroundings.process.signal();
    boot.teardown().await;
    match (signal, serving) {
        (None, _) => exit,
        (Some(signals::TERMINATE), true) => Exit::COMPLETED,
        // A verb that completed all the same was not ended by the signal.
        (Some(_), false) if exit == Exit::COMPLETED => exit,
        (Some(number), _) => Exit(128 + number),
    }
}

async fn enter(profile: &str, entries: Entries, start: Start, surroundings: &Surroundings) -> Exit {
    let session = ServeSession {
        input: Box::pin(tokio::io::BufReader::new(tokio::io::stdin())),
        output: Box::pin(tokio::io::stdout()),
        errors: Box::pin(tokio::io::stderr()),
        shutdown: surroundings.shutdown.clone(),
    };
    let serving = start == Start::Serve;
    let entry = match start {
        Start::Serve => entries.serve.map(|serve| serve(session)),
        Start::Verb(verb, words) => entries.verb(verb, words, session),
    };
    let Some(entry) = entry else {
        eprintln!("dsh-{profile}: the row that answers this is off; a condition in `disabled` of the profile switched it off");
        return if serving { Exit::GAVE_UP } else { Exit::ENVIRONMENT };
    };
    conduct(entry, &surroundings.shutdown).await
}

fn start_tracing(identity: &Identity) {
    let level = match std::env::var_os(LEVEL_VARIABLE).filter(|value| !is_blank(value)) {
        None => tracing::Level::WARN,
        Some(named) => level(&named).unwrap_or_else(|| {
            eprintln!("dsh-{}: {LEVEL_VARIABLE} is none of error, warn, info, debug, trace; warn is taken", identity.profile);
            tracing::Level::WARN
        }),
    };
    let format = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).with_ansi(false).without_time();
    // A second subscriber is only possible where a test process runs this twice.
    let _ = format.with_target(false).try_init();
}

fn level(named: &OsStr) -> Option<tracing::Level> {
    Some(match named.to_str()? {
        "error" => tracing::Level::ERROR,
        "warn" => tracing::Level::WARN,
        "info" => tracing::Level::INFO,
        "debug" => tracing::Level::DEBUG,
        "trace" => tracing::Level::TRACE,
        _ => return None,
    })
}
