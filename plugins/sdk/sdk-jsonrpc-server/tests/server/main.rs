//! The server as its client sees it: frames over a pipe, agents driven by the real loop with a scripted model.

mod client;
mod ending;
mod framing;
mod initializing;
mod prompting;
mod resuming;
mod world;
