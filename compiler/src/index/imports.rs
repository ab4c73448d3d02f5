//! What the `use` items of a file bring into it by name.

use std::collections::BTreeMap;

use syn::ext::IdentExt;
use syn::{Item, UseTree, Visibility};

/// The imports of a file. Inline modules of the file share them: a name that two of them import from different places is
/// rare, and the digests of the wiring would show it.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    /// Name in this file, and the path that it stands for.
    pub names: BTreeMap<String, Vec<String>>,
    /// Names that the file makes public, and the path that each stands for.
    pub exported: BTreeMap<String, Vec<String>>,
    /// Paths before a `*`.
    pub globs: Vec<Vec<String>>,
}

impl Imports {
    /// Reads the imports of a file's items.
    pub(crate) fn of(items: &[Item]) -> Self {
        let mut imports = Self::default();
        imports.items(items);
        imports
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Use(item) => self.tree(&item.tree, &mut Vec::new(), matches!(item.vis, Visibility::Public(_))),
                Item::ExternCrate(item) => {
                    let seen = item.rename.as_ref().map_or(&item.ident, |(_, name)| name);
                    self.names.insert(seen.unraw().to_string(), vec![item.ident.unraw().to_string()]);
                }
                Item::Mod(module) => {
                    if let Some((_, items)) = &module.content {
                        self.items(items);
                    }
                }
                _ => {}
            }
        }
    }

    fn tree(&mut self, tree: &UseTree, prefix: &mut Vec<String>, public: bool) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.unraw().to_string());
                self.tree(&path.tree, prefix, public);
                prefix.pop();
            }
            UseTree::Name(name) => self.import(&name.ident, &name.ident, prefix, public),
            UseTree::Rename(rename) => self.import(&rename.ident, &rename.rename, prefix, public),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, prefix, public)),
            UseTree::Glob(_) => self.globs.push(prefix.clone()),
        }
    }

    /// `a::self` is `a` itself.
    fn import(&mut self, ident: &syn::Ident, seen: &syn::Ident, prefix: &[String], public: bool) {
        let mut path = prefix.to_vec();
        let is_self = ident == "self" && !path.is_empty();
        if !is_self {
            path.push(ident.unraw().to_string());
        }
        let seen = match (seen == "self", path.last()) {
            (true, Some(last)) => last.clone(),
            _ => seen.unraw().to_string(),
        };
        if public {
            self.exported.insert(seen.clone(), path.clone());
        }
        self.names.insert(seen, path);
    }
}

#[cfg(test)]
mod tests {
    use super::Imports;

    #[test]
    fn reads_groups_renames_and_globs() {
        let file =
            syn::parse_file("use a::{self, b as c, d::{E, f::*}}; pub use g::H; extern crate long as short; mod inner { use k::L; }")
                .unwrap();
        let imports = Imports::of(&file.items);
        let seen: Vec<String> = imports.names.iter().map(|(name, path)| format!("{name}={}", path.join("::"))).collect();
        assert_eq!(seen, ["E=a::d::E", "H=g::H", "L=k::L", "a=a", "c=a::b", "short=long"]);
        assert_eq!(imports.exported.keys().collect::<Vec<_>>(), ["H"]);
        assert_eq!(imports.globs, [["a", "d", "f"]]);
    }
}
