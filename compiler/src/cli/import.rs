//! `dsh-build import`.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::arguments::{ImportArguments, ReadAs};
use super::output::{Output, counted};
use super::search::Search;
use super::{REFUSED, USAGE};
use crate::check::check;
use crate::compile::Compiler;
use crate::console::say;
use crate::diagnostics::{Diagnostics, SourceFile};
use crate::import::{Form, Imported, Original, Report, import as translate, original};
use crate::index::{Index, Network};
use crate::load::{BuildFlags, LoadRequest, load, read_text};
use crate::replace::replace;
use crate::resolve::resolve;

/// What is answered.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    report: &'a Report,
    /// What `check` says of the documents as the patch files of an empty profile; absent when they insert no row.
    check: Option<Vec<serde_json::Value>>,
}

/// Translates compositions of the reference. What has no counterpart is told, and makes the exit status 1.
pub(super) fn import(search: &Search, arguments: &ImportArguments, network: Network, output: &Output) -> Result<(), u8> {
    let mut problems = Diagnostics::new();
    let declarations = Compiler::new(&search.workspace()?, network).declarations(&mut problems);
    let form = arguments.read_as.map(|form| match form {
        ReadAs::Rows => Form::Rows,
        ReadAs::Patch => Form::Patch,
    });
    let originals: Vec<Option<Original>> = arguments.files.iter().map(|file| read(file, form, &mut problems)).collect();
    output.show(&problems)?;
    // What could not be read was reported, and has ended the run.
    let originals: Vec<Original> = originals.into_iter().flatten().collect();
    let report = translate(&originals, &declarations.index);
    let names = names(&report.files)?;
    if let Some(folder) = &arguments.output {
        write(folder, &names, &report.files)?;
    }
    let inserts = report.files.iter().any(|file| file.rows > 0);
    let problems = if inserts { Some(checked(&names, &report.files, &declarations.index)?) } else { None };
    let check = problems.as_ref().map(|problems| problems.json().lines().filter_map(|line| serde_json::from_str(line).ok()).collect());
    tell(&Answer { report: &report, check }, arguments.output.is_some(), output)?;
    if report.left == 0 { Ok(()) } else { Err(REFUSED) }
}

fn read(path: &Path, form: Option<Form>, problems: &mut Diagnostics) -> Option<Original> {
    let name = path.to_string_lossy();
    let file = read_text(path, &name, &name).map_err(|problem| problems.report(*problem)).ok()?;
    original(&SourceFile::new(file.name(), file.text()), form, problems)
}

/// Names of the documents: those of the files, as names of bundles.
fn names(files: &[Imported]) -> Result<Vec<String>, u8> {
    let mut names: Vec<String> = Vec::new();
    for file in files {
        let name = document_name(&file.file);
        if names.contains(&name) {
            say(format_args!("error: two of the files would be called `{name}`\nhelp: translate them to different folders"));
            return Err(USAGE);
        }
        names.push(name);
    }
    Ok(names)
}

/// `agent.cordis.yml` gives `agent-cordis.yml`.
fn document_name(file: &str) -> String {
    let base = file.rsplit('/').next().unwrap_or(file);
    let stem = base.strip_suffix(".yml").or(base.strip_suffix(".yaml")).unwrap_or(base).to_ascii_lowercase();
    let words: Vec<&str> = stem.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let name = words.join("-");
    if name.starts_with(|first: char| first.is_ascii_lowercase()) { format!("{name}.yml") } else { format!("patch-{name}.yml") }
}

/// Writes the documents, none of them over another file.
fn write(folder: &Path, names: &[String], files: &[Imported]) -> Result<(), u8> {
    let failed = |path: &Path, error: io::Error| {
        say(format_args!("error: `{}` cannot be written: {error}", path.display()));
        USAGE
    };
    let paths: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    if let Some(taken) = paths.iter().find(|path| path.symlink_metadata().is_ok()) {
        say(format_args!("error: `{}` is there already\nhelp: remove it, or name another folder with `--output`", taken.display()));
        return Err(USAGE);
    }
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    for (path, file) in paths.iter().zip(files) {
        replace(path, |new| fs::write(new, &file.document)).map_err(|error| failed(path, error))?;
        say(format_args!("dsh-build: wrote {}", path.display()));
    }
    Ok(())
}

/// What is wrong with the documents as the patch files of an empty profile.
fn checked(names: &[String], files: &[Imported], index: &Index) -> Result<Diagnostics, u8> {
    let scratch = scratch(names, files).map_err(|error| {
        say(format_args!("error: a temporary folder cannot be written: {error}"));
        USAGE
    })?;
    let request = LoadRequest {
        workspace: scratch.path().to_owned(),
        home: None,
        cwd: scratch.path().to_owned(),
        profile: "./imported".to_owned(),
        patches: names.iter().map(PathBuf::from).collect(),
        crates: Vec::new(),
        flags: BuildFlags::default(),
    };
    let mut problems = Diagnostics::new();
    let composition = load(&request, &mut problems).map(|loaded| resolve(&loaded, &mut problems));
    if let Some(composition) = composition {
        // Only what it has to say is asked for.
        let _ = check(&composition, index, &mut problems);
    }
    Ok(problems)
}

fn scratch(names: &[String], files: &[Imported]) -> io::Result<tempfile::TempDir> {
    let scratch = tempfile::tempdir()?;
    fs::create_dir(scratch.path().join("imported"))?;
    fs::write(scratch.path().join("imported/profile.yml"), "dsh: 1\nprofile: imported\n")?;
    for (name, file) in names.iter().zip(files) {
        fs::write(scratch.path().join(name), &file.document)?;
    }
    Ok(scratch)
}

/// For readers the documents are the answer, and the report goes to standard error; where they went to files, the report is the answer.
fn tell(answer: &Answer<'_>, is_written: bool, output: &Output) -> Result<(), u8> {
    if output.is_json() {
        return output.json(answer);
    }
    let report = format!("{}{}", answer.report, verdict(answer.check.as_deref()));
    if is_written {
        return output.answer(&report);
    }
    output.answer(&together(&answer.report.files))?;
    say(report.trim_end());
    Ok(())
}

/// The documents as one, which applies them in order.
fn together(files: &[Imported]) -> String {
    let is_empty = |document: &str| document.lines().all(|line| line.starts_with('#') || line == "[]");
    let all_empty = files.iter().all(|file| is_empty(&file.document));
    let mut text = String::new();
    for (at, file) in files.iter().enumerate() {
        let is_last = at + 1 == files.len();
        match is_empty(&file.document) && !(all_empty && is_last) {
            true => text.push_str(file.document.strip_suffix("[]\n").unwrap_or(&file.document)),
            false => text.push_str(&file.document),
        }
    }
    text
}

fn verdict(problems: Option<&[serde_json::Value]>) -> String {
    let Some(problems) = problems else { return "check: not asked, since no row is inserted\n".to_owned() };
    if problems.is_empty() {
        return "check: the documents alone are a composition that is right\n".to_owned();
    }
    let mut text = format!("check: the documents alone are no composition that is right, {}\n", counted(problems.len(), "problem"));
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    for problem in problems {
        let primary = &problem["primary"];
        let at = if primary.is_null() {
            String::new()
        } else {
            format!(" ({}:{}:{})", word(&primary["file"]), primary["line"], primary["column"])
        };
        // Writing to a string does not fail.
        let _ = writeln!(text, "  {}[{}]: {}{at}", word(&problem["severity"]), word(&problem["code"]), word(&problem["title"]));
    }
    text
}
