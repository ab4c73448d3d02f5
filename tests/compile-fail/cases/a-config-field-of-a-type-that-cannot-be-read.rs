//! Config is read from YAML and from expressions, which have values of a few types.

use dsh_runtime::config;
use std::time::Duration;

/// How a lamp shines.
#[config]
pub struct Config {
    /// How long it stays on.
    pub stays_on: Duration,
    /// How its rooms are called.
    pub rooms: &'static str,
    /// How bright it is.
    pub level: i32,
}

fn main() {}
