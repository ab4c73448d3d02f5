//! Conditions: what `disabled` says of the machine, and which combinations of them can occur.

use std::collections::BTreeSet;

use dsh_language::check::tokens::{Token, is_bracketed, outermost, tokens};

use crate::diagnostics::Place;

/// Most conditions of a composition: each doubles the number of graphs that must hold.
pub const MOST_CONDITIONS: usize = 8;

/// The conditions of a composition. `c` and `not c` are one condition, which is true or false.
#[derive(Default)]
pub struct Conditions {
    known: Vec<Condition>,
}

struct Condition {
    /// What it is told apart by: its tokens.
    tokens: Vec<String>,
    /// Its text, not negated.
    text: String,
    /// Where it stands first.
    place: Place,
}

/// A condition or its opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Literal {
    condition: usize,
    is_negated: bool,
}

/// One way in which the conditions of a composition can turn out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Combination(u16);

impl Combination {
    /// Whether a row with `literal` as its `disabled` is off.
    #[must_use]
    pub fn makes(self, literal: Literal) -> bool {
        self.is_true(literal.condition) != literal.is_negated
    }

    fn is_true(self, condition: usize) -> bool {
        self.0 >> condition & 1 == 1
    }
}

impl Conditions {
    /// The condition of an expression that reads the machine, remembered when it is new.
    pub fn add(&mut self, text: &str, place: &Place) -> Literal {
        let Normal { tokens, is_negated } = normal(tokens(text));
        let key: Vec<String> = tokens.iter().map(Token::canonical).collect();
        let condition = self.known.iter().position(|known| known.tokens == key).unwrap_or_else(|| {
            self.known.push(Condition { tokens: key, text: spelled(&tokens), place: place.clone() });
            self.known.len() - 1
        });
        Literal { condition, is_negated }
    }

    /// Number of conditions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Text and place of each.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Place)> {
        self.known.iter().map(|condition| (condition.text.as_str(), &condition.place))
    }

    /// Every combination that can occur; of too many conditions, the one in which all are false.
    #[must_use]
    pub fn combinations(&self) -> Vec<Combination> {
        if self.len() > MOST_CONDITIONS {
            return vec![Combination(0)];
        }
        (0..1_u16 << self.len()).map(Combination).filter(|combination| self.can_occur(*combination)).collect()
    }

    /// A value is not equal to two constants at once.
    fn can_occur(&self, combination: Combination) -> bool {
        let mut equal: Vec<(&[String], &String)> = Vec::new();
        for (_, condition) in self.known.iter().enumerate().filter(|(at, _)| combination.is_true(*at)) {
            let Some((value, constant)) = equality(&condition.tokens) else { continue };
            if equal.iter().any(|(other, known)| *other == value && *known != constant) {
                return false;
            }
            equal.push((value, constant));
        }
        true
    }

    /// Words for what makes a problem occur: of `combination`, the conditions without which it would not occur in all of `breaking`.
    /// `None` when it always does.
    #[must_use]
    pub fn cause(&self, combination: Combination, breaking: &BTreeSet<Combination>) -> Option<String> {
        let all = self.combinations();
        let agrees = |other: Combination, held: &[usize]| held.iter().all(|at| other.is_true(*at) == combination.is_true(*at));
        let suffices = |held: &[usize]| all.iter().filter(|other| agrees(**other, held)).all(|other| breaking.contains(other));
        let mut held: Vec<usize> = (0..self.len()).collect();
        for condition in 0..self.len() {
            let without: Vec<usize> = held.iter().copied().filter(|at| *at != condition).collect();
            if suffices(&without) {
                held = without;
            }
        }
        let word = |at: &usize| format!("`{}` is {}", self.known[*at].text, combination.is_true(*at));
        let words: Vec<String> = held.iter().map(word).collect();
        (!words.is_empty()).then(|| words.join(" and "))
    }
}

/// An expression without the negations around it.
struct Normal<'t> {
    tokens: Vec<Token<'t>>,
    is_negated: bool,
}

