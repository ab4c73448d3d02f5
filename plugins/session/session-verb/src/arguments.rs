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
}

/// Reads the words.
///
/// # Errors
/// Help that was asked for, or what is wrong.
pub(crate) fn read(words: &[String]) -> Result<Asked, clap::Error> {
    let mut matches = command().try_get_matches_from(words)?;
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
    use dsh_runtime::Usage;

    use super::{Asked, read};

    fn words(words: &[&str]) -> Result<Asked, clap::Error> {
        read(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn each_word_has_its_arguments() {
        for (said, asked) in [
            (&["list"][..], Asked::List),
            (&["show", "s"], Asked::Show("s".into())),
            (&["fork", "s"], Asked::Fork { id: "s".into(), at: None }),
            (&["fork", "--at", "7", "s"], Asked::Fork { id: "s".into(), at: Some(7) }),
        ] {
            assert_eq!(words(said).unwrap_or_else(|error| panic!("{error}")), asked);
        }
        assert!(matches!(Usage::of(words(&["--help"])), Usage::Help(text) if text.contains("fork") && text.contains("show")));
    }

    #[test]
    fn wrong_words_are_told() {
        for wrong in [&[][..], &["lst"], &["show"], &["show", ""], &["list", "s"], &["fork", "s", "--at", "-1"], &["fork", "s", "--at=x"]] {
            assert!(words(wrong).is_err(), "{wrong:?}");
        }
    }
}
