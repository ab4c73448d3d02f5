//! Two builds of one profile in two folders.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use dsh_product_tests::{compile, workspace};

/// What no copy of the workspace needs.
const LEFT_OUT: [&str; 2] = ["target", ".git"];

/// Copies of the workspace; removed when dropped.
pub struct Copies {
    _folder: tempfile::TempDir,
    /// Their roots: folders of other names and depths.
    pub roots: [PathBuf; 2],
}

impl Copies {
    /// Makes them.
    ///
    /// # Errors
    /// What cannot be copied.
    pub fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("dsh-same-").tempdir()?;
        let roots = ["one", "a folder/of another/name"].map(|root| folder.path().join(root));
        for root in &roots {
            copy(workspace(), root, &LEFT_OUT)?;
        }
        Ok(Self { _folder: folder, roots })
    }
}

fn copy(from: &Path, to: &Path, left_out: &[&str]) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        if left_out.iter().any(|out| name == *out) {
            continue;
        }
        match entry.file_type()? {
            kind if kind.is_dir() => copy(&entry.path(), &to.join(name), &[])?,
            kind if kind.is_symlink() => symlink(fs::read_link(entry.path())?, to.join(name))?,
            _ => fs::copy(entry.path(), to.join(name)).map(drop)?,
        }
    }
    Ok(())
}

/// Builds a profile in a copy with these flags besides, and yields the binary's bytes.
///
/// # Errors
/// What the compiler said.
pub fn build(root: &Path, profile: &str, flags: &[String]) -> Result<Vec<u8>, String> {
    let output = compile(root).args(["--profile", profile, "--offline"]).args(flags).output().map_err(|error| error.to_string())?;
    match String::from_utf8_lossy(&output.stdout).lines().last() {
        Some(path) if output.status.success() => fs::read(path).map_err(|error| error.to_string()),
        _ => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// What is wrong with two builds of the same: where their bytes part, and folders of this machine in them.
#[must_use]
pub fn faults(builds: &[Vec<u8>; 2], folders: &[PathBuf]) -> Vec<String> {
    let [one, other] = builds;
    let mut faults = Vec::new();
    if one != other {
        let at = one.iter().zip(other).position(|(one, other)| one != other).unwrap_or(one.len().min(other.len()));
        faults.push(format!("they part at byte {at} of {} and {}", one.len(), other.len()));
    }
    let text = String::from_utf8_lossy(one);
    let held = folders.iter().filter(|folder| text.contains(&*folder.to_string_lossy()));
    faults.extend(held.map(|folder| format!("they hold the path {}", folder.display())));
    faults
}
