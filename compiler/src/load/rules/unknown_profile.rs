//! A profile that is not there.

use crate::diagnostics::{Diagnostic, Rule, nearest, quoted};

/// `DSH0107`
pub static RULE: Rule = Rule::environment("DSH0107", "no profile has the name that was asked for", include_str!("unknown_profile.md"));

/// `searched` are the files that were looked for, `known` the names of the profiles that are there. `is_path` says that a folder of
/// the name lies in the current one and holds a profile.
pub fn unknown_profile(name: &str, searched: &[String], known: &[String], is_path: bool) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("no profile is named `{name}`"))
        .note(format!("looked for {}", quoted(searched.iter().map(String::as_str))));
    if is_path {
        return with_known(found, known).help(format!("the profile in the folder here is named by its path: `./{name}`"));
    }
    match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => with_known(found, known).help(format!("a profile with a similar name exists: `{near}`")),
        None => with_known(found, known).help("a profile elsewhere is named by the path of its folder, such as `./agents/ci`"),
    }
}

/// Nothing lies at a path. `asked` is what was written, `file` the file that was looked for.
pub fn no_profile_at(asked: &str, file: &str, known: &[String]) -> Diagnostic {
    let found = Diagnostic::new(&RULE, format!("there is no profile at `{asked}`")).note(format!("looked for `{file}`"));
    let near = nearest(asked, known.iter().map(String::as_str));
    let near = near.or_else(|| known.iter().map(String::as_str).find(|known| *known == asked.trim_end_matches('/')));
    with_known(found, known).help_if(near.map(|near| format!("a profile with a similar name exists: `{near}`")))
}

fn with_known(found: Diagnostic, known: &[String]) -> Diagnostic {
    match known {
        [] => found.note("there are no profiles"),
        known => found.note(format!("known profiles: {}", quoted(known.iter().map(String::as_str)))),
    }
}
