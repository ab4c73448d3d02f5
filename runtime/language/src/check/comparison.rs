//! Comparisons whose sides are never equal: strings beside numbers, values beside nothing. Their answer is the same on every machine,
//! so whoever wrote them meant another one.

use super::expression::{Fault, FaultKind};
use super::tokens::{Token, is_bracketed, outermost};

/// Two sides of a comparison that are of different kinds.
#[derive(Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What stands on the left.
    pub left: Side,
    /// `==`, `!=`, `<`, `>`, `<=`, `>=` or `in`.
    pub sign: String,
    /// What stands on the right; of `in`, the element.
    pub right: Side,
}

/// A side of a comparison.
#[derive(Debug, PartialEq, Eq)]
pub struct Side {
    /// As it was written.
    pub text: String,
    /// What it is on every machine.
    pub kind: Kind,
    /// Whether it is written out, rather than read or computed.
    pub is_literal: bool,
}

/// What a value is. A boolean equals the numbers 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A string.
    Text,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// `none`.
    Nothing,
}

impl Kind {
    /// Whether values of both can be equal.
    fn meets(self, other: Self) -> bool {
        let is_counted = |kind| matches!(kind, Self::Number | Self::Boolean);
        self == other || is_counted(self) && is_counted(other)
    }
}

/// Filters that give a string, whatever they are given.
const TO_TEXT: &[&str] = &["path", "lower", "upper", "trim", "title", "capitalize", "replace", "join", "string", "urlencode"];
/// Filters that give a number.
const TO_NUMBER: &[&str] = &["int", "float", "length", "count"];
/// Names of strings.
const TEXTS: &[&str] = &["cwd", "home", "platform", "arch", "profile"];
const COMPARISONS: &[&str] = &["==", "!=", "<", ">", "<=", ">="];

