//! What a script means as an expression of this language.

use super::term::{Kinds, Term};

/// Which filter makes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// `int`
    Whole,
    /// `float`
    Real,
}

/// How strongly an expression holds together: a part that holds less than its place asks for stands in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Choice,
    Or,
    And,
    Compare,
    Joined,
    Postfix,
    Operand,
}

/// Writes a term.
pub(super) fn print(term: &Term, numbers: Numbers) -> String {
    Printer { numbers }.text(term).0
}

/// A string as a literal of this language.
pub fn literal(text: &str) -> String {
    let mut literal = "'".to_owned();
    for letter in text.chars() {
        match letter {
            '\'' | '\\' => literal.extend(['\\', letter]),
            '\n' => literal.push_str("\\n"),
            '\t' => literal.push_str("\\t"),
            '\r' => literal.push_str("\\r"),
            letter if letter.is_control() => literal.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter => literal.push(letter),
        }
    }
    literal.push('\'');
    literal
}

struct Printer {
    numbers: Numbers,
}

impl Printer {
    fn at(&self, term: &Term, least: Level) -> String {
        let (text, level) = self.text(term);
        if level < least { format!("({text})") } else { text }
    }

    fn text(&self, term: &Term) -> (String, Level) {
        let two = |one: &Term, other: &Term, least: Level, word: &str, level: Level| {
            (format!("{} {word} {}", self.at(one, least), self.at(other, least)), level)
        };
        match term {
            Term::Undefined => ("none if false".to_owned(), Level::Choice),
            Term::Null => ("none".to_owned(), Level::Operand),
            Term::Truth(value) => (value.to_string(), Level::Operand),
            Term::Number(number) => (number.clone(), Level::Operand),
            Term::Text(text) => (literal(text), Level::Operand),
            Term::Given(text) => (text.clone(), Level::Operand),
            Term::Env(name) if is_word(name) => (format!("env.{name}"), Level::Operand),
            Term::Env(name) => (format!("env[{}]", literal(name)), Level::Operand),
            Term::Machine(name) => ((*name).to_owned(), Level::Operand),
            Term::Arch => ("arch".to_owned(), Level::Operand),
            Term::Path(base, words) => {
                let words: Vec<String> = words.iter().map(|word| literal(word)).collect();
                (format!("{} | path({})", self.at(base, Level::Postfix), words.join(", ")), Level::Postfix)
            }
            Term::ToNumber(of) => self.filtered(of, if self.numbers == Numbers::Whole { "int" } else { "float" }),
            Term::FromJson(of) => self.filtered(of, "json"),
            Term::Trim(of) => self.filtered(of, "trim"),
            Term::Joined(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.at(part, Level::Postfix)).collect();
                // A lone part is made a string by the empty one.
                (if parts.len() == 1 { format!("'' ~ {}", parts[0]) } else { parts.join(" ~ ") }, Level::Joined)
            }
            Term::Math(sign, one, other) => two(one, other, Level::Postfix, sign, Level::Joined),
            Term::Minus(of) => (format!("-{}", self.at(of, Level::Operand)), Level::Joined),
            Term::Not(of) => (format!("not {}", self.at(of, Level::Postfix)), Level::And),
            Term::And(one, other) => two(one, other, Level::Compare, "and", Level::And),
            Term::Or(one, other) => two(one, other, Level::Compare, "or", Level::Or),
            Term::Else(one, other) => self.otherwise(one, other),
            Term::Compare(sign, one, other) => two(one, other, Level::Postfix, sign, Level::Compare),
            Term::Is(test, of) => (format!("{} is {test}", self.at(of, Level::Postfix)), Level::Compare),
            Term::Choice(condition, yes, no) => (self.choice(condition, yes, no), Level::Choice),
        }
    }

    fn filtered(&self, of: &Term, filter: &str) -> (String, Level) {
        (format!("{} | {filter}", self.at(of, Level::Postfix)), Level::Postfix)
    }

    fn otherwise(&self, one: &Term, other: &Term) -> (String, Level) {
        let (first, last) = (self.at(one, Level::Postfix), self.text(other).0);
        match one.kinds().has(Kinds::NULL | Kinds::ANY) {
            true => (format!("{first} if {first} is defined and {first} is not none else {last}"), Level::Choice),
            // A filter's argument is evaluated in any case.
            false if other.can_fail() && one.is_short() => (format!("{first} if {first} is defined else {last}"), Level::Choice),
            false => (format!("{first} | default({last})"), Level::Postfix),
        }
    }

    fn choice(&self, condition: &Term, yes: &Term, no: &Term) -> String {
        // A test before `if` would take that for its argument.
        let yes_text = self.at(yes, Level::Joined);
        match (yes, no) {
            // Without an `else` the result is undefined.
            (_, Term::Undefined) => format!("{yes_text} if {}", self.at(condition, Level::Or)),
            (Term::Undefined, _) => format!("{} if not {}", self.at(no, Level::Joined), self.at(condition, Level::Postfix)),
            _ => format!("{yes_text} if {} else {}", self.at(condition, Level::Or), self.text(no).0),
        }
    }
}

fn is_word(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
