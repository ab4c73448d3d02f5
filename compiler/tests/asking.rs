//! Answers about the profiles in `tests/asking/workspace`, made with the declarations that all compositions share. The files beside it
//! hold the answers as a reviewer sees them.

mod fixture;
mod scratch;

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use dsh_build::ask::{BundleLine, Bundles, Composed, Difference, Document, InjectGraph, Plugins, ProfileLine, Profiles, Why};
use dsh_build::diagnostics::{Diagnostics, Style};
use dsh_build::index::{Index, Package, PackageSource};
use dsh_build::load::{BuildFlags, LoadRequest, known_bundles, known_profiles, load, load_bundle};
use dsh_build::plan::{Plan, plan};
use dsh_build::resolve::Composition;
use fixture::{compile_with, index};
use scratch::expect;
use serde::Serialize;

fn beside(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/asking").join(name)
}

/// The declarations of a folder, else those that all compositions share, and the package that every plan names.
fn declarations(folder: &Path) -> Index {
    let mut index = index(folder);
    let runtime = Package { lib: "dsh_runtime".to_owned(), source: PackageSource::Inherited, reaches: BTreeSet::new() };
    index.packages.insert("dsh-runtime".to_owned(), runtime);
    index
}

struct Profile {
    composition: Composition,
    plan: Plan,
    index: Index,
}

impl Profile {
    fn new(arguments: &str) -> Self {
        Self::within(&beside("workspace"), arguments)
    }

    fn within(folder: &Path, arguments: &str) -> Self {
        let index = declarations(folder);
        let outcome = compile_with(folder, arguments, &index);
        let checked = outcome.checked.unwrap_or_else(|| panic!("{}", outcome.problems.human(Style::Plain)));
        let plan = plan(&checked, &index);
        Self { composition: outcome.composition.expect("a checked composition was resolved"), plan, index }
    }

    fn composed(&self) -> Composed<'_> {
        Composed { composition: &self.composition, plan: &self.plan, index: &self.index }
    }

    fn why(&self, asked: &str) -> Why {
        Why::new(&self.composed(), asked).unwrap_or_else(|unknown| panic!("{unknown}"))
    }
}

/// Both forms of an answer.
fn forms(answer: &(impl Display + Serialize)) -> String {
    format!("{answer}\n{}\n", serde_json::to_string_pretty(answer).unwrap())
}

fn request() -> LoadRequest {
    let folder = beside("workspace");
    LoadRequest {
        workspace: folder.clone(),
        home: None,
        cwd: folder,
        profile: String::new(),
        patches: Vec::new(),
        crates: Vec::new(),
        flags: BuildFlags::default(),
    }
}

#[test]
fn what_can_be_composed_is_listed() {
    let profile = |name: String| {
        let loaded = load(&LoadRequest { profile: name.clone(), ..request() }, &mut Diagnostics::new());
        ProfileLine::new(&name, loaded.as_ref())
    };
    let bundle = |(name, path): (String, PathBuf)| {
        let file = path.strip_prefix(beside("workspace")).unwrap().display().to_string();
        BundleLine::new(&name, &file, load_bundle(&request(), &path, &mut Diagnostics::new()).as_ref())
    };
    let profiles = Profiles(known_profiles(&request()).into_iter().map(profile).collect());
    let bundles = Bundles(known_bundles(&request()).into_iter().map(bundle).collect());
    expect(
        &beside("list.txt"),
        &format!("{}\n{}\n{}", forms(&profiles), forms(&bundles), Plugins::new(&declarations(&beside("workspace")))),
    );
}

#[test]
fn a_part_is_traced_to_its_places_and_its_users() {
    let local = Profile::new("--profile local --patch more.yml");
    let asked = ["shell", "tool-bash", "subprocess", "llm.models", "llm.temperature", "shell.cwd", "agent.root", "llm.effort"];
    let answers: Vec<String> = asked.iter().map(|asked| format!("$ why {asked}\n{}", local.why(asked))).collect();
    expect(&beside("why.txt"), &answers.join("\n"));
    expect(&beside("why.json"), &format!("{}\n", serde_json::to_string_pretty(&local.why("shell")).unwrap()));
}

