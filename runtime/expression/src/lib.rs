//! The expression language of compositions, in one place for the compiler, which folds constants, and for binaries, which
//! evaluate what reads the machine: minijinja's expressions with five filters and a fixed set of names.

mod filters;
mod fixed;

pub use fixed::{Fixed, is_blank};

use minijinja::{Environment, UndefinedBehavior};

/// Names whose values are only known where the binary runs.
pub const MACHINE_NAMES: &[&str] = &["env", "cwd", "home", "platform", "arch"];
/// The one name whose value is known when the binary is compiled.
pub const CONSTANT_NAME: &str = "profile";

/// Whether messages of filters show the value that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It stands in the composition, so it may be shown.
    Shown,
    /// It comes from the environment and may be a secret.
    Hidden,
}

/// An engine for expressions.
#[must_use]
pub fn engine(refused: Refused) -> Environment<'static> {
    let mut engine = Environment::new();
    // An unset variable may be tested and given a default, but no text is built from it.
    engine.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    filters::add(&mut engine, refused);
    engine
}
