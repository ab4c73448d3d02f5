//! The schema that the compiler makes of a config type's source and the one that `#[config]` writes into a binary are the same, and what
//! is read by it becomes the type.

#[path = "schema/types.rs"]
mod types;

use std::collections::BTreeMap;
use std::path::PathBuf;

use dsh_build::check::schemas;
use dsh_build::diagnostics::{Diagnostics, Place, SourceFile, Style};
use dsh_build::index::{Declared, Index, ItemId};
use dsh_declare::model::Declaration;
use dsh_language::check::{ConfigReader, Expressions, Fixed, PluginAt};
use dsh_language::load::parse;
use dsh_language::schema::Schemas;
use dsh_runtime::config::{FromValue, Value};
use dsh_runtime::{Documented, SecretEnv};
use types::{Config, Manner, Route};

const SOURCE: &str = include_str!("schema/types.rs");

/// As the compiler reads the types.
fn read_from_source() -> Schemas {
    let file = SourceFile::new("types.rs", SOURCE);
    let (found, errors) = dsh_declare::source::declarations(syn::parse_file(SOURCE).unwrap());
    assert!(errors.is_empty(), "{errors:?}");
    let mut index = Index::default();
    for declaration in found {
        let Declaration::Config(decl) = declaration else { continue };
        let id = ItemId { package: env!("CARGO_PKG_NAME").to_owned(), name: decl.name.to_string() };
        index.configs.insert(id.clone(), Declared { id, decl, place: Place::start_of(&file), digest: 0 });
    }
    schemas(&index)
}

/// As a binary holds them.
fn compiled() -> Schemas {
    let mut schemas = Schemas::default();
    Config::add_to(&mut schemas);
    schemas
}

#[test]
fn compiler_and_macro_make_the_same_schema() {
    assert_eq!(compiled(), read_from_source());
}

fn read(text: &str) -> Result<Config, String> {
    let (schemas, expressions, mut problems) = (compiled(), Expressions::new("minimal", &Fixed::default()), Diagnostics::new());
    let root = parse(&SourceFile::new("a.yml", text), &mut problems).unwrap();
    let plugin = PluginAt { name: "it", place: None };
    let value = ConfigReader::new(&schemas, &expressions, plugin, &mut problems).config(&Config::SCHEMA.id(), Some(&root), &root.place);
    match value {
        Some(value) if problems.is_empty() => Ok(Config::from_value(&Value::Struct(value)).expect("it was read by the schema")),
        _ => Err(problems.human(Style::Plain)),
    }
}

#[test]
fn what_is_read_by_the_schema_becomes_the_type() {
    let config = read("{root: /r, keyEnv: KEY, routes: [], type: 7, count: 3, manner: brief, extra: {b: x, a: y}, weights: {w: [1, 2.5]}}");
    let expected = Config {
        text: "hello".to_owned(),
        flag: true,
        base_url: "http://127.0.0.1".to_owned(),
        r#type: 7,
        small: 2,
        signed: -3,
        timeout_ms: 300_000,
        count: Some(3),
        root: PathBuf::from("/r"),
        key_env: SecretEnv::new("KEY"),
        manner: Manner::Brief,
        words: vec!["a".to_owned(), "b".to_owned()],
        extra: BTreeMap::from([("a".to_owned(), "y".to_owned()), ("b".to_owned(), "x".to_owned())]),
        routes: Vec::new(),
        weights: Some(BTreeMap::from([("w".to_owned(), vec![1.0, 2.5])])),
    };
    assert_eq!(config, Ok(expected));
    let routes = read("{root: !expr \"'a' | path('b')\", keyEnv: KEY, routes: [{name: near}, {name: far, weight: 1.5}]}").unwrap();
    let route = |name: &str, weight| Route { name: name.to_owned(), weight };
    assert_eq!((routes.routes, routes.root), (vec![route("near", 0.5), route("far", 1.5)], PathBuf::from("a/b")));
}

#[test]
fn bounds_are_judged() {
    let refused =
        read("{root: /r, keyEnv: KEY, routes: [{name: else, weight: 2}], words: [], signed: -11, text: ' ', type: 65536}").unwrap_err();
    for code in ["DSH0206", "DSH0207", "DSH0208"] {
        assert!(refused.contains(code), "{refused}");
    }
    assert_eq!(refused.matches("error[").count(), 6, "{refused}");
}