#[test]
fn services_tools_and_events_are_found_by_each_of_their_names() {
    let strict = Profile::new("--profile strict");
    let asked = [
        "dsh-shell::ShellExecutor",
        "Llm",
        "clock-a",
        "bash",
        "tools/pre-execute",
        "audit",
        "agent",
        "quiet",
        "quiet.toolName",
        "shell.plugin",
    ];
    let answers: Vec<String> = asked.iter().map(|asked| format!("$ why {asked}\n{}", strict.why(asked))).collect();
    expect(&beside("why-by-name.txt"), &answers.join("\n"));
}

/// Whoever needs another service of the same row does not need this one.
#[test]
fn a_service_is_told_apart_from_others_of_its_row() {
    let profile = Profile::within(&beside("two-services"), "");
    let answers: Vec<String> = ["reading", "writing", "store"].iter().map(|asked| profile.why(asked).to_string()).collect();
    expect(&beside("two-services/why.txt"), &answers.join("\n"));
}

/// In this profile a tool, a service and a row are called `shell`, and a row and a tool `bash`.
#[test]
fn a_name_of_several_things_is_answered_for_each() {
    let local = Profile::new("--profile local");
    expect(&beside("why-ambiguous.txt"), &format!("{}\n{}", local.why("shell"), local.why("bash")));
}

#[test]
fn an_unknown_name_is_answered_with_near_ones() {
    let local = Profile::new("--profile local");
    let near = |asked: &str| Why::new(&local.composed(), asked).unwrap_err().near;
    assert_eq!(near("bash-tool"), ["bash", "tool-bash"]);
    assert_eq!(near("tools/pre-excute"), ["tools", "tools/pre-execute"]);
    assert_eq!(near("llm.temprature"), ["llm.temperature"]);
    assert_eq!(near("lm.temperature"), ["llm.temperature"]);
    assert_eq!(near("shell.timeout_ms"), ["shell.timeoutMs"]);
    assert_eq!(near("timeoutMs"), ["shell.timeoutMs"]);
    assert_eq!(near("subprocess-local"), ["subprocess"]);
    assert!(near("bash-local").contains(&"shell".to_owned()));
    assert!(near("nothing-like-it").is_empty());
}

#[test]
fn two_profiles_are_compared() {
    let (local, strict) = (Profile::new("--profile local"), Profile::new("--profile strict"));
    expect(&beside("diff.txt"), &forms(&Difference::new(&local.composed(), &strict.composed())));
    assert!(Difference::new(&local.composed(), &local.composed()).is_empty());
}

#[test]
fn rows_that_mount_elsewhere_are_told() {
    let (strict, turned) = (Profile::new("--profile strict"), Profile::new("--profile turned"));
    expect(&beside("diff-order.txt"), &Difference::new(&strict.composed(), &turned.composed()).to_string());
}

/// Replaced values are never checked, so one may be a key that should not have been written.
#[test]
fn a_replaced_secret_is_not_told() {
    let local = Profile::new("--profile local --patch secret.yml --patch mended.yml");
    for (asked, place) in
        [("llm", "http://localhost (secret.yml:3:5)"), ("llm.apiKeyEnv", "secret.yml:5:7"), ("llm.apiKey", "secret.yml:6:5")]
    {
        let text = forms(&local.why(asked));
        assert!(text.contains(place) && text.contains("(hidden: it may be a secret)"), "{text}");
        assert!(!text.contains("sk-"), "{text}");
    }
}

#[test]
fn a_disabled_that_says_nothing_is_no_difference() {
    let (local, patched) = (Profile::new("--profile local"), Profile::new("--profile local --patch more.yml"));
    let difference = Difference::new(&local.composed(), &patched.composed());
    let changed: Vec<&str> = difference.changed.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(changed, ["bash", "shell"]);
}

