//! Markdown.

use super::described::Described;

/// A table; nothing without rows.
pub(super) fn table<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.iter().map(|text| cell(text)).collect::<Vec<_>>().join(" | "));
    let rows: Vec<[String; N]> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = line(&head.map(str::to_owned)) + &format!("|{}\n", "---|".repeat(N));
    rows.iter().fold(head, |all, row| all + &line(row))
}

/// Texts in backticks with commas between them; a dash when there are none.
pub(super) fn code_list<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> String {
    let texts: Vec<String> = texts.into_iter().map(|text| code(text.as_ref())).collect();
    if texts.is_empty() { "–".to_owned() } else { texts.join(", ") }
}

/// Why a binary could not say it.
pub(super) fn unknown(described: &Described) -> String {
    let told =
        |problem: &String| format!("The binary cannot say it without what a start gives it:\n\n```text\n{}\n```\n\n", problem.trim_end());
    described.problem.as_ref().map(told).unwrap_or_default()
}

/// A text in backticks.
pub(super) fn code(text: &str) -> String {
    // A text with backticks needs longer ones around it.
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

/// The first paragraph of a doc comment, in one line.
pub(super) fn first_paragraph(doc: &str) -> String {
    doc.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A text, or a dash.
pub(super) fn or_dash(text: &str) -> String {
    if text.is_empty() { "–".to_owned() } else { text.to_owned() }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").lines().collect::<Vec<_>>().join(" ")
}
