//! The profiles that documents tell to write are right.

use std::fs;

use dsh_product_tests::{Scratch, workspace};

/// The first block of a language in a text of Markdown.
fn block(text: &str, language: &str) -> String {
    let start = format!("```{language}\n");
    let (_, rest) = text.split_once(&start).unwrap_or_else(|| panic!("the README has a block of {language}"));
    rest.split_once("```").expect("a block ends").0.to_owned()
}

#[test]
fn the_profile_of_the_readme_is_right() {
    let readme = fs::read_to_string(workspace().join("README.md")).unwrap();
    let scratch = Scratch::new();
    scratch.write("profiles/mine/profile.yml", &block(&readme, "yaml"));
    let said = scratch.run(&["check", "--profile", "mine", "--deny", "warnings"]);
    assert_eq!(said.status, Some(0), "{}", said.stderr);
    scratch.assert_nothing_was_built();
}

#[test]
fn the_profiles_of_the_page_on_profiles_are_right() {
    let page = fs::read_to_string(workspace().join("docs/profiles.md")).unwrap();
    let scratch = Scratch::new();
    for text in page.split("```yaml\n").skip(1) {
        let (profile, _) = text.split_once("```").unwrap();
        let (_, name) = profile.split_once("\nprofile: ").expect("each example is a whole profile");
        let name = name.lines().next().unwrap();
        scratch.write(&format!("profiles/{name}/profile.yml"), profile);
        let said = scratch.run(&["check", "--profile", name, "--deny", "warnings"]);
        assert_eq!(said.status, Some(0), "{name}: {}", said.stderr);
    }
}
