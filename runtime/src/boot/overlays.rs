//! The patch lists that a binary is given when it starts: the harness home's, then those of the command line.

use std::collections::BTreeMap;
use std::io::{ErrorKind, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_language::check::StructValue;
use dsh_language::diagnostics::{Diagnostics, SourceFile, Style};
use dsh_language::document::{Provenance, document};
use dsh_language::load::{Layer, Origin, Reading, parse, printable, read, rules};
use dsh_language::overlay::{Carried, CarriedPlugin, CarriedRow, Overlaid, Switched, rules as overlay_rules};
use dsh_language::resolve::{Row, apply};
use dsh_language::schema::Schemas;

use super::command_line::MessageFormat;
use super::{RowOverride, Rows};
use crate::description::{Description, RowDescription};
use crate::entry::Identity;
use crate::environment::Environment;
use crate::eval::{Evaluator, names};

/// Name of the patch in the harness home.
const HOME_PATCH: &str = "dsh.patch.yml";

/// A composition under the overlays of this start.
pub(super) struct Overlays {
    overlaid: Overlaid,
    /// What is no reason to refuse them.
    warnings: Diagnostics,
}

/// What overlays come to on this machine.
pub(super) struct Evaluated {
    /// Configs by row.
    pub configs: BTreeMap<String, StructValue>,
    /// Rows that are switched.
    pub overrides: Vec<RowOverride>,
}

/// Why overlays were refused, ready to be shown.
pub(super) struct Refused(Diagnostics);

impl Refused {
    /// The problems for standard error.
    pub(super) fn text(&self, format: MessageFormat) -> String {
        shown(&self.0, format)
    }
}

fn shown(problems: &Diagnostics, format: MessageFormat) -> String {
    match format {
        MessageFormat::Human => problems.human(style()),
        MessageFormat::Json => problems.json(),
    }
}

/// Colour where a person reads it, unless `NO_COLOR` is set.
fn style() -> Style {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    if wanted && std::io::stderr().is_terminal() { Style::Styled } else { Style::Plain }
}

/// Reads the overlays and applies them. `None` when there are none: then nothing was read.
///
/// # Errors
/// All that this binary cannot honour, and all files that cannot be read.
pub(super) fn overlays(
    identity: &Identity,
    description: &Description,
    environment: &Environment,
    patches: &[PathBuf],
) -> Result<Option<Overlays>, Refused> {
    let mut problems = Diagnostics::new();
    let layers = layers(environment, patches, &mut problems);
    if layers.is_empty() && problems.is_empty() {
        return Ok(None);
    }
    match carried(identity, description).overlay(&layers, &mut problems) {
        Some(overlaid) => Ok(Some(Overlays { overlaid, warnings: problems })),
        None => Err(Refused(problems)),
    }
}

fn layers(environment: &Environment, patches: &[PathBuf], problems: &mut Diagnostics) -> Vec<Layer> {
    let home = environment.harness_home().join(HOME_PATCH);
    let home = is_there(&home).then_some((home, Origin::Home));
    let given = patches.iter().map(|path| (path.clone(), Origin::CommandLine));
    let mut layers = Vec::new();
    let mut applied: Vec<PathBuf> = Vec::new();
    for (path, origin) in home.into_iter().chain(given) {
        let full = environment.cwd().join(&path);
        let real = full.canonicalize().unwrap_or(full);
        let name = printable(&path.to_string_lossy());
        if applied.contains(&real) {
            problems.report(rules::repeated_file(&name));
            continue;
        }
        layers.extend(layer(&real, &name, origin, problems));
        applied.push(real);
    }
    layers
}

/// Whether something lies at a path, be it a link that leads nowhere; reading it then says more.
fn is_there(path: &Path) -> bool {
    match path.symlink_metadata() {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    }
}

fn layer(path: &Path, name: &str, origin: Origin, problems: &mut Diagnostics) -> Option<Layer> {
    let file: Arc<SourceFile> = read(path, name, name).map_err(|problem| problems.report(*problem)).ok()?;
    let root = parse(&file, problems)?;
    Some(Layer { origin, entries: Reading::new(problems).patch_list(&root, "a patch list") })
}

fn carried(identity: &Identity, description: &Description) -> Carried {
    let mut schemas = Schemas::default();
    let mut rows = Vec::new();
    for row in description.rows {
        let Some(carried) = row.carried else { continue };
        if let Some(config) = carried.plugin.config {
            (config.add_to)(&mut schemas);
        }
        let config = carried.plugin.config.map(|config| (config.item)());
        let plugin = CarriedPlugin { name: carried.plugin.name, digest: carried.plugin.digest, config };
        rows.push(CarriedRow { id: row.id, plugin, digest: carried.digest, groups: carried.groups, off_when: carried.off_when });
    }
    let groups = description.graph.map(|graph| graph.groups.iter().map(|group| group.0.id).collect()).unwrap_or_default();
    Carried {
        profile: identity.profile,
        fixed: description.surroundings.fixed(),
        frame: description.frame,
        document: document_rows(description),
        rows,
        groups,
        schemas,
        hash: crate::fnv1a,
    }
}

/// The rows of the binary's own document, which the compiler wrote.
fn document_rows(description: &Description) -> Vec<Row> {
    let mut none = Diagnostics::new();
    let file = SourceFile::new("", description.composed());
    let root = parse(&file, &mut none);
    let entries = root.map(|root| Reading::new(&mut none).patch_list(&root, "a patch list")).unwrap_or_default();
    apply(&[Layer { origin: Origin::Profile, entries }], BTreeMap::new(), true, &mut none).rows
}

impl Overlays {
    /// What is to be told of them although they are honoured, for standard error.
    pub(super) fn warnings(&self, format: MessageFormat) -> String {
        shown(&self.warnings, format)
    }

    /// Digest of the composition with them.
    pub(super) fn digest(&self) -> String {
        self.overlaid.digest()
    }

    /// The replaced configs by row, expressions evaluated, and the rows that are switched.
    ///
    /// # Errors
    /// Expressions that cannot be evaluated here, and switches with which the graph would not hold.
    pub(super) fn evaluated(
        &self,
        identity: &Identity,
        description: &Description,
        environment: &Environment,
    ) -> Result<Evaluated, Refused> {
        let mut problems = Diagnostics::new();
        let names = names(identity.profile, environment);
        let configs = self.overlaid.configs(names.clone(), &mut problems);
        let switched = self.overlaid.switched(names, &mut problems);
        let overrides: Vec<RowOverride> = switched.iter().map(row_override).collect();
        if let Some(graph) = description.graph.filter(|_| !overrides.is_empty()) {
            // Conditions that cannot be evaluated are told when the binary decides with them.
            let mut eval = Evaluator::new(identity.profile, environment);
            for (at, what) in Rows::refused(graph, &overrides, &mut eval) {
                problems.report(overlay_rules::broken_graph(&switched[at], what, identity.profile));
            }
        }
        if problems.has_errors() { Err(Refused(problems.errors())) } else { Ok(Evaluated { configs, overrides }) }
    }

    /// The rows as a patch list that loads again.
    pub(super) fn document(&self, description: &Description) -> String {
        document(self.overlaid.rows(), |row| {
            let mut provenance = described(description, row).map(compiled).unwrap_or_default();
            Provenance::of(row).patched.into_iter().for_each(|file| provenance.patched_by(file));
            provenance
        })
    }

    /// The overlays that changed a row.
    pub(super) fn patched(&self, id: &str) -> Vec<String> {
        self.overlaid.rows().iter().find(|row| row.id.text == id).map(|row| Provenance::of(row).patched).unwrap_or_default()
    }
}

fn row_override(switched: &Switched) -> RowOverride {
    RowOverride { id: switched.id.clone(), disabled: switched.disabled, place: switched.key.to_string() }
}

fn described<'d>(description: &'d Description, row: &Row) -> Option<&'d RowDescription> {
    description.rows.iter().find(|described| described.id == row.id.text)
}

fn compiled(row: &RowDescription) -> Provenance {
    Provenance { inserted: row.inserted.to_owned(), patched: row.patched.iter().map(|file| (*file).to_owned()).collect() }
}
