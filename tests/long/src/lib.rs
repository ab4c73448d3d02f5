//! What takes long to show. Logs are read and judged here by code of their own, which shares nothing with the product's.

pub mod closers;
pub mod gauge;
pub mod kill;
pub mod long_log;
pub mod model;
pub mod order;
pub mod peer;
pub mod same_bytes;
pub mod soak;
pub mod stored;
