//! The imports of the wiring: of all that it may use, what it does.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

/// Path and name of everything that the wiring may name without a path.
const CANDIDATES: [(&str, &str); 18] = [
    ("dsh_runtime::boot", "Boot"),
    ("dsh_runtime::boot", "BootError"),
    ("dsh_runtime::boot", "Entries"),
    ("dsh_runtime::boot", "contributed"),
    ("dsh_runtime", "BoxFuture"),
    ("dsh_runtime", "Declared"),
    ("dsh_runtime", "Evaluator"),
    ("dsh_runtime", "Identity"),
    ("dsh_runtime", "Mounted"),
    ("dsh_runtime", "NoConfig"),
    ("dsh_runtime", "NoInject"),
    ("dsh_runtime", "SecretEnv"),
    ("dsh_runtime", "Site"),
    ("dsh_runtime", "Topic"),
    ("std::collections", "BTreeMap"),
    ("std::path", "PathBuf"),
    ("", ""),
    ("", ""),
];
