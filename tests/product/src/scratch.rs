//! A workspace of a test's own: the real one's folders seen through links, with nothing built yet.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{compile, workspace};

/// The workspace, removed when it is dropped.
pub struct Scratch {
    _folder: TempDir,
    root: PathBuf,
}

/// What the compiler said of a composition.
#[derive(Debug)]
pub struct Said {
    /// Exit status.
    pub status: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Longest time for a refusal. Most of it is cargo telling about packages; a build would take far longer.
const SOON: Duration = Duration::from_secs(30);

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Scratch {
    /// A new one.
    ///
    /// # Panics
    /// When it cannot be made.
    #[must_use]
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("dsh-refused-").tempdir().expect("a temporary folder can be made");
        let root = folder.path().canonicalize().expect("the folder is there");
        link_all(workspace(), &root, &[".git", "target", "generated", "plugins", "profiles"]);
        for own in ["plugins", "profiles"] {
            fs::create_dir(root.join(own)).expect("a folder can be made");
            link_all(&workspace().join(own), &root.join(own), &[]);
        }
        Self { _folder: folder, root }
    }

    /// Writes a file, relative to the root.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&self.root)).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    }

    /// Copies the profile `minimal` to `edited/minimal` with other patches than its own (none).
    ///
    /// # Panics
    /// When the profile has patches.
    pub fn edit_minimal(&self, patch: &str) {
        let profile = fs::read_to_string(workspace().join("profiles/minimal/profile.yml")).expect("the profile is there");
        assert!(profile.contains("patch: []"), "the profile has no patches of its own: {profile}");
        self.write("edited/minimal/profile.yml", &profile.replace("patch: []", &format!("patch:\n{patch}")));
    }

    /// Runs the compiler with these words.
    ///
    /// # Panics
    /// When that takes long: nothing here is built.
    #[must_use]
    pub fn run(&self, words: &[&str]) -> Said {
        let start = Instant::now();
        let output = compile(&self.root).args(words).arg("--offline").output().expect("the compiler can be run");
        assert!(start.elapsed() < SOON, "it took {:?}", start.elapsed());
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the compiler writes UTF-8");
        Said { status: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// Asks for a binary of the edited profile and sees that it is refused before cargo builds or anything is generated.
    ///
    /// # Panics
    /// When it is not.
    #[must_use]
    pub fn refuse_minimal(&self) -> Said {
        let said = self.run(&["--profile", "edited/minimal"]);
        assert_eq!((said.status, said.stdout.as_str()), (Some(1), ""), "{}", said.stderr);
        self.assert_nothing_was_built();
        said
    }

    /// Sees that cargo did not build and nothing was generated.
    ///
    /// # Panics
    /// When something was.
    pub fn assert_nothing_was_built(&self) {
        assert!(!self.root.join("target/dsh/build").exists(), "cargo has built");
        assert!(!self.root.join("target/dsh/debug").exists() && !self.root.join("target/dsh/dsh-minimal").exists());
        assert!(!self.root.join("generated").exists(), "wiring was generated");
    }
}

impl Said {
    /// Sees that standard error holds these lines, in this order and indented in any way.
    ///
    /// # Panics
    /// When it does not.
    pub fn assert_lines(&self, expected: &[&str]) {
        let mut lines = self.stderr.lines();
        for line in expected {
            assert!(lines.any(|said| said.trim() == *line), "this line is missing, or not in its place:\n{line}\n\nin:\n{}", self.stderr);
        }
    }
}

fn link_all(from: &Path, to: &Path, except: &[&str]) {
    for entry in fs::read_dir(from).expect("the workspace can be listed") {
        let name = entry.expect("the workspace can be listed").file_name();
        if !except.iter().any(|left_out| name == *left_out) {
            symlink(from.join(&name), to.join(&name)).expect("a link can be made");
        }
    }
}
