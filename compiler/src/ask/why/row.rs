//! Why a row is there.

use std::fmt::{self, Display};

use serde::Serialize;

use super::{write_losses, write_users};
use crate::ask::Composed;
use crate::ask::needs::{Loss, Need, User, losses, users};
use crate::ask::parts::{Part, parts};
use crate::plan::{OffWhen, PlannedTopic};
use crate::resolve::Row;

/// What is known of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowAnswer {
    /// Row id.
    pub id: String,
    /// Where it was inserted.
    pub at: String,
    /// Place in the mount order, from 1, of the composition or of its preset; `None` when it is disabled, and for a group.
    pub mounts: Option<usize>,
    /// Rows that it holds, when it is a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<Vec<String>>,
    /// Where its plugin is declared.
    pub declared: Option<String>,
    /// The groups around it, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// Conditions under which it is off.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub off_when: Vec<OffWhen>,
    /// Its keys, each with its place and its history.
    pub parts: Vec<Part>,
    /// Keys of the services that it provides when it mounts.
    pub provides: Vec<String>,
    /// What it takes from other rows.
    pub takes: Vec<Need>,
    /// Its tools.
    pub tools: Vec<String>,
    /// Names of the events that it hears.
    pub hears: Vec<String>,
    /// Names of the events that it dispatches.
    pub dispatches: Vec<String>,
    /// Words of the binary that it answers.
    pub verbs: Vec<String>,
    /// Whether it serves a protocol.
    pub serves: bool,
    /// Rows that take a service of it.
    pub needed_by: Vec<User>,
    /// Rows that could not mount without it.
    pub breaks: Vec<Loss>,
}

impl RowAnswer {
    /// Of a row.
    #[must_use]
    pub(super) fn new(composed: &Composed<'_>, needs: &[Need], id: &str, row: &Row) -> Self {
        let plugin = row.plugin_name().and_then(|name| composed.index.plugins.get(name));
        let provided = plugin.into_iter().flat_map(|plugin| &plugin.provides);
        let plan = composed.plan;
        let events = |is_of: &dyn Fn(&PlannedTopic) -> bool| {
            plan.topics.iter().filter(|topic| is_of(topic)).map(|topic| topic.name.clone()).collect::<Vec<_>>()
        };
        let verbs = plan.verbs.iter().filter(|entry| entry.row == *id).flat_map(|entry| &entry.words);
        let own = plan.all_contributions().filter(|contribution| contribution.row == *id);
        let planned = plan.all_rows().find(|planned| planned.id == *id);
        let mates = plan.presets.iter().map(|preset| &preset.rows).chain([&plan.rows]);
        Self {
            id: id.to_owned(),
            groups: planned.map(|row| row.groups.clone()).unwrap_or_default(),
            off_when: planned.map(|row| plan.off_when(row)).unwrap_or_default(),
            at: row.id.place.to_string(),
            mounts: mates.filter_map(|rows| rows.iter().position(|planned| planned.id == *id)).next().map(|at| at + 1),
            holds: row.is_group.then(|| held(composed, id)),
            declared: plugin.map(|plugin| plugin.declared.place.to_string()),
            parts: parts(row, composed.index),
            provides: provided.map(|service| composed.index.service_key(service).to_owned()).collect(),
            takes: needs.iter().filter(|need| need.row == *id).cloned().collect(),
            tools: own.flat_map(|contribution| contribution.tools.clone()).collect(),
            hears: events(&|topic| topic.listeners.iter().any(|heard| heard.row == *id)),
            dispatches: events(&|topic| topic.dispatchers.iter().any(|row| row == id)),
            verbs: verbs.map(|(verb, _)| verb.clone()).collect(),
            serves: plan.serve.iter().any(|row| row == id),
            needed_by: users(needs, |need| need.from == *id),
            breaks: losses(needs, id, None),
        }
    }
}

/// Rows that mount inside of a group.
fn held(composed: &Composed<'_>, group: &str) -> Vec<String> {
    let inside = composed.plan.all_rows().filter(|row| row.groups.iter().any(|around| around == group));
    inside.map(|row| row.id.clone()).collect()
}

impl Display for RowAnswer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_preset = self.id.split_once('/').map(|(preset, _)| format!(" of preset {preset}")).unwrap_or_default();
        let mounts = match (self.mounts, &self.holds) {
            (Some(at), _) => format!("mounts as number {at}{of_preset}"),
            (None, Some(_)) => "a group".to_owned(),
            (None, None) => "disabled".to_owned(),
        };
        writeln!(out, "row {}, inserted at {}, {mounts}", self.id, self.at)?;
        if !self.groups.is_empty() {
            writeln!(out, "  in group {}", self.groups.join(", in "))?;
        }
        for condition in &self.off_when {
            writeln!(out, "  {condition}")?;
        }
        for part in &self.parts {
            write_part(out, part)?;
        }
        if let Some(declared) = &self.declared {
            writeln!(out, "  plugin declared at {declared}")?;
        }
        if let Some(holds) = &self.holds {
            writeln!(out, "  holds {}", if holds.is_empty() { "nothing that mounts".to_owned() } else { holds.join(", ") })?;
        }
        for (at, need) in self.takes.iter().enumerate() {
            // The first of several that may provide it tells of the others.
            if self.takes[..at].iter().any(|earlier| earlier.id == need.id && earlier.or_from.contains(&need.from)) {
                continue;
            }
            let why = match (need.optional, need.for_tools) {
                (true, _) => " (optional)",
                (false, true) => " (for its tools)",
                (false, false) => "",
            };
            let others: String = need.or_from.iter().map(|other| format!(", or from {other} where that is off")).collect();
            writeln!(out, "  takes {} from {}{others}{why}", need.service, need.from)?;
        }
        let lists = [
            ("provides", &self.provides),
            ("gives the model", &self.tools),
            ("dispatches", &self.dispatches),
            ("hears", &self.hears),
            ("answers the word", &self.verbs),
        ];
        for (words, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
            writeln!(out, "  {words} {}", names.join(", "))?;
        }
        if self.serves {
            writeln!(out, "  serves a protocol on standard input and output")?;
        }
        if self.mounts.is_none() {
            return Ok(());
        }
        write_users(out, &self.needed_by)?;
        write_losses(out, &self.breaks)
    }
}

/// A part with what it replaced, newest first.
pub(super) fn write_part(out: &mut fmt::Formatter<'_>, part: &Part) -> fmt::Result {
    match &part.value {
        Some(value) => writeln!(out, "  {}: {value} ({})", part.key, part.at)?,
        None => writeln!(out, "  {}: dropped by the config at {}", part.key, part.at)?,
    }
    for written in part.earlier.iter().rev() {
        writeln!(out, "    in place of {} ({})", written.value, written.at)?;
    }
    Ok(())
}
