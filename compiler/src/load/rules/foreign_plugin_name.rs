//! Plugin names of the reference implementation.

use crate::diagnostics::{Diagnostic, Place, Rule};
use crate::load::node::Key;

/// `DSH0117`
pub static RULE: Rule = Rule::error(
    "DSH0117",
    "`name` does not name a plugin",
    "In overlays of the reference implementation a row's `name` is a JavaScript package. `@deepseek-ai/dsh-NAME` is read as `plugin: NAME`; \
     other packages have no equal here.",
);

/// A package that is not read.
pub fn foreign_plugin_name(name: &str, place: &Place) -> Diagnostic {
    Diagnostic::new(&RULE, format!("`{name}` has no equal among plugins"))
        .at(place, "only `@deepseek-ai/dsh-…` is read")
        .help("write `plugin: …` with the name of a plugin")
}

/// The same said twice.
pub fn name_and_plugin(name: &Key, plugin: &Key) -> Diagnostic {
    Diagnostic::new(&RULE, "a row has both `name` and `plugin`")
        .at(&name.place, "the plugin in the reference's spelling")
        .and(&plugin.place, "the plugin")
        .help("remove `name`")
}
