//! Crates from outside the workspace: where they may come from, what is refused, and what is written. What is said is compared whole
//! with the texts in `tests/crates/`.

#[path = "crates/place.rs"]
mod place;
mod scratch;

use std::fs;
use std::process::Command;

use place::{PLUGIN, Place, assert_done, git};
use scratch::manifest;

#[test]
fn a_crate_by_path_is_built_and_what_is_written_names_no_folder_of_the_machine() {
    let place = Place::new();
    place.plugin("weather", "dsh-weather");
    place.profile("dsh-weather: {path: ../weather}", "{id: weather, plugin: weather}");
    assert_done(&place.run(&["check", "--profile", "."]));
    assert!(!place.root().join("agent/generated").exists() && !place.root().join("agent/Cargo.lock").exists());
    let output = place.run(&["--profile", "."]);
    assert_done(&output);
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{}/target/dsh/dsh-agent\n", place.scratch.root().display()));
    let written = place.read("agent/generated/agent/Cargo.toml");
    assert!(written.contains("\ndsh-weather = { path = \"../../../weather\" }\n"), "{written}");
    assert!(written.contains("\ndsh-server = { path = \"../../plugins/scratch/server\" }\n"), "{written}");
    let wiring = place.read("agent/generated/agent/src/wiring.rs");
    for text in [&written, &wiring] {
        assert!(!text.contains("/tmp"), "{text}");
    }
    // Cargo built in a workspace that has the crate.
    let log = place.read("log");
    assert!(log.contains("/target/dsh/scratch/.standing-agent-"), "{log}");

    // The same in other folders gives the same bytes.
    let other = Place::new();
    other.plugin("weather", "dsh-weather");
    other.profile("dsh-weather: {path: ../weather}", "{id: weather, plugin: weather}");
    assert_done(&other.run(&["sync", "."]));
    assert_eq!(other.read("agent/generated/agent/Cargo.toml"), written);
    assert_eq!(other.read("agent/generated/agent/src/wiring.rs"), wiring);
    assert_done(&other.run(&["sync", "--check", "."]));

    // The lock file is compared too, and left as it is.
    let lock = other.read("agent/Cargo.lock");
    for stale in [lock.replace("name = \"dsh-weather\"", "name = \"dsh-climate\""), String::new()] {
        other.write("agent/Cargo.lock", &stale);
        let output = other.run(&["sync", "--check", "."]);
        assert_eq!(output.status.code(), Some(1), "{}", other.said(&output));
        assert!(other.said(&output).contains("error[DSH0501]: `OUTSIDE/agent/Cargo.lock` is not what"), "{}", other.said(&output));
        assert_eq!(other.read("agent/Cargo.lock"), stale);
        assert_done(&other.run(&["sync", "."]));
        assert_eq!(other.read("agent/Cargo.lock"), lock);
    }
    fs::remove_file(other.root().join("agent/Cargo.lock")).unwrap();
    assert_eq!(other.run(&["sync", "--check", "."]).status.code(), Some(1));
    assert_done(&other.run(&["sync", "."]));
    other.write("weather/src/lib.rs", &PLUGIN.replace("how the weather is", "that it rains"));
    let output = other.run(&["sync", "--check", "."]);
    assert_eq!(output.status.code(), Some(1), "{}", other.said(&output));
}

#[test]
fn a_profile_of_the_workspace_may_list_crates_from_outside() {
    let place = Place::new();
    place.plugin("weather", "dsh-weather");
    let path = scratch::way(&place.scratch.root().join("profiles/inner"), &place.root().join("weather"));
    let text = format!(
        "dsh: 1\nprofile: inner\ncrates:\n  dsh-weather: {{path: {path}}}\npatch:\n  - insert: [{{id: server, plugin: server}}, {{id: weather, plugin: weather}}]\n"
    );
    place.scratch.write("profiles/inner/profile.yml", &text);
    // The profile of another has not what this one lists.
    place.scratch.write("profiles/other/profile.yml", "dsh: 1\nprofile: other\npatch:\n  - insert: [{id: weather, plugin: weather}]\n");
    place.write("agent/.keep", "");
    assert_done(&place.run(&["sync", "inner"]));
    let written = place.scratch.read("generated/inner/Cargo.toml");
    assert!(written.contains(&format!("dsh-weather = {{ path = \"../../{path}\" }}")), "{written}");
    assert_done(&place.run(&["sync", "--check", "inner"]));
    let output = place.run(&["check", "--profile", "other"]);
    assert!(place.said(&output).contains("no plugin is named `weather`"), "{}", place.said(&output));
}

