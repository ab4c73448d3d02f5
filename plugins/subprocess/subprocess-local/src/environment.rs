//! The complete environment of a child.

use std::collections::BTreeMap;
use std::ffi::OsString;

use dsh_runtime::Environment;
use dsh_subprocess::{EnvironmentChanges, is_withheld};

/// Variable that names the tree to which a process belongs, for those that leave their parent and their session.
pub const TREE_VARIABLE: &str = "DSH_PROCESS_TREE";

/// What is inherited, without what is withheld, then `defaults`, then the caller's changes, then the mark of the tree.
pub fn of_child(
    inherited: &Environment,
    defaults: &[(&str, &str)],
    changes: &EnvironmentChanges,
    mark: &str,
) -> BTreeMap<OsString, OsString> {
    let kept = inherited.variables().filter(|(name, _)| !is_withheld(name));
    let mut variables: BTreeMap<OsString, OsString> = kept.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    variables.extend(defaults.iter().map(|(name, value)| (OsString::from(name), OsString::from(value))));
    for (name, value) in changes.iter() {
        match value {
            Some(value) => variables.insert(name.to_owned(), value.to_owned()),
            None => variables.remove(name),
        };
    }
    variables.insert(OsString::from(TREE_VARIABLE), OsString::from(mark));
    variables
}
