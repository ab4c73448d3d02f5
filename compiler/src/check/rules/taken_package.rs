//! A profile whose package or binary would have a name that is taken.

use crate::agent_names::{binary, package};
use crate::diagnostics::{Diagnostic, Diagnostics, Rule};
use crate::index::Index;
use crate::load::Profile;

/// `DSH0123`
pub static RULE: Rule =
    Rule::error("DSH0123", "what is built from a profile would have a name that is taken", include_str!("taken_package.md"));

/// This program.
const OWN_BINARY: &str = env!("CARGO_PKG_NAME");

/// Checks the profile's name.
pub fn taken_package(profile: &Profile, index: &Index, problems: &mut Diagnostics) {
    let name = &profile.name;
    let (package, binary) = (package(&name.text), binary(&name.text));
    let reason = if index.package_names.contains(&package) {
        format!("its package would be `{package}`, which the workspace has")
    } else if binary == OWN_BINARY {
        format!("its binary would be `{binary}`, like the compiler")
    } else if name.text == crate::schema::FOLDER {
        format!("its crate would lie in `generated/{}`, where the schemas for editors are kept", name.text)
    } else {
        return;
    };
    let found = Diagnostic::new(&RULE, format!("a profile cannot be called `{}` in this workspace", name.text)).at(&name.place, reason);
    problems.report(found.help("give the profile and its folder another name"));
}
