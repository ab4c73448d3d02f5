//! The words after `run`.

use std::path::PathBuf;

use clap::{Arg, Command, value_parser};

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RunCommand {
    /// The task.
    pub(crate) task: String,
    /// Where to work.
    pub(crate) workdir: Option<PathBuf>,
}

/// Why nothing is run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Instead {
    /// Help was asked for.
    Help(String),
    /// The words are wrong.
    Usage(String),
}

/// Reads the words after `run`.
pub(crate) fn read(words: &[String]) -> Result<RunCommand, Instead> {
    let matches = command().try_get_matches_from(std::iter::once("run").chain(words.iter().map(String::as_str)));
    let mut matches =
        matches.map_err(|error| if error.use_stderr() { Instead::Usage(error.to_string()) } else { Instead::Help(error.to_string()) })?;
    let task = matches.remove_many::<String>("task").into_iter().flatten().collect::<Vec<_>>().join(" ");
    if task.trim().is_empty() {
        return Err(Instead::Usage("error: the task is blank\n\nFor more information, try '--help'.\n".to_owned()));
    }
    Ok(RunCommand { task, workdir: matches.remove_one("workdir") })
}

fn command() -> Command {
    let workdir = Arg::new("workdir")
        .long("workdir")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .help("Folder to work in [default: $DSH_CWD, else the current folder]");
    Command::new("run")
        .about("Runs one task: what happens is told on stderr, the answer is printed on stdout.")
        .after_help(
            "Exit status: 0 completed, 1 gave up, 2 usage, 3 the output ceiling was reached, 4 the model's provider failed, \
             5 the surroundings lack something (a key, a folder), 101 a fault of the program; 128 + N after signal N.",
        )
        .arg(workdir)
        .arg(Arg::new("task").value_name("TASK").required(true).num_args(1..).help("What to do; several words are joined by spaces"))
}

#[cfg(test)]
mod tests {
    use super::{Instead, RunCommand, read};

    fn words(words: &[&str]) -> Result<RunCommand, Instead> {
        read(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn words_are_the_task() {
        assert_eq!(words(&["fix", "it"]), Ok(RunCommand { task: "fix it".into(), workdir: None }));
        assert_eq!(words(&["--workdir", "/w", "fix it"]), Ok(RunCommand { task: "fix it".into(), workdir: Some("/w".into()) }));
        assert_eq!(words(&["fix it", "--workdir", "/w"]), Ok(RunCommand { task: "fix it".into(), workdir: Some("/w".into()) }));
    }

    #[test]
    fn a_missing_or_blank_task_and_unknown_flags_are_usage_errors() {
        for wrong in [&[][..], &["  "], &["--nope", "x"]] {
            assert!(matches!(words(wrong), Err(Instead::Usage(_))), "{wrong:?}");
        }
        assert!(matches!(words(&["--help"]), Err(Instead::Help(text)) if text.contains("Exit status")));
    }
}
