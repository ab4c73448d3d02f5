//! Expressions: whether they can mean something, whether they read the machine, and what they give when they do not.
//!
//! The names, filters and results are those of the runtime, which evaluates what reads the machine.

use std::collections::BTreeSet;
use std::ops::Range;

use dsh_expression::{CONSTANT_NAME, Fixed, MACHINE_NAMES, Refused, engine};
use minijinja::{Environment, Expression, Value, context};

use super::comparison::{self, Mismatch};
use super::partial::Partial;
use super::rules;
use super::tokens::{Token, is_bracketed, placed, tokens};
use super::unset::{Unset, unset};
use crate::diagnostics::{Diagnostic, Place};
use crate::load::{Node, NodeKind};

/// Functions of minijinja that an expression may call.
const FUNCTIONS: &[&str] = &["range", "dict"];

/// Most names and operators of an expression. minijinja nests as deep as they chain, on the stack; a thousand would already be a program.
const MOST_WORDS: usize = 1_000;

/// Compiles and folds the expressions of one composition.
pub struct Expressions {
    jinja: Environment<'static>,
    profile: String,
    /// Variables whose values are known on every machine.
    fixed: Fixed,
    /// Values of all names, where they are known.
    machine: Option<Value>,
}

/// An expression that can mean something.
pub struct Analysis {
    /// Whether its value is only known where the binary runs.
    pub reads_machine: bool,
    /// Whether it is the lone name of a string of the machine, which it gives on every one, or on those where a variable is set.
    pub is_string: bool,
    /// Variables that it compares although they may not be set.
    pub unset: Vec<Unset>,
    /// Its value, or why it has none; undefined when it reads a machine that is not known.
    pub value: Result<Value, String>,
}

/// Why an expression cannot mean anything, with the bytes of its text at fault.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Where in the expression's text.
    pub span: Range<usize>,
}

/// What is wrong with an expression.
#[derive(Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It does not parse; the parser's words.
    Syntax(String),
    /// A name that has no value.
    Name(String),
    /// A filter that does not exist.
    Filter(String),
    /// A test (`is …`) that does not exist.
    Test(String),
    /// A call of a method; there are none.
    Method(String),
    /// A comparison whose sides are never equal.
    Comparison(Mismatch),
}

impl Fault {
    /// The diagnostic, for an expression whose scalar stands at `place`.
    #[must_use]
    pub fn diagnostic(&self, place: &Place, text: &str) -> Diagnostic {
        let node = Node { place: place.clone(), kind: NodeKind::Expression(text.to_owned()) };
        let at = node.part(text, self.span.start, self.span.end);
        match &self.kind {
            FaultKind::Syntax(message) => rules::expression_syntax(&at, text, message),
            FaultKind::Name(name) => rules::unknown_expression_name(&at, name, text),
            FaultKind::Filter(name) => rules::unknown_filter(&at, name),
            FaultKind::Test(name) => rules::unknown_test(&at, name),
            FaultKind::Method(name) => rules::method_call(&at, name),
            FaultKind::Comparison(mismatch) => rules::never_equal(&at, mismatch),
        }
    }
}

impl Analysis {
    /// Warnings about an expression whose scalar stands at `place`.
    pub fn warnings(&self, place: &Place, text: &str) -> impl Iterator<Item = Diagnostic> {
        let node = Node { place: place.clone(), kind: NodeKind::Expression(text.to_owned()) };
        self.unset.iter().map(move |unset| rules::unset_variable(&node.part(text, unset.span.start, unset.span.end), unset))
    }
}

impl Expressions {
    /// For the composition of a profile in whose binary variables are fixed.
    #[must_use]
    pub fn new(profile: &str, fixed: &Fixed) -> Self {
        let mut jinja = engine(Refused::Shown);
        // Errors then tell their place in the expression.
        jinja.set_debug(true);
        Self { jinja, profile: profile.to_owned(), fixed: fixed.clone(), machine: None }
    }

    /// Where the binary runs: `names` holds the value of every name, secrets among them, so no message shows a value.
    #[must_use]
    pub fn on_machine(profile: &str, names: Value) -> Self {
        Self { jinja: engine(Refused::Hidden), profile: profile.to_owned(), fixed: Fixed::default(), machine: Some(names) }
    }

    /// Whether an expression that reads the machine can be evaluated.
    #[must_use]
    pub fn know_machine(&self) -> bool {
        self.machine.is_some()
    }

    /// Whether messages may show values.
    #[must_use]
    pub fn refused(&self) -> Refused {
        if self.know_machine() { Refused::Hidden } else { Refused::Shown }
    }

