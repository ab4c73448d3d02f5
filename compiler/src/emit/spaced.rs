//! Empty lines between items.

/// An empty line before each item of the top level but between imports, which the formatter leaves out.
pub(super) fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let (mut before, mut before_is_import) = ("", false);
    for line in text.lines() {
        let is_comment = line.starts_with("//") || line.starts_with('#');
        let starts_item = is_comment || line.starts_with(|first: char| first.is_alphabetic());
        let is_import = line.starts_with("use ");
        let continues = before.is_empty() || before.starts_with("//") || before.starts_with('#') || (is_import && before_is_import);
        if starts_item && !continues {
            spaced.push('\n');
        }
        spaced.push_str(line);
        spaced.push('\n');
        before = line;
        before_is_import = if starts_item { is_import } else { before_is_import };
    }
    spaced
}
