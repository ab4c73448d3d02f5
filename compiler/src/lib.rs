//! The compiler: from a profile in YAML and the declarations in plugin sources to one small binary.
//!
//! Each stage is a module with one input type and one output type. `load`, `crates` and `index` read, `resolve`, `check`, `plan` and
//! `emit` are pure, `build` and `sync` write. Nothing flows back. `ask` answers questions about what the stages up to `plan` yield,
//! `schema` makes schemas for editors from the index, and `import` translates compositions of the reference.

mod agent_names;
pub mod ask;
pub mod build;
mod catalog;
pub mod check;
pub mod cli;
mod compile;
mod console;
mod crates;
mod demo;
pub mod diagnostics;
pub mod emit;
pub mod import;
pub mod index;
pub mod inventory;
mod kept;
pub mod load;
mod lock;
mod mirror;
pub mod plan;
mod replace;
pub mod resolve;
mod scaffold;
pub mod schema;
pub mod sync;
pub mod verify;
pub mod workspace;
