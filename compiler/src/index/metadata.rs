//! What cargo knows of the workspace: its packages, where their sources lie and how they depend on each other.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use super::Network;

/// What binaries are made for, as far as packages depend on it. One platform for all machines: what is generated must not depend on them.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// The packages of the workspace's dependency graph, without what this compiler does not ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// Sorted by name and version.
    pub packages: Vec<MetadataPackage>,
}

/// A package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetadataPackage {
    /// Cargo package name.
    pub name: String,
    /// Version.
    pub version: String,
    /// Its licence, as an SPDX expression, where it gives one.
    pub license: Option<String>,
    /// Its `Cargo.toml`.
    pub manifest: PathBuf,
    /// Name of its library as Rust code writes it, and the library's root file.
    pub lib: Option<(String, PathBuf)>,
    /// Whether it is a member of the workspace.
    pub member: bool,
    /// Where it comes from, as cargo writes it; `None` for a folder of this machine, whose manifest may change.
    pub source: Option<String>,
    /// Whether it is a library of macros, which only rustc runs.
    pub is_macros: bool,
    /// Normal dependencies: the name by which sources call it, and its place in [`Metadata::packages`].
    pub deps: BTreeMap<String, usize>,
    /// The same as the manifest asks for them.
    pub needs: Vec<Need>,
    /// What each of its features turns on, in cargo's words.
    pub features: BTreeMap<String, Vec<String>>,
}

/// A normal dependency as a manifest asks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    /// The name by which features call it.
    pub name: String,
    /// Its place in [`Metadata::packages`].
    pub package: usize,
    /// Whether a feature must ask for it.
    pub optional: bool,
    /// Whether its default features are on.
    pub default: bool,
    /// Features of it that are on besides.
    pub features: Vec<String>,
}

impl MetadataPackage {
    /// Whether it is a path dependency or a member, so that its manifest may change.
    #[must_use]
    pub fn is_local(&self) -> bool {
        self.source.is_none()
    }

    fn renumber(&mut self, place: &dyn Fn(usize) -> usize) {
        let needs = self.needs.iter_mut().map(|need| &mut need.package);
        self.deps.values_mut().chain(needs).for_each(|dependency| *dependency = place(*dependency));
    }

    /// The folder of its manifest.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.manifest.parent().unwrap_or(&self.manifest)
    }
}

impl Metadata {
    /// The places of these packages and of all that they need, ascending.
    pub(crate) fn linked_with(&self, packages: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut open: Vec<usize> = packages.into_iter().collect();
        let mut seen = vec![false; self.packages.len()];
        while let Some(place) = open.pop() {
            if !std::mem::replace(&mut seen[place], true) {
                open.extend(self.packages[place].deps.values());
            }
        }
        (0..seen.len()).filter(|place| seen[*place]).collect()
    }

    /// What the members of the workspace need, except those that `left_out` says.
    pub(crate) fn without(self, left_out: impl Fn(&MetadataPackage) -> bool) -> Self {
        let wanted = |place: &usize| self.packages[*place].member && !left_out(&self.packages[*place]);
        let kept = self.linked_with((0..self.packages.len()).filter(wanted));
        let packages = self.packages.into_iter();
        renumbered(packages.enumerate().filter(|(place, _)| kept.binary_search(place).is_ok()).collect())
    }

    /// These packages and those of `other`; a package that both know is as this side knows it.
    pub(crate) fn joined(self, other: Self) -> Self {
        let known: BTreeMap<PathBuf, usize> =
            self.packages.iter().enumerate().map(|(place, package)| (package.manifest.clone(), place)).collect();
        let start = self.packages.len();
        let places: Vec<usize> =
            other.packages.iter().enumerate().map(|(place, package)| *known.get(&package.manifest).unwrap_or(&(start + place))).collect();
        let mut all: Vec<(usize, MetadataPackage)> = self.packages.into_iter().enumerate().collect();
        for (place, mut package) in other.packages.into_iter().enumerate() {
            if places[place] == start + place {
                package.renumber(&|dependency| places[dependency]);
                all.push((start + place, package));
            }
        }
        renumbered(all)
    }
}

/// Sorts packages that know each other by the given numbers.
fn renumbered(mut packages: Vec<(usize, MetadataPackage)>) -> Metadata {
    packages.sort_by(|(_, a), (_, b)| (&a.name, &a.version, &a.source, &a.manifest).cmp(&(&b.name, &b.version, &b.source, &b.manifest)));
    let places: BTreeMap<usize, usize> = packages.iter().enumerate().map(|(place, (number, _))| (*number, place)).collect();
    let mut packages: Vec<MetadataPackage> = packages.into_iter().map(|(_, package)| package).collect();
    for package in &mut packages {
        package.renumber(&|dependency| places[&dependency]);
    }
    Metadata { packages }
}

