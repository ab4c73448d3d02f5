//! What rows take of services that only one row can have, such as a name under which it registers.

use dsh_declare::model::FromConfig;

use super::Value;
use super::graph::Graph;
use super::tools::from_field;
use crate::index::ItemId;

/// What a row takes.
#[derive(Clone, Copy)]
pub struct Taken<'a> {
    /// The row.
    pub row: usize,
    /// The service.
    pub service: &'a ItemId,
    /// The row that provides it.
    pub provider: usize,
    /// What is taken of it.
    pub what: &'a str,
    /// The config field that says so, by its YAML key.
    pub field: Option<&'a str>,
}

/// What all rows that mount take, in row order. What only the machine knows is left out.
pub fn taken<'a>(graph: &'a Graph<'_>) -> Vec<Taken<'a>> {
    let mut found = Vec::new();
    for row in graph.on() {
        for take in &graph.rows.mounted[row].plugin.takes {
            let Some(provider) = graph.provider(row, &take.service) else { continue };
            let (what, field) = match &take.what {
                FromConfig::Literal(text) => (text.value.as_str(), None),
                FromConfig::Field(field) => match from_field(graph, row, field) {
                    Some(field) if let Value::Text(text) = field.value => (text.as_str(), Some(field.decl.key.as_str())),
                    _ => continue,
                },
            };
            found.push(Taken { row, service: &take.service, provider, what, field });
        }
    }
    found
}

impl Taken<'_> {
    /// In words, without the row.
    #[must_use]
    pub fn words(&self, graph: &Graph<'_>) -> String {
        format!("`{}` of the service {}", self.what, graph.key(self.service))
    }
}
