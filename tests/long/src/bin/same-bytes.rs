//! Builds a profile in two folders and compares the bytes.

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use dsh_long_tests::same_bytes::{Copies, build, faults};

/// Builds a profile in two folders and compares the bytes.
#[derive(Parser)]
struct Arguments {
    /// The profile.
    #[arg(long, default_value = "minimal")]
    profile: String,
    /// Flags of the builds, after `--`.
    #[arg(last = true, default_values = ["--ship", "--static", "--seal"])]
    flags: Vec<String>,
}

fn main() -> ExitCode {
    let Arguments { profile, flags } = Arguments::parse();
    match compared(&profile, &flags) {
        Ok(faults) if faults.is_empty() => ExitCode::SUCCESS,
        Ok(faults) => {
            faults.iter().for_each(|fault| println!("{fault}"));
            ExitCode::FAILURE
        }
        Err(problem) => {
            println!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn compared(profile: &str, flags: &[String]) -> Result<Vec<String>, String> {
    let copies = Copies::new().map_err(|error| format!("the workspace cannot be copied: {error}"))?;
    let [one, other] = copies.roots.each_ref().map(|root| build(root, profile, flags));
    let builds = [one?, other?];
    println!("{profile} {}: {} bytes", flags.join(" "), builds[0].len());
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    Ok(faults(&builds, &copies.roots.iter().cloned().chain(home).collect::<Vec<_>>()))
}
