//! The programs of `docs/primer.md`, run. Each module is what a crate of its own would hold.

mod events;
mod listeners;
mod page;
mod pocket_dictionary;
mod translator;
