//! What this start runs: the composition that was compiled, under the overlays that it was given.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::command_line::{Kind, MessageFormat};
use super::inspect::Answer;
#[cfg(feature = "overlays")]
use super::overlays::{Evaluated, Overlays, overlays};
use super::seen::Seen;
use super::self_description::self_description;
use super::{Boot, BootError};
use crate::context::Surroundings;
use crate::description::Description;
use crate::entry::Identity;

/// The composition of this start.
pub(super) struct Composed {
    identity: &'static Identity,
    description: &'static Description,
    surroundings: Surroundings,
    format: MessageFormat,
    #[cfg(feature = "overlays")]
    overlays: Option<Overlays>,
}

/// Why this start is refused, as a text for standard error.
pub(super) struct Refused(pub(super) String);

impl Composed {
    /// The composition under the harness home's overlay and those of the command line.
    ///
    /// # Errors
    /// All that this binary cannot honour.
    pub(super) fn new(
        identity: &'static Identity,
        description: &'static Description,
        surroundings: Surroundings,
        patches: &[PathBuf],
        format: MessageFormat,
    ) -> Result<Self, Refused> {
        #[cfg(feature = "overlays")]
        let overlays = overlays(identity, description, &surroundings.environment, patches).map_err(|found| Refused(found.text(format)))?;
        #[cfg(not(feature = "overlays"))]
        refuse_overlays(identity, patches, format)?;
        Ok(Self {
            identity,
            description,
            surroundings,
            format,
            #[cfg(feature = "overlays")]
            overlays,
        })
    }

    /// What is to be told of the overlays although they are honoured, for standard error.
    pub(super) fn warnings(&self) -> String {
        #[cfg(feature = "overlays")]
        if let Some(overlays) = &self.overlays {
            return overlays.warnings(self.format);
        }
        String::new()
    }

    /// Digest of what runs.
    fn digest(&self) -> String {
        #[cfg(feature = "overlays")]
        if let Some(overlays) = &self.overlays {
            return overlays.digest();
        }
        self.identity.digest.to_owned()
    }

    /// Its rows as a patch list that loads again.
    pub(super) fn document(&self) -> String {
        let title = title(self.identity, &self.digest());
        #[cfg(feature = "overlays")]
        if let Some(overlays) = &self.overlays {
            return title + &overlays.document(self.description);
        }
        title + self.description.composed()
    }

    /// What it is made of.
    ///
    /// # Errors
    /// An expression in a config that the answer depends on cannot be evaluated here, or one in an overlay.
    pub(super) fn inspect(self, kind: Kind) -> Result<String, Refused> {
        let (identity, digest, format, patched) = (self.identity, self.digest(), self.format, self.all_patched());
        self.seen(|seen| {
            let answer = Answer::new(kind, identity, &digest, seen, |id| patched.get(id).cloned().unwrap_or_default())?;
            Ok(match format {
                MessageFormat::Human => answer.human(),
                MessageFormat::Json => answer.json(),
            })
        })
    }

    /// All of it, as one JSON object.
    ///
    /// # Errors
    /// As [`Self::inspect`].
    pub(super) fn self_description(self) -> Result<String, Refused> {
        let (identity, digest, patched) = (self.identity, self.digest(), self.all_patched());
        self.seen(|seen| self_description(identity, &digest, seen, |id| patched.get(id).cloned().unwrap_or_default()))
    }

    /// Tells something of this start.
    fn seen(self, tell: impl FnOnce(&Seen<'_>) -> Result<String, BootError>) -> Result<String, Refused> {
        let (identity, description) = (self.identity, self.description);
        let (boot, _) = self.boot()?;
        let told = Seen::new(description, &boot).and_then(|seen| tell(&seen));
        told.map_err(|error| Refused(format!("dsh-{}: {error}\n", identity.profile)))
    }

    /// The overlays that changed each row.
    fn all_patched(&self) -> BTreeMap<&'static str, Vec<String>> {
        self.description.rows.iter().map(|row| (row.id, self.patched(row.id))).collect()
    }

    fn patched(&self, _row: &str) -> Vec<String> {
        #[cfg(feature = "overlays")]
        if let Some(overlays) = &self.overlays {
            return overlays.patched(_row);
        }
        Vec::new()
    }

    /// Ready to mount, with what its plugins share.
    ///
    /// # Errors
    /// An expression of an overlay cannot be evaluated here.
    pub(super) fn boot(self) -> Result<(Boot, Surroundings), Refused> {
        #[cfg(feature = "overlays")]
        if let Some(overlays) = &self.overlays {
            let environment = &self.surroundings.environment;
            let evaluated = overlays.evaluated(self.identity, self.description, environment);
            let Evaluated { configs, overrides } = evaluated.map_err(|found| Refused(found.text(self.format)))?;
            let process = self.surroundings.process.clone().overlaid(&overlays.digest());
            let surroundings = Surroundings { process, ..self.surroundings };
            let mut boot = Boot::new(self.identity.profile, surroundings.clone()).replacing(configs);
            boot.override_rows(overrides);
            return Ok((boot, surroundings));
        }
        Ok((Boot::new(self.identity.profile, self.surroundings.clone()), self.surroundings))
    }
}

/// What the profile's bundles alone give, as a patch list that loads again.
pub(super) fn default_document(identity: &Identity, description: &Description) -> String {
    format!("# profile {}, its bundles alone\n\n{}", identity.profile, description.bundles())
}

fn title(identity: &Identity, digest: &str) -> String {
    let aliases = if identity.aliases.is_empty() { String::new() } else { format!(" (also called {})", identity.aliases.join(", ")) };
    format!("# profile {}{aliases}, composition {digest}\n\n", identity.profile)
}

/// A sealed binary takes no overlay; the harness home's is not looked for. The refusal has the form of the compiler's, whose code is not
/// linked.
#[cfg(not(feature = "overlays"))]
fn refuse_overlays(identity: &Identity, patches: &[PathBuf], format: MessageFormat) -> Result<(), Refused> {
    const TITLE: &str = "this binary is sealed and takes no overlay";
    if patches.is_empty() {
        return Ok(());
    }
    let given: String = patches.iter().map(|patch| format!(" --patch {}", patch.display())).collect();
    let help = format!("build one with it: `dsh-build --profile {}{given}`", identity.profile);
    Err(Refused(match format {
        MessageFormat::Human => format!("error[DSH0705]: {TITLE}\n |\n = help: {help}\n"),
        MessageFormat::Json => {
            let help = serde_json::Value::from(help);
            let start = format!(r#""code":"DSH0705","severity":"error","title":"{TITLE}","primary":null,"redacted":false"#);
            format!("{{{start},\"secondary\":[],\"notes\":[],\"helps\":[{help}]}}\n")
        }
    }))
}