/// Why cargo's knowledge could not be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MetadataError {
    /// Cargo did not start.
    #[error("`{program}` cannot be started: {source}")]
    Start {
        /// The program.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Cargo refused.
    #[error("{words}")]
    Refused {
        /// What it said.
        words: String,
    },
    /// A second view of the workspace could not be written.
    #[error("`{folder}`: {source}", folder = folder.display())]
    Io {
        /// Where.
        folder: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Cargo's answer has another form than expected.
    #[error("the answer cannot be read: {0}")]
    Form(#[from] serde_json::Error),
}

/// The cargo to call: the one that started this process, else the one of the search path.
pub(crate) fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}

/// Asks cargo. Without network access first, because that is the usual case and takes no wait for an index.
pub(crate) fn ask(root: &Path, network: Network) -> Result<Metadata, MetadataError> {
    match run(root, network, true) {
        // What the lock file forbids is not found on the network.
        Err(MetadataError::Refused { words }) if !network.offline && !words.contains("--locked") => run(root, network, false),
        outcome => outcome,
    }
}

fn run(root: &Path, network: Network, offline: bool) -> Result<Metadata, MetadataError> {
    let program = cargo();
    let mut command = Command::new(&program);
    command.current_dir(root).args(["metadata", "--format-version", "1", "--filter-platform", PLATFORM]).stdin(Stdio::null());
    command.args(offline.then_some("--offline")).args(network.locked.then_some("--locked"));
    let output = command.output().map_err(|source| MetadataError::Start { program: program.display().to_string(), source })?;
    if !output.status.success() {
        return Err(MetadataError::Refused { words: String::from_utf8_lossy(&output.stderr).trim_end().to_owned() });
    }
    Ok(condense(serde_json::from_slice(&output.stdout)?))
}

#[derive(Deserialize)]
struct Answer {
    packages: Vec<AnswerPackage>,
    workspace_members: Vec<String>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct AnswerPackage {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    manifest_path: PathBuf,
    source: Option<String>,
    targets: Vec<Target>,
    dependencies: Vec<AnswerNeed>,
    features: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
struct AnswerNeed {
    name: String,
    kind: Option<String>,
    rename: Option<String>,
    optional: bool,
    uses_default_features: bool,
    features: Vec<String>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    kind: Option<String>,
}

fn condense(mut answer: Answer) -> Metadata {
    answer.packages.sort_by(|a, b| (&a.name, &a.version, &a.id).cmp(&(&b.name, &b.version, &b.id)));
    let places: BTreeMap<&str, usize> = answer.packages.iter().enumerate().map(|(place, package)| (package.id.as_str(), place)).collect();
    let mut deps: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for node in &answer.resolve.nodes {
        let normal = node.deps.iter().filter(|dep| dep.dep_kinds.iter().any(|kind| kind.kind.is_none()));
        let named = normal.filter_map(|dep| Some((dep.name.clone(), *places.get(dep.pkg.as_str())?)));
        deps.insert(&node.id, named.collect());
    }
    let needs: Vec<Vec<Need>> =
        answer.packages.iter().map(|package| needs(package, deps.get(package.id.as_str()), &answer.packages)).collect();
    let packages = answer.packages.iter().zip(needs).map(|(package, needs)| MetadataPackage {
        is_macros: package.targets.iter().any(|target| target.kind.iter().any(|kind| kind == "proc-macro")),
        needs,
        features: package.features.clone(),
        name: package.name.clone(),
        version: package.version.clone(),
        license: package.license.clone(),
        manifest: package.manifest_path.clone(),
        lib: library(&package.targets),
        member: answer.workspace_members.contains(&package.id),
        source: package.source.clone(),
        deps: deps.remove(package.id.as_str()).unwrap_or_default(),
    });
    Metadata { packages: packages.collect() }
}

/// What a manifest asks for of the packages that were resolved for it; what is for another platform was not.
fn needs(package: &AnswerPackage, deps: Option<&BTreeMap<String, usize>>, packages: &[AnswerPackage]) -> Vec<Need> {
    let resolved = |asked: &AnswerNeed| {
        let of_name = deps?.iter().filter(|(_, place)| packages[**place].name == asked.name).collect::<Vec<_>>();
        let seen = asked.rename.as_ref().map(|name| name.replace('-', "_"));
        let renamed = of_name.iter().find(|(name, _)| seen.as_ref() == Some(name));
        // Of two versions one is renamed.
        renamed.or_else(|| of_name.first()).map(|(_, place)| **place)
    };
    let normal = package.dependencies.iter().filter(|asked| asked.kind.is_none());
    let need = |asked: &AnswerNeed| {
        Some(Need {
            name: asked.rename.clone().unwrap_or_else(|| asked.name.clone()),
            package: resolved(asked)?,
            optional: asked.optional,
            default: asked.uses_default_features,
            features: asked.features.clone(),
        })
    };
    normal.filter_map(need).collect()
}

fn library(targets: &[Target]) -> Option<(String, PathBuf)> {
    let is_library = |kind: &String| matches!(kind.as_str(), "lib" | "rlib" | "dylib" | "proc-macro");
    let target = targets.iter().find(|target| target.kind.iter().any(is_library))?;
    Some((target.name.replace('-', "_"), target.src_path.clone()))
}