/// What only an agent that selects a preset gets is used all the same.
#[test]
fn a_preset_uses_a_crate_and_its_bundles() {
    let place = Place::new();
    let source = format!("{}}}\n", PLUGIN.split_once("    #[verb").unwrap().0);
    for (name, plugin) in [("dsh-weather", "weather"), ("dsh-rain", "rain")] {
        place.plugin(plugin, name);
        place.write(&format!("{plugin}/src/lib.rs"), &source);
    }
    place.write("rain/bundles/rain.yml", "- insert: [{id: rain, plugin: rain}]\n");
    place.profile("dsh-weather: {path: ../weather}\ndsh-rain: {path: ../rain}", "");
    let text = place.read("agent/profile.yml");
    let presets = "presets:\n  wet: {bundles: [rain]}\n  any:\n    patch:\n      - insert: [{id: weather, plugin: weather}]\n";
    place.write("agent/profile.yml", &format!("{text}{presets}"));
    assert_done(&place.run(&["check", "--profile", "."]));
    place.write("agent/profile.yml", &text);
    let said = place.said(&place.run(&["check", "--profile", "."]));
    assert!(said.contains("nothing uses crate `dsh-weather`") && said.contains("nothing uses crate `dsh-rain`"), "{said}");
}

#[test]
fn a_crate_by_revision_is_fetched_and_found_again_without_network() {
    let place = Place::new();
    place.plugin("repository", "dsh-weather");
    place.write("repository/bundles/rain.yml", "- insert: [{id: weather, plugin: weather}]\n");
    git(&place.root().join("repository"), &["init", "--quiet"]);
    git(&place.root().join("repository"), &["add", "."]);
    git(&place.root().join("repository"), &["commit", "--quiet", "--message", "first"]);
    let revision = git(&place.root().join("repository"), &["rev-parse", "HEAD"]);
    let url = format!("file://{}/repository", place.root().display());

    place.profile(&format!("dsh-weather: {{git: '{url}', rev: {revision}}}"), "");
    let text = place.read("agent/profile.yml").replace("patch:", "bundles: [rain]\npatch:");
    place.write("agent/profile.yml", &text);
    let output = place.run(&["check", "--profile", ".", "--offline"]);
    assert_eq!(output.status.code(), Some(2), "{}", place.said(&output));
    let said = place.said(&output);
    assert!(said.contains("error[DSH0126]: crate `dsh-weather` cannot be had: revision") && said.contains("profile.yml:4:3"), "{said}");
    assert!(said.contains("leave `--offline` out once"), "{said}");

    assert_done(&place.run(&["sync", "."]));
    assert_done(&place.run(&["check", "--profile", ".", "--offline"]));
    let written = place.read("agent/generated/agent/Cargo.toml");
    assert!(written.contains(&format!("dsh-weather = {{ git = \"{url}\", rev = \"{revision}\" }}")), "{written}");
    // A bundle of a crate is called by the crate, wherever its source lies.
    let wiring = place.read("agent/generated/agent/src/wiring.rs");
    assert!(wiring.contains("// weather (dsh-weather/bundles/rain.yml#weather)"), "{wiring}");
    assert!(place.read("agent/Cargo.lock").contains(&format!("?rev={revision}#")));

    place.profile(&format!("dsh-weather: {{git: '{url}', rev: '0123456789abcdef0123456789abcdef01234567'}}"), "");
    let output = place.run(&["check", "--profile", "."]);
    assert_eq!(output.status.code(), Some(2));
    let said = place.said(&output);
    assert!(said.contains("error[DSH0126]: crate `dsh-weather` cannot be had: revision `0123456789"), "{said}");
}

