//! Keeps cargo's answer: asking takes about half a second, which would be most of a run that changes nothing.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use dsh_declare::digest::fnv1a;
use serde::{Deserialize, Serialize};

use super::Network;
use super::detached::ask_detached;
use super::metadata::{Metadata, MetadataError, ask};
use crate::replace::replace;
use crate::workspace::Workspace;

/// Changes whenever what is kept changes its form or its meaning.
const FORM: u32 = 5;

/// Manifests lie at most this deep under the root (`plugins/<group>/<name>/Cargo.toml` is three).
const DEEPEST: usize = 4;

#[derive(Serialize, Deserialize)]
struct Kept {
    key: String,
    /// Manifests of path dependencies outside the root, with their digests.
    outside: Vec<(PathBuf, u64)>,
    metadata: Metadata,
}

/// The workspace's metadata: what was kept when no manifest and no lock file changed since, else cargo's answer. Nothing outside of
/// `target/` is written.
pub(crate) fn metadata(workspace: &Workspace, network: Network) -> Result<Metadata, MetadataError> {
    if let Ok(key) = key(workspace)
        && let Some(metadata) = recall(&file(workspace), &key)
    {
        return Ok(metadata);
    }
    let metadata = match ask(workspace.root(), Network { locked: true, ..network }) {
        // Broken generated crates are mended in any case; a stale lock file is refused where that was asked for.
        Err(MetadataError::Refused { words }) if !network.locked || words.contains("/generated/") => ask_detached(workspace, network)?,
        outcome => outcome?,
    };
    keep(workspace, &metadata);
    Ok(metadata)
}

/// Has cargo make the lock file list what the manifests say, unless that is forbidden.
pub(crate) fn update_lock_file(workspace: &Workspace, network: Network) -> Result<(), MetadataError> {
    let metadata = ask(workspace.root(), network)?;
    keep(workspace, &metadata);
    Ok(())
}

/// Keeps cargo's answer. What cannot be kept is asked again.
fn keep(workspace: &Workspace, metadata: &Metadata) {
    let outside = metadata.packages.iter().filter(|package| package.is_local() && !package.manifest.starts_with(workspace.root()));
    let watched = outside.map(|package| package.manifest.clone()).collect();
    // Cargo may just have written the lock file, so the key is made after it answered.
    let _ = key(workspace).and_then(|key| write(&file(workspace), &key, metadata, watched));
}

fn file(workspace: &Workspace) -> PathBuf {
    workspace.own().join("cache").join("metadata.json")
}

/// What was kept in a file under a key, while the watched manifests are as they were.
pub(crate) fn recall(file: &Path, key: &str) -> Option<Metadata> {
    let kept: Kept = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    let unchanged = |(manifest, digest): &(PathBuf, u64)| watch(manifest).is_ok_and(|found| found == *digest);
    (kept.key == with_form(key) && kept.outside.iter().all(unchanged)).then_some(kept.metadata)
}

/// Keeps an answer in a file.
pub(crate) fn write(file: &Path, key: &str, metadata: &Metadata, watched: BTreeSet<PathBuf>) -> io::Result<()> {
    let outside: Result<_, io::Error> = watched.into_iter().map(|manifest| Ok((manifest.clone(), watch(&manifest)?))).collect();
    let kept = Kept { key: with_form(key), outside: outside?, metadata: metadata.clone() };
    let text = serde_json::to_vec(&kept)?;
    fs::create_dir_all(file.parent().unwrap_or(file))?;
    replace(file, |new| fs::write(new, text))
}

fn with_form(key: &str) -> String {
    format!("{FORM}-{key}")
}

/// Changes with a manifest, and with whether its package has the usual library, which cargo looks for.
fn watch(manifest: &Path) -> io::Result<u64> {
    let mut bytes = fs::read(manifest)?;
    bytes.push(u8::from(manifest.with_file_name("src").join("lib.rs").is_file()));
    Ok(fnv1a(&bytes))
}

/// A digest over the root, which cargo's answer holds, the lock file, cargo's settings and every manifest under the root, except those
/// of generated crates, which declare nothing. Whether a manifest has the usual library counts too: cargo looks for it.
fn key(workspace: &Workspace) -> io::Result<String> {
    let mut files = vec![workspace.lock_file(), workspace.root().join(".cargo").join("config.toml")];
    files.retain(|path| path.is_file());
    find_manifests(workspace.root(), DEEPEST, &workspace.generated(), &mut files)?;
    files.sort();
    let mut bytes = workspace.root().as_os_str().as_encoded_bytes().to_vec();
    for file in files {
        bytes.extend_from_slice(workspace.relative(&file).as_bytes());
        bytes.extend_from_slice(&fnv1a(&fs::read(&file)?).to_le_bytes());
        bytes.push(u8::from(file.with_file_name("src").join("lib.rs").is_file()));
    }
    Ok(format!("{:016x}", fnv1a(&bytes)))
}

fn find_manifests(folder: &Path, depth: usize, except: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (name, path) = (entry.file_name(), entry.path());
        if name == "Cargo.toml" {
            found.push(path);
        } else if depth > 0 && entry.file_type()?.is_dir() && !is_passed_over(&name.to_string_lossy()) && path != except {
            find_manifests(&path, depth - 1, except, found)?;
        }
    }
    Ok(())
}

/// Folders that hold no manifest of the workspace: what cargo wrote, sources and hidden ones.
fn is_passed_over(name: &str) -> bool {
    name.starts_with('.') || matches!(name, "target" | "src")
}
