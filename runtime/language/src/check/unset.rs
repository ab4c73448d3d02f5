//! Variables that an expression compares although they may not be set: what is not set cannot be compared, and stops the start.

use std::ops::Range;

use super::comparison::{after, before};
use super::tokens::Token;

/// A variable that is compared without a look at whether it is set.
#[derive(Debug, PartialEq, Eq)]
pub struct Unset {
    /// As it was written: `env.NAME`.
    pub name: String,
    /// The side of the comparison, with a value for where the variable is not set.
    pub mended: String,
    /// Where the side stands in the expression's text.
    pub span: Range<usize>,
}

/// The variables of an expression that are compared and nowhere else looked at; `placed` are its tokens.
pub(super) fn unset(text: &str, placed: &[(usize, Token<'_>)]) -> Vec<Unset> {
    let tokens: Vec<Token<'_>> = placed.iter().map(|(_, token)| *token).collect();
    let is_comparison = |token: &Token<'_>| token.compares() && !token.is("is");
    let mut sides: Vec<(usize, usize)> = Vec::new();
    for at in (0..tokens.len()).filter(|at| is_comparison(&tokens[*at])) {
        let negated = usize::from(tokens[at].is("in") && at > 0 && tokens[at - 1].is("not"));
        sides.extend(before(&tokens, at - negated).into_iter().chain(after(&tokens, at)));
    }
    let is_defaulted = |side: &[Token<'_>]| side.iter().any(|token| token.is("default") || token.is("d"));
    let compared = sides.iter().filter(|(from, to)| !is_defaulted(&tokens[*from..*to]));
    let mut found = Vec::new();
    for &(from, to) in compared {
        let Some(length) = variable(&tokens[from..to]) else { continue };
        let name = &tokens[from..from + length];
        let is_looked_at =
            (0..tokens.len()).any(|at| tokens[at..].starts_with(name) && !sides.iter().any(|(from, to)| (*from..*to).contains(&at)));
        if is_looked_at {
            continue;
        }
        let end = |at: usize| placed[at].0 + tokens[at].text().len();
        let (start, name_end, side_end) = (placed[from].0, end(from + length - 1), end(to - 1));
        let value = if name_end == side_end { "''" } else { "…" };
        let (name, rest) = (&text[start..name_end], &text[name_end..side_end]);
        found.push(Unset { name: name.to_owned(), mended: format!("{name} | default({value}){rest}"), span: start..side_end });
    }
    found
}

/// How many tokens at the start are `env.NAME` or `env['NAME']`.
fn variable(tokens: &[Token<'_>]) -> Option<usize> {
    match tokens {
        [env, dot, Token::Word(_), ..] if env.is("env") && dot.is(".") => Some(3),
        [env, open, Token::Text(_), close, ..] if env.is("env") && open.is("[") && close.is("]") => Some(4),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::check::{Expressions, Fixed};

    fn mended(text: &str) -> Vec<String> {
        Expressions::new("minimal", &Fixed::default()).analyse(text).unwrap().unset.into_iter().map(|unset| unset.mended).collect()
    }

    #[test]
    fn variables_that_are_only_compared_are_found() {
        let cases: [(&str, &[&str]); 6] = [
            ("env.A == 'x'", &["env.A | default('')"]),
            ("not (env['A'] != 'x')", &["env['A'] | default('')"]),
            ("env.A not in ['x', 'y']", &["env.A | default('')"]),
            ("env.N | int > 5", &["env.N | default(…) | int"]),
            ("env.A == 'x' or env.B == 'x'", &["env.A | default('')", "env.B | default('')"]),
            ("'x' in env.A", &["env.A | default('')"]),
        ];
        for (text, expected) in cases {
            assert_eq!(mended(text), expected, "{text}");
        }
    }

    #[test]
    fn variables_that_are_looked_at_are_left_alone() {
        for text in [
            "env.A is defined and env.A == 'x'",
            "env.A and env.A == 'x'",
            "5 if env.N is undefined else env.N | int > 3",
            "env.A | default('') == 'x'",
            "(env.A or 'x') == 'x'",
            "platform == 'linux'",
            "env.A | bool",
            "'A' ~ env.A",
        ] {
            assert_eq!(mended(text), [""; 0], "{text}");
        }
    }
}
