//! Config types with a field of every kind; read as source by the test and compiled into it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dsh_runtime::{SecretEnv, config};

/// How much is said.
#[config]
pub enum Manner {
    /// Little.
    Brief,
    /// Much.
    VeryLong,
}

/// One route.
#[config]
pub struct Route {
    /// Its name.
    #[config(non_empty, one_of = ["near", "far"])]
    pub name: String,
    /// Its weight.
    #[config(default = 0.5, min = 0, max = 1.5)]
    pub weight: f64,
}

/// All kinds of fields.
///
/// Only the first line of a doc is told.
#[config]
pub struct Config {
    /// A text.
    /// On two lines.
    #[config(default = "hello", non_blank)]
    pub text: String,
    #[config(default = true)]
    pub flag: bool,
    /// Another name in YAML.
    #[config(name = "baseURL", default = "http://127.0.0.1")]
    pub base_url: String,
    /// A raw name.
    #[config(default = 1)]
    pub r#type: u16,
    #[config(default = 2)]
    pub small: u32,
    #[config(default = -3, min = -10)]
    pub signed: i64,
    #[config(default = 300_000, max = 2_147_483_647)]
    pub timeout_ms: u64,
    pub count: Option<usize>,
    pub root: PathBuf,
    pub key_env: SecretEnv,
    #[config(default = "very-long")]
    pub manner: Manner,
    #[config(default = ["a", "b"], non_empty)]
    pub words: Vec<String>,
    #[config(default = {})]
    pub extra: BTreeMap<String, String>,
    pub routes: Vec<Route>,
    pub weights: Option<BTreeMap<String, Vec<f64>>>,
}
