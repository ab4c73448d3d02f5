//! Expressions of a composition that read the machine. They are evaluated once, before anything mounts, and all failures are
//! reported together.

mod from_expression;

pub use from_expression::{FromExpression, choose};
pub use minijinja::Value as ExpressionValue;

use std::collections::BTreeMap;

use dsh_expression::{Refused, engine};
#[cfg(feature = "overlays")]
use dsh_language::check::{StructValue, Value};
use minijinja::{Environment as Jinja, Expression, Value as Names, context};

#[cfg(feature = "overlays")]
use crate::config::Documented;
use crate::config::{ConfigMeta, ConfigProblem};
use crate::environment::Environment;

/// Where an expression stands, for its failures.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// Row id.
    pub row: &'static str,
    /// Path of the field in the row's config, `disabled` for that key.
    pub field: &'static str,
    /// File that gave the value.
    pub file: &'static str,
}

/// What a message may tell of a variable; its value may be a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variable {
    Set,
    NotUnicode,
    /// By the build, be it as not set.
    Fixed,
}

/// Evaluates expressions and collects problems.
pub struct Evaluator {
    jinja: Jinja<'static>,
    names: Names,
    /// State of each variable of the environment; one that is absent is not set.
    variables: BTreeMap<String, Variable>,
    problems: Vec<ConfigProblem>,
    /// Row and field of each failed expression.
    failed: Vec<(String, String)>,
    #[cfg(feature = "overlays")]
    replaced: BTreeMap<String, StructValue>,
}

impl Evaluator {
    /// For a profile in an environment.
    #[must_use]
    pub fn new(profile: &str, environment: &Environment) -> Self {
        let (jinja, names) = (engine(Refused::Hidden), names(profile, environment));
        let set = environment.variables().filter_map(|(name, _)| Some((name.to_str()?, environment.var_os(name)?)));
        let state = |value: &std::ffi::OsStr| if value.to_str().is_some() { Variable::Set } else { Variable::NotUnicode };
        let mut variables: BTreeMap<String, Variable> = set.map(|(name, value)| (name.to_owned(), state(value))).collect();
        variables.extend(environment.fixed().names().map(|name| (name.to_owned(), Variable::Fixed)));
        Self {
            jinja,
            names,
            variables,
            problems: Vec::new(),
            failed: Vec::new(),
            #[cfg(feature = "overlays")]
            replaced: BTreeMap::new(),
        }
    }

    /// Configs that overlays gave, by row.
    #[cfg(feature = "overlays")]
    pub(crate) fn replace(&mut self, configs: BTreeMap<String, StructValue>) {
        self.replaced = configs;
    }

    /// The config that an overlay gave a row; what the composition gave is then not evaluated.
    ///
    /// # Panics
    /// When the config was read by the schema of another type.
    #[cfg(feature = "overlays")]
    pub fn overlay<C: Documented>(&mut self, row: &str) -> Option<C> {
        let value = Value::Struct(self.replaced.get(row)?.clone());
        Some(C::from_value(&value).unwrap_or_else(|| panic!("the config of row `{row}` was read by another schema")))
    }

    /// No overlay gives a row a config in a binary that takes none.
    #[cfg(not(feature = "overlays"))]
    pub fn overlay<C>(&mut self, _row: &str) -> Option<C> {
        None
    }

    /// The value of an expression. On failure a problem is recorded and a stand-in is returned, which
    /// [`Evaluator::finish`] keeps from being used.
    pub fn get<T: FromExpression>(&mut self, site: Site, expression: &str) -> T {
        self.try_get(site, expression).unwrap_or_else(T::stand_in)
    }

    /// The value of an expression; `None` when it has none, of which a problem is recorded.
    pub fn try_get<T: FromExpression>(&mut self, site: Site, expression: &str) -> Option<T> {
        match self.evaluate(expression) {
            Ok(value) => Some(value),
            Err(message) => {
                let place = place(site.row, site.field, site.file);
                self.failed.push((site.row.to_owned(), site.field.to_owned()));
                self.problems.push(ConfigProblem { place, message: format!("expression `{expression}`: {message}") });
                None
            }
        }
    }

