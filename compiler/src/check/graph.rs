//! The inject graph: which row provides what, and which row needs it.

use std::collections::BTreeMap;

use super::rows::{MountedRow, Rows};
use super::{CheckedRow, Provider};
use crate::diagnostics::Place;
use crate::index::{Index, ItemId, PluginEntry, WantKind};
use crate::resolve::Row;

/// The registry in which a plugin's declared tools are entered: package and type of the service.
const TOOL_REGISTRY: (&str, &str) = ("dsh-tools", "Tools");

/// The service of the tool registry.
#[must_use]
pub fn tool_registry() -> ItemId {
    ItemId { package: TOOL_REGISTRY.0.to_owned(), name: TOOL_REGISTRY.1.to_owned() }
}

/// The rows that mount, and who provides what to whom.
pub struct Graph<'a> {
    /// Declarations.
    pub index: &'a Index,
    /// Rows that mount, in order.
    pub rows: &'a [MountedRow<'a>],
    /// Rows that do not mount and could.
    pub disabled: &'a [(&'a Row, &'a PluginEntry)],
    providers: BTreeMap<ItemId, Vec<usize>>,
    registry: ItemId,
}

/// A row's need of another.
pub struct Need {
    /// The service.
    pub service: ItemId,
    /// The row that provides it.
    pub provider: usize,
}

impl<'a> Graph<'a> {
    /// The graph of checked rows.
    #[must_use]
    pub fn new(rows: &'a Rows<'a>, index: &'a Index) -> Self {
        let mut providers: BTreeMap<ItemId, Vec<usize>> = BTreeMap::new();
        for (at, row) in rows.mounted.iter().enumerate() {
            for service in &row.plugin.provides {
                providers.entry(service.clone()).or_default().push(at);
            }
        }
        Self { index, rows: &rows.mounted, disabled: &rows.disabled, providers, registry: tool_registry() }
    }

    /// Services with the rows that provide them, in row order.
    pub fn provided(&self) -> impl Iterator<Item = (&ItemId, &[usize])> {
        self.providers.iter().map(|(service, rows)| (service, rows.as_slice()))
    }

    /// The row that provides a service.
    #[must_use]
    pub fn provider(&self, service: &ItemId) -> Option<usize> {
        self.providers.get(service).and_then(|rows| rows.first()).copied()
    }

    /// The service of the tool registry.
    #[must_use]
    pub fn tool_registry(&self) -> &ItemId {
        &self.registry
    }

    /// Whether a row has tools, which must be registered.
    #[must_use]
    pub fn has_tools(&self, row: usize) -> bool {
        !self.rows[row].plugin.declared.decl.tools.is_empty()
    }

    /// The rows that must mount before a row, by the services that it asks for and has a provider for.
    #[must_use]
    pub fn needs(&self, row: usize) -> Vec<Need> {
        let asked = self.rows[row].plugin.wants.iter().filter_map(|want| match &want.kind {
            WantKind::Required(service) | WantKind::Optional(service) => Some(service),
            WantKind::Dispatch(_) => None,
        });
        // A registry that has tools of its own enters them itself.
        let registry = self.has_tools(row).then_some(&self.registry).filter(|registry| self.provider(registry) != Some(row));
        let mut needs: Vec<Need> = Vec::new();
        for service in asked.chain(registry) {
            if let Some(provider) = self.provider(service)
                && !needs.iter().any(|need| need.service == *service)
            {
                needs.push(Need { service: service.clone(), provider });
            }
        }
        needs
    }

    /// Where a row names its plugin: the place for what the plugin brings along.
    #[must_use]
    pub fn plugin_place(&self, row: usize) -> &'a Place {
        let row = self.rows[row].row;
        row.plugin.as_ref().map_or(&row.id.place, |plugin| &plugin.current.place)
    }

    /// A row's id.
    #[must_use]
    pub fn id(&self, row: usize) -> &'a str {
        &self.rows[row].row.id.text
    }

    /// How messages name a service.
    #[must_use]
    pub fn key(&self, service: &ItemId) -> String {
        format!("`{}`", self.index.service_key(service))
    }

    /// The rows for the next stage. Only for a graph in which every row's config is right.
    #[must_use]
    pub fn into_checked(self) -> Vec<CheckedRow> {
        (0..self.rows.len()).map(|row| self.checked(row)).collect()
    }

    fn checked(&self, at: usize) -> CheckedRow {
        let MountedRow { row, plugin, config } = &self.rows[at];
        let provider = |service: &ItemId| {
            self.provider(service).map(|provider| Provider { service: service.clone(), row: self.id(provider).to_owned() })
        };
        let providers = plugin.wants.iter().filter_map(|want| match &want.kind {
            WantKind::Required(service) | WantKind::Optional(service) => Some(provider(service)),
            WantKind::Dispatch(_) => None,
        });
        let mut needs: Vec<String> = Vec::new();
        for need in self.needs(at) {
            let id = self.id(need.provider).to_owned();
            if !needs.contains(&id) {
                needs.push(id);
            }
        }
        CheckedRow {
            id: row.id.text.clone(),
            plugin: plugin.name.clone(),
            file: row.id.place.file.origin().to_owned(),
            config_file: row.config.as_ref().map_or(&row.id.place, |config| &config.current.key).file.origin().to_owned(),
            config: config.clone(),
            providers: providers.collect(),
            needs,
            tool_registry: self.has_tools(at).then(|| provider(&self.registry)).flatten().map(|provider| provider.row),
        }
    }
}
