//! `--self-describe`: all that a binary is, as one JSON object.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::BootError;
use super::bom::bom;
use super::inspect_prompt::Prompt;
use super::seen::{Row, Seen};
use crate::description::{HostDescription, ToolDescription};
use crate::entry::Identity;

#[derive(Serialize)]
struct SelfDescription<'a> {
    profile: &'a str,
    aliases: &'a [&'a str],
    version: &'a str,
    /// Digest of the composition, overlays included.
    composition: &'a str,
    /// Digest of the composition that was built.
    built: &'a str,
    rows: Vec<Row<'a>>,
    tools: Vec<ToolDescription>,
    prompt: Prompt,
    hosts: &'a [HostDescription],
    vocabulary: Vocabulary<'a>,
    build: Build,
    /// Bill of materials.
    bom: Value,
}

#[derive(Serialize)]
struct Vocabulary<'a> {
    digest: &'a str,
    /// Each type of record with the digest of its form.
    events: BTreeMap<&'a str, &'a str>,
}

/// How it was compiled.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Build {
    /// Cargo profile; null where the compiler did not start cargo.
    profile: Option<&'static str>,
    architecture: &'static str,
    system: &'static str,
    debug_assertions: bool,
    /// Whether a panic unwinds.
    unwinds: bool,
    /// Whether it takes overlays.
    overlays: bool,
}

/// The object in one line. `patched` names the overlays that changed a row.
///
/// # Errors
/// A config that tools or the prompt depend on cannot be evaluated here.
pub(super) fn self_description(
    identity: &Identity,
    composition: &str,
    seen: &Seen<'_>,
    patched: impl Fn(&str) -> Vec<String>,
) -> Result<String, BootError> {
    let described = SelfDescription {
        profile: identity.profile,
        aliases: identity.aliases,
        version: identity.version,
        composition,
        built: identity.digest,
        rows: seen.rows(patched),
        tools: seen.tools()?,
        prompt: seen.prompt()?,
        hosts: seen.description.hosts,
        vocabulary: Vocabulary { digest: identity.vocabulary.digest, events: identity.vocabulary.words.iter().copied().collect() },
        build: Build {
            profile: seen.description.cargo_profile,
            architecture: std::env::consts::ARCH,
            system: std::env::consts::OS,
            debug_assertions: cfg!(debug_assertions),
            unwinds: cfg!(panic = "unwind"),
            overlays: cfg!(feature = "overlays"),
        },
        bom: bom(identity, seen.description),
    };
    Ok(serde_json::to_string(&described).expect("strings, numbers and JSON under string keys are always JSON") + "\n")
}
