//! `dsh-build sync`: writes what is stale, removes what belongs to no profile, and with `--check` only tells.

mod scratch;

use scratch::Scratch;
use scratch::small::{status, text};

const INPUT: &str = "\
//- crate one
use dsh_runtime::{config, plugin};
/// Settings.
#[config]
pub struct Config {
    /// A number.
    #[config(default = 1)]
    pub number: u64,
}
/// Serves.
pub struct One;
#[plugin]
impl One {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> { Ok(Self) }
    #[serve]
    pub async fn serve(&self, session: ServeSession) -> Exit { Exit::COMPLETED }
}
//- file profiles/first/profile.yml
dsh: 1
profile: first
patch:
  - insert: [{ id: one, plugin: one }]
//- file profiles/second/profile.yml
dsh: 1
profile: second
patch:
  - insert: [{ id: one, plugin: one, config: { number: 2 } }]
";

#[test]
fn check_is_red_until_everything_was_written() {
    let scratch = Scratch::new(INPUT);
    let before = scratch.run(&["sync", "--check"]);
    assert_eq!(status(&before), 1);
    assert!(
        text(&before.stderr).contains("error[DSH0501]: `generated/first/src/wiring.rs` is not what `dsh-build sync` writes"),
        "{}",
        text(&before.stderr)
    );
    assert!(!scratch.holds("generated"), "a check writes nothing");
    let written = scratch.run(&["sync"]);
    assert_eq!((status(&written), text(&written.stdout)), (0, String::new()), "{}", text(&written.stderr));
    assert!(text(&written.stderr).contains("wrote generated/second/src/wiring.rs\n"));
    let after = scratch.run(&["sync", "--check"]);
    assert_eq!((status(&after), text(&after.stdout), text(&after.stderr)), (0, String::new(), String::new()));
}

#[test]
fn a_stale_file_is_shown_as_a_patch_with_the_command_that_mends_it() {
    let scratch = Scratch::new(INPUT);
    scratch.run(&["sync"]);
    let profile = scratch.read("profiles/second/profile.yml");
    scratch.write("profiles/second/profile.yml", &profile.replace("number: 2", "number: 3"));
    let output = scratch.run(&["sync", "--check"]);
    assert_eq!(status(&output), 1);
    let diff = text(&output.stdout);
    let file = |name: &str| format!("--- generated/second/src/{name}\n+++ generated/second/src/{name}\n@@ ");
    assert!(diff.starts_with(&file("composed.yml")) && diff.contains(&file("wiring.rs")), "{diff}");
    assert!(diff.contains("\n-        number: 2\n+        number: 3\n"), "{diff}");
    assert!(
        diff.contains("\n-    let config = dsh_one::Config { number: 2 };\n+    let config = dsh_one::Config { number: 3 };\n"),
        "{diff}"
    );
    let words = text(&output.stderr);
    assert!(words.contains("help: run `dsh-build sync`") && !words.contains("generated/first"), "{words}");
    // Of the profiles that are named only those are looked at.
    assert_eq!(status(&scratch.run(&["sync", "--check", "first"])), 0);
    assert_eq!(status(&scratch.run(&["sync", "second"])), 0);
    assert_eq!(status(&scratch.run(&["sync", "--check"])), 0);
}

#[test]
fn what_belongs_to_no_profile_is_told_and_removed() {
    let scratch = Scratch::new(INPUT);
    scratch.run(&["sync"]);
    std::fs::remove_dir_all(scratch.root().join("profiles/second")).unwrap();
    scratch.write("generated/first/src/extra.rs", "");
    scratch.write("generated/catalogs/tools.md", "");
    let output = scratch.run(&["sync", "--check"]);
    assert_eq!(status(&output), 1);
    for orphan in ["generated/second", "generated/first/src/extra.rs"] {
        assert!(text(&output.stderr).contains(&format!("error[DSH0502]: `{orphan}` belongs to no profile")), "{}", text(&output.stderr));
    }
    assert_eq!(status(&scratch.run(&["sync"])), 0);
    assert!(!scratch.holds("generated/second") && !scratch.holds("generated/first/src/extra.rs"));
    assert!(scratch.holds("generated/catalogs/tools.md"), "what is no crate is someone else's");
}

#[test]
fn nothing_is_written_when_one_profile_is_refused() {
    let scratch = Scratch::new(INPUT);
    scratch.write("profiles/second/profile.yml", "dsh: 1\nprofile: second\npatch:\n  - insert: [{ id: one, plugin: two }]\n");
    let output = scratch.run(&["sync"]);
    assert_eq!(status(&output), 1);
    assert!(text(&output.stderr).contains("profiles/second/profile.yml:4:"), "{}", text(&output.stderr));
    assert!(!scratch.holds("generated/first"));
}

