//! `dsh-build import` as it is called: what goes where, what is written, exit statuses.

mod scratch;

use scratch::Scratch;
use scratch::small::{status, text};

const INPUT: &str = "\
//- crate one
use dsh_runtime::{config, plugin};
/// Settings.
#[config]
pub struct Config {
    /// Where.
    #[config(default = \"near\")]
    pub place: String,
}
/// Serves.
pub struct One;
#[plugin]
impl One {
    pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> { Ok(Self) }
    #[serve]
    pub async fn serve(&self, session: ServeSession) -> Exit { Exit::COMPLETED }
}
//- file their/agent.cordis.yml
# Theirs.
- id: one
  name: '@deepseek-ai/dsh-one'
  config:
    place: !!js process.env.PLACE
//- file their/more.yml
- id: one
  config: {place: far}
- insert:
    - id: two
      name: '@deepseek-ai/dsh-two'
//- file their/overlay.yml
- id: one
  disabled: false
//- file their/twice.yml
- id: one
  name: '@deepseek-ai/dsh-one'
- id: other
  name: '@deepseek-ai/dsh-one'
//- file their/broken.yml
one: 1
";

const DOCUMENT: &str = "\
# Translated by `dsh-build import` from agent.cordis.yml.
# Theirs.
- insert:
    - id: one
      plugin: one
      config:
        place: !expr \"env.PLACE | default('near')\"
";

#[test]
fn a_whole_translation_is_printed_and_is_0() {
    let output = Scratch::new(INPUT).run(&["import", "their/agent.cordis.yml"]);
    let report = "their/agent.cordis.yml: a list of rows, 1 row translated, 0 parts left\n\
                  check: the documents alone are a composition that is right\n";
    assert_eq!((status(&output), text(&output.stdout), text(&output.stderr)), (0, DOCUMENT.to_owned(), report.to_owned()));
}

/// What is printed of several files can be given back as one overlay.
#[test]
fn what_was_left_is_told_and_is_1() {
    let scratch = Scratch::new(INPUT);
    let output = scratch.run(&["import", "their/agent.cordis.yml", "their/more.yml"]);
    assert_eq!(status(&output), 1);
    assert!(text(&output.stdout).starts_with(DOCUMENT), "{}", text(&output.stdout));
    let told = "their/more.yml: a patch list, 0 rows translated, 1 part left\n  \
                left: row `two` `@deepseek-ai/dsh-two` (their/more.yml:4:7): no plugin of this workspace stands for it\n";
    assert!(text(&output.stderr).contains(told), "{}", text(&output.stderr));
    scratch.write("profiles/mine/profile.yml", "dsh: 1\nprofile: mine\n");
    scratch.write("theirs.yml", &text(&output.stdout));
    assert_eq!(status(&scratch.run(&["check", "--profile", "mine", "--patch", "theirs.yml"])), 0, "{}", text(&output.stdout));
}

#[test]
fn documents_are_written_as_bundles_and_over_nothing() {
    let scratch = Scratch::new(INPUT);
    let words = ["import", "their/agent.cordis.yml", "their/more.yml", "--output", "profiles/bundles"];
    let output = scratch.run(&words);
    assert_eq!(status(&output), 1);
    assert!(text(&output.stdout).starts_with("their/agent.cordis.yml: a list of rows, 1 row translated"), "{}", text(&output.stdout));
    assert_eq!(scratch.read("profiles/bundles/agent-cordis.yml"), DOCUMENT);
    scratch.write("profiles/mine/profile.yml", "dsh: 1\nprofile: mine\nbundles: [agent-cordis, more]\n");
    assert_eq!(status(&scratch.run(&["check", "--profile", "mine"])), 0);
    // A second run writes nothing, not even what is not there yet.
    std::fs::remove_file(scratch.root().join("profiles/bundles/agent-cordis.yml")).unwrap();
    let again = scratch.run(&words);
    assert_eq!(status(&again), 2);
    assert!(text(&again.stderr).contains("`profiles/bundles/more.yml` is there already\nhelp: "), "{}", text(&again.stderr));
    assert!(!scratch.holds("profiles/bundles/agent-cordis.yml"));
}

#[test]
fn programs_get_one_object() {
    let scratch = Scratch::new(INPUT);
    let output = scratch.run(&["import", "their/agent.cordis.yml", "their/more.yml", "--message-format", "json"]);
    assert_eq!((status(&output), text(&output.stderr)), (1, String::new()));
    let answer: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(answer["left"], 1);
    assert_eq!(answer["files"][0]["document"], DOCUMENT);
    let left = serde_json::json!([{
        "kind": "row",
        "at": "their/more.yml:4:7",
        "row": "two",
        "what": "@deepseek-ai/dsh-two",
        "why": "no plugin of this workspace stands for it",
    }]);
    assert_eq!(answer["files"][1]["left"], left);
    assert_eq!(answer["check"], serde_json::json!([]));
}

#[test]
fn an_overlay_alone_is_not_checked() {
    let output = Scratch::new(INPUT).run(&["import", "their/overlay.yml"]);
    assert_eq!(status(&output), 0);
    assert!(text(&output.stderr).ends_with("check: not asked, since no row is inserted\n"), "{}", text(&output.stderr));
}

#[test]
fn what_cannot_be_read_is_told_and_nothing_is_translated() {
    let scratch = Scratch::new(INPUT);
    let output = scratch.run(&["import", "their/agent.cordis.yml", "their/broken.yml"]);
    assert_eq!((status(&output), text(&output.stdout)), (1, String::new()));
    assert!(text(&output.stderr).contains("a composition of the reference must be a list of rows or entries"), "{}", text(&output.stderr));
    let output = scratch.run(&["import", "their/absent.yml", "--output", "out"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("cannot read `their/absent.yml`") && !scratch.holds("out"), "{}", text(&output.stderr));
    assert_eq!(status(&scratch.run(&["import"])), 2);
    let output = scratch.run(&["import", "their/more.yml", "./their/more.yml"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("two of the files would be called `more.yml`"), "{}", text(&output.stderr));
}

#[test]
fn documents_that_are_no_composition_are_told_apart_from_what_was_left() {
    let output = Scratch::new(INPUT).run(&["import", "--as", "rows", "their/twice.yml"]);
    let said = text(&output.stderr);
    assert_eq!(status(&output), 0, "{said}");
    let check = said.split_once("check: ").unwrap().1;
    assert!(check.starts_with("the documents alone are no composition that is right, 1 problem\n  error[DSH0"), "{said}");
}
