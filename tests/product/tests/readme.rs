//! What the README tells to write is right.

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