#[test]
fn a_fault_that_profiles_share_is_told_once_and_hides_none_of_their_own() {
    let scratch = Scratch::new(INPUT);
    scratch.write("profiles/bundles/base.yml", "- insert: [{ id: lost, plugin: lost }]\n");
    scratch.write("profiles/first/profile.yml", "dsh: 1\nprofile: first\nbundles: [base]\n");
    scratch.write("profiles/second/profile.yml", "dsh: 1\nprofile: second\nbundles: [base]\npatch: [{ id: one, disabled: true }]\n");
    let words = text(&scratch.run(&["sync", "--check"]).stderr);
    assert_eq!(words.matches("no plugin is named `lost`").count(), 1, "{words}");
    assert!(words.contains("patch row `one` matches no row") && words.ends_with("dsh-build: 2 errors\n"), "{words}");
}

#[test]
fn a_check_needs_no_write_access() {
    let scratch = Scratch::new(INPUT);
    scratch.run(&["sync"]);
    std::fs::remove_dir_all(scratch.root().join("target")).unwrap();
    scratch.write("target", "in the way of the folder that a lock or a cache would be in");
    assert_eq!(status(&scratch.run(&["sync", "--check"])), 0);
    assert_eq!(status(&scratch.run(&["check", "--profile", "first"])), 0);
    assert_eq!(status(&scratch.run(&["--profile", "first"])), 2);
}

/// The root manifest names `generated/*` as members, which cargo refuses while nothing is there or what is there is broken.
#[test]
fn broken_generated_crates_can_be_mended() {
    let scratch = Scratch::new(INPUT);
    let manifest = scratch.read("Cargo.toml").replace("\"plugins/*/*\"", "\"plugins/*/*\", \"generated/*\"");
    let package =
        "[workspace.package]\nversion = \"0.1.0\"\nedition = \"2024\"\nrust-version = \"1.95\"\nlicense = \"MIT\"\npublish = false\n";
    let dependencies = "[workspace.dependencies]\ndsh-runtime = { path = \"runtime\" }\ndsh-one = { path = \"plugins/scratch/one\" }\n";
    scratch.write("Cargo.toml", &format!("{manifest}{package}{dependencies}[workspace.lints]\n"));
    let output = scratch.run(&["sync"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let generated = scratch.read("generated/first/Cargo.toml");
    scratch.write("generated/first/Cargo.toml", &generated.replace("dsh-one.", "dsh-gone."));
    std::fs::remove_dir_all(scratch.root().join("target")).unwrap();
    let output = scratch.run(&["sync"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert_eq!(scratch.read("generated/first/Cargo.toml"), generated);
    assert!(scratch.read("Cargo.lock").contains("name = \"dsh-agent-second\""), "the lock file knows the generated crates");
}

/// Editors of the profiles in the workspace, and of one outside of it, get schemas that are kept fresh with the rest.
#[test]
fn schemas_are_written_and_checked_with_the_crates() {
    let scratch = Scratch::new(INPUT);
    scratch.write("elsewhere/mine/profile.yml", "dsh: 1\nprofile: mine\npatch:\n  - insert: [{ id: one, plugin: one }]\n");
    assert_eq!(status(&scratch.run(&["sync"])), 0);
    assert_eq!(status(&scratch.run(&["sync", "elsewhere/mine"])), 0);
    let (profile, patch) = ("generated/schema/profile.schema.json", "generated/schema/patch.schema.json");
    assert_eq!(scratch.read(&format!("elsewhere/mine/{profile}")), scratch.read(profile));
    let source = scratch.read("plugins/scratch/one/src/lib.rs");
    scratch.write("plugins/scratch/one/src/lib.rs", &source.replace("/// A number.", "/// How often."));
    for words in [&["sync", "--check"][..], &["sync", "--check", "elsewhere/mine"]] {
        let output = scratch.run(words);
        assert_eq!(status(&output), 1);
        assert!(text(&output.stdout).contains("+          \"description\": \"How often.\",\n"), "{}", text(&output.stdout));
        assert!(
            text(&output.stderr).contains("generated/schema/patch.schema.json` is not what `dsh-build sync` writes"),
            "{}",
            text(&output.stderr)
        );
    }
    // Of the profiles of the workspace that are named only the crates are looked at.
    assert!(!text(&scratch.run(&["sync", "--check", "first"]).stderr).contains("schema"));
    scratch.run(&["sync"]);
    assert!(scratch.read(patch).contains("How often."));
    assert_eq!(status(&scratch.run(&["sync", "--check"])), 0);
}

#[test]
fn schemas_are_written_while_a_profile_is_wrong() {
    let scratch = Scratch::new(INPUT);
    scratch.write("profiles/second/profile.yml", "dsh: 1\nprofile: second\nptch: []\n");
    assert_eq!(status(&scratch.run(&["sync"])), 1);
    let output = scratch.run(&["schema"]);
    assert_eq!((status(&output), text(&output.stdout)), (0, String::new()), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("wrote generated/schema/profile.schema.json\n"), "{}", text(&output.stderr));
    assert_eq!(text(&scratch.run(&["schema", "--print", "profile"]).stdout), scratch.read("generated/schema/profile.schema.json"));
    let output = scratch.run(&["schema", "profiles/second"]);
    assert_eq!(status(&output), 0);
    assert!(scratch.holds("profiles/second/generated/schema/patch.schema.json"));
    assert_eq!(status(&scratch.run(&["schema", "nowhere"])), 2);
}
