//! Where a manifest speaks of something.

use std::sync::Arc;

use crate::diagnostics::{Place, SourceFile};

/// Where a manifest names a package as a dependency, else its first line.
pub(super) fn mention(manifest: &Arc<SourceFile>, package: &str) -> Place {
    let text = manifest.text();
    let starts_line = |at: usize| at == 0 || text[..at].ends_with('\n');
    let ends_name = |at: usize| text[at + package.len()..].starts_with([' ', '.', '=']);
    match text.match_indices(package).find(|(at, _)| starts_line(*at) && ends_name(*at)) {
        Some((at, _)) => Place::new(manifest, at..at + package.len()),
        None => Place::start_of(manifest),
    }
}
