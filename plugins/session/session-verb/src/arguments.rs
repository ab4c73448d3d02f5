//! The words after the verb.

use clap::builder::NonEmptyStringValueParser;
use clap::{Arg, ArgMatches, Command, value_parser};
use dsh_message::SessionId;

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// All sessions, a line each.
    List,
    /// One session as text.
    Show(SessionId),
    /// A new session that begins with the finished turns of another one.
    Fork {
        /// The other one.
        id: SessionId,
        /// Event in whose turn the new one ends; the last finished turn by default.
        at: Option<u64>,
    },
    /// A text for standard output.
    Help(String),
}

/// Reads the words.
///
/// # Errors
/// A text for standard error.
pub(crate) fn read(words: Vec<String>) -> Result<Asked, String> {
    let mut matches = match command().try_get_matches_from(words) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => return Err(error.to_string()),
        Err(error) => return Ok(Asked::Help(error.to_string())),
    };
    Ok(match matches.remove_subcommand() {
        Some((name, mut matches)) if name == "show" => Asked::Show(id(&mut matches)),
        Some((name, mut matches)) if name == "fork" => Asked::Fork { id: id(&mut matches), at: matches.remove_one("at") },
        // One of the three is required, so this is the one that is left.
        _ => Asked::List,
    })
}

fn id(matches: &mut ArgMatches) -> SessionId {
    // The parser asks for it.
    SessionId::from(matches.remove_one::<String>("session").unwrap_or_default())
}

fn command() -> Command {
    let session = || {
        Arg::new("session")
            .value_name("SESSION")
            .help("Id of a stored session")
            .required(true)
            .value_parser(NonEmptyStringValueParser::new())
    };
    let at = Arg::new("at").long("at").value_name("EVENT").value_parser(value_parser!(u64));
    Command::new("session")
        .bin_name("session")
        .no_binary_name(true)
        .about("Lists, shows and forks stored sessions")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommand(Command::new("list").about("Lists the stored sessions, the last used first"))
        .subcommand(Command::new("show").about("Shows a session as text").arg(session()))
        .subcommand(
            Command::new("fork")
                .about("Makes a session that begins with the finished turns of another one, and prints its id")
                .arg(session())
                .arg(at.help("End with the turn in which this event stands [default: the last finished turn]")),
        )
}

#[cfg(test)]
mod tests {
    use super::{Asked, read};

    fn words(words: &[&str]) -> Result<Asked, String> {
        read(words.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn each_word_has_its_arguments() {
        assert_eq!(words(&["list"]), Ok(Asked::List));
        assert_eq!(words(&["show", "s"]), Ok(Asked::Show("s".into())));
        assert_eq!(words(&["fork", "s"]), Ok(Asked::Fork { id: "s".into(), at: None }));
        assert_eq!(words(&["fork", "--at", "7", "s"]), Ok(Asked::Fork { id: "s".into(), at: Some(7) }));
        assert!(matches!(words(&["--help"]), Ok(Asked::Help(text)) if text.contains("fork") && text.contains("show")));
    }

    #[test]
    fn wrong_words_are_told() {
        for wrong in [&[][..], &["lst"], &["show"], &["show", ""], &["list", "s"], &["fork", "s", "--at", "-1"], &["fork", "s", "--at=x"]] {
            assert!(words(wrong).is_err(), "{wrong:?}");
        }
    }
}