    /// What an expression is.
    ///
    /// # Errors
    /// Everything in it that cannot mean anything.
    pub fn analyse(&self, text: &str) -> Result<Analysis, Vec<Fault>> {
        if tokens(text).iter().filter(|token| !matches!(token, Token::Text(_))).count() > MOST_WORDS {
            let message = format!("it has more than {MOST_WORDS} names and operators");
            return Err(vec![Fault { kind: FaultKind::Syntax(message), span: 0..text.len() }]);
        }
        let compiled = self.jinja.compile_expression(text).map_err(|error| {
            let message = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
            vec![Fault { kind: FaultKind::Syntax(message), span: error.range().unwrap_or(0..text.len()) }]
        })?;
        let names: BTreeSet<String> = compiled.undeclared_variables(false).into_iter().collect();
        let faults = self.faults(text, &names);
        if !faults.is_empty() {
            return Err(faults);
        }
        let names_machine = names.iter().any(|name| MACHINE_NAMES.contains(&name.as_str()));
        let (value, reads_machine) = match &self.machine {
            Some(names) => (compiled.eval(names), names_machine),
            None if !names_machine => (compiled.eval(context! { profile => &self.profile }), false),
            None if self.fixed.is_empty() => (Ok(Value::UNDEFINED), true),
            None => {
                let partial = Partial::new(&self.profile, &self.fixed);
                let value = compiled.eval(partial.names());
                if partial.asked_for_more(value.as_ref().ok()) { (Ok(Value::UNDEFINED), true) } else { (value, false) }
            }
        };
        let value = value.map_err(|error| error.detail().map_or_else(|| error.kind().to_string(), str::to_owned));
        let mut unset = unset(text, &placed(text));
        unset.retain(|unset| !variable(&unset.name).is_some_and(|name| self.fixed.holds(name)));
        Ok(Analysis { reads_machine, is_string: is_lone_name(text), unset, value })
    }

    /// The names of the machine that an expression may read, fixed variables left out: `cwd`, `env.NAME`, or `env` for any variable. For
    /// an expression that can mean something.
    #[must_use]
    pub fn reads(&self, text: &str) -> BTreeSet<String> {
        let compiled = self.jinja.compile_expression(text);
        let named = compiled.iter().flat_map(machine_names);
        named.filter(|name| !variable(name).is_some_and(|variable| self.fixed.holds(variable))).collect()
    }

    /// A note on the fixed variables that an expression reads.
    #[must_use]
    pub fn fixed_in(&self, text: &str) -> Option<String> {
        let compiled = self.jinja.compile_expression(text);
        let named: BTreeSet<String> = compiled.iter().flat_map(machine_names).collect();
        let fixed = named.iter().filter_map(|name| variable(name).filter(|variable| self.fixed.holds(variable)));
        let told: Vec<String> = fixed
            .map(|name| match self.fixed.value(name) {
                Some(value) => format!("`env.{name}` as `{value}`"),
                None => format!("`env.{name}` as not set"),
            })
            .collect();
        (!told.is_empty()).then(|| format!("fixed by the build: {}", told.join(", ")))
    }

    fn faults(&self, text: &str, names: &BTreeSet<String>) -> Vec<Fault> {
        let is_known = |name: &str| MACHINE_NAMES.contains(&name) || name == CONSTANT_NAME || FUNCTIONS.contains(&name);
        let unknown: BTreeSet<&str> = names.iter().map(String::as_str).filter(|name| !is_known(name)).collect();
        let placed = placed(text);
        let is = |at: Option<usize>, word: &str| at.is_some_and(|at| placed.get(at).is_some_and(|(_, token)| token.is(word)));
        let mut faults = Vec::new();
        for (at, (start, token)) in placed.iter().enumerate() {
            if !token.is_name() || token.is_number() {
                continue;
            }
            let before = at.checked_sub(1);
            let follows_is = is(before, "is") || (is(before, "not") && is(at.checked_sub(2), "is"));
            let name = token.text().to_owned();
            let kind = if is(before, "|") {
                if self.holds(&name, "filter") { continue } else { FaultKind::Filter(name) }
            } else if is(before, ".") {
                if is(Some(at + 1), "(") { FaultKind::Method(name) } else { continue }
            } else if follows_is {
                if self.holds(&name, "test") { continue } else { FaultKind::Test(name) }
            } else if unknown.contains(token.text()) {
                FaultKind::Name(name)
            } else {
                continue;
            };
            faults.push(Fault { kind, span: *start..start + token.text().len() });
        }
        if faults.is_empty() { comparison::faults(text, &placed) } else { faults }
    }

    /// Whether minijinja knows a filter or a test of this name. Names come from [`tokens`], so they hold no quote.
    fn holds(&self, name: &str, kind: &str) -> bool {
        let question = format!("'{name}' is {kind}");
        self.jinja.compile_expression(&question).and_then(|compiled| compiled.eval(())).is_ok_and(|answer| answer.is_true())
    }
}

/// The names of the machine in an expression; of what is inside of a variable's value the variable.
fn machine_names(expression: &Expression<'_, '_>) -> Vec<String> {
    let first = |name: &str| {
        let mut steps = name.split('.');
        let first = steps.next().filter(|first| MACHINE_NAMES.contains(first))?;
        Some(match steps.next().filter(|_| first == "env") {
            Some(variable) => format!("env.{variable}"),
            None => first.to_owned(),
        })
    };
    expression.undeclared_variables(true).iter().filter_map(|name| first(name)).collect()
}

/// The variable that a name of the machine is, if it is one.
fn variable(name: &str) -> Option<&str> {
    name.strip_prefix("env.")
}

