//! Columns for readers.

use std::fmt;

/// Writes a heading and lines with aligned cells, two spaces apart. The last cell of a line may have any length.
pub(super) fn write_table<const N: usize>(
    out: &mut fmt::Formatter<'_>,
    heading: [&str; N],
    lines: impl Iterator<Item = [String; N]>,
) -> fmt::Result {
    let lines: Vec<[String; N]> = std::iter::once(heading.map(str::to_owned)).chain(lines).collect();
    let widths: [usize; N] = std::array::from_fn(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0));
    for line in &lines {
        let cells: Vec<String> = line.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}
