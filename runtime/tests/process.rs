//! A binary from command line to exit status: verbs, serving, refusals, signals. Started without the variable `DSH_ACT` this
//! program is the test, which starts itself with the variable as the binary.
#![allow(missing_docs)]

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, Command, ExitCode, Stdio};

use dsh_runtime::boot::{Boot, BootError, Entries, run};
use dsh_runtime::description::Description;
use dsh_runtime::{BoxFuture, Exit, Identity, MountError, NoConfig, NoInject, PluginContext, ServeSession, Vocabulary, plugin};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt};

const IDENTITY: Identity = Identity {
    profile: "test",
    aliases: &["alias"],
    version: "1.2.3",
    digest: "0123456789abcdef",
    serves: true,
    verbs: <Echo as dsh_runtime::Verbs>::VERBS,
    vocabulary: Vocabulary::EMPTY,
};

struct Echo {
    act: String,
}

#[plugin]
impl Echo {
    async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        let act = cx.environment().var("DSH_ACT").unwrap_or_default().to_owned();
        cx.effects().push_sync(|| eprintln!("undone"));
        match act.as_str() {
            "refuse" => return Err(MountError::new("no folder")),
            "panic while mounting" => panic!("on purpose"),
            "hang while mounting" => {
                eprintln!("ready");
                std::future::pending::<()>().await;
            }
            _ => {}
        }
        Ok(Self { act })
    }

    /// Answers each line until input ends or the process is asked to end.
    #[serve]
    async fn serve(&self, session: ServeSession) -> Exit {
        let ServeSession { input, mut output, mut errors, shutdown } = session;
        let mut lines = input.lines();
        let _ = errors.write_all(b"ready\n").await;
        if self.act == "ignore" {
            shutdown.cancelled().await;
            let _ = errors.write_all(b"asked\n").await;
            std::future::pending::<()>().await;
        }
        loop {
            let line = tokio::select! {
                line = lines.next_line() => line,
                () = shutdown.cancelled() => return Exit::COMPLETED,
            };
            let Ok(Some(line)) = line else { return Exit::COMPLETED };
            let _ = output.write_all(format!("echo {line}\n").as_bytes()).await;
            let _ = output.flush().await;
        }
    }

    #[verb(name = "run", about = "Says its words")]
    async fn run(&self, args: Vec<String>, mut session: ServeSession) -> Exit {
        match self.act.as_str() {
            "panic" => panic!("on purpose"),
            "wait" => {
                let _ = session.errors.write_all(b"ready\n").await;
                session.shutdown.cancelled().await;
            }
            "complete" => {
                let _ = session.errors.write_all(b"ready\n").await;
                session.shutdown.cancelled().await;
                return Exit::COMPLETED;
            }
            _ => {}
        }
        let _ = session.output.write_all(args.join("|").as_bytes()).await;
        let _ = session.output.flush().await;
        Exit::BUDGET
    }
}

fn wire(boot: &mut Boot) -> BoxFuture<'_, Result<Entries, BootError>> {
    Box::pin(async move {
        let echo = boot.mount::<Echo>(0, "echo", NoConfig {}, NoInject {}).await?;
        Ok(boot.finish().serve(&echo).verbs(&echo))
    })
}

fn main() -> ExitCode {
    static HERE: &Identity = &IDENTITY;
    if std::env::var_os("DSH_ACT").is_some() {
        static TELLS: Description = Description::empty();
        return run(HERE, &TELLS, wire);
    }
    let tests: [(&str, fn()); 7] = [
        ("prints help and version without mounting", prints_help_and_version),
        ("hands a verb its words and exits as it says", runs_a_verb),
        ("serves until input ends", serves),
        ("refuses with the status of the cause", refuses),
        ("ends in order when it is asked to", ends_when_asked),
        ("a second signal ends it at once", second_signal),
        ("a signal while mounting undoes what has mounted", signal_while_mounting),
    ];
    for (name, test) in tests {
        test();
        println!("test {name} ... ok");
    }
    ExitCode::SUCCESS
}

fn start(act: &str, words: &[&str]) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this program has a path"));
    command.args(words).env("DSH_ACT", act).env_remove("DSH_LOG");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("this program starts")
}