/// Whether an expression is `env.NAME`, `env['NAME']` or another name of the machine, whose value is a string, or a variable with a
/// default. Only for expressions that can mean something.
fn is_lone_name(text: &str) -> bool {
    let is_default = |rest: &[Token<'_>]| match rest {
        [pipe, default, arguments @ ..] => pipe.is("|") && (default.is("default") || default.is("d")) && is_bracketed(arguments),
        _ => false,
    };
    match tokens(text).as_slice() {
        [env, dot, Token::Word(_), rest @ ..] if env.is("env") && dot.is(".") && is_default(rest) => true,
        [env, dot, Token::Word(_)] => env.is("env") && dot.is("."),
        [env, open, Token::Text(_), _] => env.is("env") && open.is("["),
        [name] => !name.is("env") && MACHINE_NAMES.iter().any(|known| name.is(known)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<(FaultKind, Range<usize>)> {
        let found = Expressions::new("minimal", &Fixed::default()).analyse(text).err().unwrap_or_default();
        found.into_iter().map(|fault| (fault.kind, fault.span)).collect()
    }

    #[test]
    fn faults_are_found_with_their_place() {
        assert_eq!(faults("env.X | nofilter"), [(FaultKind::Filter("nofilter".into()), 8..16)]);
        assert_eq!(faults("cwd is not nothing"), [(FaultKind::Test("nothing".into()), 11..18)]);
        assert_eq!(faults("env.A.upper()"), [(FaultKind::Method("upper".into()), 6..11)]);
        assert_eq!(faults("'a | b' ~ ENV.X"), [(FaultKind::Name("ENV".into()), 10..13)]);
        assert_eq!(faults("env.A | default(x) | path(y)").len(), 2);
    }

    #[test]
    fn constants_are_folded() {
        let expressions = Expressions::new("minimal", &Fixed::default());
        let folded = |text: &str| expressions.analyse(text).unwrap().value.unwrap();
        assert_eq!(folded("profile ~ '-1'"), Value::from("minimal-1"));
        assert_eq!(folded("'a' | path('b', 'c')"), Value::from("a/b/c"));
        assert_eq!(folded("'3' | int + 1"), Value::from(4));
        assert_eq!(folded("range(3) | list | length"), Value::from(3));
        assert!(expressions.analyse("1 if platform == 'linux' else 2").unwrap().reads_machine);
        assert!(expressions.analyse("'x' | int").unwrap().value.is_err());
    }

    #[test]
    fn what_fixed_variables_decide_is_folded() {
        let fixed = Fixed::of([("A", "1"), ("NONE", "")]);
        let expressions = Expressions::new("minimal", &fixed);
        let analyse = |text: &str| expressions.analyse(text).unwrap();
        for (text, value) in [
            ("env.A", Value::from("1")),
            ("env['A'] | int + 1", Value::from(2)),
            ("env.A if env.A is defined else env.B", Value::from("1")),
            ("env.NONE is defined", Value::from(false)),
            ("env.NONE or profile", Value::from("minimal")),
            ("env is defined", Value::from(true)),
        ] {
            assert!(!analyse(text).reads_machine, "{text}");
            assert_eq!(analyse(text).value.unwrap(), value, "{text}");
        }
        for text in ["env.B", "env.B if env.A else 1", "cwd ~ env.A", "env | length", "'A' in env and env", "env.A ~ platform"] {
            assert!(analyse(text).reads_machine, "{text}");
        }
        assert!(analyse("'x' ~ env.A | bool | int").value.is_err());
        let reads = |text: &str| expressions.reads(text).into_iter().collect::<Vec<_>>().join(" ");
        assert_eq!(reads("env.A if env.B else env.B.c ~ cwd ~ profile"), "cwd env.B");
        assert_eq!(reads("env[env.A]"), "env");
        assert_eq!(expressions.fixed_in("env.A ~ env.NONE ~ env.B").unwrap(), "fixed by the build: `env.A` as `1`, `env.NONE` as not set");
    }

    #[test]
    fn long_chains_are_refused_before_they_are_parsed() {
        for link in ["not ", "-", "1 + ", "1 if "] {
            assert!(matches!(faults(&(link.repeat(100_000) + "1")).as_slice(), [(FaultKind::Syntax(_), _)]), "{link}");
        }
        let prompt = format!("env.PROMPT or '{}'", "a long text, ".repeat(10_000));
        assert_eq!(faults(&prompt), []);
    }

    #[test]
    fn lone_names_are_strings() {
        let is_string = |text: &str| Expressions::new("minimal", &Fixed::default()).analyse(text).unwrap().is_string;
        for text in ["env.A", " env.A ", "env['A']", "cwd", "env.A | default(5)"] {
            assert!(is_string(text), "{text}");
        }
        for text in [
            "env.A | int",
            "env",
            "profile",
            "env.A or 1",
            "1",
            "env.A | int | default(5)",
            "env.A | default(5) | int",
            "not cwd",
            "env.A == 'a'",
        ] {
            assert!(!is_string(text), "{text}");
        }
    }
}