/// A folder of vendored sources stands for the registry.
#[test]
fn a_profile_that_lists_the_runtime_needs_no_workspace() {
    let place = Place::new();
    let vendored = |package: &str, dependencies: &str, source: &str| {
        place.write(&format!("agent/vendor/{package}/Cargo.toml"), &manifest(package, "", dependencies));
        place.write(&format!("agent/vendor/{package}/src/lib.rs"), source);
        place.write(&format!("agent/vendor/{package}/.cargo-checksum.json"), "{\"files\":{}}");
    };
    vendored("dsh-runtime", "\n[features]\noverlays = []\n", &place.scratch.read("runtime/src/lib.rs"));
    vendored("dsh-weather", "dsh-runtime = \"0.1\"\n", PLUGIN);
    place.write("agent/.cargo/config.toml", "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"vendor\"\n");
    place.write(
        "agent/profile.yml",
        "dsh: 1\nprofile: agent\ncrates:\n  dsh-runtime: {version: '0.1'}\n  dsh-weather: {version: '0.1'}\npatch:\n  - insert: [{id: weather, plugin: weather}]\n",
    );
    let output = place.command(&["--profile", "."]).output().unwrap();
    assert_done(&output);
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{}/agent/target/dsh/dsh-agent\n", place.root().display()));
    let written = place.read("agent/generated/agent/Cargo.toml");
    assert!(written.contains("\ndsh-weather = { version = \"0.1\" }\n") && written.contains("\n[workspace]\n"), "{written}");
    // It takes overlays when it starts, and what a row of the profile may say is known to editors.
    assert!(written.contains("\ndsh-runtime = { version = \"0.1\", features = [\"overlays\"] }\n"), "{written}");
    let schema = place.read("agent/generated/schema/profile.schema.json");
    assert!(schema.contains("Speaks of the weather."), "{schema}");
    fs::remove_dir_all(place.root().join("agent/generated/schema")).unwrap();
    assert_eq!(place.command(&["sync", "--check", "."]).output().unwrap().status.code(), Some(1));
    assert_done(&place.command(&["schema", "."]).output().unwrap());
    assert_eq!(place.read("agent/generated/schema/profile.schema.json"), schema);
    let outside = |words: &[&str]| place.command(words).current_dir("/").output().unwrap();
    let folder = place.root().join("agent");
    let folder = folder.to_str().unwrap();
    for words in
        [&["sync", folder][..], &["sync", "--check", folder], &["plan", "--profile", folder], &["dump", "--default", "--profile", folder]]
    {
        assert_done(&outside(words));
    }
    assert!(place.read("agent/Cargo.lock").contains("name = \"dsh-weather\""));
    let text = place.read("agent/profile.yml").replace("dsh-weather: {version: '0.1'}", "dsh-weather: {version: '7'}");
    place.write("agent/profile.yml", &text);
    let output = place.command(&["check", "--profile", "."]).output().unwrap();
    let said = place.said(&output);
    assert!(output.status.code() == Some(2) && said.contains("crate `dsh-weather` cannot be had: version `7`"), "{said}");

    assert_done(&outside(&["clean", "--profile", folder]));
    assert!(!place.root().join("agent/target/dsh/dsh-agent").exists() && place.root().join("agent/generated").exists());
}

