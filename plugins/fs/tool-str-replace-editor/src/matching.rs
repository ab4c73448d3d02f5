//! Finding the one place of a text, and putting another in.

/// Most places of a repeated text that are told.
const MAX_PLACES: usize = 20;

/// Why a text was not replaced.
#[derive(Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// It does not occur.
    Absent,
    /// It occurs more than once.
    Repeated {
        /// How often, at least.
        count: usize,
        /// Where the first occurrences begin, in bytes.
        places: Vec<usize>,
    },
}

/// The content with `new` in place of `old`, which is not empty and must occur exactly once. Occurrences that overlap are two: which of
/// them is meant, nothing tells.
pub fn replaced(content: &str, old: &str, new: &str) -> Result<String, Mismatch> {
    let at = content.find(old).ok_or(Mismatch::Absent)?;
    let next = at + content[at..].chars().next().map_or(0, char::len_utf8);
    if let Some(second) = content[next..].find(old) {
        // Those that lie side by side are all counted; of those that overlap, two are enough.
        let places: Vec<usize> = content.match_indices(old).take(MAX_PLACES).map(|(place, _)| place).collect();
        return Err(match places.len() {
            1 => Mismatch::Repeated { count: 2, places: vec![at, next + second] },
            _ => Mismatch::Repeated { count: content.matches(old).count(), places },
        });
    }
    Ok([&content[..at], new, &content[at + old.len()..]].concat())
}

#[cfg(test)]
mod fuzz;
