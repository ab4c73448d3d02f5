//! The table of all rules.

use super::Rule;

/// Every rule of every stage, by code. A rule that is not here fails the test below, as does a code given twice.
#[must_use]
pub fn rules() -> Vec<&'static Rule> {
    let own = [
        crate::load::rules::ALL,
        crate::crates::rules::ALL,
        crate::resolve::rules::ALL,
        crate::check::rules::ALL,
        crate::index::rules::ALL,
        crate::build::rules::ALL,
        crate::sync::rules::ALL,
        crate::catalog::rules::ALL,
    ];
    let mut rules = dsh_language::rules();
    rules.extend(own.into_iter().flatten().copied());
    rules.extend(crate::verify::rules());
    rules.sort_by_key(|rule| rule.code);
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_well_formed() {
        let rules = rules();
        for pair in rules.windows(2) {
            assert_ne!(pair[0].code, pair[1].code, "`{}` and `{}`", pair[0].meaning, pair[1].meaning);
        }
        for rule in rules {
            let digits = rule.code.strip_prefix("DSH").unwrap_or_default();
            assert!(digits.len() == 4 && digits.bytes().all(|digit| digit.is_ascii_digit()), "{}", rule.code);
            assert!(!rule.meaning.is_empty() && !rule.doc.is_empty(), "{}", rule.code);
        }
    }
}
