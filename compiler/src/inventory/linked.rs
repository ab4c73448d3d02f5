//! Which packages a binary is linked from: those that its wiring names and what these turn on of their own needs, by the rules by which
//! cargo joins features. What only other crates of the workspace ask for is not among them.

use std::collections::{BTreeMap, BTreeSet};

use crate::index::{Metadata, Need, RUNTIME};

/// Places of the packages, ascending; `named` are those that the wiring names.
pub(super) fn linked(named: &[&str], is_sealed: bool, metadata: &Metadata) -> Vec<usize> {
    let mut linking = Linking { metadata, on: BTreeMap::new(), asked: BTreeSet::new() };
    for (place, package) in metadata.packages.iter().enumerate().filter(|(_, package)| named.contains(&package.name.as_str())) {
        let overlays = (package.name == RUNTIME && !is_sealed).then_some("overlays");
        linking.link(place, std::iter::once("default").chain(overlays));
    }
    // A feature may speak of a dependency that something else turns on later.
    while linking.follow() {}
    linking.on.into_keys().filter(|place| !metadata.packages[*place].is_macros).collect()
}

struct Linking<'a> {
    metadata: &'a Metadata,
    /// The features that are on of each package that is linked.
    on: BTreeMap<usize, BTreeSet<String>>,
    /// Optional needs that a feature asks for: the package and the need's name.
    asked: BTreeSet<(usize, String)>,
}

impl Linking<'_> {
    /// Yields whether that changed anything.
    fn link<'f>(&mut self, place: usize, features: impl IntoIterator<Item = &'f str>) -> bool {
        let is_new = !self.on.contains_key(&place);
        let on = self.on.entry(place).or_default();
        let known = &self.metadata.packages[place].features;
        let added: Vec<bool> =
            features.into_iter().filter(|feature| known.contains_key(*feature)).map(|feature| on.insert(feature.to_owned())).collect();
        is_new || added.contains(&true)
    }

    /// Turns on what the packages that are linked turn on. Yields whether that changed anything.
    fn follow(&mut self) -> bool {
        let mut changed = false;
        for (place, features) in self.on.clone() {
            let package = &self.metadata.packages[place];
            // Macros are run by rustc, and what they need is too.
            if package.is_macros {
                continue;
            }
            for value in features.iter().filter_map(|feature| package.features.get(feature)).flatten() {
                changed |= self.turn_on(place, value);
            }
            for need in &package.needs {
                if self.is_on(place, need) {
                    let features = need.features.iter().map(String::as_str);
                    changed |= self.link(need.package, features.chain(need.default.then_some("default")));
                }
            }
        }
        changed
    }

    fn is_on(&self, place: usize, need: &Need) -> bool {
        !need.optional || self.asked.contains(&(place, need.name.clone()))
    }

    /// What a feature lists: another one, `dep:name`, `name/feature` or `name?/feature`.
    fn turn_on(&mut self, place: usize, value: &str) -> bool {
        if let Some(name) = value.strip_prefix("dep:") {
            return self.asked.insert((place, name.to_owned()));
        }
        let Some((name, feature)) = value.split_once('/') else { return self.link(place, [value]) };
        let (name, is_weak) = name.strip_suffix('?').map_or((name, false), |name| (name, true));
        let mut changed = !is_weak && self.asked.insert((place, name.to_owned()));
        let metadata = self.metadata;
        for need in metadata.packages[place].needs.iter().filter(|need| need.name == name) {
            if self.is_on(place, need) {
                changed |= self.link(need.package, [feature]);
            }
        }
        changed
    }
}
