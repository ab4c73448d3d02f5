//! `dsh-build schema`.

use std::path::Path;

use super::USAGE;
use super::arguments::{Schema, SchemaArguments};
use super::output::{Output, said};
use super::sync::schema_target;
use crate::build::RunLock;
use crate::compile::Compiler;
use crate::console::say;
use crate::diagnostics::Diagnostics;
use crate::index::Network;
use crate::schema::{PATCH, PROFILE, schemas};
use crate::sync::{Change, write};
use crate::workspace::Workspace;

/// Writes both schemas, or prints one. Needs the declarations alone: a profile that is being written may be wrong.
pub(super) fn schema(workspace: &Workspace, asked: &SchemaArguments, network: Network, output: &Output) -> Result<(), u8> {
    let mut problems = Diagnostics::new();
    let compiler = Compiler::open(workspace, network, &mut problems);
    output.show(&problems)?;
    if let Some(printed) = asked.print {
        let name = match printed {
            Schema::Profile => PROFILE,
            Schema::Patch => PATCH,
        };
        return output.answer(schemas(&compiler.index).get(name).map_or("", String::as_str));
    }
    let folder = match &asked.beside {
        Some(folder) => folder.canonicalize().map_err(|error| {
            say(format_args!("error: `{}` cannot be opened: {error}", folder.display()));
            USAGE
        })?,
        None => workspace.root().to_owned(),
    };
    let lock = RunLock::take(workspace).map_err(said)?;
    write_schemas(workspace, &folder.join("generated"), &compiler, &lock)
}

/// Writes both schemas below a folder of generated files, and says which changed. The lock shows that no other run works in the workspace.
///
/// # Errors
/// The exit status, when something cannot be read or written.
pub(super) fn write_schemas(workspace: &Workspace, generated: &Path, compiler: &Compiler, lock: &RunLock) -> Result<(), u8> {
    for change in write(workspace, &[schema_target(generated, compiler)], false, lock).map_err(said)? {
        if let Change::File { file, .. } = change {
            say(format_args!("dsh-build: wrote {file}"));
        }
    }
    Ok(())
}
