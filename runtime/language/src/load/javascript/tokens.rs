//! Words and signs of a JavaScript expression.

use super::Untranslated;

/// Most tokens of an expression that is read. It keeps recursion over its parts within any stack and is far beyond what a
/// composition needs.
const MOST: usize = 300;

/// Signs by the length of their spelling, longest first.
const SIGNS: &[&str] = &[
    "===", "!==", "...", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "=>", "<", ">", "!", "?", ":", "(", ")", "[", "]", "{", "}", ",",
    ".", "+", "-", "*", "/", "%", ";", "=",
];

/// A word, sign or literal.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Sign(&'static str),
    Word(String),
    /// A string, without quotes and escapes.
    Text(String),
    /// A number as it was written.
    Number(String),
    /// A template: texts, and between them the sources of expressions.
    Template(Vec<String>, Vec<String>),
}

/// The tokens of a script.
pub(super) fn tokens(script: &str) -> Result<Vec<Token>, Untranslated> {
    let mut tokens = Vec::new();
    let mut rest = script.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, after) = match first {
            'a'..='z' | 'A'..='Z' | '_' | '$' => {
                let length = length_while(rest, |letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$'));
                (Token::Word(rest[..length].to_owned()), &rest[length..])
            }
            '0'..='9' => {
                let length = length_while(rest, |letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_'));
                (Token::Number(number(&rest[..length])?), &rest[length..])
            }
            '\'' | '"' => {
                let (text, after) = text(&rest[1..], first)?;
                (Token::Text(text), after)
            }
            '`' => template(&rest[1..])?,
            _ => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign)).ok_or_else(|| Untranslated::sign(first))?;
                (Token::Sign(sign), &rest[sign.len()..])
            }
        };
        tokens.push(token);
        if tokens.len() > MOST {
            return Err(Untranslated::new("it is longer than what is read here"));
        }
        rest = after.trim_start();
    }
    Ok(tokens)
}

fn length_while(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|letter| !belongs(letter)).unwrap_or(text.len())
}

/// Decimal digits, `_` between them left out, with at most one point.
fn number(written: &str) -> Result<String, Untranslated> {
    let digits = written.replace('_', "");
    let (whole, fraction) = digits.split_once('.').map_or((digits.as_str(), None), |(whole, fraction)| (whole, Some(fraction)));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_plain = is_digits(whole) && (whole == "0" || !whole.starts_with('0')) && fraction.is_none_or(is_digits);
    if is_plain && digits.len() <= 15 { Ok(digits) } else { Err(Untranslated::new(format!("the number `{written}` is not read here"))) }
}

/// A string up to its quote, and what follows.
fn text(rest: &str, quote: char) -> Result<(String, &str), Untranslated> {
    let mut text = String::new();
    let mut letters = rest.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => text.extend(escape(&mut letters)?),
            '\n' => break,
            _ if letter == quote => return Ok((text, &rest[at + letter.len_utf8()..])),
            _ => text.push(letter),
        }
    }
    Err(Untranslated::new("a string is not closed"))
}

/// What stands behind a backslash.
fn escape(letters: &mut std::str::CharIndices<'_>) -> Result<Option<char>, Untranslated> {
    let unread = || Untranslated::new("it holds an escape that is not read here");
    let (_, letter) = letters.next().ok_or_else(unread)?;
    let code = |digits: String| u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).ok_or_else(unread);
    let mut take = |count: usize| letters.by_ref().take(count).map(|(_, digit)| digit).collect::<String>();
    Ok(Some(match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        // The string goes on in the next line.
        '\n' => return Ok(None),
        'x' => code(take(2))?,
        'u' => {
            let digits = take(4);
            match digits.strip_prefix('{') {
                None => code(digits)?,
                Some(start) => {
                    let rest: String = letters.by_ref().map(|(_, digit)| digit).take_while(|digit| *digit != '}').collect();
                    code(match start.split_once('}') {
                        Some(_) => return Err(unread()),
                        None => format!("{start}{rest}"),
                    })?
                }
            }
        }
        'b' | 'f' | 'v' | '0'..='9' => return Err(unread()),
        other => other,
    }))
}

/// A template up to its quote, and what follows.
fn template(rest: &str) -> Result<(Token, &str), Untranslated> {
    let (mut texts, mut sources, mut text) = (Vec::new(), Vec::new(), String::new());
    let mut letters = rest.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '`' => {
                texts.push(text);
                return Ok((Token::Template(texts, sources), &rest[at + 1..]));
            }
            '\\' => text.extend(escape(&mut letters)?),
            '$' if rest[at + 1..].starts_with('{') => {
                let start = at + 2;
                let length = hole(&rest[start..])?;
                sources.push(rest[start..start + length].to_owned());
                texts.push(std::mem::take(&mut text));
                letters = rest[..].char_indices();
                // The brace that closes the hole is a byte long.
                letters.by_ref().take_while(|(at, _)| *at < start + length).for_each(drop);
            }
            _ => text.push(letter),
        }
    }
    Err(Untranslated::new("a template is not closed"))
}

/// The length of an expression in a template, up to the brace that closes it.
fn hole(rest: &str) -> Result<usize, Untranslated> {
    let mut quote = None;
    for (at, letter) in rest.char_indices() {
        match (quote, letter) {
            (None, '}') => return Ok(at),
            (None, '{' | '`') | (_, '\\') => break,
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            _ => {}
        }
    }
    Err(Untranslated::new("it holds a template with more than simple expressions"))
}
