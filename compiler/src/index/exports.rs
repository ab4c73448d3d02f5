//! What the root of a library makes public under a name of its own.

use std::collections::BTreeSet;

use syn::ext::IdentExt;
use syn::{Ident, Item, UseTree, Visibility};

/// The public names of a library's root.
#[derive(Debug, Default)]
pub(crate) struct Exports {
    names: BTreeSet<String>,
    /// Whether a `pub use …::*` brings names that are not looked for.
    has_glob: bool,
}

impl Exports {
    /// Reads the items of a library's root.
    pub(crate) fn of(items: &[Item]) -> Self {
        let mut exports = Self::default();
        for item in items {
            match item {
                Item::Use(item) if is_public(&item.vis) => exports.tree(&item.tree),
                Item::Struct(item) => exports.add(&item.vis, &item.ident),
                Item::Enum(item) => exports.add(&item.vis, &item.ident),
                Item::Trait(item) => exports.add(&item.vis, &item.ident),
                Item::Type(item) => exports.add(&item.vis, &item.ident),
                _ => {}
            }
        }
        exports
    }

    /// Whether a name may be public.
    pub(crate) fn hold(&self, name: &str) -> bool {
        self.has_glob || self.names.contains(name)
    }

    fn add(&mut self, visibility: &Visibility, name: &Ident) {
        if is_public(visibility) {
            self.names.insert(name.unraw().to_string());
        }
    }

    fn tree(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.tree(&path.tree),
            UseTree::Name(name) => drop(self.names.insert(name.ident.unraw().to_string())),
            UseTree::Rename(rename) => drop(self.names.insert(rename.rename.unraw().to_string())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree)),
            UseTree::Glob(_) => self.has_glob = true,
        }
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

#[cfg(test)]
mod tests {
    use super::Exports;

    fn exports(source: &str) -> Exports {
        Exports::of(&syn::parse_file(source).unwrap().items)
    }

    #[test]
    fn reads_what_is_public_at_the_root() {
        let found =
            exports("pub use a::{B, c::D as E}; pub struct F; struct G; use h::I; pub mod j { pub struct K; } pub(crate) enum L {}");
        assert!(["B", "E", "F"].iter().all(|name| found.hold(name)));
        assert!(!["D", "G", "I", "K", "L"].iter().any(|name| found.hold(name)));
        assert!(exports("pub use a::*;").hold("Anything"));
    }
}
