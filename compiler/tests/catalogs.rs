//! Catalogs: what each shows of a workspace and of a profile, when a binary is asked, and what is refused.

mod scratch;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use scratch::small::{status, text};
use scratch::{Scratch, expect, run_with_binary};

const WORKSPACE: &str = include_str!("catalogs/workspace.txt");

fn beside() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("catalogs")
}

/// Runs the compiler where builds make `binary.sh` of this test.
fn run(scratch: &Scratch, words: &[&str]) -> Output {
    run_with_binary(scratch, &beside().join("binary.sh"), words)
}

/// How often a binary was built.
fn builds(scratch: &Scratch) -> usize {
    if scratch.holds("log") { scratch.read("log").lines().count() } else { 0 }
}

fn synced() -> Scratch {
    let scratch = Scratch::new(WORKSPACE);
    let output = run(&scratch, &["sync"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    scratch
}

fn check(scratch: &Scratch) -> (i32, String) {
    let output = run(scratch, &["sync", "--check"]);
    (status(&output), text(&output.stdout) + &text(&output.stderr))
}

fn expect_folder(scratch: &Scratch, folder: &str, expected: &str) {
    let mut names: Vec<String> =
        fs::read_dir(scratch.root().join(folder)).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let kinds =
        ["commands", "config", "crates", "events", "hosts", "invariants", "persistence", "prompt", "services", "session-events", "tools"];
    let all: Vec<String> = kinds.iter().flat_map(|kind| [format!("{kind}.json"), format!("{kind}.md")]).collect();
    assert_eq!(names, all, "{folder}");
    for name in names {
        // What it was made from follows the sources of this test.
        let found = scratch.read(&format!("{folder}/{name}"));
        let found: String = found.lines().filter(|line| !line.starts_with("  \"inputs\": ")).map(|line| format!("{line}\n")).collect();
        expect(&beside().join(expected).join(name), &found);
    }
}

#[test]
fn catalogs_show_a_workspace_and_its_profiles() {
    let scratch = synced();
    expect_folder(&scratch, "generated/catalogs", "of-workspace");
    expect_folder(&scratch, "generated/mine/catalogs", "of-profile");
    assert_eq!(check(&scratch), (0, String::new()));
}

#[test]
fn a_binary_is_asked_when_what_it_is_made_of_changed_and_not_before() {
    let scratch = synced();
    assert_eq!(builds(&scratch), 1);
    assert_eq!(check(&scratch).0, 0);
    assert_eq!(status(&run(&scratch, &["sync"])), 0);
    assert_eq!(builds(&scratch), 1, "nothing changed");
    // The body of a function is no part of any declaration, and may make the texts all the same.
    let source = scratch.read("plugins/scratch/notes-disk/src/lib.rs");
    scratch.write("plugins/scratch/notes-disk/src/lib.rs", &source.replace("{ Ok(Self) }", "{ let this = Self; Ok(this) }"));
    assert_eq!(check(&scratch), (0, "dsh-build: asks `mine` what it is\n".to_owned()), "it says the same");
    assert_eq!(builds(&scratch), 2);
    assert_eq!(status(&run(&scratch, &["sync"])), 0);
    assert_eq!(check(&scratch), (0, String::new()), "the catalog knows what it was made from");
}

#[test]
fn another_answer_of_the_binary_makes_catalogs_stale() {
    let scratch = synced();
    let source = scratch.read("plugins/scratch/notes-disk/src/lib.rs");
    scratch.write("plugins/scratch/notes-disk/src/lib.rs", &(source + "// longer\n"));
    let other = Path::new(env!("CARGO_TARGET_TMPDIR")).join("another-binary.sh");
    let answer = fs::read_to_string(beside().join("binary.sh")).unwrap().replace("Not more than one.", "As many as you like.");
    fs::copy(beside().join("binary.sh"), &other).unwrap();
    fs::write(&other, answer).unwrap();
    let output = run_with_binary(&scratch, &other, &["sync", "--check"]);
    assert_eq!(status(&output), 1);
    assert!(text(&output.stdout).contains("-> Not more than one.\n+> As many as you like.\n"), "{}", text(&output.stdout));
    let words = text(&output.stderr);
    assert!(words.contains("error[DSH0501]: `generated/mine/catalogs/tools.md` is not what `dsh-build sync` writes"), "{words}");
}

#[test]
fn a_catalog_that_was_changed_by_hand_is_refused() {
    for (file, old, new) in [
        ("generated/catalogs/config.md", "Most notes.", "Few notes."),
        ("generated/mine/catalogs/services.json", "Where notes are kept.", "Nowhere."),
        // What a binary said is not taken from a file that somebody changed.
        ("generated/mine/catalogs/tools.json", "Keeps a note.", "Burns a note."),
        ("generated/mine/catalogs/prompt.md", "Keep notes.", "Burn notes."),
    ] {
        let scratch = synced();
        scratch.write(file, &scratch.read(file).replace(old, new));
        let (status, words) = check(&scratch);
        assert_eq!(status, 1, "{file}");
        assert!(words.contains(&format!("error[DSH0501]: `{file}` is not what `dsh-build sync` writes")), "{words}");
        assert!(words.contains("+++ ") && words.contains(new), "{words}");
    }
}

#[test]
fn a_file_that_is_no_catalog_is_removed() {
    let scratch = synced();
    scratch.write("generated/mine/catalogs/walls.md", "");
    assert!(check(&scratch).1.contains("error[DSH0502]: `generated/mine/catalogs/walls.md` belongs to no profile"));
    assert_eq!(status(&run(&scratch, &["sync"])), 0);
    assert!(!scratch.holds("generated/mine/catalogs/walls.md"));
}

#[test]
fn what_no_catalog_shows_and_no_profile_boots_is_refused() {
    let more = "\
//- crate spare
use dsh_runtime::{Inject, config, plugin, tool_args};
/// Lost.
#[config]
pub struct Lost { /// A.
    #[config(default = 1)] pub a: u64 }
/// Lost too.
#[tool_args]
pub struct Words {}
/// Needs nothing.
#[derive(Inject)]
pub struct Nothing {}
/// Used.
#[tool_args]
pub struct Args {}
pub struct Spare;
#[plugin]
impl Spare {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> { Ok(Self) }
    /// Waits.
    #[tool(name = \"wait\")]
    pub async fn wait(&self, args: Args, call: &ToolCall) -> Result<ToolOutput, ToolError> { todo!() }
}
";
    let scratch = Scratch::new(&format!("{WORKSPACE}{more}"));
    for words in [&["sync"][..], &["sync", "--check"]] {
        let output = run(&scratch, words);
        let told = text(&output.stderr);
        assert_eq!(status(&output), 1, "{told}");
        for expected in [
            "error[DSH0505]: no profile boots the tool `wait`",
            "error[DSH0506]: no catalog shows `Lost`",
            "a config type that no plugin uses",
            "error[DSH0506]: no catalog shows `Words`",
            "error[DSH0506]: no catalog shows `Nothing`",
            "dsh-build: 4 errors",
        ] {
            assert!(told.contains(expected), "{expected}\n{told}");
        }
        assert!(!scratch.holds("generated"), "nothing was written");
    }
}

#[test]
fn a_binary_that_cannot_tell_says_why_in_the_catalog() {
    let scratch = Scratch::new(WORKSPACE);
    let dumb = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dumb-binary.sh");
    fs::copy(beside().join("binary.sh"), &dumb).unwrap();
    fs::write(&dumb, "#!/bin/sh\necho 'the variable NOTES is not set' >&2\nexit 1\n").unwrap();
    assert_eq!(status(&run_with_binary(&scratch, &dumb, &["sync"])), 0);
    let page = scratch.read("generated/mine/catalogs/tools.md");
    assert!(
        page.contains("The binary cannot say it without what a start gives it:\n\n```text\nthe variable NOTES is not set\n```\n"),
        "{page}"
    );
    assert_eq!(check(&scratch), (0, String::new()));
}
