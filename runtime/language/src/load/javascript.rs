//! Reads the JavaScript expressions and package names that overlays of the reference hold, as far as they have an equal here.

/// The plugin that a package of the reference stands for.
#[must_use]
pub fn plugin_of_package(package: &str) -> Option<&str> {
    package.strip_prefix("@deepseek-ai/dsh-").filter(|name| super::reading::is_name(name))
}

/// The `!expr` text that says the same as a JavaScript expression. `None` when there is none, or none that is known.
#[must_use]
pub fn translate(script: &str) -> Option<String> {
    let mut parser = Parser { tokens: tokens(script)?, at: 0, depth: 0 };
    let text = parser.choice()?;
    (parser.at == parser.tokens.len()).then_some(text)
}

/// Operators by the length of their spelling, longest first.
const OPERATORS: &[&str] =
    &["===", "!==", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "<", ">", "!", "?", ":", "(", ")", "[", "]", ",", "."];
/// Binary operators from the weakest to the strongest, with their equal.
const LEVELS: &[&[(&str, &str)]] = &[
    &[("||", "or")],
    &[("&&", "and")],
    &[("===", "=="), ("!==", "!="), ("==", "=="), ("!=", "!=")],
    &[("<=", "<="), (">=", ">="), ("<", "<"), (">", ">")],
];
/// Deepest nesting that is read.
const MAX_DEPTH: usize = 16;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Operator(&'static str),
    Word(String),
    /// A string, with its quotes, in minijinja's spelling.
    Text(String),
    Number(String),
}

fn tokens(script: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = script.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            'a'..='z' | 'A'..='Z' | '_' | '$' => length_while(rest, |letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$')),
            '0'..='9' => length_while(rest, |letter| letter.is_ascii_digit() || letter == '.'),
            '\'' | '"' => {
                let inner = rest[1..].find(first)?;
                // Escapes differ between the languages.
                if rest[1..=inner].contains('\\') {
                    return None;
                }
                inner + 2
            }
            _ => OPERATORS.iter().find(|operator| rest.starts_with(**operator))?.len(),
        };
        let (token, after) = rest.split_at(length);
        tokens.push(match first {
            'a'..='z' | 'A'..='Z' | '_' | '$' => Token::Word(token.to_owned()),
            '0'..='9' => Token::Number(token.to_owned()),
            '\'' | '"' => Token::Text(token.to_owned()),
            _ => Token::Operator(OPERATORS.iter().find(|operator| **operator == token)?),
        });
        rest = after.trim_start();
    }
    Some(tokens)
}

fn length_while(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|letter| !belongs(letter)).unwrap_or(text.len())
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

