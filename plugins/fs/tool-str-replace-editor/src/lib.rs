//! The tool `str_replace_editor`: views, creates and edits text files over the service of files.

mod args;
mod config;
mod desk;
mod editor;
mod failure;
mod view;

pub use args::{Command, EditorArgs};
pub use config::Config;
pub use editor::{Inject, StrReplaceEditor};
