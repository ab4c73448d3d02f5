//! The right name that a wrong one was probably meant to be.

/// The candidate nearest to `name`, when one is near enough to be worth showing. The order and the spelling of words do
/// not count: `bash-tool` is near `tool-bash`, `timeout_ms` near `timeoutMs`.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let words = words(name);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .filter_map(|candidate| distance(name, &words, candidate).map(|distance| (distance, candidate)))
        .min()
        .map(|(_, candidate)| candidate)
}

/// `None` when too far.
fn distance(name: &str, name_words: &[String], candidate: &str) -> Option<usize> {
    let candidate_words = words(candidate);
    let plain = strsim::damerau_levenshtein(&name.to_lowercase(), &candidate.to_lowercase());
    let sorted = strsim::damerau_levenshtein(&sorted(name_words), &sorted(&candidate_words));
    let edits = plain.min(sorted);
    let limit = (name.chars().count().max(candidate.chars().count()) + 1) / 3;
    if edits <= limit.max(1) {
        return Some(edits);
    }
    // One name holds all words of the other: `bash` and `bash-local`.
    let holds = |all: &[String], some: &[String]| some.iter().all(|word| all.contains(word));
    let related = !name_words.is_empty() && (holds(&candidate_words, name_words) || holds(name_words, &candidate_words));
    related.then_some(edits + limit)
}

/// Lower-case words of a kebab-case, snake_case or camelCase name.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        let starts = letter.is_uppercase() && words.last().is_some_and(|word| !word.is_empty());
        if starts || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn sorted(words: &[String]) -> String {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    words.sort_unstable();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_what_was_meant() {
        let ids = ["tool-bash", "tool-edit", "session", "timeoutMs"];
        assert_eq!(nearest("bash-tool", ids), Some("tool-bash"));
        assert_eq!(nearest("tool-bsah", ids), Some("tool-bash"));
        assert_eq!(nearest("timeout_ms", ids), Some("timeoutMs"));
        assert_eq!(nearest("edit", ids), Some("tool-edit"));
        assert_eq!(nearest("permission", ids), None);
        assert_eq!(nearest("", ids), None);
    }

    #[test]
    fn a_name_is_not_near_itself() {
        assert_eq!(nearest("session", ["session"]), None);
    }
}