impl Parser {
    fn takes(&mut self, operator: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some(Token::Operator(found)) if *found == operator);
        self.at += usize::from(found);
        found
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some(Token::Word(found)) if found == word);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self) -> Option<String> {
        let Token::Word(word) = self.tokens.get(self.at)?.clone() else { return None };
        self.at += 1;
        Some(word)
    }

    /// `condition ? a : b`
    fn choice(&mut self) -> Option<String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let condition = self.fallback()?;
        let text = if self.takes("?") {
            let yes = self.choice()?;
            let no = self.takes(":").then(|| self.choice())??;
            format!("{} if {condition} else {no}", grouped(yes))
        } else {
            condition
        };
        self.depth -= 1;
        Some(text)
    }

    /// `a ?? b`
    fn fallback(&mut self) -> Option<String> {
        let mut text = self.binary(0)?;
        while self.takes("??") {
            text = format!("{} | default({})", grouped(text), self.binary(0)?);
        }
        Some(text)
    }

    fn binary(&mut self, level: usize) -> Option<String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut text = self.binary(level + 1)?;
        while let Some((_, equal)) = operators.iter().find(|(operator, _)| self.takes(operator)) {
            text = format!("{text} {equal} {}", self.binary(level + 1)?);
        }
        Some(text)
    }

    fn unary(&mut self) -> Option<String> {
        if self.takes("!") {
            return Some(format!("not {}", self.unary()?));
        }
        if self.takes("(") {
            let inner = self.choice()?;
            return self.takes(")").then(|| format!("({inner})"));
        }
        match self.tokens.get(self.at)?.clone() {
            Token::Text(text) => {
                self.at += 1;
                Some(platform_name(&text).map_or(text, |name| format!("'{name}'")))
            }
            Token::Number(number) => {
                self.at += 1;
                Some(number)
            }
            Token::Word(_) => self.named(),
            Token::Operator(_) => None,
        }
    }

    fn named(&mut self) -> Option<String> {
        let word = self.word()?;
        match word.as_str() {
            "true" | "false" => Some(word),
            // Names of this language, in the operators of the other.
            "cwd" | "home" | "platform" | "arch" | "profile" => Some(word),
            "env" => self.takes(".").then(|| self.word())?.map(|name| format!("env.{name}")),
            "undefined" | "null" => Some("none".to_owned()),
            "process" => self.process(),
            "dshHomePath" => Some(format!("home | path({})", self.arguments()?)),
            "Number" => Some(format!("({}) | float", self.arguments()?)),
            "JSON" => (self.takes(".") && self.takes_word("parse")).then(|| self.arguments())?.map(|text| format!("({text}) | json")),
            _ => None,
        }
    }

    /// Members of Node's `process`.
    fn process(&mut self) -> Option<String> {
        if !self.takes(".") {
            return None;
        }
        match self.word()?.as_str() {
            "env" if self.takes("[") => {
                let Token::Text(name) = self.tokens.get(self.at)?.clone() else { return None };
                self.at += 1;
                self.takes("]").then(|| format!("env[{name}]"))
            }
            "env" => self.takes(".").then(|| self.word())?.map(|name| format!("env.{name}")),
            "cwd" => (self.arguments()?.is_empty()).then(|| "cwd".to_owned()),
            "platform" => Some("platform".to_owned()),
            "arch" => Some("arch".to_owned()),
            _ => None,
        }
    }

    fn arguments(&mut self) -> Option<String> {
        if !self.takes("(") {
            return None;
        }
        let mut arguments = Vec::new();
        while !self.takes(")") {
            if !arguments.is_empty() && !self.takes(",") {
                return None;
            }
            arguments.push(self.choice()?);
        }
        Some(arguments.join(", "))
    }
}

/// In parentheses when it is more than one operand.
fn grouped(text: String) -> String {
    let is_operand = text.starts_with(['\'', '"', '(']) || !text.contains(' ');
    if is_operand { text } else { format!("({text})") }
}

/// Names that Node and Rust give differently.
fn platform_name(text: &str) -> Option<&'static str> {
    match text.trim_matches(['\'', '"']) {
        "win32" => Some("windows"),
        "darwin" => Some("macos"),
        "x64" => Some("x86_64"),
        "arm64" => Some("aarch64"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{plugin_of_package, translate};

    #[test]
    fn expressions_with_an_equal() {
        for (script, expression) in [
            ("process.env.DSH_MODE", "env.DSH_MODE"),
            ("process.env['DSH_MODE'] ?? \"ask\"", "env['DSH_MODE'] | default(\"ask\")"),
            ("process.env.A || 'x'", "env.A or 'x'"),
            ("process.platform === 'win32'", "platform == 'windows'"),
            ("process.cwd()", "cwd"),
            ("dshHomePath('sessions', 'a')", "home | path('sessions', 'a')"),
            ("process.env.M === 'full' ? 'never' : 'ask'", "'never' if env.M == 'full' else 'ask'"),
            ("JSON.parse(process.env.T)", "(env.T) | json"),
            ("env.DSH_CWD ?? cwd", "env.DSH_CWD | default(cwd)"),
            ("!(process.env.A && true)", "not (env.A and true)"),
        ] {
            assert_eq!(translate(script).as_deref(), Some(expression), "{script}");
        }
    }

    #[test]
    fn expressions_without_an_equal() {
        for script in ["", "ctx.webStartup.port", "() => 1", "a +", "'x\\n'", "process.exit()", "`t`", "1 2", &"(".repeat(1000)] {
            assert_eq!(translate(script), None, "{script}");
        }
    }

    #[test]
    fn packages() {
        assert_eq!(plugin_of_package("@deepseek-ai/dsh-tool-bash"), Some("tool-bash"));
        assert_eq!(plugin_of_package("@deepseek-ai/dsh-headless/startup"), None);
        assert_eq!(plugin_of_package("cordis:group"), None);
    }
}
