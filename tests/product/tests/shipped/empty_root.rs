//! A root folder with nothing in it but the binary, and a folder for sessions.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use dsh_product_tests::{Ended, KEY, compile, run_to_end, workspace};
use tempfile::TempDir;
use tokio::process::Command;

/// The user `nobody`.
const NOBODY: u32 = 65534;

/// The root. A process in it may write to `/data` alone.
pub struct EmptyRoot(TempDir);

/// Static, sealed, with variables that are set, and with rows that may be off.
const PROFILE: &str = r#"
dsh: 1
profile: shipped
bundles: [minimal]
build:
  static: true
  seal: true
  set: {DSH_SYSTEM_PROMPT: You are sealed., DSH_MODEL: '', WITHOUT_EDITOR: 1}
patch:
  - id: persistent-bash
    disabled: !expr env.NO_SHELL | default('false') | bool
  - id: str-replace-editor
    disabled: !expr env.WITHOUT_EDITOR | bool
  # Of two personas the variable chooses one.
  - id: system-prompt
    disabled: !expr env.TERSE is defined
  - insert:
      - id: terse-prompt
        plugin: system-prompt
        disabled: !expr env.TERSE is not defined
        config: {persona: Be terse., includeHarnessIdentity: false, includeRuntimeContext: false}
    after: system-prompt
presets:
  edit:
    patch:
      - insert:
          - {id: editor, plugin: tool-str-replace-editor}
"#;

/// The binary, built once in a test process from a profile outside of the workspace.
pub fn shipped() -> &'static Path {
    static BUILT: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, binary) = BUILT.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let (profile, binary) = (folder.path().join("shipped"), folder.path().join("dsh-shipped"));
        fs::create_dir(&profile).unwrap();
        fs::write(profile.join("profile.yml"), PROFILE.trim_start()).unwrap();
        let mut build = compile(workspace());
        let output = build.arg("--profile").arg(&profile).args(["--debug", "--offline", "--out"]).arg(&binary).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (folder, binary)
    });
    binary
}

impl EmptyRoot {
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("dsh-root-").tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        // A copy would for a moment be open for writing, in children of other tests too, and could not be started.
        fs::hard_link(shipped(), folder.path().join("agent")).unwrap();
        let data = folder.path().join("data");
        fs::create_dir(&data).unwrap();
        if rustix::process::geteuid().is_root() {
            chown(data, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        Self(folder)
    }

    /// Writes a file, by its path from the root without the first `/`.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.0.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The binary in the root, by a user without rights.
    pub fn command(&self, url: &str) -> Command {
        let mut command = if rustix::process::geteuid().is_root() {
            let mut command = Command::new("chroot");
            command.arg(format!("--userspec={NOBODY}:{NOBODY}")).arg("--groups=");
            command
        } else {
            let mut command = Command::new("unshare");
            command.args(["--user", "--map-root-user", "chroot"]);
            command
        };
        command.arg(self.0.path()).arg("/agent").env_clear();
        // Where `chroot` itself is found; there is no such folder inside.
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.env("DEEPSEEK_BASE_URL", url).env("DEEPSEEK_API_KEY", KEY).env("DSH_SESSION_ROOT", "/data/sessions");
        command
    }

    /// Runs it to its end and sees that nothing was written but sessions.
    pub async fn run(&self, command: Command) -> Ended {
        let before = self.entries();
        let ended = run_to_end(command).await;
        assert_eq!(self.entries(), before, "{}", ended.stderr);
        ended
    }

    /// All logs of sessions, one after another.
    pub fn log(&self) -> String {
        let mut text = String::new();
        let mut folders = vec![self.0.path().join("data")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => text.push_str(&String::from_utf8_lossy(&fs::read(path).unwrap())),
                }
            }
        }
        text
    }

    fn entries(&self) -> Vec<PathBuf> {
        let mut entries: Vec<PathBuf> = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        entries
    }
}
