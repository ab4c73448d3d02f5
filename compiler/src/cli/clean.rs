//! `dsh-build clean`.

use std::fs;
use std::path::Path;

use super::USAGE;
use super::output::said;
use super::search::Search;
use crate::build::{BuildError, RunLock};
use crate::compile::Source;
use crate::console::say;

/// Removes the folder that belongs to the compiler, after other runs have ended.
pub(super) fn clean(search: &Search, profile: Option<String>) -> Result<(), u8> {
    let workspace = match profile {
        None => search.workspace()?,
        Some(profile) => {
            let (workspace, _) = search.of(Source::of(profile.clone()))?;
            if workspace.has_plugins() {
                say(format_args!("error: profile `{profile}` is built in a workspace\nhelp: `dsh-build clean` cleans the workspace"));
                return Err(USAGE);
            }
            workspace
        }
    };
    let own = workspace.own();
    if own.is_dir() {
        let _lock = RunLock::take(&workspace).map_err(said)?;
        remove(&own).map_err(said)?;
    }
    say(format_args!("dsh-build: cleaned {}", workspace.relative(&own)));
    Ok(())
}

/// Removes all but the lock: whoever waits for it has it open, and would not see that of the next run.
fn remove(own: &Path) -> Result<(), BuildError> {
    for entry in fs::read_dir(own).map_err(BuildError::io(own))? {
        let entry = entry.map_err(BuildError::io(own))?;
        let path = entry.path();
        let is_folder = entry.file_type().map_err(BuildError::io(&path))?.is_dir();
        if is_folder {
            fs::remove_dir_all(&path).map_err(BuildError::io(&path))?;
        } else if entry.file_name() != RunLock::FILE {
            fs::remove_file(&path).map_err(BuildError::io(&path))?;
        }
    }
    Ok(())
}
