//! A secret cannot be a field of a diagnostic.

use dsh_runtime::SecretValue;

fn log(key: &SecretValue) {
    tracing::info!(key, "a call");
}

fn main() {}
