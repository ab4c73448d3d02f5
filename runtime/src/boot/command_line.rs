//! The words with which a binary is started.

use std::path::PathBuf;

use clap::builder::{EnumValueParser, NonEmptyStringValueParser, PathBufValueParser};
use clap::{Arg, ArgAction, ArgMatches, Command, ValueEnum};

use crate::entry::{Identity, Usage, Verb};

/// The verb that tells licences.
const LICENCES: &str = "licenses";

/// What the command line asks for, and how.
#[derive(Debug, PartialEq, Eq)]
pub struct Asked {
    /// What.
    pub request: Request,
    /// Overlays, in order.
    pub patches: Vec<PathBuf>,
    /// How answers and problems are written.
    pub format: MessageFormat,
}

/// How answers and problems are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// For readers.
    #[default]
    Human,
    /// For programs: one JSON object a line.
    Json,
}

/// What can be inspected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Rows with plugin, version, state and where they came from.
    Rows,
    /// Services with who provides and who takes them.
    Services,
    /// Events with their mode, who dispatches and who hears them.
    Events,
    /// Tools as the model is told of them.
    Tools,
    /// The prompt as far as it is known without a session.
    Prompt,
    /// What it reads of the place where it runs.
    Surroundings,
}

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    /// Start.
    Start(Start),
    /// Say something of the binary without starting.
    Tell(Tell),
    /// Print this on stdout and exit 0: help or version.
    Print(String),
}

/// Into what the composition is entered.
#[derive(Debug, PartialEq, Eq)]
pub enum Start {
    /// Serve what the rows serve.
    Serve,
    /// Run a verb with the words after it.
    Verb(&'static str, Vec<String>),
}

/// What a binary says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tell {
    /// What it is made of.
    Inspect(Kind),
    /// Its rows, overlays applied.
    DumpConfig,
    /// The rows that the profile's bundles alone give.
    DumpDefaultConfig,
    /// All that it is, for programs.
    SelfDescription,
    /// The crates that it is linked from with their licences.
    Licences,
}

/// Reads the command line (without the program's name).
///
/// # Errors
/// A text for stderr; the exit status is 2.
pub fn read(identity: &Identity, words: Vec<String>) -> Result<Asked, String> {
    let (own, verb) = split(identity, words);
    let matches = match command(identity).try_get_matches_from(std::iter::once(format!("dsh-{}", identity.profile)).chain(own)) {
        Ok(matches) => matches,
        Err(error) if error.use_stderr() => return Err(error.to_string()),
        Err(error) => {
            let request = Request::Print(error.to_string());
            return Ok(Asked { request, patches: Vec::new(), format: MessageFormat::Human });
        }
    };
    if let Some(named) = matches.get_one::<String>("profile").filter(|named| !accepts(identity, named)) {
        return Err(format!(
            "error: this binary holds the profile `{}`, not `{named}`\nhelp: build that one with `dsh-build --profile {named}`\n",
            identity.profile
        ));
    }
    let patches: Vec<PathBuf> = matches.get_many::<PathBuf>("patch").into_iter().flatten().cloned().collect();
    let format = matches.get_one::<MessageFormat>("message-format").copied().unwrap_or_default();
    request(identity, &matches, verb).map(|request| Asked { request, patches, format })
}

