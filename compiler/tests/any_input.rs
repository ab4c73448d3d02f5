//! Whatever a file holds, the front half of the compiler answers with a composition or with diagnostics that can be shown.

mod fixture;

use dsh_build::diagnostics::{Class, Style};
use dsh_build::index::Index;
use fixture::{Outcome, compile, compositions, index};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Compiles a profile of the given bytes and shows what was found.
fn compile_bytes(bytes: &[u8], index: &Index) -> Outcome {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let case = folder.path().join("any");
    std::fs::create_dir(&case).and_then(|()| std::fs::write(case.join("profile.yml"), bytes)).expect("a case can be written");
    let outcome = compile(&case, index);
    for style in [Style::Plain, Style::Styled] {
        assert_eq!(outcome.problems.human(style).is_empty(), outcome.problems.is_empty());
    }
    for line in outcome.problems.json().lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("a line of JSON");
    }
    assert_eq!(outcome.checked.is_none(), outcome.problems.has_errors());
    outcome
}

/// Pieces that YAML and the language give a meaning, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "dsh: 1\n",
        "profile: any\n",
        "patch:\n",
        "bundles: ",
        "aliases: ",
        "  - ",
        "- ",
        "insert:\n",
        "insert: ",
        "id: ",
        "plugin: ",
        "config: ",
        "disabled: ",
        "rows: ",
        "tool-echo",
        "bash-local",
        "voice: ",
        "timeoutMs: ",
        "models: ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ": ",
        "? ",
        "| \n",
        "> \n",
        "'",
        "\"",
        "!expr ",
        "!!js ",
        "!x ",
        "&a ",
        "*a ",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "# c\n",
        "\n",
        "\r\n",
        "\t",
        "    ",
        "  ",
        "\u{feff}",
        "\u{85}",
        "\u{2028}",
        "\0",
        "é",
        "日本",
        "🦀",
        "null",
        "~",
        "true",
        "-1",
        "1.5",
        "env.X",
        "profile",
        " | int",
        "(",
        ")",
        "\\",
        "<<: ",
        "before: ",
        "tools",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// A valid case with a few bytes replaced, removed or repeated.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let file = compositions().join("valid/declared-type-decides-what-a-scalar-means/profile.yml");
    let text = std::fs::read(&file).expect("the case can be read");
    let length = text.len();
    prop::collection::vec((0..length, any::<u8>(), 0_u8..3), 1..6).prop_map(move |edits| {
        let mut bytes = text.clone();
        for (at, byte, kind) in edits {
            let at = at.min(bytes.len() - 1);
            match kind {
                0 => bytes[at] = byte,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, bytes[at]),
            }
        }
        bytes
    })
}

/// Runs a bounded number of inputs. The cases are drawn anew each time; a failing one is shown shrunk.
fn try_all<S: Strategy>(inputs: S, bytes: impl Fn(S::Value) -> Vec<u8>) {
    let index = index(&compositions());
    let config = Config { cases: 256, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&inputs, |input| {
        compile_bytes(&bytes(input), &index);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn any_bytes() {
    try_all(prop::collection::vec(any::<u8>(), 0..400), |bytes| bytes);
}

#[test]
fn any_pieces_of_yaml() {
    try_all(pieces(), String::into_bytes);
}

#[test]
fn any_damage_to_a_valid_profile() {
    try_all(damaged(), |bytes| bytes);
}

#[test]
fn any_expression() {
    try_all("[a-z_.'\"0-9 |()~!=<>{}\\[\\]\\\\é,:%+*/-]{0,40}", |expression| {
        let quoted = expression.replace('\'', "''");
        let row = format!("{{id: echo, plugin: tool-echo, config: {{toolName: !expr '{quoted}'}}}}");
        format!("dsh: 1\nprofile: any\npatch: [{{insert: [{row}]}}]\n").into_bytes()
    });
}

#[test]
fn a_file_beyond_the_limit_is_refused_by_name() {
    let outcome = compile_bytes(&vec![b'#'; (1 << 20) + 1], &index(&compositions()));
    assert!(outcome.problems.human(Style::Plain).starts_with("error[DSH0013]: `profile.yml` is too large\n"));
}

#[test]
fn a_file_at_the_limit_is_read() {
    let head = "dsh: 1\nprofile: any\npatch: [{insert: [{id: bash, plugin: bash-local, config: {shells: [";
    let tail = "é, 'b']}}, {id: subprocess, plugin: subprocess-local}, {id: tools, plugin: tools}, {id: user, plugin: tool-bash}]}]\n";
    let items = "é, 'b', ".repeat(((1 << 20) - head.len() - tail.len()) / "é, 'b', ".len());
    let outcome = compile_bytes(format!("{head}{items}{tail}").as_bytes(), &index(&compositions()));
    assert!(outcome.problems.is_empty());
}

#[test]
fn what_could_not_be_read_and_what_is_wrong_differ_in_class() {
    let class = |case: &str| {
        let folder = compositions().join("invalid").join(case);
        compile(&folder, &index(&folder)).problems.class()
    };
    assert_eq!(class("a-key-twice"), Some(Class::Composition));
    assert_eq!(class("an-unknown-profile"), Some(Class::Environment));
    assert_eq!(class("a-patch-file-is-missing"), Some(Class::Environment));
}
