//! What the program says on its two streams. A reader who closed one wants to hear no more, which is no fault.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write, stderr, stdout};

/// Writes a line to standard error, where everything goes that is not the answer. A line that cannot be written is lost: there is
/// no other place to say so.
pub(crate) fn say(line: impl Display) {
    let _ = writeln!(stderr(), "{line}");
}

/// Whether what is said for readers has colour: `NO_COLOR` forbids it, `CLICOLOR_FORCE` asks for it, else a terminal has it.
pub(crate) fn is_coloured() -> bool {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let is_forced = set("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    let is_terminal = || stderr().is_terminal() && set("TERM").is_none_or(|term| term != "dumb");
    set("NO_COLOR").is_none() && (is_forced || is_terminal())
}

/// Writes the answer, or a part of it, to standard output.
///
/// # Errors
/// The stream could not be written, other than because its reader is gone.
pub(crate) fn answer(bytes: &[u8]) -> std::io::Result<()> {
    let mut out = stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}
