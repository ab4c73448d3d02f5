//! What `view` shows.

use std::path::{Path, PathBuf};

use dsh_fs::FileKind;

use crate::failure::EditorError;

/// What stands where a view was cut.
const CLIPPED: &str = "<response clipped><NOTE>Only the beginning is shown. Use `view_range`, or view a smaller part.</NOTE>";

/// Names that a listing leaves out besides those that start with a dot.
const EXCLUDED: [&str; 2] = ["node_modules", "__pycache__"];

/// A row of a listing.
pub type Row = (PathBuf, FileKind);

/// Whether a listing shows an entry.
pub fn is_listed(name: &str) -> bool {
    !name.starts_with('.') && !EXCLUDED.contains(&name)
}

/// A file with line numbers, or the lines of a range of it.
pub fn file(path: &Path, content: &str, range: Option<&[i64]>) -> Result<String, EditorError> {
    // The empty piece after a final line end counts as a line.
    let lines: Vec<&str> = content.split('\n').collect();
    let (first, last) = range.map_or(Ok((1, lines.len())), |range| check_range(range, lines.len()))?;
    let shown = range.map(|range| format!(" with view_range=[{}, {}]", range[0], range[1])).unwrap_or_default();
    let total = lines.len();
    let mut text = format!("Here's the content of {} with line numbers (which has a total of {total} lines){shown}:\n", path.display());
    for (line, number) in lines[first - 1..last].iter().zip(first..) {
        text.push_str(&format!("{number:>6}  {line}\n"));
    }
    Ok(text)
}

/// First and last line of a range, both counted from 1 and inside the file.
fn check_range(range: &[i64], total: usize) -> Result<(usize, usize), EditorError> {
    let &[first, last] = range else {
        return Err(EditorError::usage(format!("`view_range` takes exactly two numbers, it has {}", range.len())));
    };
    let inside = |line: i64| usize::try_from(line).ok().filter(|line| (1..=total).contains(line));
    let Some(start) = inside(first) else {
        return Err(EditorError::usage(format!("`view_range` starts at line {first}, but the file has lines 1 to {total}")));
    };
    if last == -1 {
        return Ok((start, total));
    }
    match inside(last) {
        Some(end) if end >= start => Ok((start, end)),
        Some(_) => Err(EditorError::usage(format!("`view_range` ends at line {last}, before it starts at line {first}"))),
        None => Err(EditorError::usage(format!("`view_range` ends at line {last}, but the file has lines 1 to {total}"))),
    }
}

/// A directory with its rows.
pub fn directory(path: &Path, mut rows: Vec<Row>) -> String {
    rows.sort_by(|left, right| left.0.as_os_str().cmp(right.0.as_os_str()));
    let mut text = format!(
        "Entries of {} up to two levels deep, without those that start with a dot, `{}` and `{}`:\n",
        path.display(),
        EXCLUDED[0],
        EXCLUDED[1]
    );
    for (entry, kind) in rows {
        let letter = match kind {
            FileKind::Directory => 'd',
            FileKind::File => 'f',
            FileKind::Other => '?',
        };
        text.push_str(&format!("{letter}\t{}\n", entry.display()));
    }
    text
}

/// Cuts a text after so many UTF-16 code units and says so.
pub fn clip(text: String, max_units: u64) -> String {
    let mut units = 0_u64;
    let cut = text.char_indices().find(|(_, symbol)| {
        units += symbol.len_utf16() as u64;
        units > max_units
    });
    match cut {
        Some((at, _)) => format!("{}{CLIPPED}", &text[..at]),
        None => text,
    }
}
