//! The words with which a binary is started.

use clap::builder::NonEmptyStringValueParser;
use clap::{Arg, ArgAction, Command};

use crate::entry::{Identity, Usage, Verb};

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    /// Serve what the rows serve.
    Serve,
    /// Run a verb with the words after it.
    Verb(&'static str, Vec<String>),
    /// Print this on stdout and exit 0: help or version.
    Print(String),
}

/// Reads the command line (without the program's name).
///
/// # Errors
/// A text for stderr; the exit status is 2.
pub fn read(identity: &Identity, words: Vec<String>) -> Result<Request, String> {
    let (own, verb) = split(identity, words);
    let matches = match command(identity).try_get_matches_from(std::iter::once(format!("dsh-{}", identity.profile)).chain(own)) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => return Err(error.to_string()),
        Err(error) => return Ok(Request::Print(error.to_string())),
    };
    if let Some(named) = matches.get_one::<String>("profile").filter(|named| !accepts(identity, named)) {
        return Err(format!(
            "error: this binary holds the profile `{}`, not `{named}`\nhelp: build that one with `dsh-build --profile {named}`\n",
            identity.profile
        ));
    }
    if let Some(patch) = matches.get_one::<String>("patch") {
        return Err(format!(
            "error: overlays are applied when a binary is built, and `--patch {patch}` was given to the finished one\n\
             help: run `dsh-build --profile {} --patch {patch}` and start what it makes\n",
            identity.profile
        ));
    }
    match verb {
        Some((verb, words)) => match (verb.usage)(verb.name, &words) {
            Usage::Fits => Ok(Request::Verb(verb.name, words)),
            Usage::Help(text) => Ok(Request::Print(text)),
            Usage::Wrong(text) => Err(text),
        },
        None if identity.serves => Ok(Request::Serve),
        None => {
            Err(format!("error: no row of the profile `{}` serves a protocol\n\n{}", identity.profile, command(identity).render_help()))
        }
    }
}

/// The words before the verb, the verb, and the words after it untouched: the verb's plugin reads them, `--` and help included.
fn split(identity: &Identity, mut words: Vec<String>) -> (Vec<String>, Option<(&'static Verb, Vec<String>)>) {
    let is_value = |at: usize| at > 0 && matches!(words[at - 1].as_str(), "--profile" | "--patch");
    let verb = |word: &str| identity.verbs.iter().find(|verb| verb.name == word);
    let found = words.iter().enumerate().find_map(|(at, word)| verb(word).filter(|_| !is_value(at)).map(|verb| (at, verb)));
    match found {
        None => (words, None),
        Some((at, verb)) => {
            let after = words.split_off(at + 1);
            words.pop();
            (words, Some((verb, after)))
        }
    }
}

fn accepts(identity: &Identity, named: &str) -> bool {
    identity.profile == named || identity.aliases.contains(&named)
}

fn command(identity: &Identity) -> Command {
    let version = format!("{} (profile {}, composition {})", identity.version, identity.profile, identity.digest);
    let text = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).value_parser(NonEmptyStringValueParser::new()).help(help)
    };
    // Only for the help: a verb is cut off before clap sees the words.
    let verbs = identity.verbs.iter().map(|verb| Command::new(verb.name).about(verb.about));
    Command::new(format!("dsh-{}", identity.profile))
        .version(version)
        .about(format!("An agent with the profile `{}`. Without a verb it serves its protocol on stdin and stdout.", identity.profile))
        .arg(text("profile", "NAME", "Must name this binary's own profile or an alias of it"))
        .arg(text("patch", "FILE", "Refused: overlays are given to `dsh-build`").action(ArgAction::Append))
        .disable_help_subcommand(true)
        .subcommands(verbs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDENTITY: Identity = Identity {
        profile: "minimal",
        aliases: &["sdk-minimal"],
        version: "0.1.0",
        digest: "0123456789abcdef",
        serves: true,
        verbs: &[Verb { name: "run", about: "Runs one task", usage }],
    };

    fn usage(verb: &str, words: &[String]) -> Usage {
        match words.first().map(String::as_str) {
            Some("help") => Usage::Help(format!("how to {verb}")),
            Some("wrong") => Usage::Wrong(format!("not how to {verb}")),
            _ => Usage::Fits,
        }
    }

    fn read_words(words: &[&str]) -> Result<Request, String> {
        read(&IDENTITY, words.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn serves_without_a_verb_and_accepts_its_own_names() {
        assert_eq!(read_words(&[]), Ok(Request::Serve));
        assert_eq!(read_words(&["--profile", "minimal"]), Ok(Request::Serve));
        assert_eq!(read_words(&["--profile", "sdk-minimal"]), Ok(Request::Serve));
    }

    #[test]
    fn refuses_another_profile_and_overlays_with_the_command_that_would_honour_them() {
        let error = read_words(&["--profile", "web"]).unwrap_err();
        assert!(error.contains("`minimal`, not `web`") && error.contains("dsh-build --profile web"), "{error}");
        let error = read_words(&["--patch", "x.yml"]).unwrap_err();
        assert!(error.contains("dsh-build --profile minimal --patch x.yml"), "{error}");
    }

    #[test]
    fn hands_a_verb_its_words_untouched() {
        let words = vec!["--max-steps".to_owned(), "3".to_owned(), "do it".to_owned(), "--help".to_owned()];
        assert_eq!(read_words(&["run", "--max-steps", "3", "do it", "--help"]), Ok(Request::Verb("run", words)));
        let words = vec!["--".to_owned(), "--x run".to_owned()];
        assert_eq!(read_words(&["--profile", "minimal", "run", "--", "--x run"]), Ok(Request::Verb("run", words)));
        assert!(read_words(&["--profile", "run"]).unwrap_err().contains("not `run`"), "a value is no verb");
    }

    #[test]
    fn a_verb_says_what_its_words_are_before_it_runs() {
        assert_eq!(read_words(&["run", "help"]), Ok(Request::Print("how to run".to_owned())));
        assert_eq!(read_words(&["run", "wrong"]), Err("not how to run".to_owned()));
        assert!(read_words(&["--nope", "run", "help"]).unwrap_err().contains("--nope"), "the words before it come first");
    }

    #[test]
    fn names_what_is_wrong_on_an_unknown_flag_or_verb() {
        assert!(read_words(&["--nope"]).unwrap_err().contains("--nope"));
        assert!(read_words(&["walk"]).unwrap_err().contains("walk"));
    }
}
