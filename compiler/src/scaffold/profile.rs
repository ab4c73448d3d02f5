//! A new profile.

use std::path::{Path, PathBuf};

use super::{ScaffoldError, names, real, write};
use crate::crates::{Found, look};
use crate::index::{plugin_name, relative};
use crate::load::is_name;
use crate::workspace::Workspace;

const TEMPLATE: &str = include_str!("templates/profile/profile.yml");

/// Makes a profile in the folder `parent` that mounts the plugins of the crates in `with`, and yields its folder.
pub(crate) fn profile(name: &str, parent: &Path, with: &[PathBuf], workspace: &Workspace) -> Result<PathBuf, ScaffoldError> {
    names::check_profile(name)?;
    let folder = parent.join(name);
    let lies_in = real(&folder);
    let (mut crates, mut rows) = (String::new(), String::new());
    for crate_folder in with {
        let package = package(crate_folder)?;
        let plugin = plugin_name(&package);
        rows.push_str(&format!("\n      - {{id: {plugin}, plugin: {plugin}}}"));
        let crate_folder = real(crate_folder);
        if !crate_folder.starts_with(workspace.root()) {
            crates.push_str(&format!("\n  {package}: {{path: {}}}", quoted(&relative(&lies_in, &crate_folder))));
        }
    }
    let crates = if crates.is_empty() { crates } else { format!("crates:{crates}\n") };
    let patch = if rows.is_empty() { " []".to_owned() } else { format!("\n  - insert:{rows}") };
    let text = TEMPLATE.replace("{{name}}", name).replace("{{crates}}", &crates).replace("{{patch}}", &patch);
    let ignored = (".gitignore".to_owned(), "/target\n".to_owned());
    let files = [("profile.yml".to_owned(), text)].into_iter().chain((!lies_in.starts_with(workspace.root())).then_some(ignored));
    write(&folder, &files.collect::<Vec<_>>())?;
    Ok(folder)
}

/// Name of the package in a folder, which must be one that a profile can list.
fn package(folder: &Path) -> Result<String, ScaffoldError> {
    let why = match look(&folder.join("Cargo.toml")) {
        Found::Package(name) if is_name(&name) => return Ok(name),
        Found::Package(name) => format!("its package `{name}` has a name that a profile cannot list"),
        Found::Nothing(reason) => reason.to_owned(),
        Found::Unreadable(error) => error,
    };
    Err(ScaffoldError::NoCrate { folder: folder.to_owned(), why })
}

/// A scalar of YAML that is read as it is, whatever is in it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
