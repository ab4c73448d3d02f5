//! Text of models, tools and people on its way to a terminal.

/// The text without what would control a terminal; line ends and tabs stay.
pub(crate) fn text(text: &str) -> String {
    text.chars().map(|character| if character.is_control() && !matches!(character, '\n' | '\t') { '\u{fffd}' } else { character }).collect()
}

/// The text on one line.
pub(crate) fn line(text: &str) -> String {
    self::text(text).replace(['\n', '\t'], " ")
}

/// The text as lines that stand below a heading.
pub(crate) fn indented(text: &str) -> String {
    let indent = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") };
    self::text(text).lines().map(indent).collect()
}

#[cfg(test)]
mod tests {
    use super::{indented, line};

    #[test]
    fn nothing_controls_the_terminal() {
        assert_eq!(line("a\u{1b}[31mb\nc\td\r\u{9b}"), "a\u{fffd}[31mb c d\u{fffd}\u{fffd}");
        assert_eq!(indented("a\n\n\u{7}b"), "  a\n\n  \u{fffd}b\n");
        assert_eq!(indented(""), "");
    }
}
