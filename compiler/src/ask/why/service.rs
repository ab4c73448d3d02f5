//! Why a service is there.

use std::fmt::{self, Display};

use serde::Serialize;

use super::{write_losses, write_users};
use crate::ask::Composed;
use crate::ask::needs::{Loss, Need, User, losses, users};
use crate::index::ItemId;
use crate::plan::{OffWhen, PlannedRow};

/// What is known of a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ServiceAnswer {
    /// Its key.
    pub key: String,
    /// Its type, as `package::Type`.
    pub id: String,
    /// Where it is declared.
    pub declared: String,
    /// The rows that provide it: one in each realm, or several of which conditions choose one.
    pub providers: Vec<Provider>,
    /// Plugins that can provide it.
    pub plugins: Vec<String>,
    /// Rows that take it.
    pub needed_by: Vec<User>,
    /// Rows that could not mount without it.
    pub breaks: Vec<Loss>,
}

/// A row that provides a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Provider {
    /// Row id.
    pub row: String,
    /// Plugin name.
    pub plugin: String,
    /// Where the row was given its plugin.
    pub at: String,
    /// The group that is a realm of its own for the service; none for the outermost realm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub realm: Option<String>,
    /// Conditions under which the row is off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub off_when: Vec<OffWhen>,
}

impl ServiceAnswer {
    /// Of every service of a name; two packages may use the same type name.
    #[must_use]
    pub(super) fn all(composed: &Composed<'_>, needs: &[Need], asked: &str) -> Vec<Self> {
        let named = composed
            .index
            .services
            .iter()
            .filter(|(id, service)| service.decl.key.value == asked || id.name == asked || id.to_string() == asked);
        named.map(|(id, service)| Self::new(composed, needs, id, service.place.to_string())).collect()
    }

    fn new(composed: &Composed<'_>, needs: &[Need], id: &ItemId, declared: String) -> Self {
        let type_id = id.to_string();
        let plugins: Vec<String> =
            composed.index.plugins.values().filter(|plugin| plugin.provides.contains(id)).map(|plugin| plugin.name.clone()).collect();
        let (plan, key) = (composed.plan, composed.index.service_key(id).to_owned());
        let provider = |row: &PlannedRow| Provider {
            realm: plan.groups_around(row).filter(|group| group.isolates.contains(&key)).last().map(|group| group.id.clone()),
            off_when: plan.off_when(row),
            row: row.id.clone(),
            plugin: row.plugin.clone(),
            at: composed
                .composition
                .row(&row.id)
                .and_then(|row| row.plugin.as_ref())
                .map(|plugin| plugin.current.place.to_string())
                .unwrap_or_default(),
        };
        let providers: Vec<Provider> = plan.all_rows().filter(|row| plugins.contains(&row.plugin)).map(provider).collect();
        // A row may provide several services; those who need another of them are no users of this one.
        let is_of = |need: &Need| need.id == type_id;
        let breaks = providers.iter().flat_map(|provider| losses(needs, &provider.row, Some(&type_id))).collect();
        Self { needed_by: users(needs, is_of), key, declared, plugins, breaks, providers, id: type_id }
    }
}

impl Display for ServiceAnswer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "service {} ({}), declared at {}", self.key, self.id, self.declared)?;
        if self.providers.is_empty() {
            let plugins = if self.plugins.is_empty() { "no plugin".to_owned() } else { self.plugins.join(", ") };
            return writeln!(out, "  provided by no row; plugins that can: {plugins}");
        }
        for provider in &self.providers {
            let realm = provider.realm.as_ref().map(|group| format!(", in the realm of group {group}")).unwrap_or_default();
            let conditions: String = provider.off_when.iter().map(|condition| format!(", {condition}")).collect();
            writeln!(out, "  provided by {}, plugin {} ({}){realm}{conditions}", provider.row, provider.plugin, provider.at)?;
        }
        write_users(out, &self.needed_by)?;
        write_losses(out, &self.breaks)
    }
}