/// Takes brackets and negations off, as long as what is left means the same or the opposite.
fn normal(mut tokens: Vec<Token<'_>>) -> Normal<'_> {
    let mut is_negated = false;
    loop {
        if is_bracketed(&tokens) {
            tokens = tokens[1..tokens.len() - 1].to_vec();
            continue;
        }
        let outer = outermost(&tokens);
        let has = |word: &str| outer.iter().any(|at| tokens[*at].is(word));
        // What binds weaker than `not` would be cut in two.
        if has("and") || has("or") || has("if") {
            break;
        }
        if tokens.first().is_some_and(|first| first.is("not")) {
            tokens.remove(0);
        } else if let Some(at) = negation(&tokens, &outer) {
            match tokens[at] {
                Token::Sign("!=") => tokens[at] = Token::Sign("=="),
                Token::Word("undefined") => tokens[at] = Token::Word("defined"),
                _ => drop(tokens.remove(at)),
            }
        } else {
            break;
        }
        is_negated = !is_negated;
    }
    Normal { tokens, is_negated }
}

/// The token that turns the only comparison or test of an expression into its opposite.
fn negation(tokens: &[Token<'_>], outer: &[usize]) -> Option<usize> {
    let comparisons: Vec<usize> = outer.iter().copied().filter(|at| tokens[*at].compares()).collect();
    match comparisons.as_slice() {
        [at] if tokens[*at].is("!=") => Some(*at),
        [at] if tokens[*at].is("in") => at.checked_sub(1).filter(|before| tokens[*before].is("not")),
        [at] if tokens[*at].is("is") && binds_all(tokens, outer, *at) => {
            let after = at + 1;
            let is_last = after + 1 == tokens.len();
            tokens.get(after).filter(|next| next.is("not") || (next.is("undefined") && is_last)).map(|_| after)
        }
        _ => None,
    }
}

/// Whether the test at `is` looks at all that stands before it: signs of arithmetic would bind weaker.
fn binds_all(tokens: &[Token<'_>], outer: &[usize], is: usize) -> bool {
    let weaker = ["+", "-", "*", "/", "%", "~", "not"];
    outer.iter().take_while(|at| **at < is).all(|at| !weaker.iter().any(|sign| tokens[*at].is(sign)))
}

/// What is compared and the constant that it is compared with, where a condition is `value == constant`.
fn equality(tokens: &[String]) -> Option<(&[String], &String)> {
    let [value @ .., sign, constant] = tokens else { return None };
    // What stands before the sign is all compared with the constant, unless something there binds weaker.
    let weaker = ["and", "or", "not", "if", "else", "in", "is", "==", "!=", "<", ">", "<=", ">="];
    let mut depth = 0_usize;
    let is_plain = !value.iter().any(|token| {
        match token.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && weaker.contains(&token.as_str())
    });
    let is_constant = constant.starts_with('\'') && !constant.contains('\\') || constant.bytes().all(|byte| byte.is_ascii_digit());
    (sign == "==" && is_plain && is_constant).then_some((value, constant))
}

/// Tokens as a person writes them.
fn spelled(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    let mut before: Option<&Token<'_>> = None;
    for token in tokens {
        let is_tight = |before: &Token<'_>| {
            let follows = [".", "(", "["].iter().any(|sign| before.is(sign));
            let precedes = [".", ")", "]", ","].iter().any(|sign| token.is(sign));
            follows || precedes || (token.is("(") || token.is("[")) && before.is_name()
        };
        if before.is_some_and(|before| !is_tight(before)) {
            text.push(' ');
        }
        text.push_str(token.text());
        before = Some(token);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::SourceFile;

    fn literal(conditions: &mut Conditions, text: &str) -> Literal {
        conditions.add(text, &Place::start_of(&SourceFile::new("a.yml", "")))
    }

    #[test]
    fn opposites_are_one_condition() {
        let opposites = [
            ("env.A", "not env.A"),
            ("env.A | bool", "not (env.A|bool)"),
            ("env.A == 'x'", "env.A != \"x\""),
            ("env.A is defined", "env.A is not defined"),
            ("env.A is defined", "env.A is undefined"),
            ("env.A in ['a', 'b']", "env.A not in ['a', 'b']"),
            ("env.A and env.B", "not (env.A and env.B)"),
            ("not not (env.A)", "not env.A"),
        ];
        for (one, other) in opposites {
            let mut conditions = Conditions::default();
            let (one, other) = (literal(&mut conditions, one), literal(&mut conditions, other));
            assert_eq!(conditions.len(), 1);
            assert_ne!(one, other);
        }
    }

    #[test]
    fn what_only_looks_alike_is_not() {
        let pairs = [
            ("not env.A and env.B", "env.A and env.B"),
            ("env.A == env.B is not defined", "env.A == env.B is defined"),
            ("'a' ~ env.A is not defined", "'a' ~ env.A is defined"),
            ("(env.A) == (env.B)", "env.A == env.B"),
            ("env.A == 'not  x'", "env.A == 'not x'"),
            ("env.A", "env.B"),
        ];
        for (one, other) in pairs {
            let mut conditions = Conditions::default();
            let (one, other) = (literal(&mut conditions, one), literal(&mut conditions, other));
            assert_ne!(one.condition, other.condition);
        }
    }

    #[test]
    fn a_value_has_one_of_several_constants() {
        let mut conditions = Conditions::default();
        for text in ["env.A == 'x'", "env.A == 'y'", "env.B == 'x'"] {
            literal(&mut conditions, text);
        }
        assert_eq!(conditions.combinations().len(), 6, "both `env.A == 'x'` and `env.A == 'y'` cannot be true");
        for (one, other, combinations) in [
            ("env.A | default('') == 'x'", "env.A | default(\"\") == 'y'", 3),
            ("(env.A or 'x') == 'x'", "(env.A or 'x') == 'y'", 3),
            ("env.A or env.B == 'x'", "env.A or env.B == 'y'", 4),
        ] {
            let mut conditions = Conditions::default();
            literal(&mut conditions, one);
            literal(&mut conditions, other);
            assert_eq!(conditions.combinations().len(), combinations, "{one}, {other}");
        }
    }

    #[test]
    fn a_cause_names_what_matters() {
        let mut conditions = Conditions::default();
        for text in ["env.A", "not env.B", "env.C is undefined"] {
            literal(&mut conditions, text);
        }
        let all = conditions.combinations();
        let breaking: BTreeSet<Combination> = all.iter().copied().filter(|one| one.is_true(1) && !one.is_true(2)).collect();
        let first = *breaking.first().unwrap();
        assert_eq!(conditions.cause(first, &breaking).unwrap(), "`env.B` is true and `env.C is defined` is false");
        assert_eq!(conditions.cause(all[0], &all.iter().copied().collect()), None);
    }
}
