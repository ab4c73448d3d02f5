//! What was probably meant by words that are wrong: the parser knows which words there are, not what people look for.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::diagnostics::nearest;

/// Words for what other tools call differently, and where it is here.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["help"], "`dsh-build --help` lists the commands, `dsh-build COMMAND --help` says what one takes"),
    (&["version"], "`dsh-build --version`"),
    (&["init", "create", "scaffold", "generate"], "`dsh-build new plugin|tool|profile NAME` makes one"),
    (&["lint", "validate"], "`dsh-build check --profile NAME` says what is wrong with a profile"),
    (&["ls", "plugins", "profiles", "bundles", "search"], "`dsh-build list plugins|profiles|bundles`"),
    (&["fmt", "gen", "codegen", "regenerate", "update"], "`dsh-build sync` writes what is generated anew"),
    (&["test"], "the tests of a plugin are run by cargo: `cargo test --package dsh-NAME`"),
    (&["convert", "migrate", "translate"], "`dsh-build import FILE`"),
    (&["deps", "tree"], "`dsh-build graph --profile NAME` draws who takes what from whom, `dsh-build plan --profile NAME` lists it"),
    (&["config", "print", "rows"], "`dsh-build dump --profile NAME` writes the rows of a profile"),
    (&["info", "describe", "where"], "`dsh-build why NAME --profile NAME` says where a part of a profile is from"),
    (&["doctor", "inspect", "session", "export"], "that is a word of a built binary: `dsh-build --profile NAME` prints its path"),
    (
        &["add", "remove", "rm", "install", "uninstall"],
        "what a profile mounts stands in its `profile.yml`; `dsh-build new profile NAME` makes one",
    ),
];

/// Options that other tools have, and what says the same here.
const OPTIONS: &[(&[&str], &str)] = &[
    (&["-p"], "a profile is named with `--profile`"),
    (&["-o", "--output"], "the binary goes where `--out PATH` says"),
    (&["-r", "--release"], "that is the default; `--debug` builds for debuggers, `--ship` the smallest binary"),
    (&["-j", "--json"], "`--message-format json`"),
    (&["-W", "-D", "--strict", "--deny-warnings", "--warnings-as-errors"], "`--deny warnings` refuses a composition that gives warnings"),
    (&["--bundle", "--bundles"], "bundles are listed in the profile, under `bundles`"),
];

/// Kinds that `list` and `new` do not have.
const KINDS: &[(&[&str], &str)] = &[
    (&["rows", "services", "events", "tools", "row", "service", "event"], "`dsh-build plan --profile NAME` lists those of a profile"),
    (&["commands"], "`dsh-build --help` lists the commands"),
    (&["bundle"], "a bundle is a patch list in `profiles/bundles/NAME.yml`"),
    (&["agent", "binary"], "`dsh-build new profile NAME` makes a profile, `dsh-build --profile NAME` a binary of it"),
];

/// What helps; then what the parser would propose is taken out of the error.
pub(super) fn tip(error: &mut clap::Error, words: &[String], commands: &[String]) -> Option<String> {
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand => command(&context(error, ContextKind::InvalidSubcommand)?, words, commands),
        ErrorKind::UnknownArgument => argument(&context(error, ContextKind::InvalidArg)?, words),
        ErrorKind::InvalidValue if context(error, ContextKind::InvalidArg)?.starts_with("--profile") => {
            Some("`dsh-build list profiles` names those of the workspace".to_owned())
        }
        ErrorKind::InvalidValue => answer(KINDS, &context(error, ContextKind::InvalidValue)?),
        ErrorKind::MissingRequiredArgument if words.get(1).is_some_and(|word| word == "list") => {
            Some("`dsh-build list profiles|plugins|bundles`".to_owned())
        }
        _ => None,
    }?;
    for proposed in [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue, ContextKind::Suggested] {
        error.remove(proposed);
    }
    Some(format!("help: {tip}"))
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<String> {
    if let Some(ContextValue::String(word)) = error.get(kind) { Some(word.clone()) } else { None }
}

fn command(word: &str, words: &[String], commands: &[String]) -> Option<String> {
    let next = words.iter().skip_while(|other| *other != word).nth(1).filter(|next| !next.starts_with('-'));
    match (word, next) {
        ("build" | "compile" | "make" | "run", next) => {
            let name = next.map_or("NAME", String::as_str);
            Some(format!("a profile is built with `dsh-build --profile {name}`, which prints the path of the binary"))
        }
        ("help", Some(next)) if commands.contains(next) => Some(format!("`dsh-build {next} --help`")),
        _ => answer(COMMANDS, word).or_else(|| {
            let near = nearest(word, commands.iter().map(String::as_str)).map(|near| format!("a similar command exists: `{near}`"));
            near.or_else(|| Some(format!("a profile is named with `--profile {word}`; `dsh-build --help` lists the commands")))
        }),
    }
}

fn argument(word: &str, words: &[String]) -> Option<String> {
    match word {
        _ if words.get(1).is_some_and(|command| command == "list") => Some("`list` speaks of the workspace, not of a profile".to_owned()),
        "--profile" => Some("`sync` and `diff` take the names of profiles without `--profile`".to_owned()),
        word if !word.starts_with('-') => Some(format!("a profile is named with `--profile {word}`")),
        word => answer(OPTIONS, word),
    }
}

fn answer(table: &[(&[&str], &str)], word: &str) -> Option<String> {
    table.iter().find(|(words, _)| words.contains(&word)).map(|(_, answer)| (*answer).to_owned())
}
