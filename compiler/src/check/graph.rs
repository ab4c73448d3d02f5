//! The inject graph: which row provides what, and which row needs it, where the conditions turn out in one way.

use std::collections::BTreeMap;

use super::condition::Combination;
use super::groups::Realm;
use super::rows::Rows;
use crate::diagnostics::Place;
use crate::index::{Index, ItemId, WantKind};

/// The registry in which a plugin's declared tools are entered: package and type of the service.
const TOOL_REGISTRY: (&str, &str) = ("dsh-tools", "Tools");

/// The service of the tool registry.
#[must_use]
pub fn tool_registry() -> ItemId {
    ItemId { package: TOOL_REGISTRY.0.to_owned(), name: TOOL_REGISTRY.1.to_owned() }
}

/// The rows that mount in one combination of conditions, and who provides what to whom.
pub struct Graph<'a> {
    /// Declarations.
    pub index: &'a Index,
    /// All rows.
    pub rows: &'a Rows<'a>,
    /// The combination.
    pub combination: Combination,
    providers: BTreeMap<(Realm, &'a ItemId), Vec<usize>>,
    registry: ItemId,
}

/// A row's need of another.
#[derive(Clone, PartialEq, Eq)]
pub struct Need {
    /// The service.
    pub service: ItemId,
    /// The row that provides it.
    pub provider: usize,
}

impl<'a> Graph<'a> {
    /// The graph of the rows that mount where the conditions turn out so.
    #[must_use]
    pub fn new(rows: &'a Rows<'a>, index: &'a Index, combination: Combination) -> Self {
        let mut graph = Self { index, rows, combination, providers: BTreeMap::new(), registry: tool_registry() };
        for at in (0..rows.mounted.len()).filter(|at| rows.mounted[*at].is_on(combination)) {
            for service in &rows.mounted[at].plugin.provides {
                graph.providers.entry((graph.realm(at, service), service)).or_default().push(at);
            }
        }
        graph
    }

    /// The rows that mount.
    pub fn on(&self) -> impl DoubleEndedIterator<Item = usize> + use<'_, 'a> {
        (0..self.rows.mounted.len()).filter(|at| self.rows.mounted[*at].is_on(self.combination))
    }

    /// The realm in which a row stands for a service.
    #[must_use]
    pub fn realm(&self, row: usize, service: &ItemId) -> Realm {
        let row = &self.rows.mounted[row];
        self.rows.groups.realm(row.group, row.preset, self.index.service_key(service))
    }

    /// Services with their realms and the rows that provide them there, in row order.
    pub fn provided(&self) -> impl Iterator<Item = (Realm, &'a ItemId, &[usize])> {
        self.providers.iter().map(|((realm, service), rows)| (*realm, *service, rows.as_slice()))
    }

    /// The row that provides a service to a row.
    #[must_use]
    pub fn provider(&self, to: usize, service: &ItemId) -> Option<usize> {
        let first = |realm: Realm| self.providers.get(&(realm, service)).and_then(|rows| rows.first()).copied();
        let realm = self.realm(to, service);
        let outside = || if let Realm::Preset(_) = realm { first(Realm::Outermost) } else { None };
        first(realm).or_else(outside)
    }

    /// The service of the tool registry.
    #[must_use]
    pub fn tool_registry(&self) -> &ItemId {
        &self.registry
    }

    /// Whether a row has tools, which must be registered.
    #[must_use]
    pub fn has_tools(&self, row: usize) -> bool {
        !self.rows.mounted[row].plugin.declared.decl.tools.is_empty()
    }

    /// Whether a row asks for a service, or has tools for it to hold.
    #[must_use]
    pub fn asks(&self, row: usize, service: &ItemId) -> bool {
        let is_asked = |want: &WantKind| matches!(want, WantKind::Required(asked) | WantKind::Optional(asked) if asked == service);
        let wants = &self.rows.mounted[row].plugin.wants;
        wants.iter().any(|want| is_asked(&want.kind)) || *service == self.registry && self.has_tools(row)
    }

    /// The rows that must mount before a row, by the services that it asks for and has a provider for.
    #[must_use]
    pub fn needs(&self, row: usize) -> Vec<Need> {
        let asked = self.rows.mounted[row].plugin.wants.iter().filter_map(|want| match &want.kind {
            WantKind::Required(service) | WantKind::Optional(service) => Some(service),
            WantKind::Dispatch(_) => None,
        });
        // A registry that has tools of its own enters them itself.
        let registry = self.has_tools(row).then_some(&self.registry).filter(|registry| self.provider(row, registry) != Some(row));
        let mut needs: Vec<Need> = Vec::new();
        for service in asked.chain(registry) {
            if let Some(provider) = self.provider(row, service)
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
        let row = self.rows.mounted[row].row;
        row.plugin.as_ref().map_or(&row.id.place, |plugin| &plugin.current.place)
    }

    /// A row's id.
    #[must_use]
    pub fn id(&self, row: usize) -> &'a str {
        &self.rows.mounted[row].id
    }

    /// How messages name a service.
    #[must_use]
    pub fn key(&self, service: &ItemId) -> String {
        format!("`{}`", self.index.service_key(service))
    }

    /// Where messages say that a realm is; nothing for the outermost.
    #[must_use]
    pub fn inside(&self, realm: Realm) -> String {
        match realm {
            Realm::Outermost => String::new(),
            Realm::Preset(preset) => format!(" in the preset `{}`", self.rows.presets[preset].text),
            Realm::Group(group) => format!(" in the realm of group `{}`", self.rows.groups.known[group].row.id.text),
        }
    }
}
