//! A workspace of any size, made up for the compiler: plugins that need each other and a profile with many rows.

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::Path;

/// How the plugins and rows are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// So many plugins, each with one row, each in need of the one before.
    Plugins(usize),
    /// So many rows of 50 plugins, which all need the first.
    Rows(usize),
}

const PLUGINS_FOR_ROWS: usize = 50;

/// Writes the workspace into an empty folder.
pub fn grow(folder: &Path, growth: Growth) -> io::Result<()> {
    let plugins = match growth {
        Growth::Plugins(count) => count,
        Growth::Rows(_) => PLUGINS_FOR_ROWS,
    };
    write(&folder.join("Cargo.toml"), "[workspace]\nresolver = \"3\"\nmembers = [\"runtime\", \"plugins/grown/*\"]\n")?;
    // The compiler reads declarations by their attributes; the real runtime would only have cargo look at its dependencies.
    write(&folder.join("runtime/Cargo.toml"), &manifest("dsh-runtime", &[]))?;
    write(&folder.join("runtime/src/lib.rs"), "")?;
    for number in 0..plugins {
        let needs = match growth {
            _ if number == 0 => None,
            Growth::Plugins(_) => Some(number - 1),
            Growth::Rows(_) => Some(0),
        };
        let provides = match growth {
            Growth::Plugins(count) => number + 1 < count,
            Growth::Rows(_) => number == 0,
        };
        write_plugin(&folder.join(format!("plugins/grown/p{number}")), number, needs, provides)?;
    }
    let mut rows = String::new();
    match growth {
        Growth::Plugins(count) => (0..count).for_each(|plugin| row(&mut rows, plugin, plugin)),
        Growth::Rows(count) => {
            row(&mut rows, 0, 0);
            (1..count).for_each(|number| row(&mut rows, number, 1 + number % (PLUGINS_FOR_ROWS - 1)));
        }
    }
    write(&folder.join("profiles/grown/profile.yml"), &format!("dsh: 1\nprofile: grown\nbundles: []\npatch:\n  - insert:\n{rows}"))
}

fn row(rows: &mut String, number: usize, plugin: usize) {
    let _ = write!(
        rows,
        "      - id: row-{number}\n        plugin: p{plugin}\n        config:\n          words: of row {number}\n          \
         count: {number}\n          root: !expr \"env.DATA_DIR if env.DATA_DIR is defined else './{number}'\"\n"
    );
}

fn manifest(package: &str, dependencies: &[String]) -> String {
    let lines: String = dependencies.iter().map(|line| format!("{line}\n")).collect();
    format!("[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n{lines}")
}

fn write_plugin(folder: &Path, number: usize, needs: Option<usize>, provides: bool) -> io::Result<()> {
    let mut dependencies = vec!["dsh-runtime = { path = \"../../../runtime\" }".to_owned()];
    dependencies.extend(needs.map(|needed| format!("dsh-p{needed} = {{ path = \"../p{needed}\" }}")));
    write(&folder.join("Cargo.toml"), &manifest(&format!("dsh-p{number}"), &dependencies))?;
    let mut text = String::from(
        "//! A plugin that is only read.\n\nmod work;\n\nuse std::path::PathBuf;\nuse std::sync::Arc;\n\nuse dsh_runtime::{Inject, MountError, PluginContext, config, plugin, service};\n",
    );
    if let Some(needed) = needs {
        let _ = writeln!(text, "use dsh_p{needed}::Service{needed};");
    }
    text.push_str(
        "\n/// Its config.\n#[config]\npub struct Config {\n    /// Words.\n    pub words: String,\n    /// How many.\n    #[config(default = 3, max = 100000)]\n    pub count: u64,\n    /// Where.\n    pub root: PathBuf,\n    /// Whether.\n    #[config(default = true)]\n    pub is_on: bool,\n    /// Which.\n    #[config(default = \"none\")]\n    pub which: String,\n}\n",
    );
    if provides {
        let _ = writeln!(
            text,
            "\n/// What it provides.\n#[service(key = \"grown-{number}\")]\npub trait Service{number}: Send + Sync {{\n    /// Works.\n    fn work(&self) -> u64;\n}}"
        );
    }
    if let Some(needed) = needs {
        let _ = writeln!(
            text,
            "\n/// What it needs.\n#[derive(Inject)]\npub struct Inject {{\n    /// The one before.\n    pub before: Arc<dyn Service{needed}>,\n}}"
        );
    }
    let attribute = if provides { format!("#[plugin(provides(dyn Service{number}))]") } else { "#[plugin]".to_owned() };
    let inject = if needs.is_some() { ", inject: Inject" } else { "" };
    let _ = writeln!(
        text,
        "\n/// The plugin.\npub struct Plugin{number} {{\n    config: Config,\n}}\n\n{attribute}\nimpl Plugin{number} {{\n    /// Keeps its config.\n    pub async fn mount(_cx: &PluginContext, config: Config{inject}) -> Result<Self, MountError> {{"
    );
    for line in 0..40 {
        let _ = writeln!(text, "        if config.count == {line} {{\n            work::done(&config.words, {line});\n        }}");
    }
    text.push_str("        Ok(Self { config })\n    }\n}\n");
    write(&folder.join("src/lib.rs"), &text)?;
    let mut work = String::from("//! Work.\n\n");
    for line in 0..40 {
        let _ = writeln!(
            work,
            "/// Step {line}.\npub fn step_{line}(words: &str, number: u64) -> u64 {{\n    words.len() as u64 + number * {line}\n}}\n"
        );
    }
    write(&folder.join("src/work.rs"), &work)
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
