//! A lock that one process at a time holds.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::Path;

use crate::console::say;

/// The system releases it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of a file, after whoever holds it, and notes in the file who holds it now. The file is made where it is missing.
    pub(crate) fn take(path: &Path) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = File::options().create(true).truncate(false).write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                say(format_args!("dsh-build: waiting for {}", holder(path)));
                file.lock()?;
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        file.set_len(0)?;
        // Who waits can do without.
        let _ = file.write_all(own_note().as_bytes());
        Ok(Self { _file: file })
    }
}

/// Who holds the lock of a file, as far as is known.
fn holder(path: &Path) -> String {
    let note = fs::read_to_string(path).unwrap_or_default();
    let folder = path.parent().unwrap_or(path).display();
    match note.trim() {
        "" => format!("another run, which works in `{folder}`"),
        note => format!("{note}, which works in `{folder}`"),
    }
}

/// What the file says of this process.
fn own_note() -> String {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().replace(char::is_control, " ")).collect();
    format!("process {} (`dsh-build {}`)\n", std::process::id(), words.join(" "))
}
