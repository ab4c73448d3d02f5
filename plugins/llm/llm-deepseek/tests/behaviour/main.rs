//! The adapter against a real HTTP server on this machine.

mod config;
mod connections;
mod failures;
mod replies;
mod requests;
mod server;
mod setup;
