//! What cargo tells about a build, one JSON object a line.

use std::path::PathBuf;

use serde::Deserialize;

/// A message of interest.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// A package's target is there, compiled now or before.
    Artifact {
        /// The package, as cargo identifies it.
        package: String,
        /// Name of the target.
        target: String,
        /// The file, when it is a program.
        executable: Option<PathBuf>,
    },
}

#[derive(Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
enum Line {
    CompilerArtifact {
        package_id: String,
        target: Target,
        executable: Option<PathBuf>,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

/// Reads a line. What is no message of cargo is passed over: build scripts may print there too.
pub(super) fn read(line: &str) -> Option<Message> {
    match serde_json::from_str(line).ok()? {
        Line::CompilerArtifact { package_id, target, executable } => {
            Some(Message::Artifact { package: package_id, target: target.name, executable })
        }
        Line::Other => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_artifacts_and_passes_over_the_rest() {
        let line = r#"{"reason":"compiler-artifact","package_id":"a#0.1.0","target":{"name":"a","kind":["bin"]},"fresh":true,"executable":"/x/a"}"#;
        let executable = Some(PathBuf::from("/x/a"));
        assert_eq!(read(line), Some(Message::Artifact { package: "a#0.1.0".to_owned(), target: "a".to_owned(), executable }));
        assert_eq!(read(r#"{"reason":"build-finished","success":true}"#), None);
        assert_eq!(read("words of a build script"), None);
    }
}
