//! Registration, layering, assembly and rendering.

mod assembly;
mod registration;
mod tools;
mod world;
