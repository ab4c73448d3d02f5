//! A profile that is not there.

use crate::diagnostics::{Diagnostic, Rule, nearest, quoted};

/// `DSH0107`
pub static RULE: Rule = Rule::environment(
    "DSH0107",
    "no profile has the name that was asked for",
    "`--profile` takes the name of a folder under `profiles/` of the workspace or of `$DSH_HOME`, or a path to a profile's folder or file.",
);

/// `searched` are the folders that were looked into, `known` the names of the profiles that are there.
pub fn unknown_profile(name: &str, searched: &[String], known: &[String]) -> Diagnostic {
    let near = nearest(name, known.iter().map(String::as_str));
    let found = Diagnostic::new(&RULE, format!("no profile is named `{name}`"))
        .note(format!("looked for {}", quoted(searched.iter().map(String::as_str))));
    let found = match known {
        [] => found.note("there are no profiles"),
        known => found.note(format!("known profiles: {}", quoted(known.iter().map(String::as_str)))),
    };
    match near {
        Some(near) => found.help(format!("a profile with a similar name exists: `{near}`")),
        None => found.help("a profile elsewhere is named by the path of its folder, such as `./agents/ci`"),
    }
}
