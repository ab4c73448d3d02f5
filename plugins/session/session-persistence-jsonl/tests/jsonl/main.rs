//! The store as sessions and their readers see it: real files, compared after the fact.

mod any_input;
mod child;
mod claiming;
mod compressed;
mod damaged_frames;
mod failing;
mod forks;
mod gates;
mod inspecting;
mod legacy;
mod listing;
mod live;
mod locking;
mod packing;
mod repairing;
mod resuming;
mod torn;
mod torn_everywhere;
mod torn_frames;
mod vocabulary;
mod waiting;
mod world;
mod writing;
