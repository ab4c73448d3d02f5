//! A folder outside of any workspace, and the workspace whose compiler works there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::scratch::{Scratch, expect, manifest, stand_in_for_cargo};

/// A workspace with a plugin that is served, and a profile beside it that mounts more.
pub const WORKSPACE: &str = "\
//- crate server
use dsh_runtime::plugin;
/// Serves.
pub struct Server;
#[plugin]
impl Server {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> { Ok(Self) }
    #[serve]
    pub async fn serve(&self, session: ServeSession) -> Exit { Exit::COMPLETED }
}
";

/// A plugin from outside.
pub const PLUGIN: &str = "\
use dsh_runtime::plugin;
/// Speaks of the weather.
pub struct Weather;
#[plugin]
impl Weather {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> { Ok(Self) }
    #[verb(name = \"weather\", about = \"Says how the weather is\")]
    pub async fn weather(&self, args: Vec<String>, session: ServeSession) -> Exit { Exit::COMPLETED }
}
";

/// A folder outside of any workspace, with a profile `agent/` in it.
pub struct Place {
    folder: tempfile::TempDir,
    pub scratch: Scratch,
}

impl Place {
    /// Nothing in it yet.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), scratch: Scratch::new(WORKSPACE) }
    }

    /// Its folder.
    pub fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    /// Writes a file.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Reads a file.
    pub fn read(&self, path: &str) -> String {
        let path = self.root().join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A plugin crate in `folder` that depends on the workspace's runtime.
    pub fn plugin(&self, folder: &str, package: &str) {
        let runtime = format!("dsh-runtime = {{ path = \"{}/runtime\" }}\n", self.scratch.root().display());
        self.write(&format!("{folder}/Cargo.toml"), &manifest(package, "", &runtime));
        self.write(&format!("{folder}/src/lib.rs"), PLUGIN);
    }

    /// The profile with entries under `crates` and rows.
    pub fn profile(&self, crates: &str, rows: &str) {
        let crates: String = crates.lines().map(|line| format!("  {line}\n")).collect();
        let text = format!(
            "dsh: 1\nprofile: agent\ncrates:\n{crates}patch:\n  - insert:\n      - {{id: server, plugin: server}}\n{}",
            rows.lines().map(|line| format!("      - {line}\n")).collect::<String>()
        );
        self.write("agent/profile.yml", &text);
    }

    /// Runs the compiler in the folder of the profile, for the workspace. Cargo has a home of its own.
    pub fn run(&self, words: &[&str]) -> Output {
        self.command(words).arg("--workspace").arg(self.scratch.root()).output().unwrap()
    }

    /// The compiler, to be run there.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = self.scratch.command(words);
        command.current_dir(self.root().join("agent")).env("CARGO_HOME", self.root().join("cargo-home"));
        stand_in_for_cargo(&mut command, &self.root());
        command
    }

    /// What a run said, with the folders of this test taken out.
    pub fn said(&self, output: &Output) -> String {
        let text = String::from_utf8(output.stderr.clone()).unwrap();
        text.replace(self.scratch.root().to_str().unwrap(), "WORKSPACE").replace(self.root().to_str().unwrap(), "OUTSIDE")
    }

    /// Checks the profile and compares all that is said.
    pub fn refused(&self, name: &str, status: i32) {
        let output = self.run(&["check", "--profile", "."]);
        let said: String = self.said(&output).lines().map(|line| without_digits(line) + "\n").collect();
        expect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crates").join(format!("{name}.txt")), &said);
        assert_eq!(output.status.code(), Some(status), "{said}");
        assert!(output.stdout.is_empty());
    }
}

/// A line without the digests and version numbers of cargo that stand in it.
fn without_digits(line: &str) -> String {
    let word = |word: &str| match word.len() >= 16 && word.chars().all(|letter| letter.is_ascii_hexdigit()) {
        true => "DIGEST".to_owned(),
        false => word.to_owned(),
    };
    let mut out = String::new();
    let mut run = String::new();
    for letter in line.chars() {
        if letter.is_ascii_alphanumeric() {
            run.push(letter);
        } else {
            out += &word(&run);
            run.clear();
            out.push(letter);
        }
    }
    out + &word(&run)
}

/// Sees that a run did what it was for.
pub fn assert_done(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Runs git in a folder and yields what it prints.
pub fn git(folder: &Path, words: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "init.defaultBranch=main"])
        .args(words)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert_done(&output);
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
