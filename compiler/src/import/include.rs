//! Rows that are another file. Here a profile lists bundles, so what is left of such a row is its patches.

use std::path::{Component, Path};

use super::lines::Lines;
use super::report::Finding;
use super::row::scalar;
use super::{Kind, Translator, whole};
use crate::load::{Node, NodeKind};

/// Plugins of a row that is another file.
const INCLUDES: [&str; 2] = ["cordis:include", "@deepseek-ai/cordis-plugin-include"];

/// Whether a row is another file.
pub(super) fn is_include(row: &Node) -> bool {
    row.get("name").and_then(scalar).is_some_and(|name| INCLUDES.contains(&name))
}

impl Translator<'_> {
    /// A row of a whole file that is another file: its patches. Nothing is left where that file is one of those before.
    pub(super) fn include(&mut self, row: &Node) -> Lines {
        let above = Lines::of(self.comments.above(&row.place));
        let id = row.get("id").and_then(scalar).map(str::to_owned);
        let config = row.get("config");
        let path = config.and_then(|config| config.get("path")).and_then(scalar);
        let patches = config.and_then(|config| config.get("patches"));
        let entries = match (path, patches.map(|patches| &patches.kind)) {
            _ if row.get("disabled").is_some_and(|disabled| !disabled.is_null()) => {
                let why = "a file cannot be included or not here: list it in one profile and not in another";
                return above.and(self.left_item(Kind::Feature, id.as_deref(), &row.place, "include", why));
            }
            (Some(_), None) => &[][..],
            (Some(_), Some(NodeKind::List(entries))) => entries,
            _ => {
                let why = "a row cannot be another file here, and this one does not say which in plain words";
                return above.and(self.left_item(Kind::Feature, id.as_deref(), &row.place, "include", why));
            }
        };
        let path = path.unwrap_or_default();
        self.unused_keys(row, id.as_deref());
        let translated = self.run.files.contains(&beside(self.file.name(), path));
        let said = if translated {
            self.note(Kind::Feature, id.as_deref(), &row.place, "include", &format!("the rows of `{path}` are those of the file before"));
            Lines::default()
        } else {
            let why = format!("`{path}` is another file: translate it too, and apply it before this one");
            self.found.left.push(Finding::new(Kind::Feature, id.as_deref(), &row.place, "include", &why));
            Lines::of([format!("# Not translated: {why}.")])
        };
        let entries = self.entries(entries);
        let beside = Lines::of(self.comments.beside(&row.place));
        self.comments.skip(&row.place);
        above.and(said).and(entries).and(beside)
    }

    /// Keys of such a row that say something else.
    fn unused_keys(&mut self, row: &Node, id: Option<&str>) {
        let NodeKind::Map(keys) = &row.kind else { return };
        let of_config = match row.get("config").map(|config| &config.kind) {
            Some(NodeKind::Map(keys)) => &keys[..],
            _ => &[],
        };
        let unused = keys.iter().filter(|(key, _)| !matches!(key.text.as_str(), "id" | "name" | "config"));
        for (key, value) in unused.chain(of_config.iter().filter(|(key, _)| !matches!(key.text.as_str(), "path" | "patches"))) {
            let place = whole(&key.place, value);
            self.note(Kind::Feature, id, &place, &key.text, "the key has no meaning for bundles, and was dropped");
        }
    }
}

/// The name of a file that another one names.
fn beside(file: &str, path: &str) -> String {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let mut parts: Vec<String> = Vec::new();
    for part in folder.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if parts.last().is_some_and(|last| last != "..") => {
                parts.pop();
            }
            part => parts.push(part.as_os_str().to_string_lossy().into_owned()),
        }
    }
    parts.join("/").replacen("//", "/", 1)
}

#[cfg(test)]
mod tests {
    use super::beside;

    #[test]
    fn files_are_found_beside_each_other() {
        for (file, path, found) in [
            ("a.yml", "./b.yml", "b.yml"),
            ("x/a.yml", "b.yml", "x/b.yml"),
            ("x/y/a.yml", "../b.yml", "x/b.yml"),
            ("../a.yml", "../b.yml", "../../b.yml"),
            ("/x/a.yml", "./b.yml", "/x/b.yml"),
            ("x/a.yml", "/y/b.yml", "/y/b.yml"),
        ] {
            assert_eq!(beside(file, path), found, "{file} {path}");
        }
    }
}
