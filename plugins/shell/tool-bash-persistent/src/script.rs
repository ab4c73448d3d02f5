//! What is typed to the shell.
//!
//! A command becomes one line: a start marker, the command through `eval`, an end marker with the status. `eval` keeps syntax
//! errors and open quotes inside the command, and its standard input is empty, so that nothing waits for keys. The prompt is an
//! end marker too, for as long as the command runs: bash gives up a line when a command of it dies from an interrupt, and then
//! shows its prompt.

/// Begins and ends a marker: the record separator, which text does not hold.
pub const MARK: u8 = 0x1e;

/// Where the shell prints markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerOutput {
    /// The terminal itself, so that a command may redirect the shell's own output.
    Terminal,
    /// The shell's output: the terminal cannot be opened by its name here.
    Output,
}

/// A line that prints an end marker with status 0 when the terminal can be opened by its name.
pub fn probe(nonce: &str) -> String {
    format!("{{ : >/dev/tty; }} 2>/dev/null; \\builtin printf '\\036{nonce}:%d\\036' \"$?\"\n")
}

/// The line for a command.
pub fn line(command: &str, nonce: &str, output: MarkerOutput) -> String {
    let to = match output {
        MarkerOutput::Terminal => ">/dev/tty 2>/dev/null",
        MarkerOutput::Output => "2>/dev/null",
    };
    let quoted = quote(command);
    // The backslash keeps aliases away, `builtin` functions.
    format!(
        "PS1=$'\\036{nonce}:$?\\036' PS2=; {{ \\builtin printf '\\036{nonce}\\036'; }} {to}; \
         \\builtin eval -- {quoted} </dev/null; {{ \\builtin printf '\\036{nonce}:%d\\036' \"$?\"; }} {to}; PS1=\n"
    )
}

/// The command as one word on one line. `!` is written by its number too, or the shell would look for an earlier command.
fn quote(command: &str) -> String {
    let mut word = String::with_capacity(command.len() + 16);
    word.push_str("$'");
    for character in command.chars() {
        match character {
            '\\' => word.push_str("\\\\"),
            '\'' => word.push_str("\\'"),
            '\n' => word.push_str("\\n"),
            '!' | '\0'..='\x1f' | '\x7f' => word.push_str(&format!("\\{:03o}", u32::from(character))),
            _ => word.push(character),
        }
    }
    word.push('\'');
    word
}
