//! A scratch workspace on disk, written from a text that holds several files.
//!
//! A line `//- crate NAME DEP…` starts the `src/lib.rs` of a plugin crate `dsh-NAME` in `plugins/scratch/`, with a manifest that
//! depends on the runtime and on the named crates of the same text (`sh=shell` renames one). A line `//- file PATH` starts any
//! other file. The runtime is a stand-in: declarations are read from source, so nothing here is compiled.

// Each test program uses its own part of this module.
#![allow(dead_code)]

pub mod small;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dsh_build::diagnostics::Diagnostics;
use dsh_build::index::{Index, Network, index};
use dsh_build::workspace::Workspace;

const MANIFEST: &str = "[workspace]\nresolver = \"3\"\nmembers = [\"runtime\", \"plugins/*/*\"]\nexclude = [\"vendor\", \"generated/catalogs\", \"generated/schema\"]\n";

const RUNTIME: &str = "#[service(key = \"invariants\")]\npub trait Invariants: Send + Sync {}\n";

/// A workspace in a temporary folder.
pub struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    /// Writes the files of `text`.
    pub fn new(text: &str) -> Self {
        let scratch = Self { folder: tempfile::tempdir().unwrap() };
        scratch.write("Cargo.toml", MANIFEST);
        scratch.write("profiles/.keep", "");
        scratch.write("runtime/Cargo.toml", &manifest("dsh-runtime", "", "\n[features]\noverlays = []\n"));
        scratch.write("runtime/src/lib.rs", RUNTIME);
        for section in text.split("//- ").skip(1) {
            let (head, body) = section.split_once('\n').unwrap();
            let mut words = head.split_whitespace();
            match (words.next(), words.next()) {
                (Some("crate"), Some(name)) => scratch.add_crate(name, words, body),
                (Some("file"), Some(path)) => scratch.write(path, body),
                _ => panic!("a section starts `//- crate NAME` or `//- file PATH`, not `{head}`"),
            }
        }
        scratch
    }

    fn add_crate<'a>(&self, name: &str, dependencies: impl Iterator<Item = &'a str>, body: &str) {
        let mut lines = "dsh-runtime = { path = \"../../../runtime\" }\n".to_owned();
        for dependency in dependencies {
            let (seen, of) =
                dependency.split_once('=').map_or((format!("dsh-{dependency}"), dependency), |(seen, of)| (seen.to_owned(), of));
            writeln!(lines, "{seen} = {{ path = \"../{of}\", package = \"dsh-{of}\" }}").unwrap();
        }
        self.write(&format!("plugins/scratch/{name}/Cargo.toml"), &manifest(&format!("dsh-{name}"), "", &lines));
        self.write(&format!("plugins/scratch/{name}/src/lib.rs"), body);
    }

    /// Its root, without symbolic links.
    pub fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    /// Writes a file.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Reads a file.
    pub fn read(&self, path: &str) -> String {
        let path = self.folder.path().join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Whether there is something at a path.
    pub fn holds(&self, path: &str) -> bool {
        self.folder.path().join(path).exists()
    }

    /// Its declarations and what is wrong with them.
    pub fn index(&self) -> (Index, Diagnostics) {
        let mut diagnostics = Diagnostics::new();
        let workspace = Workspace::at(self.folder.path()).unwrap();
        let (index, _) = index(&workspace, Network { offline: true, locked: false }, &mut diagnostics);
        (index, diagnostics)
    }

    /// Runs the compiler in it.
    pub fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    /// The compiler, to be run in it. The harness home is its own, so that no profile of the user is found.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dsh-build"));
        command.args(words).current_dir(self.folder.path()).env("DSH_HOME", self.folder.path().join("home")).env_remove("DSH_WORKSPACE");
        command
    }
}

/// Runs the compiler where a build makes this binary, which is asked what it is.
pub fn run_with_binary(scratch: &Scratch, binary: &Path, words: &[&str]) -> Output {
    let mut command = scratch.command(words);
    stand_in_for_cargo(&mut command, &scratch.root());
    command.env("MADE", binary).output().unwrap()
}

/// Runs the compiler where a build makes a binary that says nothing of itself.
pub fn run_described(scratch: &Scratch, words: &[&str]) -> Output {
    described(&mut scratch.command(words), scratch).output().unwrap()
}

/// The compiler in a workspace, where a build makes a binary that says nothing of itself.
pub fn described<'c>(command: &'c mut Command, scratch: &Scratch) -> &'c mut Command {
    stand_in_for_cargo(command, &scratch.root());
    command.env("MADE", Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scratch/binary.sh"))
}

/// Adds what stands in for cargo's builds, see `cargo.sh`. The script lies in the sources: one that this process had just written
/// could still be open in a child of another test.
pub fn stand_in_for_cargo(command: &mut Command, root: &Path) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scratch/cargo.sh");
    command.env("REAL_CARGO", env!("CARGO")).env("CARGO", script).env("LOG", root.join("log"));
}

/// A manifest with more lines for `[package]` and for `[dependencies]`.
pub fn manifest(name: &str, package: &str, dependencies: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{package}\n[dependencies]\n{dependencies}")
}

/// Compares a text with a file beside the tests, or writes the file when `DSH_UPDATE` is set.
pub fn expect(file: &Path, found: &str) {
    if std::env::var_os("DSH_UPDATE").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, found).unwrap();
        return;
    }
    let expected = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    assert_eq!(found, expected, "{} (DSH_UPDATE=1 writes it)", file.display());
}

/// The way from one folder to another, both absolute.
pub fn way(from: &Path, to: &Path) -> String {
    "../".repeat(from.components().count() - 1) + to.to_str().unwrap().trim_start_matches('/')
}
