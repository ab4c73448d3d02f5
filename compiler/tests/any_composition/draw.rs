//! Draws compositions: right ones, by what their rows must be in the end, scattered over layers; and wrong ones, by a fault that is
//! planted in a right one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use proptest::prelude::*;

use super::family::{FAMILY, Part, SERVICES, member};

/// The numbers that a composition is drawn from.
#[derive(Clone, Debug)]
pub struct Draw {
    /// Which consumers mount.
    users: BTreeSet<usize>,
    /// Which of the two providers of each service.
    choice: Vec<bool>,
    /// Whether the provider of a service mounts that is only taken.
    taken: Vec<bool>,
    /// Numbers by which everything else is decided, used in order and over again.
    dice: Vec<u16>,
}

/// Any right composition.
pub fn draws() -> impl Strategy<Value = Draw> {
    let users = prop::collection::btree_set(0_usize..5, 1..4);
    let bits = || prop::collection::vec(any::<bool>(), SERVICES);
    (users, bits(), bits(), prop::collection::vec(any::<u16>(), 64)).prop_map(|(users, choice, taken, dice)| Draw {
        users,
        choice,
        taken,
        dice,
    })
}

/// A row as it must be once all layers are applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    pub plugin: &'static str,
    pub size: u64,
}

/// A composition in YAML with what it must come to.
#[derive(Debug)]
pub struct Drawn {
    /// The entries of the bundle `base`.
    pub bundle: Vec<String>,
    /// The entries of the profile's patch.
    pub patch: Vec<String>,
    /// Rows that mount, by id.
    pub rows: BTreeMap<String, Expected>,
}

/// Deals out the numbers of a draw.
struct Dice<'a> {
    numbers: &'a [u16],
    next: usize,
}

impl Dice<'_> {
    fn below(&mut self, limit: usize) -> usize {
        self.next += 1;
        usize::from(self.numbers[self.next % self.numbers.len()]) % limit
    }

    /// True once in `chances`.
    fn once_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }
}

const USERS: [&str; 5] = ["use-0", "use-1", "use-2", "use-3", "serve-a"];

impl Draw {
    /// The plugins that mount: the consumers, and what they need or were dealt to take.
    fn plugins(&self) -> Vec<&'static str> {
        let mut plugins: Vec<&'static str> = self.users.iter().map(|user| USERS[*user]).collect();
        let mut at = 0;
        while let Some(name) = plugins.get(at).copied() {
            let wanted = member(name);
            let taken = wanted.takes.iter().filter(|service| self.taken[**service]);
            for &service in wanted.needs.iter().chain(taken) {
                let provider = self.provider(service, self.choice[service]);
                if !plugins.contains(&provider) {
                    plugins.push(provider);
                }
            }
            at += 1;
        }
        plugins
    }

    fn provider(&self, service: usize, first: bool) -> &'static str {
        let mut all = FAMILY.iter().filter(|member| member.provides == Some(service) && member.part == Part::Provider);
        let (one, other) = (all.next(), all.next());
        if first { one } else { other }.expect("every service has two providers").name
    }

    /// The composition.
    pub fn compose(&self) -> Drawn {
        let mut dice = Dice { numbers: &self.dice, next: 0 };
        let mut plugins = self.plugins();
        for at in (1..plugins.len()).rev() {
            plugins.swap(at, dice.below(at + 1));
        }
        let mut scattered = Scattered { dice, entries: Vec::new(), later: Vec::new(), known: Vec::new(), rows: BTreeMap::new() };
        plugins.iter().for_each(|plugin| scattered.row(plugin));
        let Scattered { mut dice, mut entries, later, rows, .. } = scattered;
        entries.extend(later);
        let cut = dice.below(entries.len() + 1);
        let patch = entries.split_off(cut);
        Drawn { bundle: entries, patch, rows }
    }
}

/// Rows on their way into layers.
struct Scattered<'a> {
    dice: Dice<'a>,
    entries: Vec<String>,
    /// Changes that stand after all inserts.
    later: Vec<String>,
    /// Ids that were inserted.
    known: Vec<String>,
    rows: BTreeMap<String, Expected>,
}

impl Scattered<'_> {
    /// One row: inserted somewhere, perhaps as another plugin, disabled or with another config, which a later entry puts right.
    fn row(&mut self, plugin: &'static str) {
        let id = if self.dice.once_in(2) { plugin.to_owned() } else { format!("row-{plugin}") };
        let size = 1 + self.dice.below(100) as u64;
        let (mut first, mut keys, mut change) = (plugin, String::new(), String::new());
        if member(plugin).part == Part::Provider && self.dice.once_in(3) {
            first = self.other(plugin);
            write!(change, "\n  plugin: {plugin}").expect("a string takes it");
        }
        let is_late = self.dice.once_in(3);
        let config = |size: u64| format!("{{size: {size}, words: [a, 'b'], mode: very-loud}}");
        write!(keys, ", config: {}", config(if is_late { 1 + size % 100 } else { size })).expect("a string takes it");
        if is_late {
            write!(change, "\n  config: {}", config(size)).expect("a string takes it");
        }
        if self.dice.once_in(4) {
            keys += ", disabled: true";
            change += "\n  disabled: !expr profile == 'another'";
        }
        let place = self.place();
        self.entries.push(format!("- insert:\n    - {{id: {id}, plugin: {first}{keys}}}{place}"));
        if !change.is_empty() {
            self.later.push(format!("- id: {id}{change}"));
        }
        if self.dice.once_in(5) {
            self.later.push(format!("- id: gone-{id}\n  optional: true\n  disabled: true"));
        }
        if self.dice.once_in(5) {
            let spare = self.other(plugin);
            self.entries.push(format!("- insert:\n    - {{id: spare-{id}, plugin: {spare}, disabled: true}}"));
        }
        self.known.push(id.clone());
        self.rows.insert(id, Expected { plugin, size });
    }

    fn place(&mut self) -> String {
        if self.known.is_empty() || self.dice.once_in(2) {
            return String::new();
        }
        let at = self.dice.below(self.known.len());
        let side = if self.dice.once_in(2) { "before" } else { "after" };
        format!("\n  {side}: {}", self.known[at])
    }

    /// The other provider of the same service; a plugin that provides none has no other.
    fn other(&self, plugin: &'static str) -> &'static str {
        let service = member(plugin).provides;
        let other = FAMILY.iter().find(|member| service.is_some() && member.provides == service && member.name != plugin);
        other.map_or(plugin, |member| member.name)
    }
}
