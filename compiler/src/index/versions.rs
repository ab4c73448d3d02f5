//! Two versions of one package.

use std::collections::{BTreeMap, VecDeque};

use super::metadata::Metadata;
use super::rules;
use crate::diagnostics::Diagnostics;
use crate::workspace::Workspace;

/// Reports each package among `places` that is in the graph more than once, with a chain to each version.
pub(super) fn refuse_two_versions(places: &[usize], workspace: &Workspace, metadata: &Metadata, diagnostics: &mut Diagnostics) {
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for &place in places {
        by_name.entry(&metadata.packages[place].name).or_default().push(place);
    }
    for (name, versions) in by_name.into_iter().filter(|(_, versions)| versions.len() > 1) {
        let of = |place: &usize| metadata.packages[*place].version.as_str();
        let is_told_by_version = versions.iter().all(|place| versions.iter().filter(|other| of(other) == of(place)).count() == 1);
        let chains: Vec<Vec<String>> = versions
            .into_iter()
            .map(|place| {
                let mut chain = chain(place, metadata);
                if !is_told_by_version && let Some(last) = chain.last_mut() {
                    last.push_str(&format!(" ({})", origin(place, workspace, metadata)));
                }
                chain
            })
            .collect();
        diagnostics.report(rules::two_versions::two_versions(name, &chains));
    }
}

/// What tells a package from another of the same name and version.
fn origin(place: usize, workspace: &Workspace, metadata: &Metadata) -> String {
    let package = &metadata.packages[place];
    package.source.clone().unwrap_or_else(|| workspace.relative(package.folder()))
}

/// The shortest way from a member of the workspace to a package.
fn chain(to: usize, metadata: &Metadata) -> Vec<String> {
    let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); metadata.packages.len()];
    for (place, package) in metadata.packages.iter().enumerate() {
        package.deps.values().for_each(|&dependency| dependents[dependency].push(place));
    }
    let mut next: BTreeMap<usize, usize> = BTreeMap::new();
    let mut queue = VecDeque::from([to]);
    while let Some(place) = queue.pop_front() {
        if metadata.packages[place].member {
            let steps = std::iter::successors(Some(place), |place| next.get(place).copied());
            let name = |place: usize| format!("{} {}", metadata.packages[place].name, metadata.packages[place].version);
            return steps.map(name).collect();
        }
        for &dependent in &dependents[place] {
            if dependent != to && !next.contains_key(&dependent) {
                next.insert(dependent, place);
                queue.push_back(dependent);
            }
        }
    }
    vec![format!("{} {}", metadata.packages[to].name, metadata.packages[to].version)]
}
