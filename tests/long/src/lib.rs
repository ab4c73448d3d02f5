//! What takes long to show. Logs are read and judged here by code of their own, which shares nothing with the product's.

pub mod closers;
pub mod kill;
pub mod model;
pub mod order;
pub mod peer;
pub mod stored;
