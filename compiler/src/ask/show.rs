//! The rows of a composition as one document.

use std::fmt::{self, Display};

use dsh_language::document::{Provenance, default_title, document, title, with_presets};
use serde::Serialize;

use super::Composed;
use crate::load::Loaded;
use crate::resolve::of_bundles;

/// The rows of a profile after all layers, or after its bundles alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Document {
    /// Profile name.
    pub profile: String,
    /// Composition digest; a profile of this name and these aliases whose patch is the document, and whose presets are those here, has
    /// the same. `None` for the bundles alone, which need not be a composition.
    pub digest: Option<String>,
    /// Other names that the binary accepts.
    pub aliases: Vec<String>,
    /// A patch list in YAML. Expressions stand as they were written, defaults are not filled in.
    pub document: String,
    /// The rows of each preset.
    pub presets: Vec<PresetDocument>,
}

/// The rows of a preset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PresetDocument {
    /// Its name.
    pub name: String,
    /// A patch list in YAML.
    pub document: String,
}

impl Document {
    /// The rows of a composition. Neighbours that the same files gave are one insert, under a comment that names the files.
    #[must_use]
    pub fn new(composed: &Composed<'_>) -> Self {
        let plan = composed.plan;
        let preset = |(name, document): &(String, String)| PresetDocument { name: name.clone(), document: document.clone() };
        Self {
            profile: plan.profile.clone(),
            digest: Some(plan.digest.clone()),
            aliases: plan.aliases.clone(),
            document: plan.documents.composed.clone(),
            presets: plan.documents.presets.iter().map(preset).collect(),
        }
    }

    /// What the profile's bundles alone give; nothing else of it was looked at.
    #[must_use]
    pub fn of_bundles(loaded: &Loaded) -> Self {
        let aliases = loaded.profile.aliases.iter().map(|alias| alias.text.clone()).collect();
        let document = document(&of_bundles(&loaded.layers), Provenance::of);
        Self { profile: loaded.profile.name.text.clone(), digest: None, aliases, document, presets: Vec::new() }
    }
}

/// The document as it can be kept in a file; rows of presets stand in comments, since a patch list holds none.
impl Display for Document {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = match &self.digest {
            Some(digest) => title(&self.profile, &self.aliases, digest),
            None => default_title(&self.profile),
        };
        let presets = self.presets.iter().map(|preset| (preset.name.as_str(), preset.document.as_str()));
        write!(out, "{title}{}", with_presets(&self.document, presets))
    }
}
