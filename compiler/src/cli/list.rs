//! `dsh-build list`.

use std::path::{Path, PathBuf};

use super::arguments::Listed;
use super::output::Output;
use crate::ask::{BundleLine, Bundles, Plugins, ProfileLine, Profiles};
use crate::compile::{Compiler, Source, request};
use crate::diagnostics::Diagnostics;
use crate::index::Network;
use crate::load::{LoadRequest, known_bundles, known_profiles, load, load_bundle};
use crate::workspace::Workspace;

/// Lists what can be composed. A file that cannot be read has a line too; `check` tells what is wrong with it.
pub(super) fn list(workspace: &Workspace, what: Listed, network: Network, output: &Output) -> Result<(), u8> {
    let request = request(workspace, &Source::of(""));
    match what {
        Listed::Profiles => output.report(&profiles(&request)),
        Listed::Bundles => {
            let bundle = |(name, path): &(String, PathBuf)| bundle(workspace, &request, name, path);
            output.report(&Bundles(known_bundles(&request).iter().map(bundle).collect()))
        }
        Listed::Plugins => {
            let mut problems = Diagnostics::new();
            let declarations = Compiler::new(workspace, network).declarations(&mut problems);
            output.show(&problems)?;
            output.report(&Plugins::new(&declarations.index))
        }
    }
}

fn profiles(request: &LoadRequest) -> Profiles {
    let line = |name: String| {
        let mut problems = Diagnostics::new();
        let loaded = load(&LoadRequest { profile: name.clone(), ..request.clone() }, &mut problems);
        ProfileLine::new(&name, loaded.as_ref().filter(|_| !problems.has_errors()))
    };
    Profiles(known_profiles(request).into_iter().map(line).collect())
}

fn bundle(workspace: &Workspace, request: &LoadRequest, name: &str, path: &Path) -> BundleLine {
    let mut problems = Diagnostics::new();
    let read = load_bundle(request, path, &mut problems);
    BundleLine::new(name, &workspace.relative(path), read.as_ref().filter(|_| !problems.has_errors()))
}
