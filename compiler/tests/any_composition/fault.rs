//! Faults that are planted in a right composition, each with the code that must be said.

use super::draw::Drawn;
use super::family::member;

/// A fault: what is appended to the profile's patch, and the code.
pub struct Fault {
    /// Entries.
    pub entries: String,
    /// The code of the rule that they break.
    pub code: &'static str,
}

/// Every kind of fault that a composition can be given.
pub fn faults(drawn: &Drawn) -> Vec<Fault> {
    let (id, row) = drawn.rows.iter().next().expect("a composition has rows");
    let change = |keys: &str| format!("- id: {id}\n  {keys}");
    let fault = |code, entries: String| Fault { entries, code };
    let mut faults = vec![
        fault("DSH0201", change("plugin: s9-a")),
        fault("DSH0203", change("config: {sise: 1}")),
        fault("DSH0204", change("config: {size: much}")),
        fault("DSH0206", change("config: {size: 0}")),
        fault("DSH0206", change("config: {size: 101}")),
        fault("DSH0209", change("config: {mode: loud}")),
        fault("DSH0210", change("config: {size: null}")),
        fault("DSH0216", change("config: {size: !expr \"'much' | int\"}")),
        fault("DSH0220", change("config: {size: !expr env.SIZE}")),
        fault("DSH0101", change("confg: {}")),
        fault("DSH0116", format!("- id: {id}")),
        fault("DSH0112", "- id: nowhere\n  disabled: true".to_owned()),
        fault("DSH0113", format!("- insert:\n    - {{id: {id}, plugin: {}}}", row.plugin)),
        fault("DSH0114", format!("- insert:\n    - {{id: spare, plugin: {}, disabled: true}}\n  after: nowhere", row.plugin)),
        fault("DSH0111", format!("- insert:\n    - {{id: spare, plugin: {}, disabled: true}}\n  after: {id}\n  before: {id}", row.plugin)),
        fault("DSH0303", "- insert:\n    - {id: one, plugin: loop-a}\n    - {id: two, plugin: loop-b}".to_owned()),
    ];
    let provider = drawn.rows.iter().find(|(_, row)| is_needed(drawn, row.plugin));
    if let Some((id, row)) = provider {
        faults.push(fault("DSH0301", format!("- id: {id}\n  disabled: true")));
        faults.push(fault("DSH0302", format!("- insert:\n    - {{id: second, plugin: {}}}", row.plugin)));
    }
    if drawn.rows.values().any(|row| row.plugin == "serve-a") {
        faults.push(fault("DSH0306", "- insert:\n    - {id: second, plugin: serve-b}".to_owned()));
    }
    if let Some(row) = drawn.rows.values().find(|row| row.plugin.starts_with("use-")) {
        faults.push(fault("DSH0307", format!("- insert:\n    - {{id: second, plugin: {}}}", row.plugin)));
    }
    faults
}

/// Whether a row that mounts must have what a plugin provides.
fn is_needed(drawn: &Drawn, plugin: &str) -> bool {
    let provided = member(plugin).provides;
    drawn.rows.values().any(|row| provided.is_some_and(|service| member(row.plugin).needs.contains(&service)))
}
