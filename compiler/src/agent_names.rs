//! How what is built from a profile is called.

/// Package of a profile's generated crate.
#[must_use]
pub fn package(profile: &str) -> String {
    format!("dsh-agent-{profile}")
}

/// Binary of a profile's generated crate.
#[must_use]
pub fn binary(profile: &str) -> String {
    format!("dsh-{profile}")
}
