//! The tool `str_replace_editor`: views, creates and edits text files over the service of files.

mod access;
mod args;
mod commands;
mod config;
mod editor;
mod failure;
mod listing;
mod matching;
mod view;

pub use args::{Command, EditorArgs};
pub use config::Config;
pub use editor::{Inject, StrReplaceEditor};
