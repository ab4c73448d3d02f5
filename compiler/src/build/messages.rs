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
    /// The compiler has something to say.
    Diagnostic {
        /// Name of the package.
        package: String,
        /// Its words.
        rendered: String,
        /// Whether the package does not compile.
        is_error: bool,
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
    CompilerMessage {
        package_id: String,
        message: Words,
    },
    #[serde(other)]
    Other,
}

#[derive(Deserialize)]
struct Words {
    rendered: Option<String>,
    level: String,
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
        Line::CompilerMessage { package_id, message } => Some(Message::Diagnostic {
            package: package_name(&package_id).to_owned(),
            rendered: message.rendered.unwrap_or_default(),
            is_error: message.level.starts_with("error"),
        }),
        Line::Other => None,
    }
}

/// The name in cargo's id of a package: `SOURCE#NAME@VERSION`, or `SOURCE#VERSION` where the source ends with the name.
fn package_name(id: &str) -> &str {
    let (source, rest) = id.rsplit_once('#').unwrap_or(("", id));
    match rest.split_once('@') {
        Some((name, _)) => name,
        None => source.split('?').next().and_then(|source| source.trim_end_matches('/').rsplit('/').next()).unwrap_or(rest),
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
        let line =
            r#"{"reason":"compiler-message","package_id":"path+file:///x/a#0.1.0","message":{"rendered":"error: no","level":"error"}}"#;
        assert_eq!(read(line), Some(Message::Diagnostic { package: "a".to_owned(), rendered: "error: no".to_owned(), is_error: true }));
        assert_eq!(package_name("git+https://x/y?rev=1#dsh-a@0.1.0"), "dsh-a");
        assert_eq!(read(r#"{"reason":"build-finished","success":true}"#), None);
        assert_eq!(read("words of a build script"), None);
    }
}
