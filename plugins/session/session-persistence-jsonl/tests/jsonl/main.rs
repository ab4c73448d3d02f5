//! The store as sessions and their readers see it: real files, compared after the fact.

mod failing;
mod gates;
mod legacy;
mod listing;
mod live;
mod packing;
mod repairing;
mod resuming;
mod torn;
mod waiting;
mod world;
mod writing;
