//! The front half of the compiler in one view: from files to a composition about which nothing is left to refuse.
//!
//! ```text
//! load(request) ─► Loaded ─► resolve ─► Composition ─► check(…, index) ─► Checked
//! ```
//!
//! Each stage reports what it finds into one [`Diagnostics`] and goes on with what is sound, so that a run shows all problems
//! together and none that only follows from another. Only `load` reads files.

pub use crate::check::{Checked, check};
pub use crate::diagnostics::{Class, Diagnostic, Diagnostics, Severity, Style};
pub use crate::load::{LoadRequest, Loaded, Profile, load};
pub use crate::resolve::{Composition, Row, resolve};
