//! The examples of a rule's page and what the compiler says of them.
//!
//! A fenced block holds a file, whose name follows the language: `yaml bundles/base.yml`. A block `yaml` without a name is the patch
//! list of the profile `mine`, `yaml profile.yml` the profile itself; `rust NAME DEP…` is the library of a plugin crate, `rust PATH`
//! another source file. A block `sh` holds commands, which are run with the compiler at hand once all files are there; what
//! stands in for cargo's builds refuses `compile_error!` and nothing else. Examples of YAML alone are compiled with the plugins of
//! `compositions/plugins.rs`.

use std::fs;
use std::path::Path;
use std::process::Command;

use dsh_build::diagnostics::Style;

use crate::fixture::{compile, compositions, index};
use crate::scratch::{Scratch, stand_in_for_cargo};

/// A fenced block.
struct Block {
    language: String,
    /// What follows the language.
    name: String,
    text: String,
}

/// The blocks of one example.
pub struct Example {
    blocks: Vec<Block>,
}

/// The wrong and the right example of a page.
pub fn examples(page: &str) -> Option<(Example, Example)> {
    let (_, rest) = page.split_once("\nWrong:\n")?;
    let (wrong, right) = rest.split_once("\nRight:\n")?;
    Some((blocks(wrong)?, blocks(right)?))
}

fn blocks(text: &str) -> Option<Example> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some("") if is_open => is_open = false,
            Some(info) => {
                let (language, name) = info.split_once(' ').unwrap_or((info, ""));
                blocks.push(Block { language: language.to_owned(), name: name.to_owned(), text: String::new() });
                is_open = true;
            }
            None if is_open => {
                let block = blocks.last_mut()?;
                block.text += line;
                block.text += "\n";
            }
            None => {}
        }
    }
    (!blocks.is_empty()).then_some(Example { blocks })
}

const PROFILE: &str = "dsh: 1\nprofile: mine\npatch:\n  - insert:\n      - {id: batch, plugin: batch}\n";

const BATCH: &str = "use dsh_runtime::{plugin, MountError, PluginContext};\npub struct Batch;\n#[plugin()]\nimpl Batch {\n    pub async fn \
     mount(cx: &PluginContext) -> Result<Self, MountError> { Ok(Self) }\n    /// Runs.\n    #[verb(name = \"run\", about = \"runs\")]\n    pub \
     async fn run(&self, args: Vec<String>, session: ServeSession) -> Exit { todo!() }\n}\n";

/// All that the compiler says of an example.
pub fn outcome(example: &Example) -> String {
    if example.blocks.iter().all(|block| block.language == "yaml") { composed(example) } else { built(example) }
}

fn profile(block: &Block) -> String {
    let rows: String = block.text.lines().map(|line| format!("  {line}\n")).collect();
    format!("dsh: 1\nprofile: mine\npatch:\n{rows}")
}

/// An example that only the front half of the compiler is needed for.
fn composed(example: &Example) -> String {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("mine");
    fs::create_dir(&root).unwrap();
    for block in &example.blocks {
        let (name, text) = if block.name.is_empty() { ("profile.yml", profile(block)) } else { (block.name.as_str(), block.text.clone()) };
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    compile(&root, &index(&compositions())).problems.human(Style::Plain)
}

/// An example with sources or commands, in a workspace of its own.
fn built(example: &Example) -> String {
    let mut text = format!("//- file profiles/mine/profile.yml\n{PROFILE}//- crate batch\n{BATCH}");
    for block in &example.blocks {
        let head = match (block.language.as_str(), block.name.as_str()) {
            ("sh", _) => continue,
            ("rust", name) if !name.contains('/') => format!("crate {name}"),
            (_, "profile.yml") => "file profiles/mine/profile.yml".to_owned(),
            (_, name) => format!("file {name}"),
        };
        text += &format!("//- {head}\n{}", block.text);
    }
    let scratch = Scratch::new(&text);
    let commands: String = example.blocks.iter().filter(|block| block.language == "sh").map(|block| block.text.as_str()).collect();
    let commands = if commands.is_empty() { "dsh-build list plugins\n".to_owned() } else { commands };
    let program = Path::new(env!("CARGO_BIN_EXE_dsh-build")).parent().unwrap();
    let path =
        std::env::join_paths(std::iter::once(program.to_owned()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap()))).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", &commands]).current_dir(scratch.root()).env("PATH", path);
    shell.env("DSH_HOME", scratch.root().join("home")).env_remove("DSH_WORKSPACE");
    stand_in_for_cargo(&mut shell, &scratch.root());
    shell.env("READS", "1");
    let output = shell.output().unwrap();
    String::from_utf8_lossy(&output.stderr).into_owned()
}
