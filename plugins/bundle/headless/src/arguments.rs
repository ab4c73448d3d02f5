//! The words after the verb.

use std::path::PathBuf;

use clap::{Arg, Command, value_parser};

/// What is to be run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// The task; not blank.
    pub(crate) task: String,
    /// Where, if the user says so.
    pub(crate) workdir: Option<PathBuf>,
}

/// What the words ask for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// A run.
    Run(Arguments),
    /// A text for standard output.
    Help(String),
}

/// Reads the words.
///
/// # Errors
/// A text for standard error.
pub(crate) fn read(words: Vec<String>) -> Result<Asked, String> {
    let mut command = Command::new("run")
        .no_binary_name(true)
        .about("Runs one task and prints the answer")
        .arg(Arg::new("task").value_name("TASK").help("The task; several words are joined").num_args(1..).required(true))
        .arg(
            Arg::new("workdir")
                .long("workdir")
                .value_name("DIR")
                .value_parser(value_parser!(PathBuf))
                .help("Where to work [default: $DSH_CWD, else the current directory]"),
        );
    let usage = command.render_usage();
    let mut matches = match command.try_get_matches_from(words) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => return Err(error.to_string()),
        Err(error) => return Ok(Asked::Help(error.to_string())),
    };
    let words: Vec<String> = matches.remove_many("task").unwrap_or_default().collect();
    let task = words.join(" ");
    if task.trim().is_empty() {
        return Err(format!("error: the task is blank\n\n{usage}\n"));
    }
    Ok(Asked::Run(Arguments { task, workdir: matches.remove_one("workdir") }))
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Asked, read};

    fn words(words: &[&str]) -> Result<Asked, String> {
        read(words.iter().map(ToString::to_string).collect())
    }

    fn run(task: &str, workdir: Option<&str>) -> Result<Asked, String> {
        Ok(Asked::Run(Arguments { task: task.to_owned(), workdir: workdir.map(Into::into) }))
    }

    #[test]
    fn words_are_joined_and_options_stand_anywhere() {
        assert_eq!(words(&["fix", "the", "bug"]), run("fix the bug", None));
        assert_eq!(words(&["--workdir", "d", "fix it"]), run("fix it", Some("d")));
        assert_eq!(words(&["fix", "--workdir=d", "it"]), run("fix it", Some("d")));
        assert_eq!(words(&["--", "--help", "me"]), run("--help me", None));
    }

    #[test]
    fn wrong_words_are_told_with_the_usage() {
        for wrong in [&[][..], &[" ", ""], &["--nope", "x"], &["x", "--workdir"]] {
            let error = words(wrong).unwrap_err();
            assert!(error.contains("error: "), "{error}");
        }
        assert!(words(&[" "]).unwrap_err().contains("<TASK>..."));
        assert!(matches!(words(&["--help"]), Ok(Asked::Help(text)) if text.contains("--workdir")));
    }
}
