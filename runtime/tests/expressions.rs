//! Expressions that read the machine: names, filters, types, and all failures together.
#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use dsh_runtime::{Environment, Evaluator, FromExpression, SecretEnv, SecretValue, Site, config};

#[config]
pub enum Mode {
    ReadOnly,
    Full,
}

#[config]
pub struct Config {
    #[config(min = 1, default = 5)]
    pub limit: u64,
    #[config(non_empty)]
    pub words: Vec<String>,
    #[config(non_blank)]
    pub name: String,
}

const SITE: Site = Site { row: "sessions", field: "root", file: "profiles/minimal/profile.yml" };

fn environment() -> Environment {
    let variables = [
        ("HOME", "/home/ada"),
        ("WORD", "read-only"),
        ("NUMBER", " 42 "),
        ("BIG", "18446744073709551615"),
        ("FLOAT", "1.5"),
        ("TRUE", "1"),
        ("JSON", r#"{"a": [1, "two"], "b": []}"#),
        ("LIST", r#"["x", "y"]"#),
        ("SECRET", "hunter2"),
    ];
    Environment::of(variables, "/srv/dir")
}

fn evaluate<T: FromExpression>(expression: &str) -> Result<T, String> {
    let mut evaluator = Evaluator::new("minimal", &environment());
    let value = evaluator.get(SITE, expression);
    match evaluator.finish() {
        Ok(()) => Ok(value),
        Err(problems) => Err(problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("\n")),
    }
}

#[track_caller]
fn gives<T: FromExpression + PartialEq + std::fmt::Debug>(expression: &str, expected: T) {
    assert_eq!(evaluate::<T>(expression), Ok(expected), "{expression}");
}

#[track_caller]
fn fails<T: FromExpression + std::fmt::Debug>(expression: &str, words: &str) {
    let message = evaluate::<T>(expression).unwrap_err();
    assert_eq!(message, format!("expression `{expression}`: {words}"));
}

#[test]
fn names_give_the_surroundings() {
    gives("cwd", "/srv/dir".to_owned());
    gives("home", PathBuf::from("/home/ada/.dsh"));
    gives("profile", "minimal".to_owned());
    gives("platform", std::env::consts::OS.to_owned());
    gives("arch ~ ''", std::env::consts::ARCH.to_owned());
    gives("env.WORD", "read-only".to_owned());
    gives("env.NONE or './x'", "./x".to_owned());
    gives("env.NONE | default('y')", "y".to_owned());
    gives("env.WORD == 'full'", false);
}

#[test]
fn filters_convert_what_a_variable_holds() {
    gives("home | path('sessions', 'a')", PathBuf::from("/home/ada/.dsh/sessions/a"));
    gives("cwd | path('/abs')", "/abs".to_owned());
    gives("env.NUMBER | int", 42_u16);
    gives("env.BIG | int", u64::MAX);
    gives("env.NUMBER | int", 42_usize);
    gives("-5 | int", -5_i64);
    gives("env.FLOAT | float", 1.5);
    gives("env.NUMBER | float", 42.0);
    gives("3", 3.0);
    gives("env.TRUE | bool", true);
    gives("'false' | bool", false);
    gives("0 | bool", false);
    gives("env.LIST | json", vec!["x".to_owned(), "y".to_owned()]);
    gives("(env.JSON | json).a[0]", 1_u32);
    gives("env.JSON | json", BTreeMap::from([("a".to_owned(), AnyLength(2)), ("b".to_owned(), AnyLength(0))]));
    gives("env.WORD", Mode::ReadOnly);
    gives("[1, 2]", vec![1_i64, 2]);
    gives("env.NONE | int | default(7)", 7_u32);
}

/// How many elements a list has, whatever they are.
#[derive(Debug, PartialEq)]
struct AnyLength(usize);

impl FromExpression for AnyLength {
    fn from_expression(value: &dsh_runtime::ExpressionValue) -> Result<Self, String> {
        value.len().map(Self).ok_or_else(|| "no list".to_owned())
    }

    fn stand_in() -> Self {
        Self(0)
    }
}

#[test]
fn an_unset_variable_is_none_for_an_optional_field_and_a_problem_for_another() {
    gives("env.NONE", None::<String>);
    gives("env.NONE | int", None::<u32>);
    gives("none", None::<bool>);
    gives("env.WORD", Some("read-only".to_owned()));
    fails::<String>("env.NONE", "gives no value, expected a string (`NONE` is not set)");
    fails::<u32>(
        "env.NONE | int",
        "gives no value, expected an integer of type u32 (use the filter `int` on a variable) (`NONE` is not set)",
    );
}

#[test]
fn a_result_of_another_type_is_refused_without_showing_a_string() {
    fails::<bool>("env.TRUE", "gives a string, expected `true` or `false` (`TRUE` is set, its value is not shown)");
    fails::<bool>("1", "gives the number `1`, expected `true` or `false`");
    fails::<String>("42", "gives the number `42`, expected a string");
    fails::<PathBuf>("true", "gives `true`, expected a path");
    fails::<u64>(
        "env.SECRET",
        "gives a string, expected an integer of type u64 (use the filter `int` on a variable) (`SECRET` is set, its value is not shown)",
    );
    fails::<u64>("1.0", "gives the number `1.0`, expected an integer of type u64 (use the filter `int` on a variable)");
    fails::<u64>("-1", "gives the number `-1`, expected an integer of type u64 (use the filter `int` on a variable)");
    fails::<u16>("65536", "gives the number `65536`, expected an integer of type u16 (use the filter `int` on a variable)");
    fails::<f64>(
        "env.FLOAT",
        "gives a string, expected a number (use the filter `float` on a variable) (`FLOAT` is set, its value is not shown)",
    );
    fails::<Vec<String>>("env.SECRET", "gives a string, expected a list (`SECRET` is set, its value is not shown)");
    fails::<Vec<String>>("['a', 1]", "element 1 gives the number `1`, expected a string");
    fails::<BTreeMap<String, u16>>(
        "{'a': 'x'}",
        "key `a` gives a string, expected an integer of type u16 (use the filter `int` on a variable)",
    );
    fails::<Mode>("true", "gives `true`, expected one of `read-only`, `full`");
    fails::<Mode>("'half'", "gives `half`, which is not one of `read-only`, `full`");
    fails::<u64>(
        "env.SECRET | int",
        "invalid operation: the value given to the filter `int` is not a whole number (`SECRET` is set, its value is not shown)",
    );
    fails::<u64>("true | int", "invalid operation: the value given to the filter `int` is not a whole number");
    fails::<f64>(
        "env.SECRET | float",
        "invalid operation: the value given to the filter `float` is not a finite number (`SECRET` is set, its value is not shown)",
    );
    fails::<f64>("'inf' | float", "invalid operation: the value given to the filter `float` is not a finite number");
    fails::<bool>("'yes' | bool", "invalid operation: the value given to the filter `bool` is not `true`, `false`, `1` or `0`");
    fails::<bool>("2 | bool", "invalid operation: the value given to the filter `bool` is not `true`, `false`, `1` or `0`");
    fails::<String>(
        "env.SECRET | json",
        "invalid operation: the value given to the filter `json` is not JSON (line 1, column 1) (`SECRET` is set, its value is not shown)",
    );
    fails::<String>("3 | path('a')", "invalid operation: the value given to the filter `path` is not a path");
    let syntax = evaluate::<String>("env.").unwrap_err();
    assert!(syntax.starts_with("expression `env.`: syntax error"), "{syntax}");
}

#[test]
fn all_problems_are_reported_together_with_their_places_and_none_twice() {
    let mut evaluator = Evaluator::new("minimal", &environment());
    let _: String = evaluator.get(SITE, "env.NONE");
    let limit = evaluator.get(Site { row: "llm", field: "limit", file: "p.yml" }, "env.WORD | int");
    let words = evaluator.get(Site { row: "llm", field: "words", file: "p.yml" }, "1");
    let checked = evaluator.check("llm", "base.yml", Config { limit, words, name: " ".to_owned() });
    assert_eq!(checked.name, " ");
    // The same field of another row is another field.
    evaluator.check("other", "base.yml", Config { limit: 0, words: vec!["w".to_owned()], name: "n".to_owned() });
    let problems: Vec<String> = evaluator.finish().unwrap_err().iter().map(ToString::to_string).collect();
    assert_eq!(
        problems,
        [
            "row `sessions`, field `root` (profiles/minimal/profile.yml#sessions): expression `env.NONE`: gives no value, expected a \
             string (`NONE` is not set)",
            "row `llm`, field `limit` (p.yml#llm): expression `env.WORD | int`: invalid operation: the value given to the filter `int` is not a whole number \
             (`WORD` is set, its value is not shown)",
            "row `llm`, field `words` (p.yml#llm): expression `1`: gives the number `1`, expected a list",
            "row `llm`, field `name` (base.yml#llm): must not be blank",
            "row `other`, field `limit` (base.yml#other): `0` is below the minimum 1",
        ]
    );
}

#[test]
fn a_failure_names_the_variables_that_were_read() {
    fails::<u64>(
        "env.SECRET if env.NONE else env.WORD | int",
        "invalid operation: the value given to the filter `int` is not a whole number (`NONE` is not set; `SECRET` is set, its value is \
         not shown; `WORD` is set, its value is not shown)",
    );
}

#[test]
fn a_blank_variable_is_not_set() {
    let environment = Environment::of([("EMPTY", ""), ("BLANK", " \t\n"), ("DSH_HOME", " "), ("HOME", "/home/ada")], "/srv");
    let mut evaluator = Evaluator::new("minimal", &environment);
    for name in ["EMPTY", "BLANK"] {
        assert_eq!(environment.var(name), None, "{name}");
        let defined = evaluator.get::<bool>(SITE, &format!("env.{name} is defined"));
        let chosen = evaluator.get::<String>(SITE, &format!("env.{name} if env.{name} is defined else 'other'"));
        assert_eq!((defined, chosen.as_str()), (false, "other"), "{name}");
    }
    assert_eq!(evaluator.finish(), Ok(()));
    assert_eq!(environment.harness_home(), PathBuf::from("/home/ada/.dsh"));
    assert_eq!(environment.variables().count(), 4, "children get them as they are");
}

#[test]
fn a_variable_that_is_not_unicode_is_a_problem_only_where_it_is_read() {
    let odd = OsStr::from_bytes(b"\xff").to_owned();
    let mut evaluator = Evaluator::new("minimal", &Environment::of([("ODD", odd)], "/srv"));
    assert_eq!(evaluator.get::<String>(SITE, "env.OTHER or 'x'"), "x");
    let _: String = evaluator.get(SITE, "env.ODD if env.ODD is defined else 'x'");
    let problems: Vec<String> = evaluator.finish().unwrap_err().into_iter().map(|problem| problem.message).collect();
    assert_eq!(problems, ["expression `env.ODD if env.ODD is defined else 'x'`: the variable `ODD` is not Unicode"]);
}

#[test]
fn a_variable_that_a_text_is_built_from_must_be_set() {
    // How much minijinja tells depends on its feature `debug`, which another crate of the build may turn on.
    let message = evaluate::<String>("env.NONE ~ '/x'").unwrap_err();
    assert!(message.starts_with("expression `env.NONE ~ '/x'`: undefined value"), "{message}");
}

#[test]
fn secrets_are_never_printed() {
    let environment = environment();
    let printed = format!("{environment:?} {:?} {:?}", SecretValue::new("hunter2".to_owned()), SecretEnv::new("SECRET"));
    assert!(printed.contains("SECRET") && !printed.contains("hunter2"), "{printed}");
    assert_eq!(SecretValue::new("hunter2".to_owned()).reveal(), "hunter2");
}
