//! How the compilers are run that cargo runs: what makes a binary static, and its bytes independent of the folders that it was made in.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{BuildOptions, Optimization};

/// What rustc is told of its flags through, one after another between these separators.
const RUST_FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";
const SEPARATOR: &str = "\u{1f}";

/// What makes a static binary. The crate `getrandom` would look for a function of a shared library, find none, and ask for a device that an
/// empty root does not have; so it is told to ask the kernel.
const STATIC: [&str; 2] = ["-Ctarget-feature=+crt-static", "--cfg=getrandom_backend=\"linux_getrandom\""];

/// How the compilers of one build are run.
pub(super) struct Toolchain {
    /// Whether the binary needs no shared library.
    pub is_static: bool,
    /// Folders of this machine and what stands for them in the binary. One inside of another comes after it.
    folders: Vec<(PathBuf, &'static str)>,
}

impl Toolchain {
    /// Of a build in a workspace. What is for tests and debuggers keeps the real places of its sources.
    pub(super) fn of(options: &BuildOptions, workspace: &Path) -> Self {
        let mut folders = Vec::new();
        if options.optimization != Optimization::Debug {
            let home = env::home_dir();
            let own =
                |variable: &str, name: &str| env::var_os(variable).map(PathBuf::from).or_else(|| home.as_ref().map(|home| home.join(name)));
            folders.extend(own("RUSTUP_HOME", ".rustup").map(|folder| (folder, "/rustup")));
            folders.extend(own("CARGO_HOME", ".cargo").map(|folder| (folder, "/cargo")));
            folders.extend(options.crates_of.iter().map(|folder| (folder.clone(), "/profile")));
            folders.push((workspace.to_owned(), "/workspace"));
            folders.sort_by_key(|(folder, _)| folder.as_os_str().len());
        }
        Self { is_static: options.is_static, folders }
    }

    /// What cargo is told: a target of its own keeps the flags from build scripts and macros, which must load shared libraries.
    pub(super) fn arguments(&self) -> &'static [&'static str] {
        if self.is_static { &["--target", "host-tuple"] } else { &[] }
    }

    /// Variables for cargo. Flags that the user gave in the same way come first.
    pub(super) fn variables(&self) -> Vec<(&'static str, OsString)> {
        let own_flags = |flags: Vec<String>, given: Option<String>, separator: &str| {
            OsString::from(given.filter(|given| !given.is_empty()).into_iter().chain(flags).collect::<Vec<_>>().join(separator))
        };
        let remapped = |flag: &str| self.folders.iter().map(|(from, to)| format!("{flag}={}={to}", from.display())).collect::<Vec<_>>();
        let mut rust = remapped("--remap-path-prefix");
        let mut c = remapped("-ffile-prefix-map");
        // White space ends a flag there, and no C compiler would run.
        c.retain(|flag| !flag.contains(char::is_whitespace));
        if self.is_static {
            rust.extend(STATIC.map(str::to_owned));
        }
        let mut variables = Vec::new();
        if !rust.is_empty() {
            let encoded = env::var(RUST_FLAGS).ok();
            let given = encoded.or_else(|| Some(env::var("RUSTFLAGS").ok()?.split_whitespace().collect::<Vec<_>>().join(SEPARATOR)));
            variables.push((RUST_FLAGS, own_flags(rust, given, SEPARATOR)));
        }
        if !c.is_empty() {
            variables.push(("CFLAGS", own_flags(c, env::var("CFLAGS").ok(), " ")));
        }
        variables
    }
}
