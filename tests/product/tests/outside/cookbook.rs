//! The cookbook, followed to the letter: its `sh` blocks are one script, its `text` blocks must be in what the script prints.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dsh_product_tests::workspace;

/// In the order of the index page.
const PAGES: [&str; 6] = ["README", "tool", "service", "profile", "drive", "embed"];

/// What the test adds: cargo installs without optimisation and works with what is on the machine. Of the words of the pages none is
/// changed.
const BEFORE: &str = "set -euo pipefail
cargo() {
    if [ \"$1\" = install ]; then
        env -u CARGO_TARGET_DIR cargo \"$@\" --debug --quiet
    else
        command cargo \"$@\"
    fi
}
";

fn page(name: &str) -> String {
    fs::read_to_string(workspace().join("docs/cookbook").join(format!("{name}.md"))).unwrap()
}

/// The blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let start = format!("\n```{language}\n");
    text.split(&start).skip(1).map(|rest| rest.split_once("\n```\n").expect("a block ends").0.to_owned() + "\n").collect()
}

#[test]
fn every_page_is_followed() {
    let files = fs::read_dir(workspace().join("docs/cookbook")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<String> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    pages.sort();
    let mut known = PAGES.map(str::to_owned);
    known.sort();
    assert_eq!(pages, known);
}

#[test]
fn the_commands_of_the_cookbook_work_as_they_stand() {
    let home = tempfile::Builder::new().prefix("dsh-cookbook-").tempdir().unwrap();
    let script: String = PAGES.iter().flat_map(|name| blocks(&page(name), "sh")).collect();
    assert!(script.contains("cargo install --path compiler --locked\n") && script.contains("dsh-build new tool"), "{script}");
    let mut shell = Command::new("bash");
    shell.arg("-c").arg(format!("{BEFORE}{script}")).current_dir(workspace()).stdin(Stdio::null());
    for (name, value) in environment(home.path()) {
        shell.env(name, value);
    }
    shell.env_remove("DSH_WORKSPACE").env_remove("DSH_HOME");
    let output = shell.output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    for line in
        PAGES.iter().flat_map(|name| blocks(&page(name), "text")).flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>())
    {
        assert!(stdout.lines().chain(stderr.lines()).any(|said| said == line), "nothing printed `{line}`:\n{stdout}\n{stderr}");
    }
    let agents = home.path().join("agents");
    for kept in ["weather-agent/Cargo.lock", "weather-agent/generated/weather-agent/src/wiring.rs", "weather-agent/dsh-weather-agent"] {
        assert!(agents.join(kept).is_file(), "{kept}");
    }
}

/// A home of the test's own, and the toolchain and downloads of the real one.
fn environment(home: &Path) -> Vec<(&'static str, OsString)> {
    let real_home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let of_real_home = |name: &str, folder: &str| std::env::var_os(name).unwrap_or_else(|| real_home.join(folder).into());
    let installed = home.join("installed");
    let mut path = OsString::from(installed.join("bin"));
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    vec![
        ("HOME", home.into()),
        ("PATH", path),
        ("CARGO_HOME", of_real_home("CARGO_HOME", ".cargo")),
        ("RUSTUP_HOME", of_real_home("RUSTUP_HOME", ".rustup")),
        ("CARGO_INSTALL_ROOT", installed.into()),
        ("CARGO_NET_OFFLINE", "true".into()),
        // What the compiler builds for profiles serves the tests of crates as well.
        ("CARGO_TARGET_DIR", workspace().join("target/dsh/build").into()),
    ]
}
