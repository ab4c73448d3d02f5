//! The manifest of a new plugin crate.

use std::path::{Path, PathBuf};

use super::{Kind, ScaffoldError};
use crate::index::{Metadata, RUNTIME};
use crate::workspace::Workspace;

/// Packages of the workspace that a new crate uses, the last one in its tests alone.
const NEEDED: [&str; 3] = [RUNTIME, "dsh-tools", "dsh-testkit"];

/// Where a new crate lies.
pub(super) enum Home {
    /// In `plugins/GROUP/` of the workspace, which makes it a member.
    Member,
    /// Elsewhere; with the folders of the packages that it needs.
    Outside([PathBuf; 3]),
}

impl Home {
    /// Where `folder` is, seen from the workspace.
    pub(super) fn of(folder: &Path, workspace: &Workspace, metadata: &Metadata) -> Result<Self, ScaffoldError> {
        let plugins = workspace.root().join("plugins");
        if folder.strip_prefix(&plugins).is_ok_and(|inside| inside.components().count() == 2) {
            return Ok(Self::Member);
        }
        if folder.starts_with(workspace.root()) {
            return Err(ScaffoldError::Misplaced { folder: workspace.relative(folder) });
        }
        let find = |name: &'static str| {
            let found = metadata.packages.iter().find(|package| package.member && package.name == name);
            found.map(|package| package.folder().to_owned()).ok_or(ScaffoldError::Lacks(name))
        };
        Ok(Self::Outside([find(NEEDED[0])?, find(NEEDED[1])?, find(NEEDED[2])?]))
    }

    /// Whether the workspace finds it by itself.
    pub(super) fn is_member(&self) -> bool {
        matches!(self, Self::Member)
    }
}

/// `Cargo.toml`.
pub(super) fn manifest(kind: Kind, name: &str, home: &Home) -> String {
    let description = match kind {
        Kind::Plugin => "Counts the calls of tools, and lets other plugins ask how many there were.".to_owned(),
        Kind::Tool => format!("The tool `{}`.", name.replace('-', "_")),
    };
    let package = format!("[package]\nname = \"dsh-{name}\"\ndescription = \"{description}\"\n");
    match home {
        Home::Member => format!(
            "{package}version.workspace = true\nedition.workspace = true\nrust-version.workspace = true\nlicense.workspace = true\n\
             publish.workspace = true\n\n[lints]\nworkspace = true\n\n[dependencies]\ndsh-runtime.workspace = true\n\
             dsh-tools.workspace = true\n\n[dev-dependencies]\ndsh-testkit.workspace = true\nserde_json.workspace = true\n\
             tokio.workspace = true\n"
        ),
        Home::Outside([runtime, tools, testkit]) => format!(
            "{package}version = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
             # A workspace of its own; remove this when the crate becomes a member of another.\n[workspace]\n\n\
             # Paths of this machine. To share the crate, write `{{ git = \"…\", rev = \"…\" }}` for all three.\n\
             [dependencies]\ndsh-runtime = {}\ndsh-tools = {}\n\n\
             [dev-dependencies]\ndsh-testkit = {}\nserde_json = \"1\"\n\
             tokio = {{ version = \"1\", default-features = false, features = [\"macros\", \"rt\"] }}\n\n\
             # As in the workspace, so that what was compiled for one serves the other.\n\
             [profile.dev]\ndebug = \"line-tables-only\"\n\n[profile.dev.package.\"*\"]\ndebug = false\n",
            path(runtime),
            path(tools),
            path(testkit)
        ),
    }
}

fn path(folder: &Path) -> String {
    format!("{{ path = {} }}", toml::Value::from(folder.to_string_lossy().into_owned()))
}
