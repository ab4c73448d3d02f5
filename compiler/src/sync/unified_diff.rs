//! Differences of two texts by lines, in the form that `diff -u` and `patch` have.

use std::fmt::Write;
use std::ops::Range;

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// Above this many pairs of lines the middle of two texts is shown as replaced whole: a shorter answer would take too long.
const MOST_PAIRS: usize = 16_000_000;

/// One step from the old text to the new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Keep,
    Remove,
    Add,
}

/// The difference of two texts, each line with its sign; empty when they are equal.
pub(super) fn unified_diff(name: &str, old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let steps = steps(&old, &new);
    let mut text = String::new();
    for hunk in hunks(&steps) {
        if text.is_empty() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "--- {name}\n+++ {name}");
        }
        write_hunk(&mut text, &steps, hunk, &old, &new);
    }
    text
}

/// Ranges of steps that hold changes with their context.
fn hunks(steps: &[Step]) -> Vec<Range<usize>> {
    let mut hunks: Vec<Range<usize>> = Vec::new();
    for at in (0..steps.len()).filter(|at| steps[*at] != Step::Keep) {
        let (start, end) = (at.saturating_sub(CONTEXT), (at + CONTEXT + 1).min(steps.len()));
        match hunks.last_mut() {
            Some(last) if start <= last.end => last.end = end,
            _ => hunks.push(start..end),
        }
    }
    hunks
}

fn write_hunk(text: &mut String, steps: &[Step], hunk: Range<usize>, old: &[&str], new: &[&str]) {
    let count = |range: &[Step], sides: [Step; 2]| range.iter().filter(|step| sides.contains(step)).count();
    let (before, inside) = (&steps[..hunk.start], &steps[hunk]);
    let (mut old_at, mut new_at) = (count(before, [Step::Keep, Step::Remove]), count(before, [Step::Keep, Step::Add]));
    let (old_count, new_count) = (count(inside, [Step::Keep, Step::Remove]), count(inside, [Step::Keep, Step::Add]));
    // A side without lines is named by the line before it, as `diff` does.
    let first = |at: usize, count: usize| if count == 0 { at } else { at + 1 };
    let _ = writeln!(text, "@@ -{},{old_count} +{},{new_count} @@", first(old_at, old_count), first(new_at, new_count));
    for step in inside {
        let (sign, line) = match step {
            Step::Keep => (' ', old[old_at]),
            Step::Remove => ('-', old[old_at]),
            Step::Add => ('+', new[new_at]),
        };
        let _ = writeln!(text, "{sign}{line}");
        old_at += usize::from(*step != Step::Add);
        new_at += usize::from(*step != Step::Remove);
    }
}

/// The fewest removed and added lines: equal lines at both ends are kept, the rest goes by longest common subsequence.
fn steps(old: &[&str], new: &[&str]) -> Vec<Step> {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(old, new)| old == new).count();
    let (old_middle, new_middle) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    let mut steps = vec![Step::Keep; start];
    if old_middle.len().saturating_mul(new_middle.len()) > MOST_PAIRS {
        steps.extend(old_middle.iter().map(|_| Step::Remove).chain(new_middle.iter().map(|_| Step::Add)));
    } else {
        common(old_middle, new_middle, &mut steps);
    }
    steps.extend(vec![Step::Keep; end]);
    steps
}

fn common(old: &[&str], new: &[&str], steps: &mut Vec<Step>) {
    let width = new.len() + 1;
    // Length of the longest common subsequence of the two rests.
    let mut longest = vec![0_u32; (old.len() + 1) * width];
    for (row, line) in old.iter().enumerate().rev() {
        for (column, other) in new.iter().enumerate().rev() {
            let (below, right) = (longest[(row + 1) * width + column], longest[row * width + column + 1]);
            longest[row * width + column] = if line == other { longest[(row + 1) * width + column + 1] + 1 } else { below.max(right) };
        }
    }
    let (mut row, mut column) = (0, 0);
    while row < old.len() || column < new.len() {
        let step = match (old.get(row), new.get(column)) {
            (Some(line), Some(other)) if line == other => Step::Keep,
            (Some(_), Some(_)) if longest[(row + 1) * width + column] >= longest[row * width + column + 1] => Step::Remove,
            (Some(_), None) => Step::Remove,
            _ => Step::Add,
        };
        row += usize::from(step != Step::Add);
        column += usize::from(step != Step::Remove);
        steps.push(step);
    }
}

#[cfg(test)]
mod tests {
    use super::unified_diff;

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(unified_diff("a", "x\ny\n", "x\ny\n"), "");
    }

    #[test]
    fn shows_changes_with_context() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
        let new = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n11\n12\n13\n";
        let expected = "--- a\n+++ a\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -10,3 +10,4 @@\n 10\n 11\n 12\n+13\n";
        assert_eq!(unified_diff("a", old, new), expected);
    }

    #[test]
    fn shows_a_new_file() {
        assert_eq!(unified_diff("a", "", "x\n"), "--- a\n+++ a\n@@ -0,0 +1,1 @@\n+x\n");
    }
}
