//! Which variables children do not inherit.

use std::ffi::{OsStr, OsString};

use dsh_subprocess::{EnvironmentChanges, is_withheld};

#[test]
fn secrets_and_the_harness_variables_are_withheld_in_any_case() {
    for name in ["DEEPSEEK_API_KEY", "my_api_key", "DbPassword", "CLIENT_SECRET", "github_token", "MONKEY", "DSH_HOME", "dsh_x"] {
        assert!(is_withheld(OsStr::new(name)), "{name}");
    }
    for name in ["PATH", "HOME", "LANG", "MY_DSH_HOME", "PASS", "DSH"] {
        assert!(!is_withheld(OsStr::new(name)), "{name}");
    }
}

#[test]
fn changes_keep_their_order() {
    let changes = EnvironmentChanges::new().set("A", "1").remove("B").set("A", "2");
    let seen: Vec<_> = changes.iter().map(|(name, value)| (name.to_owned(), value.map(OsStr::to_owned))).collect();
    let text = |text: &str| Some(OsString::from(text));
    assert_eq!(seen, [(OsString::from("A"), text("1")), (OsString::from("B"), None), (OsString::from("A"), text("2"))]);
}
