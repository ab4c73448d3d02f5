//! `dsh-build schema`.

use std::path::{Path, PathBuf};

use super::USAGE;
use super::arguments::{Schema, SchemaArguments};
use super::output::{Output, said};
use super::search::Search;
use crate::build::RunLock;
use crate::compile::{Compiler, Source};
use crate::console::say;
use crate::diagnostics::Diagnostics;
use crate::index::{Index, Network};
use crate::kept::schemas_in;
use crate::schema::{PATCH, PROFILE, schemas};
use crate::sync::{Change, write};
use crate::workspace::Workspace;

/// Writes both schemas, or prints one. Needs the declarations alone: a profile that is being written may be wrong.
pub(super) fn schema(search: &Search, asked: &SchemaArguments, network: Network, output: &Output) -> Result<(), u8> {
    let (workspace, folder, source) = place(search, asked.beside.as_deref())?;
    let mut problems = Diagnostics::new();
    let mut compiler = Compiler::new(&workspace, network);
    let declarations = match &source {
        Some(source) => compiler.declarations_for(source, &mut problems),
        None => Some(compiler.declarations(&mut problems)),
    };
    output.show(&problems)?;
    // What could not be had was reported, and has ended the run.
    let declarations = declarations.expect("declarations without errors are there");
    if let Some(printed) = asked.print {
        let name = match printed {
            Schema::Profile => PROFILE,
            Schema::Patch => PATCH,
        };
        return output.answer(schemas(&declarations.index).get(name).map_or("", String::as_str));
    }
    let lock = RunLock::take(&workspace).map_err(said)?;
    write_schemas(&workspace, &folder.join("generated"), &declarations.index, &lock)
}

/// The workspace, the folder in whose `generated/` the schemas are kept, and the profile there, which may list crates of its own.
fn place(search: &Search, beside: Option<&Path>) -> Result<(Workspace, PathBuf, Option<Source>), u8> {
    let Some(beside) = beside else {
        let workspace = search.workspace()?;
        let root = workspace.root().to_owned();
        return Ok((workspace, root, None));
    };
    let folder = beside.canonicalize().map_err(|error| {
        say(format_args!("error: `{}` cannot be opened: {error}", beside.display()));
        USAGE
    })?;
    let profile = Source::of(folder.to_string_lossy());
    let (workspace, source) = search.of(profile)?;
    Ok((workspace, folder, Some(source)))
}

/// Writes both schemas below a folder of generated files, and says which changed. The lock shows that no other run works in the workspace.
///
/// # Errors
/// The exit status, when something cannot be read or written.
pub(super) fn write_schemas(workspace: &Workspace, generated: &Path, index: &Index, lock: &RunLock) -> Result<(), u8> {
    for change in write(workspace, &[schemas_in(generated, index)], false, lock).map_err(said)? {
        if let Change::File { file, .. } = change {
            say(format_args!("dsh-build: wrote {file}"));
        }
    }
    Ok(())
}