fn request(identity: &Identity, matches: &ArgMatches, verb: Option<(&'static Verb, Vec<String>)>) -> Result<Request, String> {
    let flags =
        [("dump-config", Tell::DumpConfig), ("dump-default-config", Tell::DumpDefaultConfig), ("self-describe", Tell::SelfDescription)];
    let dumps = flags.into_iter().find(|(flag, _)| matches.get_flag(flag));
    let asked = matches.subcommand().and_then(|(word, inspect)| match word {
        LICENCES => Some(Tell::Licences),
        _ => inspect.get_one::<Kind>("kind").copied().map(Tell::Inspect),
    });
    match (dumps, asked, verb) {
        (Some((_, tell)), None, None) => Ok(Request::Tell(tell)),
        (Some((flag, _)), ..) => Err(format!("error: `--{flag}` writes what the binary is made of and takes no other words\n")),
        (None, Some(tell), None) => Ok(Request::Tell(tell)),
        (None, Some(_), Some((verb, _))) => Err(format!("error: `{}` stands behind another command\n", verb.name)),
        (None, None, Some((verb, words))) => match (verb.usage)(verb.name, &words) {
            Usage::Fits => Ok(Request::Start(Start::Verb(verb.name, words))),
            Usage::Help(text) => Ok(Request::Print(text)),
            Usage::Wrong(text) => Err(text),
        },
        (None, None, None) if identity.serves => Ok(Request::Start(Start::Serve)),
        (None, None, None) => {
            Err(format!("error: no row of the profile `{}` serves a protocol\n\n{}", identity.profile, command(identity).render_help()))
        }
    }
}

/// The words before the verb, the verb, and the words after it untouched: the verb's plugin reads them, `--` and help included.
fn split(identity: &Identity, mut words: Vec<String>) -> (Vec<String>, Option<(&'static Verb, Vec<String>)>) {
    let is_value = |at: usize| at > 0 && matches!(words[at - 1].as_str(), "--profile" | "--patch" | "--message-format");
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
    let kinds = Arg::new("kind").value_name("KIND").required(true).value_parser(EnumValueParser::<Kind>::new()).help("What");
    let inspect = Command::new("inspect").about("Says what this binary is made of, without starting it").arg(kinds);
    let flag = |name: &'static str, help: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
    Command::new(format!("dsh-{}", identity.profile))
        .version(version)
        .about(format!("An agent with the profile `{}`. Without a verb it serves its protocol on stdin and stdout.", identity.profile))
        .arg(text("profile", "NAME", "Must name this binary's own profile or an alias of it"))
        .arg(
            Arg::new("patch")
                .long("patch")
                .value_name("FILE")
                .value_parser(PathBufValueParser::new())
                .action(ArgAction::Append)
                .global(true)
                // A sealed binary takes none, and says so to whoever gives one.
                .hide(cfg!(not(feature = "overlays")))
                .help("An overlay: replaces the config of rows for this start; may be given again"),
        )
        .arg(
            Arg::new("message-format")
                .long("message-format")
                .value_name("FORMAT")
                .value_parser(EnumValueParser::<MessageFormat>::new())
                .global(true)
                .help("How answers, and problems of overlays, are written"),
        )
        .arg(flag("dump-config", "Writes the rows, overlays applied, as a patch list that loads again"))
        .arg(
            flag("dump-default-config", "Writes what the profile's bundles alone give, likewise")
                .conflicts_with_all(["dump-config", "patch"]),
        )
        .arg(
            flag("self-describe", "Writes all that this binary is as one JSON object")
                .conflicts_with_all(["dump-config", "dump-default-config"]),
        )
        .disable_help_subcommand(true)
        .subcommand(inspect)
        .subcommand(Command::new(LICENCES).about("Writes the crates that this binary is linked from, with their licences"))
        .subcommands(verbs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::Vocabulary;

    const IDENTITY: Identity = Identity {
        profile: "minimal",
        aliases: &["sdk-minimal"],
        version: "0.1.0",
        digest: "0123456789abcdef",
        serves: true,
        verbs: &[Verb { name: "run", about: "Runs one task", usage }],
        vocabulary: Vocabulary::EMPTY,
    };

    fn usage(verb: &str, words: &[String]) -> Usage {
        match words.first().map(String::as_str) {
            Some("help") => Usage::Help(format!("how to {verb}")),
            Some("wrong") => Usage::Wrong(format!("not how to {verb}")),
            _ => Usage::Fits,
        }
    }

    fn read_words(words: &[&str]) -> Result<Request, String> {
        read(&IDENTITY, words.iter().map(ToString::to_string).collect()).map(|asked| asked.request)
    }

    #[test]
    fn serves_without_a_verb_and_accepts_its_own_names() {
        assert_eq!(read_words(&[]), Ok(Request::Start(Start::Serve)));
        assert_eq!(read_words(&["--profile", "minimal"]), Ok(Request::Start(Start::Serve)));
        assert_eq!(read_words(&["--profile", "sdk-minimal"]), Ok(Request::Start(Start::Serve)));
    }

    #[test]
    fn refuses_another_profile_with_the_command_that_builds_it() {
        let error = read_words(&["--profile", "web"]).unwrap_err();
        assert!(error.contains("`minimal`, not `web`") && error.contains("dsh-build --profile web"), "{error}");
    }

    #[test]
    fn overlays_and_formats_stand_before_or_after_what_is_asked() {
        let read = |words: &[&str]| read(&IDENTITY, words.iter().map(ToString::to_string).collect());
        let patches = vec![PathBuf::from("a.yml"), PathBuf::from("run")];
        for words in [
            ["--patch", "a.yml", "--patch", "run", "--message-format", "json", "inspect", "rows"],
            ["inspect", "rows", "--message-format", "json", "--patch", "a.yml", "--patch", "run"],
        ] {
            let asked = Asked { request: Request::Tell(Tell::Inspect(Kind::Rows)), patches: patches.clone(), format: MessageFormat::Json };
            assert_eq!(read(&words), Ok(asked), "{words:?}");
        }
        assert_eq!(read_words(&["--dump-config", "--patch", "a.yml"]), Ok(Request::Tell(Tell::DumpConfig)));
        assert_eq!(read_words(&["--self-describe", "--patch", "a.yml"]), Ok(Request::Tell(Tell::SelfDescription)));
        assert_eq!(read_words(&["licenses"]), Ok(Request::Tell(Tell::Licences)));
        assert_eq!(read_words(&["--dump-default-config"]), Ok(Request::Tell(Tell::DumpDefaultConfig)));
        for words in [
            &["--dump-default-config", "--patch", "a.yml"][..],
            &["--dump-config", "--dump-default-config"],
            &["--dump-config", "run", "do it"],
            &["--dump-config", "inspect", "rows"],
            &["--dump-config", "licenses"],
            &["--dump-config", "--self-describe"],
            &["licenses", "run", "do it"],
            &["inspect", "rows", "run", "do it"],
            &["inspect"],
            &["inspect", "run"],
            &["inspect", "walls"],
        ] {
            assert!(read_words(words).is_err(), "{words:?}");
        }
    }

    #[test]
    fn hands_a_verb_its_words_untouched() {
        let words = vec!["--max-steps".to_owned(), "3".to_owned(), "do it".to_owned(), "--help".to_owned()];
        assert_eq!(read_words(&["run", "--max-steps", "3", "do it", "--help"]), Ok(Request::Start(Start::Verb("run", words))));
        let words = vec!["--".to_owned(), "--x run".to_owned()];
        assert_eq!(read_words(&["--profile", "minimal", "run", "--", "--x run"]), Ok(Request::Start(Start::Verb("run", words))));
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
