//! What agents are to everybody but their driver: the inbox, the registry, its runtime check.

mod inbox;
mod record;
mod registry;
mod world;
