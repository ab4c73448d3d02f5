//! The tool outside of its repository: installed, in a folder of the user's own, with plugin crates and a profile that lie there.

mod agent;
mod cookbook;
