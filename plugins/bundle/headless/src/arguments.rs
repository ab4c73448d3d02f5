//! The words after the verb.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use crate::budget::Budget;
use crate::prompt::Prompt;

/// Longest deadline, in seconds: a year.
const MOST_SECONDS: u64 = 31_536_000;
/// Longest name of a run or a task, in bytes; a file name may have 255.
const MOST_NAME: usize = 128;

/// What is to be run, and how.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// Where the task comes from.
    pub(crate) prompt: Prompt,
    /// Where to work, if the user says so.
    pub(crate) workdir: Option<PathBuf>,
    /// Preset that the agent joins.
    pub(crate) preset: Option<String>,
    /// Session to go on with.
    pub(crate) resume: Option<String>,
    /// What may be used.
    pub(crate) budget: Budget,
    /// How long the agent may work.
    pub(crate) deadline: Option<Duration>,
    /// Whether standard output holds records instead of the answer.
    pub(crate) json: bool,
    /// Whether standard error holds failures alone.
    pub(crate) quiet: bool,
    /// Where the outcome is kept.
    pub(crate) place: Option<Place>,
}

/// Where the outcome of a run is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Folder of all runs.
    pub(crate) out: PathBuf,
    /// Name of the run.
    pub(crate) run_id: String,
    /// Name of the task in it.
    pub(crate) task_id: String,
}

/// Reads the words.
///
/// # Errors
/// Help that was asked for, or what is wrong.
pub(crate) fn read(words: &[String]) -> Result<Arguments, clap::Error> {
    let mut command = command();
    let mut matches = command.try_get_matches_from_mut(words)?;
    let prompt = prompt(&mut matches).map_err(|words| command.error(ErrorKind::InvalidValue, words))?;
    Ok(Arguments {
        prompt,
        workdir: matches.remove_one("workdir"),
        preset: matches.remove_one("preset"),
        resume: matches.remove_one("resume"),
        budget: Budget { max_steps: matches.remove_one("max-steps"), max_tokens: matches.remove_one("max-tokens") },
        deadline: matches.remove_one("deadline").map(Duration::from_secs),
        json: matches.get_flag("json"),
        quiet: matches.get_flag("quiet"),
        place: place(&mut matches),
    })
}

fn prompt(matches: &mut ArgMatches) -> Result<Prompt, &'static str> {
    if let Some(path) = matches.remove_one("prompt-file") {
        return Ok(Prompt::File(path));
    }
    let words: Vec<String> = matches.remove_many("task").unwrap_or_default().collect();
    match words.as_slice() {
        [] => Ok(Prompt::Input),
        [word] if word == "-" => Ok(Prompt::Input),
        words if words.iter().any(|word| word == "-") => Err("`-` must stand alone"),
        words => match words.join(" ") {
            task if task.trim().is_empty() => Err("the task is blank"),
            task => Ok(Prompt::Words(task)),
        },
    }
}

fn place(matches: &mut ArgMatches) -> Option<Place> {
    let (out, run_id, task_id) = (matches.remove_one("out"), matches.remove_one("run-id"), matches.remove_one("task-id"));
    // The parser asks for all three or none.
    Some(Place { out: out?, run_id: run_id?, task_id: task_id? })
}

fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| Arg::new(name).long(name).value_name(value).help(help);
    let path = |name, value, help| option(name, value, help).value_parser(value_parser!(PathBuf));
    let count = |name, value, help| option(name, value, help).value_parser(value_parser!(u64).range(1..));
    let flag = |name, help| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
    Command::new("run")
        .no_binary_name(true)
        .about("Runs one task and prints the answer")
        .arg(Arg::new("task").value_name("TASK").help("The task; several words are joined; `-` or none: standard input").num_args(0..))
        .arg(path("prompt-file", "FILE", "Read the task from a file").conflicts_with("task"))
        .arg(path("workdir", "DIR", "Where to work [default: $DSH_CWD, else the current directory]").conflicts_with("resume"))
        .arg(
            option("preset", "NAME", "Join a preset of the profile")
                .value_parser(NonEmptyStringValueParser::new())
                .conflicts_with("resume"),
        )
        .arg(
            option("resume", "SESSION", "Go on with a stored session").value_parser(NonEmptyStringValueParser::new()).conflicts_with("out"),
        )
        .arg(count("max-steps", "N", "Stop before the step after this many"))
        .arg(count("max-tokens", "N", "Stop before the step after this many tokens of input and output were used"))
        .arg(
            option("deadline", "SECONDS", "Stop when the agent has worked this long")
                .value_parser(value_parser!(u64).range(1..=MOST_SECONDS)),
        )
        .arg(flag("json", "Print what happens as JSON Lines instead of the answer alone"))
        .arg(flag("quiet", "Print nothing on standard error but failures"))
        .arg(
            path("out", "DIR", "Keep the outcome in DIR/RUN/TASK/verdict.json; a second start goes on with it")
                .requires_all(["run-id", "task-id"]),
        )
        .arg(option("run-id", "RUN", "Name of the run").requires("out").value_parser(name))
        .arg(option("task-id", "TASK", "Name of the task in the run").requires("out").value_parser(name))
}

/// A name that is one folder wherever it is used.
fn name(text: &str) -> Result<String, &'static str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if text.is_empty() || text.len() > MOST_NAME || text.starts_with('.') || !text.bytes().all(plain) {
        return Err("a name has 1 to 128 letters, digits, `.`, `_`, `-` and does not begin with `.`");
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use dsh_runtime::Usage;

    use super::*;

    fn words(words: &[&str]) -> Result<Arguments, clap::Error> {
        read(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    fn run(words: &[&str]) -> Arguments {
        self::words(words).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn words_are_joined_and_options_stand_anywhere() {
        let task = |task: &str| Arguments { prompt: Prompt::Words(task.to_owned()), ..Arguments::default() };
        assert_eq!(run(&["fix", "the", "bug"]), task("fix the bug"));
        assert_eq!(run(&["fix", "--workdir=d", "it"]), Arguments { workdir: Some("d".into()), ..task("fix it") });
        assert_eq!(run(&["--", "--help", "me"]), task("--help me"));
        assert_eq!(run(&["-"]), Arguments::default());
        assert_eq!(run(&["--prompt-file", "f"]).prompt, Prompt::File("f".into()));
        let bounded = run(&["--max-steps", "3", "go", "--max-tokens=9", "--deadline", "2", "--json", "--quiet"]);
        let budget = Budget { max_steps: Some(3), max_tokens: Some(9) };
        assert_eq!(bounded, Arguments { budget, deadline: Some(Duration::from_secs(2)), json: true, quiet: true, ..task("go") });
        assert_eq!(run(&["go", "--preset", "code"]), Arguments { preset: Some("code".to_owned()), ..task("go") });
        let place = Place { out: "o".into(), run_id: "r.1".to_owned(), task_id: "a__b-3".to_owned() };
        assert_eq!(run(&["go", "--out=o", "--run-id=r.1", "--task-id=a__b-3"]), Arguments { place: Some(place), ..task("go") });
    }

    #[test]
    fn wrong_words_are_told_with_the_usage() {
        for wrong in [
            &[" ", ""][..],
            &["--nope", "x"],
            &["x", "--workdir"],
            &["-", "x"],
            &["x", "--prompt-file=f"],
            &["x", "--resume=s", "--workdir=d"],
            &["x", "--resume=s", "--preset=p"],
            &["x", "--preset="],
            &["x", "--max-steps=0"],
            &["x", "--max-tokens=many"],
            &["x", "--deadline=0"],
            &["x", "--out=o", "--run-id=r"],
            &["x", "--run-id=r", "--task-id=t"],
            &["x", "--out=o", "--run-id=../r", "--task-id=t"],
            &["x", "--out=o", "--run-id=r", "--task-id=.."],
            &["x", "--resume=s", "--out=o", "--run-id=r", "--task-id=t"],
        ] {
            let error = words(wrong).unwrap_err().to_string();
            assert!(error.starts_with("error: "), "{wrong:?}: {error}");
        }
        assert!(words(&[" "]).unwrap_err().to_string().contains("[TASK]..."));
        assert!(matches!(Usage::of(words(&["--help"])), Usage::Help(text) if text.contains("--workdir")));
    }
}
