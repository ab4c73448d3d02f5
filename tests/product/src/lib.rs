//! What tests of the whole product share: the compiler and the binaries that it makes, a place to run them in, a client of the SDK
//! protocol, the session log as it lies on disk, and the processes of a run. It uses none of the product's own crates, so that a
//! fault in one of them is not on both sides of a comparison.
//!
//! Its functions panic where a test could not go on, and say what they waited for and what the process had said.

mod client;
mod compiler;
mod ended;
mod frame;
mod log;
mod place;
mod scratch;
mod streams;
mod surrogates;

pub use client::{Client, signal, signal_child};
pub use compiler::{binary, binary_with, compile, dsh_build, workspace};
pub use ended::{Ended, run_to_end};
pub use frame::{Frame, events_of};
pub use log::Log;
pub use place::{KEY, Place};
pub use rustix::process::Signal;
pub use scratch::{Said, Scratch};
pub use surrogates::{readable, restored};
