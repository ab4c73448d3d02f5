//! The tool's arguments.

use dsh_runtime::tool_args;

/// What to do.
#[tool_args]
#[derive(PartialEq, Eq)]
pub enum Command {
    /// Show a file or a directory.
    View,
    /// Make a new file.
    Create,
    /// Replace a text in a file.
    StrReplace,
    /// Put lines into a file.
    Insert,
}

/// Arguments of the tool.
#[tool_args]
pub struct EditorArgs {
    /// What to do.
    pub command: Command,
    /// Absolute path of the file or directory.
    pub path: String,
    /// Content of the new file; required by `create`.
    pub file_text: Option<String>,
    /// Text to replace, which must occur exactly once, white space included; required by `str_replace`.
    pub old_str: Option<String>,
    /// Text to put in; required by `insert`. With `str_replace` it may be left out to delete `old_str`.
    pub new_str: Option<String>,
    /// Line after which `insert` puts `new_str`; 0 puts it before the first line.
    pub insert_line: Option<i64>,
    /// First and last line that `view` shows of a file, counted from 1; a last line of -1 means the end.
    pub view_range: Option<Vec<i64>>,
}
