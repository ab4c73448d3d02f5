//! A crate that cargo cannot have.

use crate::diagnostics::{Diagnostic, Rule};
use crate::index::Network;
use crate::load::{CrateSource, Named};

/// `DSH0126`
pub(crate) static RULE: Rule = Rule::environment("DSH0126", "a crate cannot be had", include_str!("unavailable.md"));

/// `words` is what cargo said.
pub(crate) fn unavailable(name: &Named, source: &CrateSource, network: Network, words: &str) -> Diagnostic {
    let (what, help) = match source {
        CrateSource::Path(path) => (format!("the crate at `{path}`"), "mend what cargo complains of"),
        CrateSource::Git { url, rev } => (format!("revision `{rev}` of `{url}`"), "name a commit of the repository that has the package"),
        CrateSource::Version(version) => (format!("version `{version}`"), "name a version that the registry has"),
    };
    let found = Diagnostic::new(&RULE, format!("crate `{}` cannot be had: {what}", name.text)).at(&name.place, "listed here");
    let found = found.note(format!("cargo says: {words}"));
    match source {
        CrateSource::Git { .. } | CrateSource::Version(_) if network.offline => {
            found.help("leave `--offline` out once, so that cargo can fetch it")
        }
        _ => found.help(help),
    }
}