#[test]
fn the_folder_of_what_is_built_may_be_a_link() {
    let place = Place::new();
    place.plugin("weather", "dsh-weather");
    let crates =
        format!("crates:\n  dsh-runtime: {{path: '{}/runtime'}}\n  dsh-weather: {{path: ../weather}}\n", place.scratch.root().display());
    let rows = "patch:\n  - insert: [{id: weather, plugin: weather}]\n";
    place.write("agent/profile.yml", &format!("dsh: 1\nprofile: agent\n{crates}{rows}"));
    fs::create_dir(place.root().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(place.root().join("elsewhere"), place.root().join("agent/target")).unwrap();
    for words in [&["check", "--profile", "."][..], &["sync", "."], &["--profile", "."]] {
        assert_done(&place.command(words).output().unwrap());
    }
    assert!(place.root().join("elsewhere/dsh/dsh-agent").is_file());
}

#[test]
fn a_profile_with_no_workspace_in_sight_says_what_was_looked_for() {
    let place = Place::new();
    place.plugin("weather", "dsh-weather");
    place.profile("dsh-weather: {path: ../weather}", "{id: weather, plugin: weather}");
    let output = place.command(&["check", "--profile", "."]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = place.said(&output);
    for expected in
        ["`OUTSIDE/agent` lies in no workspace", "neither `--workspace` nor", "`agent` does not list `dsh-runtime` under `crates`", "help:"]
    {
        assert!(said.contains(expected), "{said}");
    }
    let output = place.command(&["check", "--profile", "agent"]).current_dir(place.root()).output().unwrap();
    let said = place.said(&output);
    assert!(said.ends_with("help: the profile in the folder here is named by its path: `./agent`\n"), "{said}");
    let mut command = place.command(&["check", "--profile", "."]);
    let said = place.said(&command.env("DSH_WORKSPACE", place.root()).output().unwrap());
    assert!(said.contains("`OUTSIDE` is no workspace: it lacks `Cargo.toml`") && said.contains("variable `DSH_WORKSPACE`"), "{said}");
    let mut command = place.command(&["check", "--profile", "."]);
    assert_done(&command.env("DSH_WORKSPACE", place.scratch.root()).output().unwrap());
}

#[test]
fn paths_that_lead_to_no_crate_are_refused() {
    let place = Place::new();
    place.plugin("weather", "dsh-weather");
    place.write("empty/notes.txt", "");
    place.write("torn/Cargo.toml", "[package\n");
    place.write("many/Cargo.toml", "[workspace]\n");
    place.profile(
        "dsh-a: {path: ../nowhere}\ndsh-b: {path: ../empty}\ndsh-c: {path: ../torn}\ndsh-d: {path: ../many}\ndsh-e: {path: ../weather}",
        "",
    );
    place.refused("paths", 1);
}

#[test]
fn names_that_cannot_be_are_refused() {
    let place = Place::new();
    for (folder, package) in
        [("testkit", "dsh-testkit"), ("built", "dsh-agent-agent"), ("server", "dsh-server"), ("one", "dsh-x"), ("two", "x")]
    {
        place.plugin(folder, package);
    }
    place.profile(
        "dsh-testkit: {path: ../testkit}\ndsh-agent-agent: {path: ../built}\ndsh-server: {path: ../server}\ndsh-x: {path: ../one}\nx: {path: ../two}",
        "",
    );
    place.refused("names", 1);
}

#[test]
fn crates_of_no_use_are_refused() {
    let place = Place::new();
    place.plugin("idle", "dsh-idle");
    place.plugin("unloved", "dsh-unloved");
    place.write("unloved/src/lib.rs", "");
    place.write("unloved/bundles/sun.yml", "[]\n");
    place.write("plain/Cargo.toml", &manifest("plain", "", ""));
    place.write("plain/src/lib.rs", "");
    place.write("program/Cargo.toml", &manifest("program", "", ""));
    place.write("program/src/main.rs", "fn main() {}\n");
    place.plugin("empty", "dsh-empty");
    place.write("empty/src/lib.rs", "");
    place.profile(
        "dsh-idle: {path: ../idle}\ndsh-unloved: {path: ../unloved}\nplain: {path: ../plain}\nprogram: {path: ../program}\ndsh-empty: {path: ../empty}",
        "",
    );
    place.refused("no-use", 1);
}

#[test]
fn two_versions_of_a_definition_are_told_with_both_ways() {
    let place = Place::new();
    let runtime = format!("dsh-runtime = {{ path = \"{}/runtime\" }}\n", place.scratch.root().display());
    let definition = |folder: &str, version: &str| {
        let text = manifest("dsh-sky", "", &runtime).replace("0.1.0", version);
        place.write(&format!("{folder}/Cargo.toml"), &text);
        place.write(&format!("{folder}/src/lib.rs"), "#[service(key = \"sky\")]\npub trait Sky: Send + Sync {}\n");
    };
    definition("old", "0.1.0");
    definition("new", "0.2.0");
    for (name, sky) in [("dsh-sun", "old"), ("dsh-rain", "new")] {
        place.plugin(name, name);
        let text = place.read(&format!("{name}/Cargo.toml"));
        place.write(&format!("{name}/Cargo.toml"), &format!("{text}dsh-sky = {{ path = \"../{sky}\" }}\n"));
    }
    place.profile("dsh-sun: {path: ../dsh-sun}\ndsh-rain: {path: ../dsh-rain}", "{id: sun, plugin: sun}\n{id: rain, plugin: rain}");
    place.refused("two-versions", 1);

    // Of one version in two places cargo itself makes nothing.
    definition("new", "0.1.0");
    place.refused("apart", 1);
}

/// The crate's build script would leave a file; so it does when the crate is built.
#[test]
fn a_check_runs_no_code_of_a_crate() {
    let place = Place::new();
    place.plugin("weather", "dsh-weather");
    place.write("weather/build.rs", "fn main() { std::fs::write(std::env::var(\"TRACE\").unwrap(), \"ran\").unwrap(); }\n");
    place.profile("dsh-weather: {path: ../weather}", "{id: weather, plugin: weather}");
    let trace = place.root().join("trace");
    for words in [&["check", "--profile", "."][..], &["plan", "--profile", "."], &["why", "weather", "--profile", "."], &["sync", "."]] {
        let mut command = place.command(words);
        assert_done(&command.arg("--workspace").arg(place.scratch.root()).env("TRACE", &trace).output().unwrap());
        assert!(!trace.exists(), "{words:?} ran the build script");
    }
    // Without the stand-in for the runtime, which is no more than declarations, the crate can be built.
    place.write("weather/Cargo.toml", &manifest("dsh-weather", "", ""));
    place.write("weather/src/lib.rs", "");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["check", "--quiet", "--offline"]).current_dir(place.root().join("weather"));
    cargo.env("TRACE", &trace).env("CARGO_TARGET_DIR", place.root().join("target")).output().unwrap();
    assert!(trace.exists(), "the build script would have been seen");
}
