//! The part of JavaScript's expressions that is read, as a tree.

use super::Untranslated;
use super::tokens::{Token, tokens};

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Script {
    Number(String),
    Text(String),
    /// Texts, and between them expressions.
    Template(Vec<String>, Vec<Script>),
    /// A name; `true`, `null` and `undefined` too.
    Name(String),
    /// `of.name`, `of['name']`; with `?.` it is optional.
    Member {
        of: Box<Script>,
        name: String,
        optional: bool,
    },
    Call(Box<Script>, Vec<Script>),
    New(Box<Script>),
    /// `!`, `-`, `+`, `typeof`.
    Prefix(&'static str, Box<Script>),
    /// An operator in its JavaScript spelling.
    Binary(&'static str, Box<Script>, Box<Script>),
    Choice(Box<Script>, Box<Script>, Box<Script>),
}

/// Binary operators from the weakest to the strongest.
const LEVELS: &[&[&str]] = &[&["??"], &["||"], &["&&"], &["===", "!==", "==", "!="], &["<=", ">=", "<", ">"], &["+", "-"], &["*"]];
/// The level at which `in` stands.
const RELATIONS: usize = 4;
/// Deepest nesting that is read.
const MAX_DEPTH: usize = 32;

/// Reads a script.
pub(super) fn parse(script: &str) -> Result<Script, Untranslated> {
    parse_within(script, 0)
}

fn parse_within(script: &str, depth: usize) -> Result<Script, Untranslated> {
    let mut parser = Parser { tokens: tokens(script)?, at: 0, depth };
    let tree = parser.choice()?;
    match parser.tokens.get(parser.at) {
        None => Ok(tree),
        Some(token) => Err(parser.unexpected(token)),
    }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn takes(&mut self, sign: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some(Token::Sign(found)) if *found == sign);
        self.at += usize::from(found);
        found
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some(Token::Word(found)) if found == word);
        self.at += usize::from(found);
        found
    }

    fn expects(&mut self, sign: &'static str) -> Result<(), Untranslated> {
        if self.takes(sign) { Ok(()) } else { Err(Untranslated::new(format!("`{sign}` is missing"))) }
    }

    fn unexpected(&self, token: &Token) -> Untranslated {
        match token {
            Token::Sign(sign) => Untranslated::new(format!("`{sign}` is not read here")),
            Token::Word(word) => Untranslated::new(format!("`{word}` is not read here")),
            Token::Text(_) | Token::Number(_) | Token::Template(..) => Untranslated::new("a value stands where none can"),
        }
    }

    fn choice(&mut self) -> Result<Script, Untranslated> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Untranslated::new("it is nested deeper than what is read here"));
        }
        let mut tree = self.binary(0)?;
        if self.takes("?") {
            let yes = self.choice()?;
            self.expects(":")?;
            tree = Script::Choice(Box::new(tree), Box::new(yes), Box::new(self.choice()?));
        }
        self.depth -= 1;
        Ok(tree)
    }

    fn binary(&mut self, level: usize) -> Result<Script, Untranslated> {
        let Some(operators) = LEVELS.get(level) else { return self.prefix() };
        let mut tree = self.binary(level + 1)?;
        loop {
            let operator = match operators.iter().find(|operator| self.takes(operator)) {
                Some(operator) => operator,
                None if level == RELATIONS && self.takes_word("in") => "in",
                None => return Ok(tree),
            };
            tree = Script::Binary(operator, Box::new(tree), Box::new(self.binary(level + 1)?));
        }
    }

    fn prefix(&mut self) -> Result<Script, Untranslated> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Untranslated::new("it is nested deeper than what is read here"));
        }
        let operator = match ["!", "-", "+"].into_iter().find(|sign| self.takes(sign)) {
            Some(sign) => Some(sign),
            None => self.takes_word("typeof").then_some("typeof"),
        };
        let tree = match operator {
            Some(operator) => Script::Prefix(operator, Box::new(self.prefix()?)),
            None => self.postfix()?,
        };
        self.depth -= 1;
        Ok(tree)
    }

    fn postfix(&mut self) -> Result<Script, Untranslated> {
        let mut tree = self.operand()?;
        loop {
            let optional = self.takes("?.");
            if self.takes("(") {
                tree = Script::Call(Box::new(tree), self.arguments()?);
            } else if self.takes("[") {
                let Some(Token::Text(name)) = self.tokens.get(self.at).cloned() else {
                    return Err(Untranslated::new("a name in brackets is not written out"));
                };
                self.at += 1;
                self.expects("]")?;
                tree = Script::Member { of: Box::new(tree), name, optional };
            } else if optional || self.takes(".") {
                let Some(Token::Word(name)) = self.tokens.get(self.at).cloned() else {
                    return Err(Untranslated::new("a name is missing after `.`"));
                };
                self.at += 1;
                tree = Script::Member { of: Box::new(tree), name, optional };
            } else {
                return Ok(tree);
            }
        }
    }

    fn operand(&mut self) -> Result<Script, Untranslated> {
        let token = self.tokens.get(self.at).cloned().ok_or_else(|| Untranslated::new("a value is missing"))?;
        self.at += 1;
        match token {
            Token::Number(number) => Ok(Script::Number(number)),
            Token::Text(text) => Ok(Script::Text(text)),
            Token::Template(texts, sources) => {
                let holes = sources.iter().map(|source| parse_within(source, self.depth)).collect::<Result<_, _>>()?;
                Ok(Script::Template(texts, holes))
            }
            Token::Word(word) if word == "new" => Ok(Script::New(Box::new(self.postfix()?))),
            Token::Word(word) => Ok(Script::Name(word)),
            Token::Sign("(") => {
                let inner = self.choice()?;
                self.expects(")")?;
                Ok(inner)
            }
            Token::Sign(_) => Err(self.unexpected(&token)),
        }
    }

    fn arguments(&mut self) -> Result<Vec<Script>, Untranslated> {
        let mut arguments = Vec::new();
        while !self.takes(")") {
            if !arguments.is_empty() {
                self.expects(",")?;
            }
            arguments.push(self.choice()?);
        }
        Ok(arguments)
    }
}
