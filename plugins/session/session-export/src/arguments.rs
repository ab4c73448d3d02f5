//! The words after the verb.

use clap::builder::{EnumValueParser, NonEmptyStringValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command, ValueEnum};
use dsh_message::SessionId;

/// Revision that a patch starts from where none is named.
const BASE: &str = "HEAD";

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    /// The session.
    pub(crate) session: SessionId,
    /// In which form.
    pub(crate) form: Form,
}

/// The form of an export.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A trajectory.
    Atif,
    /// A prediction that holds a patch.
    Patch {
        /// Revision that the patch starts from.
        base: String,
        /// Name of the task; the session's id where it is not given.
        instance: Option<String>,
        /// Name of what made the patch; the model's id where it is not given.
        model: Option<String>,
    },
}

/// A format by its name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// A trajectory in the Agent Trajectory Interchange Format: one JSON object.
    Atif,
    /// A prediction of SWE-bench: a line of JSON with what the agent changed in its folder.
    SwebenchPatch,
}

impl Asked {
    /// What words ask for.
    ///
    /// # Errors
    /// Help that was asked for, or what is wrong.
    pub(crate) fn of(words: &[String]) -> Result<Self, clap::Error> {
        let mut matches = command().try_get_matches_from(words)?;
        // The parser asks for the first two.
        let session = SessionId::from(text(&mut matches, "session").unwrap_or_default());
        let format = matches.remove_one::<Format>("format").unwrap_or(Format::Atif);
        let [base, instance, model] = ["base", "instance", "model-name"].map(|name| text(&mut matches, name));
        let form = match format {
            Format::SwebenchPatch => Form::Patch { base: base.unwrap_or_else(|| BASE.to_owned()), instance, model },
            Format::Atif if base.or(instance).or(model).is_none() => Form::Atif,
            Format::Atif => {
                let why = "`--base`, `--instance` and `--model-name` are for `--format swebench-patch`\n";
                return Err(command().error(ErrorKind::ArgumentConflict, why));
            }
        };
        Ok(Self { session, form })
    }
}

fn text(matches: &mut ArgMatches, name: &str) -> Option<String> {
    matches.remove_one(name)
}

fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).value_parser(NonEmptyStringValueParser::new()).help(help)
    };
    Command::new("export")
        .bin_name("export")
        .no_binary_name(true)
        .about("Writes a stored session to standard output in a form for benchmarks")
        .arg(
            Arg::new("session")
                .value_name("SESSION")
                .help("Id of a stored session")
                .required(true)
                .value_parser(NonEmptyStringValueParser::new()),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .help("In which form")
                .required(true)
                .value_parser(EnumValueParser::<Format>::new()),
        )
        .arg(option("base", "REV", "Revision that the patch starts from [default: HEAD]"))
        .arg(option("instance", "ID", "Name of the task in the prediction [default: the session's id]"))
        .arg(option("model-name", "NAME", "Name of what made the patch [default: the model's id]"))
}

#[cfg(test)]
mod tests {
    use dsh_runtime::Usage;

    use super::{Asked, Form};

    fn words(words: &[&str]) -> Result<Asked, clap::Error> {
        Asked::of(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn each_format_has_its_options() {
        let patch = |base: &str, instance: Option<&str>, model: Option<&str>| Form::Patch {
            base: base.to_owned(),
            instance: instance.map(str::to_owned),
            model: model.map(str::to_owned),
        };
        for (said, form) in [
            (&["s", "--format", "atif"][..], Form::Atif),
            (&["--format=swebench-patch", "s"], patch("HEAD", None, None)),
            (
                &["s", "--format", "swebench-patch", "--base", "v1", "--instance", "i", "--model-name", "m"],
                patch("v1", Some("i"), Some("m")),
            ),
        ] {
            assert_eq!(words(said).unwrap_or_else(|error| panic!("{error}")), Asked { session: "s".into(), form });
        }
        assert!(matches!(Usage::of(words(&["--help"])), Usage::Help(text) if text.contains("atif") && text.contains("swebench-patch")));
    }

    #[test]
    fn wrong_words_are_told() {
        for wrong in [
            &[][..],
            &["s"],
            &["", "--format", "atif"],
            &["s", "--format", "pdf"],
            &["s", "--format", "atif", "--base", "v1"],
            &["s", "--format", "atif", "--instance", "i"],
            &["s", "--format", "atif", "--model-name", "m"],
            &["s", "t", "--format", "atif"],
            &["s", "--format", "swebench-patch", "--base", ""],
        ] {
            assert!(words(wrong).is_err(), "{wrong:?}");
        }
        let told = words(&["s", "--format", "atif", "--base", "v1"]).unwrap_err().to_string();
        assert!(told.contains("`--base`") && told.contains("Usage: export"), "{told}");
    }
}
