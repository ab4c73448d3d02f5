//! A composition inside of another program.
#![allow(missing_docs)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use dsh_runtime::boot::{Boot, BootError, Entries};
use dsh_runtime::embed::{CallError, EmbedError, Embedded, Host, Said};
use dsh_runtime::{BoxFuture, Exit, Identity, MountError, NoConfig, NoInject, PluginContext, ServeSession, Usage, Vocabulary, plugin};
use tokio::io::AsyncWriteExt;

static IDENTITY: Identity = Identity {
    profile: "test",
    aliases: &[],
    version: "1.2.3",
    digest: "0123456789abcdef",
    vocabulary: Vocabulary::EMPTY,
    serves: false,
    verbs: <Act as dsh_runtime::Verbs>::VERBS,
};

static UNDONE: AtomicUsize = AtomicUsize::new(0);

struct Act {
    cx: PluginContext,
}

#[plugin]
impl Act {
    async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        cx.effects().push_sync(|| {
            UNDONE.fetch_add(1, Ordering::SeqCst);
        });
        match cx.environment().var("ACT") {
            Some("refuse") => Err(MountError::new("no folder")),
            Some("panic") => panic!("on purpose"),
            _ => Ok(Self { cx: cx.clone() }),
        }
    }

    #[verb(name = "do", about = "Does what its first word says", usage = look_at)]
    async fn act(&self, words: Vec<String>, mut session: ServeSession) -> Exit {
        match &*words[0] {
            "panic" => panic!("on purpose"),
            "wait" => {
                let _ = session.errors.write_all(b"waits\n").await;
                session.shutdown.cancelled().await;
                return Exit::GAVE_UP;
            }
            "flood" => {
                while session.output.write_all(&[b"x".repeat(4000), b"\n".to_vec()].concat()).await.is_ok()
                    && !session.shutdown.is_cancelled()
                {}
                return Exit::GAVE_UP;
            }
            _ => {}
        }
        let environment = self.cx.environment();
        let told = format!("{} {}\nno end", environment.var("TOLD").unwrap_or("-"), environment.cwd().display());
        let _ = session.output.write_all(told.as_bytes()).await;
        Exit::BUDGET
    }

    fn look_at(words: &[String]) -> Usage {
        match words.first().map(String::as_str) {
            None => Usage::Wrong("a word is missing".to_owned()),
            Some("--help") => Usage::Help("do WORD".to_owned()),
            Some(_) => Usage::Fits,
        }
    }
}

fn wire(boot: &mut Boot) -> BoxFuture<'_, Result<Entries, BootError>> {
    Box::pin(async move {
        let act = boot.mount::<Act>(0, "act", NoConfig {}, NoInject {}).await?;
        Ok(boot.finish().verbs(&act))
    })
}

fn start(host: Host) -> Result<Embedded, EmbedError> {
    Embedded::start(&IDENTITY, wire, host)
}

fn started() -> Embedded {
    start(Host::bare("/").with("TOLD", "yes").with("GONE", "x").without("GONE")).unwrap()
}

#[test]
fn a_verb_says_its_lines_and_ends_with_its_status() {
    let agent = started();
    for _ in 0..2 {
        let mut call = agent.call(["do", "tell"]).unwrap();
        let said = [call.said_blocking(), call.said_blocking(), call.said_blocking()];
        assert_eq!(said, [Some(Said::Output("yes /".to_owned())), Some(Said::Output("no end".to_owned())), None]);
        assert_eq!(call.exit_blocking(), Exit::BUDGET);
    }
    assert!(agent.end().failed.is_empty());
}

#[tokio::test]
async fn it_is_the_same_inside_of_an_asynchronous_program() {
    let agent = started();
    let mut call = agent.call(["do", "tell"]).unwrap();
    assert_eq!(call.said().await, Some(Said::Output("yes /".to_owned())));
    assert_eq!(call.exit().await, Exit::BUDGET, "what is not taken is dropped");
}

#[test]
fn wrong_words_are_refused_before_anything_runs() {
    let agent = started();
    let refused = |words: &[&str]| agent.call(words.iter().copied()).err();
    let no_verb = |verb: &str| Some(CallError::NoVerb { verb: verb.to_owned(), profile: "test", known: vec!["do"] });
    assert_eq!(refused(&[]), no_verb(""));
    assert_eq!(refused(&["inspect", "rows"]), no_verb("inspect"));
    assert_eq!(refused(&["do"]), Some(CallError::Words("a word is missing".to_owned())));
    assert_eq!(refused(&["do", "--help"]), Some(CallError::Help("do WORD".to_owned())));
}

#[test]
fn a_call_is_cancelled_by_its_token_by_dropping_it_and_by_the_end() {
    let agent = started();
    let waiting = || {
        let mut call = agent.call(["do", "wait"]).unwrap();
        assert_eq!(call.said_blocking(), Some(Said::Error("waits".to_owned())));
        call
    };
    let call = waiting();
    call.cancellation().cancel();
    assert_eq!(call.exit_blocking(), Exit::GAVE_UP);
    drop(waiting());
    // The next one runs only after it has ended; one that is cancelled before it runs never does.
    let (first, second) = (waiting(), agent.call(["do", "tell"]).unwrap());
    second.cancellation().cancel();
    first.cancellation().cancel();
    assert_eq!((first.exit_blocking(), second.exit_blocking()), (Exit::GAVE_UP, Exit::GAVE_UP));
    let (under_way, queued) = (waiting(), agent.call(["do", "tell"]).unwrap());
    assert!(agent.end().failed.is_empty());
    assert_eq!((under_way.exit_blocking(), queued.exit_blocking()), (Exit::GAVE_UP, Exit::GAVE_UP));
}

#[test]
fn a_caller_who_takes_nothing_does_not_hold_up_the_end() {
    let agent = started();
    let mut call = agent.call(["do", "flood"]).unwrap();
    assert!(call.said_blocking().is_some());
    let asked = Instant::now();
    assert!(agent.end().failed.is_empty());
    assert!(asked.elapsed() < Duration::from_secs(8), "{:?}", asked.elapsed());
    assert_eq!(call.exit_blocking(), Exit::GAVE_UP);
}

#[test]
fn a_panic_ends_the_call_and_nothing_else() {
    let agent = started();
    assert_eq!(agent.call(["do", "panic"]).unwrap().exit_blocking(), Exit::BUG);
    assert_eq!(agent.call(["do", "tell"]).unwrap().exit_blocking(), Exit::BUDGET);
}

#[test]
fn what_does_not_mount_is_told_and_undone() {
    let before = UNDONE.load(Ordering::SeqCst);
    for (act, exit) in [("refuse", Exit::ENVIRONMENT), ("panic", Exit::BUG)] {
        match start(Host::bare("/").with("ACT", act)) {
            Err(EmbedError::Boot(error)) => assert_eq!(error.exit(), exit, "{error}"),
            other => panic!("{:?}", other.err()),
        }
    }
    assert!(UNDONE.load(Ordering::SeqCst) >= before + 2);
}

#[test]
fn a_host_does_not_print_what_it_was_given() {
    let told = format!("{:?}", Host::bare("/").with("A_KEY", "sk-secret"));
    assert!(told.contains("A_KEY") && !told.contains("sk-secret"), "{told}");
    assert!(format!("{:?}", Host::of_process()).contains("PATH"));
}