#[test]
fn the_graph_is_drawn_in_three_languages() {
    let strict = Profile::new("--profile strict");
    let graph = InjectGraph::with_events(&strict.composed());
    expect(&beside("graph.mmd"), &graph.mermaid());
    expect(&beside("graph.dot"), &graph.dot());
    expect(&beside("graph.json"), &format!("{}\n", serde_json::to_string_pretty(&graph).unwrap()));
    let services = InjectGraph::new(&strict.composed());
    assert!(!services.mermaid().contains("==>") && !services.dot().contains("ellipse"));
}

#[test]
fn a_graph_holds_names_of_any_characters() {
    let mut graph = InjectGraph::with_events(&Profile::new("--profile strict").composed());
    graph.needs.truncate(1);
    graph.needs[0].service = "a \"b\" #1 \\".to_owned();
    assert!(graph.mermaid().contains("|\"a #quot;b#quot; #35;1 \\\"|"), "{}", graph.mermaid());
    assert!(graph.dot().contains("[label=\"a \\\"b\\\" #1 \\\\\"]"), "{}", graph.dot());
}

#[test]
fn the_rows_are_shown_as_a_document() {
    let local = Profile::new("--profile local --patch more.yml");
    expect(&beside("show.yml"), &Document::new(&local.composed()).to_string());
}

/// Rows that may be off, a realm and a preset.
#[test]
fn answers_tell_of_conditions_realms_and_presets() {
    let (choices, later) =
        (Profile::within(&beside("choices"), ""), Profile::within(&beside("choices"), "--profile ../choices --patch later.yml"));
    let asked = ["bash", "own-bash", "extras", "code/run", "shell", "quiet", "code/quiet.toolName", "confined.isolate"];
    let answers: Vec<String> = asked.iter().map(|asked| format!("$ why {asked}\n{}", choices.why(asked))).collect();
    let graph = InjectGraph::new(&choices.composed());
    let parts = [
        answers.join("\n"),
        format!("$ graph\n{}\n{}", graph.mermaid(), graph.dot()),
        format!("$ show --patch later.yml\n{}", Document::new(&later.composed())),
        format!("$ diff\n{}", Difference::new(&choices.composed(), &later.composed())),
    ];
    expect(&beside("choices/answers.txt"), &parts.join("\n"));
}

#[test]
fn a_shown_document_composes_to_the_same() {
    let profiles = ["--profile local", "--profile strict", "--profile local --patch more.yml", "--profile local --patch wide.yml"];
    let profiles = profiles.map(|arguments| (arguments, Profile::new(arguments)));
    let choices = ["--profile ../choices", "--profile ../choices --patch later.yml"];
    let choices = choices.map(|arguments| (arguments, Profile::within(&beside("choices"), arguments)));
    for (arguments, shown) in profiles.into_iter().chain(choices) {
        let document = Document::new(&shown.composed());
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join(&document.profile);
        std::fs::create_dir(&folder).unwrap();
        let mut head = format!("dsh: 1\nprofile: {}\naliases: [{}]\n", document.profile, document.aliases.join(", "));
        for (at, preset) in document.presets.iter().enumerate() {
            let lines: String = preset.document.lines().map(|line| format!("      {line}\n")).collect();
            head += &format!("{}  {}:\n    patch:\n{lines}", if at == 0 { "presets:\n" } else { "" }, preset.name);
        }
        std::fs::write(folder.join("profile.yml"), head).unwrap();
        std::fs::write(folder.join("shown.yml"), document.to_string()).unwrap();
        let again = Profile::within(&folder, &format!("--profile ../{} --patch shown.yml", document.profile));
        assert_eq!(again.plan.digest, shown.plan.digest, "{arguments}\n{document}");
        let order = |profile: &Profile| profile.composition.rows.iter().map(|row| row.id.text.clone()).collect::<Vec<_>>();
        assert_eq!(order(&again), order(&shown), "{arguments}");
    }
}