/// The comparisons of an expression that can mean nothing; `placed` are its tokens.
pub(super) fn faults(text: &str, placed: &[(usize, Token<'_>)]) -> Vec<Fault> {
    let tokens: Vec<Token<'_>> = placed.iter().map(|(_, token)| *token).collect();
    let mut faults = Vec::new();
    for at in 0..tokens.len() {
        let is_in = tokens[at].is("in");
        if !is_in && !COMPARISONS.iter().any(|sign| tokens[at].is(sign)) {
            continue;
        }
        let negated = usize::from(is_in && at > 0 && tokens[at - 1].is("not"));
        let (Some(left), Some(right)) = (before(&tokens, at - negated), after(&tokens, at)) else { continue };
        let rights = if is_in { elements(&tokens, right) } else { vec![right] };
        for right in rights {
            let side = |(from, to): Range| {
                let (start, (last, token)) = (placed[from].0, placed[to - 1]);
                let written = &tokens[from..to];
                kind(written).map(|kind| Side {
                    text: text[start..last + token.text().len()].to_owned(),
                    kind,
                    is_literal: is_literal(written),
                })
            };
            let (Some(left_side), Some(right_side)) = (side(left), side(right)) else { continue };
            if !left_side.kind.meets(right_side.kind) {
                let (last, token) = placed[right.1 - 1];
                let start = if is_in { placed[right.0].0 } else { placed[left.0].0 };
                let mismatch = Mismatch { left: left_side, sign: tokens[at].text().to_owned(), right: right_side };
                faults.push(Fault { kind: FaultKind::Comparison(mismatch), span: start..last + token.text().len() });
            }
        }
    }
    faults
}

/// First token and the one behind the last.
pub(super) type Range = (usize, usize);

/// Whether a token ends the operand of a comparison.
fn ends(token: &Token<'_>) -> bool {
    ["and", "or", "not", "if", "else", ",", ":"].iter().any(|word| token.is(word))
}

/// The operand that ends before `at`; `None` when there is none, or it belongs to another comparison too.
pub(super) fn before(tokens: &[Token<'_>], at: usize) -> Option<Range> {
    let (mut from, mut depth) = (at, 0_usize);
    while let Some(token) = from.checked_sub(1).map(|before| &tokens[before]) {
        match depth {
            0 if ends(token) || token.opens() => break,
            0 if token.compares() => return None,
            _ if token.closes() => depth += 1,
            _ if token.opens() => depth -= 1,
            _ => {}
        }
        from -= 1;
    }
    (from < at).then_some((from, at))
}

/// The operand that starts behind `at`, likewise.
pub(super) fn after(tokens: &[Token<'_>], at: usize) -> Option<Range> {
    let (mut to, mut depth) = (at + 1, 0_usize);
    while let Some(token) = tokens.get(to) {
        match depth {
            0 if ends(token) || token.closes() => break,
            0 if token.compares() => return None,
            _ if token.opens() => depth += 1,
            _ if token.closes() => depth -= 1,
            _ => {}
        }
        to += 1;
    }
    (at + 1 < to).then_some((at + 1, to))
}

/// The elements of a list that is written out.
fn elements(tokens: &[Token<'_>], (from, to): Range) -> Vec<Range> {
    let list = &tokens[from..to];
    let outer = outermost(list);
    if !list[0].is("[") || outer != [0, list.len() - 1] {
        return Vec::new();
    }
    let inside = &list[1..list.len() - 1];
    let mut found = Vec::new();
    let mut start = 0;
    let commas = outermost(inside).into_iter().filter(|at| inside[*at].is(","));
    for end in commas.chain([inside.len()]) {
        if start < end {
            found.push((from + 1 + start, from + 1 + end));
        }
        start = end + 1;
    }
    found
}

/// What an operand is on every machine, as far as its form tells.
fn kind(tokens: &[Token<'_>]) -> Option<Kind> {
    if is_bracketed(tokens) {
        return in_brackets(&tokens[1..tokens.len() - 1]);
    }
    let outer = outermost(tokens);
    let last = |sign: &str| outer.iter().rev().copied().find(|at| tokens[*at].is(sign));
    if last("~").is_some() {
        return Some(Kind::Text);
    }
    if ["+", "-", "*", "/", "%"].iter().any(|sign| last(sign).is_some()) {
        return if is_literal(tokens) { Some(Kind::Number) } else { None };
    }
    if let Some(pipe) = last("|") {
        return filtered(&tokens[..pipe], &tokens[pipe + 1..]);
    }
    match tokens {
        [Token::Text(_)] => Some(Kind::Text),
        [Token::Word("true" | "True" | "false" | "False")] => Some(Kind::Boolean),
        [Token::Word("none" | "None")] => Some(Kind::Nothing),
        [name] if TEXTS.iter().any(|known| name.is(known)) => Some(Kind::Text),
        [env, dot, Token::Word(_)] if env.is("env") && dot.is(".") => Some(Kind::Text),
        [env, open, Token::Text(_), _] if env.is("env") && open.is("[") => Some(Kind::Text),
        _ if is_literal(tokens) => Some(Kind::Number),
        _ => None,
    }
}

fn in_brackets(tokens: &[Token<'_>]) -> Option<Kind> {
    let outer = outermost(tokens);
    let has = |words: &[&str]| outer.iter().any(|at| words.iter().any(|word| tokens[*at].is(word)));
    if has(&["and", "or", "if", ","]) {
        return None;
    }
    let compares = outer.iter().any(|at| tokens[*at].compares()) || has(&["not"]);
    if compares { Some(Kind::Boolean) } else { kind(tokens) }
}

fn filtered(base: &[Token<'_>], filter: &[Token<'_>]) -> Option<Kind> {
    let (name, arguments) = filter.split_first()?;
    if TO_TEXT.contains(&name.text()) {
        return Some(Kind::Text);
    }
    match name.text() {
        name if TO_NUMBER.contains(&name) => Some(Kind::Number),
        "bool" => Some(Kind::Boolean),
        // What is there, or what is put in its place.
        "default" | "d" => {
            let given = arguments.get(1..arguments.len().checked_sub(1)?)?;
            kind(base).filter(|base| kind(given) == Some(*base))
        }
        _ => None,
    }
}

/// Whether an operand is one string, number or word that stands for itself.
fn is_literal(tokens: &[Token<'_>]) -> bool {
    let unsigned = tokens.strip_prefix(&[Token::Sign("-")]).unwrap_or(tokens);
    match unsigned {
        [Token::Text(_) | Token::Word("true" | "True" | "false" | "False" | "none" | "None")] => true,
        [whole] => whole.is_number(),
        [whole, point, fraction] => whole.is_number() && point.is(".") && fraction.is_number(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{Expressions, Fixed};

    /// Each with what it is compared with when it is wrong.
    fn found(text: &str) -> Vec<(String, String)> {
        let faults = Expressions::new("minimal", &Fixed::default()).analyse(text).err().unwrap_or_default();
        let sides = faults.into_iter().map(|fault| match fault.kind {
            FaultKind::Comparison(Mismatch { left, right, .. }) => (left.text, right.text),
            other => panic!("{text}: {other:?}"),
        });
        sides.collect()
    }

    #[test]
    fn sides_of_different_kinds_are_found() {
        let cases = [
            ("env.A == 1", "env.A", "1"),
            ("env.B is defined and env['A'] != 2.5", "env['A']", "2.5"),
            ("not (env.A == true)", "env.A", "true"),
            ("env.A == none", "env.A", "none"),
            ("1 < env.A", "1", "env.A"),
            ("env.A > -1", "env.A", "-1"),
            ("env.A | int == '1'", "env.A | int", "'1'"),
            ("env.A | bool == 'true'", "env.A | bool", "'true'"),
            ("env.A | default('1') == 1", "env.A | default('1')", "1"),
            ("platform ~ arch == 3", "platform ~ arch", "3"),
            ("(env.A == 'x') == 'true'", "(env.A == 'x')", "'true'"),
            ("1 if env.A == 2 else 3", "env.A", "2"),
            ("env.A not in ['1', 2]", "env.A", "2"),
            ("range(3 if env.A == 1 else 2)", "env.A", "1"),
        ];
        for (text, left, right) in cases {
            assert_eq!(found(text), [(left.to_owned(), right.to_owned())], "{text}");
        }
    }

    #[test]
    fn what_can_be_equal_is_left_alone() {
        let cases = [
            "env.A == '1'",
            "env.A | int == 1",
            "env.A | bool == 1",
            "(env.A is defined) == true",
            "env.A | default(1) == 1",
            "(env.A or 1) == 1",
            "env.A in ['1', '2']",
            "1 in env.A",
            "env.A | length > 3",
            "env.A | json == 1",
            "env.A == env.B",
            "env.A == '1' == true",
            "'1 == none'",
            "env.A is defined",
        ];
        for text in cases {
            assert_eq!(found(text), [], "{text}");
        }
    }

    /// What is called never equal here is never equal for the engine.
    #[test]
    fn the_engine_agrees() {
        let engine = dsh_expression::engine(dsh_expression::Refused::Shown);
        let of = |kind: Kind| -> &[&str] {
            match kind {
                Kind::Text => &["'1'", "'true'", "''", "'none'", "env.A"],
                Kind::Number => &["1", "0", "1.5", "-1"],
                Kind::Boolean => &["true", "false"],
                Kind::Nothing => &["none"],
            }
        };
        let kinds = [Kind::Text, Kind::Number, Kind::Boolean, Kind::Nothing];
        for (one, other) in kinds.iter().flat_map(|one| kinds.iter().map(move |other| (*one, *other))) {
            let pairs = of(one).iter().flat_map(|left| of(other).iter().map(move |right| format!("{left} == {right}")));
            let machine = minijinja::context! { env => minijinja::context! { A => "1" } };
            let ever = pairs.into_iter().any(|pair| engine.compile_expression(&pair).unwrap().eval(&machine).unwrap().is_true());
            assert_eq!(one.meets(other), ever, "{one:?} and {other:?}");
        }
    }
}
