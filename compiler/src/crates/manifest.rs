//! The manifest of a crate that lies on this machine, as far as it must be known before cargo is asked.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;

/// What lies where a manifest was looked for.
pub(crate) enum Found {
    /// The manifest of this package.
    Package(String),
    /// No crate, for this reason.
    Nothing(&'static str),
    /// A manifest that cannot be read.
    Unreadable(String),
}

#[derive(Deserialize)]
struct Manifest {
    package: Option<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
}

/// Looks at a file.
pub(crate) fn look(manifest: &Path) -> Found {
    let text = match fs::read_to_string(manifest) {
        Ok(text) => text,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            let is_folder = manifest.parent().is_some_and(Path::is_dir);
            return Found::Nothing(if is_folder { "the folder has no `Cargo.toml`" } else { "there is no such folder" });
        }
        Err(error) => return Found::Unreadable(error.to_string()),
    };
    match toml::from_str::<Manifest>(&text) {
        Ok(Manifest { package: Some(package) }) => Found::Package(package.name),
        Ok(Manifest { package: None }) => Found::Nothing("the `Cargo.toml` there has no `[package]`"),
        Err(error) => Found::Unreadable(error.to_string().trim_end().to_owned()),
    }
}
