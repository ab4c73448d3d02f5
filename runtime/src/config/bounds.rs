//! The bounds of config fields; `#[config]` writes the calls. Each adds a problem at `path` when its bound is broken.

use std::cmp::Ordering;
use std::fmt::Display;

use super::ConfigProblem;

/// `min`, inclusive.
pub fn at_least<T: PartialOrd + Display>(path: &str, value: T, min: T, problems: &mut Vec<ConfigProblem>) {
    if !matches!(value.partial_cmp(&min), Some(Ordering::Greater | Ordering::Equal)) {
        report(path, format!("`{value}` is below the minimum {min}"), problems);
    }
}

/// `max`, inclusive.
pub fn at_most<T: PartialOrd + Display>(path: &str, value: T, max: T, problems: &mut Vec<ConfigProblem>) {
    if !matches!(value.partial_cmp(&max), Some(Ordering::Less | Ordering::Equal)) {
        report(path, format!("`{value}` is above the maximum {max}"), problems);
    }
}

/// At least one character, element or entry; `empty` is what the value says of itself.
pub fn non_empty(path: &str, empty: bool, problems: &mut Vec<ConfigProblem>) {
    if empty {
        report(path, "must not be empty".to_owned(), problems);
    }
}

/// At least one character that is not white space.
pub fn non_blank(path: &str, value: &str, problems: &mut Vec<ConfigProblem>) {
    if value.trim().is_empty() {
        report(path, "must not be blank".to_owned(), problems);
    }
}

/// One of a few words.
pub fn one_of(path: &str, value: &str, words: &[&str], problems: &mut Vec<ConfigProblem>) {
    if !words.contains(&value) {
        let list = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        report(path, format!("`{value}` is not one of {list}"), problems);
    }
}

fn report(path: &str, message: String, problems: &mut Vec<ConfigProblem>) {
    problems.push(ConfigProblem { place: path.to_owned(), message });
}
