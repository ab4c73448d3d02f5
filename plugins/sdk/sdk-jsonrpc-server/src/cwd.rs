//! Working directories that clients name.

use std::path::{Component, Path, PathBuf};

/// The absolute path that `named` is seen from `base`: `.` and `..` are resolved in the text, without looking at the disk.
pub(crate) fn resolve(base: &Path, named: &str) -> PathBuf {
    let mut resolved = PathBuf::from("/");
    for component in base.join(named).components() {
        match component {
            Component::Normal(name) => resolved.push(name),
            Component::ParentDir => {
                resolved.pop();
            }
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn relative_paths_start_at_the_base() {
        for (named, path) in [
            ("/a/b", "/a/b"),
            ("c", "/w/x/c"),
            ("../y/./z/", "/w/y/z"),
            ("", "/w/x"),
            (".", "/w/x"),
            ("/../..", "/"),
            ("/a//b/../c", "/a/c"),
        ] {
            assert_eq!(resolve("/w/x".as_ref(), named), std::path::Path::new(path), "{named}");
        }
    }
}
