//! `dsh-build --profile NAME`.

use std::path::{Path, PathBuf};

use super::arguments::BuildArguments;
use super::compiled::compile_in;
use super::describing::Describing;
use super::output::{Output, said};
use super::schema::write_schemas;
use super::search::Search;
use crate::build::{BuildError, BuildOptions, Keep, Optimization, RunLock, build as build_binary, rules};
use crate::compile::{Compiled, Compiler, Source};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::index::{Metadata, Network, RUNTIME};
use crate::inventory::Inventory;
use crate::kept;
use crate::sync::write;
use crate::workspace::Workspace;

/// Builds a profile; the last line on standard output is the binary's path.
pub(super) fn build(search: &Search, source: Source, arguments: &BuildArguments, network: Network, output: &Output) -> Result<(), u8> {
    let path = compile_and_build(search, source, arguments.optimization(), arguments.out.clone(), network, output)?;
    output.answer(&format!("{}\n", path.display()))
}

/// Builds a profile and yields the binary's path. Problems are shown.
///
/// # Errors
/// The exit status.
pub(super) fn compile_and_build(
    search: &Search,
    source: Source,
    optimization: Optimization,
    out: Option<PathBuf>,
    network: Network,
    output: &Output,
) -> Result<PathBuf, u8> {
    let (workspace, source) = search.of(source)?;
    let lock = RunLock::take(&workspace).map_err(said)?;
    let mut compiler = Compiler::new(&workspace, network);
    let compiled = compile_in(&mut compiler, &source, output)?;
    let keep = match &compiled.elsewhere {
        _ if !source.patches.is_empty() || source.flags.change_composition() => Keep::Scratch,
        Some(folder) => Keep::Beside(folder.clone()),
        None => Keep::Generated,
    };
    let crates_of = compiled.crates_folder();
    let is_static = compiled.composition.profile.build.is_static;
    let options = BuildOptions { keep, crates_of, optimization, is_static, network, out };
    let built = build_binary(&workspace, &compiled.plan, &compiled.declarations.metadata, &options, &lock);
    let path = built.map_err(|error| refused(error, &compiled, output))?;
    // What `sync --check` looks at with the crate is kept with it.
    match &options.keep {
        Keep::Generated => {
            let own = compiler.declarations(&mut Diagnostics::new());
            write(&workspace, &kept::of_plugins(&workspace, &own), false, &lock).map_err(said)?;
            write_catalogs(&workspace, &compiled, &path, &lock)?;
        }
        Keep::Beside(folder) => {
            write_schemas(&workspace, &folder.join("generated"), &compiled.declarations.index, &lock)?;
            write_catalogs(&workspace, &compiled, &path, &lock)?;
        }
        Keep::Scratch => {}
    }
    Ok(path)
}

/// Writes the catalogs of a profile; its binary is asked where they were made from something else.
fn write_catalogs(workspace: &Workspace, compiled: &Compiled, binary: &Path, lock: &RunLock) -> Result<(), u8> {
    let inventory = Inventory::of_profile(&compiled.plan, &compiled.declarations.metadata, workspace);
    let describing = Describing { workspace, compiled, inventory: &inventory };
    let described = match describing.current()? {
        Some(current) => current,
        // That other sources say the same is for `sync` to write: a build is no reason to change a file.
        None => describing.ask(binary)?.unless_same(kept::described(workspace, compiled)),
    };
    write(workspace, &[kept::catalogs_of(workspace, compiled, &inventory, &described)], false, lock).map_err(said)?;
    Ok(())
}

/// Shows why there is no binary: packages that do not compile are told by the rows that mount them.
fn refused(error: BuildError, compiled: &Compiled, output: &Output) -> u8 {
    let BuildError::Packages(packages) = &error else { return said(error) };
    let mut diagnostics = Diagnostics::new();
    for package in packages {
        diagnostics.report(diagnostic(package, compiled));
    }
    output.show(&diagnostics).err().unwrap_or_else(|| error.exit_status())
}

fn diagnostic(package: &str, compiled: &Compiled) -> Diagnostic {
    let index = &compiled.declarations.index;
    let of_package = |name: &str| index.plugins.values().find(|plugin| plugin.declared.id.package == name);
    if let Some(plugin) = of_package(package) {
        let row = compiled.composition.all_rows().find(|(_, row)| row.plugin_name() == Some(&plugin.name));
        return rules::plugin_does_not_compile(&plugin.name, package, row.as_ref().map(|(id, row)| (id.as_str(), *row)));
    }
    let metadata = &compiled.declarations.metadata;
    let mounted = compiled.plan.plugins.iter().filter(|(_, plugin)| needs(&plugin.item.package, package, metadata));
    let users: Vec<&str> = mounted.map(|(name, _)| name.as_str()).collect();
    let is_definition = index.packages.contains_key(package) && package != RUNTIME;
    if is_definition { rules::definition_does_not_compile(package, &users) } else { rules::crate_does_not_compile(package, &users) }
}

/// Whether a package is or leads to another.
fn needs(package: &str, other: &str, metadata: &Metadata) -> bool {
    let mut seen = vec![false; metadata.packages.len()];
    let mut open: Vec<usize> = (0..seen.len()).filter(|place| metadata.packages[*place].name == package).collect();
    while let Some(place) = open.pop() {
        if metadata.packages[place].name == other {
            return true;
        }
        if !std::mem::replace(&mut seen[place], true) {
            open.extend(metadata.packages[place].deps.values());
        }
    }
    false
}
