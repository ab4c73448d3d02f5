//! Who takes what from whom, and which rows could not mount without others.

use serde::Serialize;

use super::Composed;
use crate::check::tool_registry;
use crate::index::ItemId;
use crate::plan::{Plan, Supply};

/// A service that a row takes from another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Need {
    /// The row that takes it.
    pub row: String,
    /// Service key.
    pub service: String,
    /// Its type, as `package::Type`, which tells services of the same key apart.
    pub id: String,
    /// The row that provides it.
    pub from: String,
    /// Whether the row mounts without it too.
    pub optional: bool,
    /// Whether it is taken for the row's tools alone, which are entered in the registry.
    pub for_tools: bool,
    /// Rows that provide it where this one is off; conditions decide.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub or_from: Vec<String>,
}

/// A row that takes a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct User {
    /// The row.
    pub row: String,
    /// Service key.
    pub service: String,
    /// Whether the row mounts without it too.
    pub optional: bool,
}

/// A row that would lose a required service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Loss {
    /// The row.
    pub row: String,
    /// Key of the service that it would lose.
    pub service: String,
    /// From the row that is gone to the one that provides the service, each needed by the next.
    pub through: Vec<String>,
}

/// Every need of the composition, by the needing row in mount order.
#[must_use]
pub(super) fn needs(composed: &Composed<'_>) -> Vec<Need> {
    let mut needs: Vec<Need> = Vec::new();
    for row in composed.plan.all_rows() {
        for injected in &row.injects {
            if let Supply::Service { service, rows, optional, .. } = &injected.supply {
                needs.extend(each(composed, &row.id, service, rows, *optional));
            }
        }
        let registries = registries(composed.plan, &row.id);
        for entered in each(composed, &row.id, &tool_registry(), registries, false) {
            if !needs.iter().any(|known| known.row == row.id && known.id == entered.id && !known.optional) {
                needs.push(Need { for_tools: true, ..entered });
            }
        }
    }
    needs
}

/// One need for each row that may provide a service.
fn each(composed: &Composed<'_>, row: &str, service: &ItemId, providers: &[String], optional: bool) -> Vec<Need> {
    let (key, id) = (composed.index.service_key(service).to_owned(), service.to_string());
    let others = |from: &String| providers.iter().filter(|other| *other != from).cloned().collect();
    let need = |from: &String| Need {
        row: row.to_owned(),
        service: key.clone(),
        id: id.clone(),
        from: from.clone(),
        optional,
        for_tools: false,
        or_from: others(from),
    };
    providers.iter().map(need).collect()
}

/// The rows that may be the registry of a row's tools; a registry enters its own itself.
fn registries<'p>(plan: &'p Plan, row: &str) -> &'p [String] {
    let found = plan.all_contributions().find(|contribution| contribution.row == row);
    found
        .map(|found| found.registries.as_slice())
        .filter(|registries| !registries.iter().any(|registry| registry == row))
        .unwrap_or_default()
}

/// The rows that take a service of a row.
#[must_use]
pub(super) fn users(needs: &[Need], is_asked: impl Fn(&Need) -> bool) -> Vec<User> {
    let user = |need: &Need| User { row: need.row.clone(), service: need.service.clone(), optional: need.optional };
    let mut users: Vec<User> = Vec::new();
    // A row that takes it from one of several is told once.
    for user in needs.iter().filter(|need| is_asked(need)).map(user) {
        if !users.contains(&user) {
            users.push(user);
        }
    }
    users
}

/// The rows that could not mount without a row, or without the one service of it whose type is given, nearest first.
#[must_use]
pub(super) fn losses(needs: &[Need], row: &str, service: Option<&str>) -> Vec<Loss> {
    let mut found: Vec<Loss> = Vec::new();
    // Each step is a row that is gone, with how it came to be.
    let mut gone: Vec<Vec<String>> = vec![vec![row.to_owned()]];
    let mut at = 0;
    while let Some(through) = gone.get(at).cloned() {
        let is_lost = |need: &&Need| through.last() == Some(&need.from) && (at > 0 || service.is_none_or(|id| id == need.id));
        for need in needs.iter().filter(|need| !need.optional && need.or_from.is_empty()).filter(is_lost) {
            if gone.iter().any(|chain| chain.last() == Some(&need.row)) {
                continue;
            }
            found.push(Loss { row: need.row.clone(), service: need.service.clone(), through: through.clone() });
            gone.push(through.iter().chain([&need.row]).cloned().collect());
        }
        at += 1;
    }
    found
}
