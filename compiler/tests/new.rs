//! `dsh-build new`: what appears, where, and what is refused. That the crates compile and work is shown by the product's tests.

mod scratch;

use std::fs;
use std::path::Path;
use std::process::Output;

use scratch::Scratch;

const INPUT: &str = "\
//- crate tools
/// A result.
#[event(name = \"tools/result\", mode = emit, payload = ToolOutcome)]
pub struct ToolsResult;
/// The registry.
#[service(key = \"tools\")]
pub struct Tools;
#[plugin(provides(Tools))]
impl Tools {
    pub async fn mount(cx: &PluginContext, inject: Inject) -> Result<Self, MountError> { Ok(Self) }
    #[serve]
    pub async fn serve(&self, session: ServeSession) -> Exit { Exit::COMPLETED }
}
/// What it needs.
#[derive(Inject)]
pub struct Inject { pub result: Dispatcher<ToolsResult> }
//- crate testkit
//! For tests.
//- file profiles/bundles/minimal.yml
- insert: [{id: tools, plugin: tools}]
";

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// All files below a folder, hidden ones too, relative to it.
fn files(folder: &Path) -> Vec<String> {
    fn gather(folder: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                gather(&entry, root, found);
            } else {
                found.push(entry.strip_prefix(root).unwrap().to_string_lossy().into_owned());
            }
        }
    }
    let mut found = Vec::new();
    gather(folder, folder, &mut found);
    found.sort();
    found
}

struct Outside {
    scratch: Scratch,
    folder: tempfile::TempDir,
}

impl Outside {
    fn new() -> Self {
        Self { scratch: Scratch::new(INPUT), folder: tempfile::tempdir().unwrap() }
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = self.scratch.command(words);
        command.current_dir(self.folder.path()).env("DSH_WORKSPACE", self.scratch.root()).output().unwrap()
    }
}

#[test]
fn crates_outside_are_whole_and_their_last_lines_say_how_to_use_them() {
    let outside = Outside::new();
    let output = outside.run(&["new", "tool", "rain-or-sun", "--path", "my crates"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let expected = "test it:             (cd 'my crates/rain-or-sun' && cargo test)\n\
                    use it in a profile: dsh-build new profile rain-or-sun-agent --with 'my crates/rain-or-sun'\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    let folder = outside.folder.path().join("my crates/rain-or-sun");
    assert_eq!(files(&folder), [".gitignore", "Cargo.toml", "README.md", "src/lib.rs", "tests/rain_or_sun.rs"]);
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    assert!(manifest.contains(&format!("dsh-runtime = {{ path = \"{}/runtime\" }}", outside.scratch.root().display())), "{manifest}");
    for heading in ["## Duty", "## Config", "## Model experience", "## Limitations"] {
        assert!(fs::read_to_string(folder.join("README.md")).unwrap().contains(heading));
    }
    let everything: String = files(&folder).iter().map(|file| fs::read_to_string(folder.join(file)).unwrap()).collect();
    assert!(!everything.contains("{{") || !everything.contains("}}"), "no placeholder is left: {everything}");

    assert_eq!(outside.run(&["new", "plugin", "tally"]).status.code(), Some(0));
    let output = outside.run(&["new", "profile", "mine", "--with", "tally"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "check it: dsh-build check --profile ./mine\nbuild it: dsh-build --profile ./mine\n"
    );
    let output = outside.run(&["check", "--profile", "./mine"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

#[test]
fn crates_of_the_workspace_are_members() {
    let scratch = Scratch::new(INPUT);
    let package = "[workspace.package]\nversion = \"0.1.0\"\nedition = \"2024\"\nrust-version = \"1.95\"\nlicense = \"MIT\"\npublish = false\n\
                   [workspace.lints]\n[workspace.dependencies]\ndsh-runtime = { path = \"runtime\" }\n\
                   dsh-tools = { path = \"plugins/scratch/tools\" }\ndsh-testkit = { path = \"plugins/scratch/testkit\" }\n";
    // A registry cannot be asked here; path packages stand for the crates that a test needs.
    let stubs = "serde_json = { path = \"stubs/serde_json\" }\ntokio = { path = \"stubs/tokio\" }\n";
    scratch.write("Cargo.toml", &(scratch.read("Cargo.toml") + package + stubs));
    for name in ["serde_json", "tokio"] {
        scratch.write(&format!("stubs/{name}/Cargo.toml"), &scratch::manifest(name, "", ""));
        scratch.write(&format!("stubs/{name}/src/lib.rs"), "");
    }
    let output = scratch.run(&["new", "plugin", "tally", "--path", "plugins/own"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let folder = scratch.root().join("plugins/own/tally");
    assert_eq!(files(&folder), ["Cargo.toml", "README.md", "src/lib.rs", "tests/tally.rs"]);
    assert!(scratch.read("plugins/own/tally/Cargo.toml").contains("dsh-runtime.workspace = true"));
    let output = scratch.run(&["new", "profile", "mine", "--with", "plugins/own/tally"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "check it: dsh-build check --profile mine\nbuild it: dsh-build --profile mine\n");
    assert!(!scratch.read("profiles/mine/profile.yml").contains("crates:"));
    let output = scratch.run(&["check", "--profile", "mine"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

#[test]
fn what_cannot_be_made_leaves_nothing_behind() {
    let outside = Outside::new();
    let folder = outside.folder.path();
    fs::create_dir(folder.join("taken")).unwrap();
    fs::write(folder.join("taken/notes.txt"), "mine").unwrap();
    fs::write(folder.join("file"), "").unwrap();
    let inside = outside.scratch.root().join("docs");
    let inside = inside.to_str().unwrap();
    let cases: [(&[&str], &str); 12] = [
        (&["plugin", "Tally"], "`Tally` is no name"),
        (&["tool", "../tally"], "`../tally` is no name"),
        (&["tool", "dsh-tally"], "write `tally`"),
        (&["tool", "runtime"], "`runtime` is a reserved name"),
        (&["profile", "build"], "`build` is a reserved name"),
        (&["tool", "tools"], "the workspace has the package `dsh-tools` already, in `plugins/scratch/tools`"),
        (&["tool", "taken"], "`./taken` is there already"),
        (&["profile", "taken"], "`./taken` is there already"),
        (&["tool", "tally", "--path", "file"], "`file`: "),
        (&["tool", "tally", "--path", inside], "a plugin of the workspace lies in `plugins/GROUP/NAME`"),
        (&["profile", "mine", "--with", "taken"], "`taken` holds no crate: the folder has no `Cargo.toml`"),
        (&["tool", "tally", "--with", "taken"], "`--with` is for `dsh-build new profile`"),
    ];
    for (words, expected) in cases {
        let output = outside.run(&[&["new"], words].concat());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{words:?}: {}", said(&output));
        assert!(said(&output).contains(expected), "{words:?}: {}", said(&output));
    }
    assert_eq!(files(folder), ["file", "taken/notes.txt"]);
    assert!(!outside.scratch.holds("docs"));
}
