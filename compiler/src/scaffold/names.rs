//! Names for what is made anew.

use crate::crates::rules::is_reserved;
use crate::load::is_name;

/// Longest name, in characters: it becomes a part of file names with more around it.
const LONGEST: usize = 64;

/// Why a name cannot be one.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadName {
    /// It has other characters.
    #[error("`{0}` is no name: a lower-case letter, then lower-case letters, digits and single hyphens between them")]
    Characters(String),
    /// It is too long.
    #[error("`{0}` is longer than {LONGEST} characters")]
    Long(String),
    /// The prefix of packages is no part of it.
    #[error("write `{0}`: the package gets `dsh-` before it by itself")]
    Prefixed(String),
    /// The product needs it itself.
    #[error("`{0}` is a reserved name")]
    Reserved(String),
}

/// Checks the name of a plugin.
pub(super) fn check_plugin(name: &str) -> Result<(), BadName> {
    check(name)?;
    match name.strip_prefix("dsh-") {
        Some(rest) if is_name(rest) => return Err(BadName::Prefixed(rest.to_owned())),
        _ => {}
    }
    // A package `dsh-agent-NAME` may be what is built from a profile.
    if is_reserved(name) || name.starts_with("agent-") {
        return Err(BadName::Reserved(name.to_owned()));
    }
    Ok(())
}

/// Checks the name of a profile: its binary is called `dsh-NAME`, and `dsh-build` is this program.
pub(super) fn check_profile(name: &str) -> Result<(), BadName> {
    check(name)?;
    if name == "build" || name == "bundles" { Err(BadName::Reserved(name.to_owned())) } else { Ok(()) }
}

fn check(name: &str) -> Result<(), BadName> {
    if !is_name(name) || name.ends_with('-') || name.contains("--") {
        return Err(BadName::Characters(name.to_owned()));
    }
    if name.len() > LONGEST { Err(BadName::Long(name.to_owned())) } else { Ok(()) }
}

/// `tool-counter` as `ToolCounter`.
pub(super) fn type_name(name: &str) -> String {
    name.split('-').map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_not_work_are_refused() {
        for name in ["", "Weather", "we ather", "-a", "a-", "a--b", "../a", "1a", "wetter-ä", "a.b"] {
            assert_eq!(check_plugin(name), Err(BadName::Characters(name.to_owned())));
        }
        assert_eq!(check_plugin("dsh-a"), Err(BadName::Prefixed("a".to_owned())));
        for name in ["runtime", "testkit", "agent-mine"] {
            assert_eq!(check_plugin(name), Err(BadName::Reserved(name.to_owned())));
        }
        assert!(matches!(check_plugin(&"a".repeat(65)), Err(BadName::Long(_))));
        assert_eq!((check_plugin("a2-b"), check_profile("agent-mine"), type_name("a2-b")), (Ok(()), Ok(()), "A2B".to_owned()));
        assert_eq!(check_profile("build"), Err(BadName::Reserved("build".to_owned())));
    }
}
