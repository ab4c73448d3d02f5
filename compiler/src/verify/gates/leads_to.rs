//! Where a relative path leads.

/// A path of the tree, from the folder of the file that names it, with `.` and `..` worked out; `None` when it leads out of the tree.
pub(super) fn leads_to(from: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
