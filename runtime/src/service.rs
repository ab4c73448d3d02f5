//! Services: what plugins offer each other, known by type.

/// A type that plugins may inject as `Arc<Self>`; implemented by `#[service]` for `dyn Trait` or for a concrete type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a service",
    note = "put `#[service(key = \"…\")]` on the trait (then it is `dyn Trait`) or on the type"
)]
pub trait Service: Send + Sync {
    /// `package::Type`, the identity that the compiler resolves and the wiring asserts.
    const ID: &'static str;
    /// The id behind a `?`: how an inject struct states that it can do without the service.
    const OPTIONAL_ID: &'static str;
    /// Key by which profiles and diagnostics call it.
    const KEY: &'static str;
    /// Digest of its declaration.
    const DIGEST: u64;
}
