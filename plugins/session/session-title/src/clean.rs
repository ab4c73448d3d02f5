//! Text of a prompt as one line that a terminal and a list can show.

const ESC: char = '\u{1b}';
const BEL: char = '\u{7}';
/// Control characters of eight bits that stand for an escape and a second character.
const C1_CSI: char = '\u{9b}';
const C1_OSC: char = '\u{9d}';
const C1_ST: char = '\u{9c}';

/// Removes terminal sequences and invisible controls, and turns each run of white space into one space.
pub fn clean(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        match sequence(rest) {
            Some(length) => rest = &rest[length..],
            None => {
                if !is_invisible(first) {
                    visible.push(first);
                }
                rest = &rest[first.len_utf8()..];
            }
        }
    }
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Length in bytes of the terminal sequence with which a text starts.
fn sequence(text: &str) -> Option<usize> {
    if let Some(body) = text.strip_prefix("\u{1b}[").or_else(|| text.strip_prefix(C1_CSI))
        && let Some(length) = control_sequence(body)
    {
        return Some(text.len() - body.len() + length);
    }
    if let Some(body) = text.strip_prefix("\u{1b}]").or_else(|| text.strip_prefix(C1_OSC))
        && let Some(length) = operating_system_command(body)
    {
        return Some(text.len() - body.len() + length);
    }
    // A two-byte sequence, also the start of a longer one that never ends: what follows is text.
    let second = text.strip_prefix(ESC)?.chars().next()?;
    matches!(second, '@'..='_').then_some(2)
}

/// Parameters, intermediates and one final byte (ECMA-48, 5.4).
fn control_sequence(body: &str) -> Option<usize> {
    let end = body.find(|byte| !matches!(byte, ' '..='?'))?;
    let (parameters, last) = body.split_at(end);
    let intermediates = parameters.trim_start_matches(|byte| matches!(byte, '0'..='?'));
    let well_formed = intermediates.chars().all(|byte| matches!(byte, ' '..='/'));
    (well_formed && last.starts_with(|byte| matches!(byte, '@'..='~'))).then_some(end + 1)
}

/// Everything up to a bell or a string terminator.
fn operating_system_command(body: &str) -> Option<usize> {
    let end = body.find([BEL, ESC, C1_ST])?;
    let after = &body[end..];
    match after.chars().next()? {
        ESC => after.starts_with("\u{1b}\\").then_some(end + 2),
        terminator => Some(end + terminator.len_utf8()),
    }
}

/// Controls that are no white space, and characters that only steer direction or joining.
fn is_invisible(character: char) -> bool {
    match character {
        '\t'..='\r' => false,
        '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' => true,
        '\u{2066}'..='\u{206f}' | '\u{feff}' => true,
        other => other.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn terminal_sequences_and_controls_vanish() {
        for (input, expected) in [
            ("\u{1b}[31mred\u{1b}[0m text", "red text"),
            ("\u{9b}1;2mred", "red"),
            ("\u{1b}]0;window\u{7}shown", "shown"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{9d}0;window\u{9c}shown", "shown"),
            ("\u{1b}Mup", "up"),
            ("a\u{0}b\u{7f}c\u{85}d", "abcd"),
            ("a\u{200b}b\u{202e}c\u{2066}d\u{feff}e", "abcde"),
            ("\u{1b}", ""),
        ] {
            assert_eq!(clean(input), expected, "{input:?}");
        }
    }

    #[test]
    fn a_sequence_that_never_ends_does_not_swallow_the_text() {
        assert_eq!(clean("\u{1b}]0;the rest of the prompt"), "0;the rest of the prompt");
        assert_eq!(clean("\u{1b}[12"), "12");
        assert_eq!(clean("\u{1b}[1 2m"), "1 2m");
    }

    #[test]
    fn white_space_of_any_kind_becomes_one_space() {
        assert_eq!(clean("  one\r\n\ttwo\u{a0}\u{3000}three\u{2028}four  "), "one two three four");
    }
}