/// Exit status, standard output, standard error; input is closed.
fn finish(child: Child) -> (Option<i32>, String, String) {
    let output = child.wait_with_output().expect("it was started");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it prints text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Waits until the program says on standard error that it is ready.
fn await_ready(child: &mut Child) -> BufReader<ChildStderr> {
    let mut errors = BufReader::new(child.stderr.take().expect("it is piped"));
    await_line(&mut errors, "ready\n");
    errors
}

fn await_line(errors: &mut BufReader<ChildStderr>, expected: &str) {
    let mut line = String::new();
    errors.read_line(&mut line).expect("it prints text");
    assert_eq!(line, expected);
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().expect("`kill` is there");
    assert!(status.success());
}

fn rest(mut errors: impl Read) -> String {
    let mut text = String::new();
    errors.read_to_string(&mut text).expect("it prints text");
    text
}

fn prints_help_and_version() {
    let (status, output, errors) = finish(start("", &["--version"]));
    assert_eq!((status, output.as_str(), errors.as_str()), (Some(0), "dsh-test 1.2.3 (profile test, composition 0123456789abcdef)\n", ""));
    let (status, output, errors) = finish(start("", &["--help"]));
    assert!(status == Some(0) && output.contains("Says its words") && errors.is_empty(), "{output}{errors}");
}

fn runs_a_verb() {
    let (status, output, errors) = finish(start("", &["--profile", "alias", "run", "a", "--help", "b c"]));
    assert_eq!((status, output.as_str(), errors.as_str()), (Some(3), "a|--help|b c", "undone\n"));
}

fn serves() {
    let mut child = start("", &[]);
    child.stdin.take().expect("it is piped").write_all(b"one\ntwo\n").expect("it reads");
    assert_eq!(finish(child), (Some(0), "echo one\necho two\n".to_owned(), "ready\nundone\n".to_owned()));
}

fn refuses() {
    let words = "dsh-test: row `echo` (plugin `runtime`) did not start: no folder\n";
    assert_eq!(finish(start("refuse", &["run"])), (Some(5), String::new(), format!("undone\n{words}")));
    assert_eq!(finish(start("refuse", &[])), (Some(1), String::new(), format!("undone\n{words}")));
    let (status, _, errors) = finish(start("panic while mounting", &["run"]));
    assert!(status == Some(101) && errors.contains("it panicked while it mounted") && errors.contains("undone"), "{errors}");
    let (status, _, errors) = finish(start("panic", &["run"]));
    assert!(status == Some(101) && errors.contains("undone"), "{errors}");
    let (status, output, errors) = finish(start("", &["--profile", "other"]));
    assert!(status == Some(2) && output.is_empty() && errors.contains("`test`, not `other`"), "{errors}");
}

fn ends_when_asked() {
    for (act, words, name, expected) in [
        ("", &[][..], "TERM", 0),
        ("", &[], "INT", 130),
        ("", &[], "HUP", 129),
        ("wait", &["run"], "TERM", 143),
        ("wait", &["run"], "INT", 130),
        ("wait", &["run"], "QUIT", 131),
        ("complete", &["run"], "TERM", 0),
    ] {
        let mut child = start(act, words);
        let input = child.stdin.take();
        let errors = await_ready(&mut child);
        signal(&child, name);
        assert_eq!(child.wait().expect("it was started").code(), Some(expected), "{words:?} {name}");
        let said = if name == "INT" { "dsh-test: ending; a second signal ends it without waiting\n" } else { "" };
        assert_eq!(rest(errors), format!("{said}undone\n"));
        drop(input);
    }
}

fn second_signal() {
    let mut child = start("ignore", &[]);
    let input = child.stdin.take();
    let mut errors = await_ready(&mut child);
    signal(&child, "TERM");
    await_line(&mut errors, "asked\n");
    signal(&child, "INT");
    assert_eq!(child.wait().expect("it was started").code(), Some(130));
    assert_eq!(rest(errors), "", "nothing is undone");
    drop(input);
}

fn signal_while_mounting() {
    let mut child = start("hang while mounting", &["run"]);
    let errors = await_ready(&mut child);
    signal(&child, "TERM");
    assert_eq!(child.wait().expect("it was started").code(), Some(143));
    assert_eq!(rest(errors), "undone\n");
}
