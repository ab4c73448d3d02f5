//! Bounds of config: every broken one is reported, with its place in the row's config and in words.
#![allow(missing_docs)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use dsh_runtime::{ConfigMeta, ConfigProblem, SecretEnv, config};

#[config]
pub enum Effort {
    Low,
    VeryHigh,
}

#[config]
pub struct Model {
    #[config(non_blank)]
    pub id: String,
    #[config(min = 0.5, max = 1)]
    pub share: f64,
    pub effort: Option<Effort>,
}

#[config]
pub struct Config {
    #[config(min = 1, max = 10, default = 3)]
    pub max_steps: u32,
    #[config(min = -2, name = "nice")]
    pub priority: Option<i64>,
    #[config(non_empty)]
    pub root: PathBuf,
    #[config(non_empty, one_of = ["a", "b"])]
    pub words: Vec<String>,
    #[config(non_empty)]
    pub extra: Option<BTreeMap<String, u16>>,
    #[config(min = 1)]
    pub ports: BTreeMap<String, Vec<u16>>,
    pub models: Vec<Model>,
    pub main: Option<Model>,
    pub named: BTreeMap<String, Model>,
    pub key: SecretEnv,
    pub free: usize,
    pub r#type: bool,
}

fn model(id: &str, share: f64) -> Model {
    Model { id: id.to_owned(), share, effort: Some(Effort::Low) }
}

fn fine() -> Config {
    Config {
        max_steps: 3,
        priority: None,
        root: PathBuf::from("/"),
        words: vec!["a".to_owned()],
        extra: None,
        ports: BTreeMap::new(),
        models: vec![model("m", 1.0)],
        main: None,
        named: BTreeMap::new(),
        key: SecretEnv::new("KEY"),
        free: 0,
        r#type: true,
    }
}

fn problems(config: &Config, path: &str) -> Vec<(String, String)> {
    let mut problems: Vec<ConfigProblem> = Vec::new();
    config.check(path, &mut problems);
    problems.into_iter().map(|problem| (problem.place, problem.message)).collect()
}

#[test]
fn a_config_within_its_bounds_has_no_problem() {
    assert_eq!(problems(&fine(), ""), []);
    let edge = Config { max_steps: 10, priority: Some(-2), models: vec![model("m", 0.5)], ..fine() };
    assert_eq!(problems(&edge, ""), [], "bounds are inclusive");
}

#[test]
fn every_broken_bound_is_reported_with_its_path() {
    let broken = Config {
        max_steps: 0,
        priority: Some(-3),
        root: PathBuf::new(),
        words: vec!["a".to_owned(), "x".to_owned()],
        extra: Some(BTreeMap::new()),
        ports: BTreeMap::from([("http".to_owned(), vec![80, 0])]),
        models: vec![model("m", 1.0), model(" ", 1.5)],
        main: Some(model("m", f64::NAN)),
        named: BTreeMap::from([("k".to_owned(), model("", 1.0))]),
        ..fine()
    };
    let expected = [
        ("maxSteps", "`0` is below the minimum 1"),
        ("nice", "`-3` is below the minimum -2"),
        ("root", "must not be empty"),
        ("words[1]", "`x` is not one of `a`, `b`"),
        ("extra", "must not be empty"),
        ("ports.http[1]", "`0` is below the minimum 1"),
        ("models[1].id", "must not be blank"),
        ("models[1].share", "`1.5` is above the maximum 1"),
        ("main.share", "`NaN` is below the minimum 0.5"),
        ("main.share", "`NaN` is above the maximum 1"),
        ("named.k.id", "must not be blank"),
    ];
    assert_eq!(problems(&broken, ""), expected.map(|(place, message)| (place.to_owned(), message.to_owned())));
    let outer = problems(&Config { max_steps: 11, words: Vec::new(), ..fine() }, "outer");
    let expected = [("outer.maxSteps", "`11` is above the maximum 10"), ("outer.words", "must not be empty")];
    assert_eq!(outer, expected.map(|(place, message)| (place.to_owned(), message.to_owned())));
}

#[test]
fn a_config_enum_is_copied_compared_and_spelled_in_kebab_case() {
    let effort = Effort::VeryHigh;
    let copy = effort;
    assert_eq!(effort, copy);
    assert_eq!((Effort::Low.as_str(), effort.as_str()), ("low", "very-high"));
}