    /// Records a problem that was found elsewhere.
    pub fn refuse(&mut self, problem: ConfigProblem) {
        self.problems.push(problem);
    }

    fn evaluate<T: FromExpression>(&self, expression: &str) -> Result<T, String> {
        let compiled = self.jinja.compile_expression(expression).map_err(|error| describe(&error))?;
        let read = Read::by(&compiled, &self.variables);
        if let Some(name) = read.not_unicode() {
            return Err(format!("the variable `{name}` is not Unicode"));
        }
        let value = compiled.eval(&self.names).map_err(|error| describe(&error)).and_then(|value| T::from_expression(&value));
        value.map_err(|message| format!("{message}{}", read.note()))
    }

    /// Checks the bounds of a row's config.
    pub fn check<C: ConfigMeta>(&mut self, row: &str, file: &str, config: C) -> C {
        let mut found = Vec::new();
        config.check("", &mut found);
        for ConfigProblem { place: field, message } in found {
            // A stand-in of a failed expression would be reported a second time by its bound.
            if !self.failed.iter().any(|(other, failed)| other == row && covers(failed, &field)) {
                self.problems.push(ConfigProblem { place: place(row, &field, file), message });
            }
        }
        config
    }

    /// Ends the evaluation.
    ///
    /// # Errors
    /// Every problem met, in order.
    pub fn finish(self) -> Result<(), Vec<ConfigProblem>> {
        if self.problems.is_empty() { Ok(()) } else { Err(self.problems) }
    }
}

/// The values of all names that an expression sees.
pub(crate) fn names(profile: &str, environment: &Environment) -> Names {
    let fixed = environment.fixed();
    let own = environment.variables().filter_map(|(name, _)| name.to_str()).filter(|name| !fixed.holds(name));
    let set = own.filter_map(|name| Some((name, environment.var(name)?)));
    let variables = Names::from_pairs(set.chain(fixed.values()));
    context! {
        env => variables,
        cwd => environment.cwd().to_string_lossy(),
        home => environment.harness_home().to_string_lossy(),
        platform => std::env::consts::OS,
        arch => std::env::consts::ARCH,
        profile => profile,
    }
}

/// The variables that an expression reads, by name.
struct Read<'a>(BTreeMap<String, Option<&'a Variable>>);

impl<'a> Read<'a> {
    fn by(expression: &Expression<'_, '_>, variables: &'a BTreeMap<String, Variable>) -> Self {
        let names = expression.undeclared_variables(true).into_iter();
        let of_environment = names.filter_map(|name| name.strip_prefix("env.").map(str::to_owned));
        Self(of_environment.map(|name| (name.clone(), variables.get(&name))).collect())
    }

    fn not_unicode(&self) -> Option<&str> {
        self.0.iter().find(|(_, state)| **state == Some(&Variable::NotUnicode)).map(|(name, _)| name.as_str())
    }

    /// Which of them are set, for the end of a message.
    fn note(&self) -> String {
        let told = self.0.iter().map(|(name, state)| match state {
            None => format!("`{name}` is not set"),
            Some(Variable::Fixed) => format!("`{name}` was fixed when the binary was built"),
            Some(_) => format!("`{name}` is set, its value is not shown"),
        });
        let told: Vec<String> = told.collect();
        if told.is_empty() { String::new() } else { format!(" ({})", told.join("; ")) }
    }
}

fn place(row: &str, field: &str, file: &str) -> String {
    format!("row `{row}`, field `{field}` ({file}#{row})")
}

/// Whether `field` is `outer` or lies inside it.
fn covers(outer: &str, field: &str) -> bool {
    field.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

fn describe(error: &minijinja::Error) -> String {
    error.detail().map_or_else(|| error.kind().to_string(), |detail| format!("{}: {detail}", error.kind()))
}
