//! Whether a schema keeps to the subset.

use std::fmt;

use serde_json::{Map, Value};

use super::TYPES;
use crate::arguments::is_lossless;

/// A place where a schema leaves the subset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaProblem {
    /// Where, from `parameters` on.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for SchemaProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.path, self.message)
    }
}

/// All places where the schema of a tool's arguments leaves the subset.
pub(crate) fn check(parameters: &Value) -> Vec<SchemaProblem> {
    let mut problems = Problems::default();
    let root = "parameters";
    if parameters.get("type").and_then(Value::as_str) != Some("object") {
        problems.add(root, "arguments have the type \"object\"");
    }
    if parameters.get("additionalProperties") == Some(&Value::Bool(false)) {
        problems.add(root, "the root is open: leave \"additionalProperties\" out");
    }
    problems.schema(root, parameters);
    problems.0
}

#[derive(Default)]
struct Problems(Vec<SchemaProblem>);

impl Problems {
    fn add(&mut self, path: &str, message: impl Into<String>) {
        self.0.push(SchemaProblem { path: path.to_owned(), message: message.into() });
    }

    fn require(&mut self, holds: bool, path: &str, message: &str) {
        if !holds {
            self.add(path, message);
        }
    }

    fn schema(&mut self, path: &str, schema: &Value) {
        let Some(keywords) = schema.as_object() else { return self.add(path, "a schema is an object") };
        for (keyword, value) in keywords {
            self.keyword(path, keyword, value);
        }
    }

    fn keyword(&mut self, path: &str, keyword: &str, value: &Value) {
        let place = format!("{path}.{keyword}");
        match keyword {
            "type" => {
                self.require(value.as_str().is_some_and(|name| TYPES.contains(&name)), &place, "a type is one of the seven JSON types");
            }
            "oneOf" => match value.as_array() {
                Some(branches) if branches.len() >= 2 => self.each(&place, branches),
                _ => self.add(&place, "\"oneOf\" has at least two branches"),
            },
            "properties" => match value.as_object() {
                Some(properties) => self.properties(&place, properties),
                None => self.add(&place, "\"properties\" is an object"),
            },
            "required" => {
                let names = value.as_array().is_some_and(|names| names.iter().all(Value::is_string));
                self.require(names, &place, "\"required\" is a list of names");
            }
            "additionalProperties" => self.require(value.is_boolean(), &place, "\"additionalProperties\" is true or false"),
            "items" => self.schema(&place, value),
            "enum" => {
                self.require(
                    value.as_array().is_some_and(|values| !values.is_empty()),
                    &place,
                    "\"enum\" is a list with at least one value",
                );
                self.lossless(&place, value);
            }
            "const" | "default" => self.lossless(&place, value),
            "description" | "title" => self.require(value.is_string(), &place, "an annotation is a text"),
            "examples" => {
                self.require(value.is_array(), &place, "\"examples\" is a list");
                self.lossless(&place, value);
            }
            _ => self.add(&place, "this keyword is not supported"),
        }
    }

    fn each(&mut self, path: &str, schemas: &[Value]) {
        for (index, schema) in schemas.iter().enumerate() {
            self.schema(&format!("{path}[{index}]"), schema);
        }
    }

    fn properties(&mut self, path: &str, properties: &Map<String, Value>) {
        for (name, schema) in properties {
            self.schema(&format!("{path}.{name}"), schema);
        }
    }

    fn lossless(&mut self, path: &str, value: &Value) {
        self.require(is_lossless(value), path, "minus zero is no JSON value");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::check;

    #[test]
    fn the_whole_subset_is_accepted() {
        let schema = json!({
            "type": "object",
            "title": "Edit",
            "description": "d",
            "properties": {
                "kind": { "enum": ["a", 1, null], "default": "a", "examples": ["a"] },
                "any": {},
                "either": { "oneOf": [{ "type": "string" }, { "type": "array", "items": { "type": "integer" } }] },
                "closed": { "type": "object", "properties": { "x": { "const": 1 } }, "required": ["x"], "additionalProperties": false },
            },
            "required": ["kind"],
            "additionalProperties": true,
        });
        assert_eq!(check(&schema), []);
    }

    #[test]
    fn all_problems_are_reported_with_their_places() {
        let schema = json!({
            "type": "string",
            "additionalProperties": false,
            "properties": {
                "a": { "type": ["string", "null"], "pattern": "x" },
                "b": { "oneOf": [{}], "items": [1] },
                "c": 5,
                "d": { "enum": [], "const": -0.0, "required": [1], "title": 1, "examples": 1, "properties": [] },
                "e": { "additionalProperties": {}, "type": "date" },
            },
        });
        let found: Vec<String> = check(&schema).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "parameters: arguments have the type \"object\"",
                "parameters: the root is open: leave \"additionalProperties\" out",
                "parameters.properties.a.type: a type is one of the seven JSON types",
                "parameters.properties.a.pattern: this keyword is not supported",
                "parameters.properties.b.oneOf: \"oneOf\" has at least two branches",
                "parameters.properties.b.items: a schema is an object",
                "parameters.properties.c: a schema is an object",
                "parameters.properties.d.enum: \"enum\" is a list with at least one value",
                "parameters.properties.d.const: minus zero is no JSON value",
                "parameters.properties.d.required: \"required\" is a list of names",
                "parameters.properties.d.title: an annotation is a text",
                "parameters.properties.d.examples: \"examples\" is a list",
                "parameters.properties.d.properties: \"properties\" is an object",
                "parameters.properties.e.additionalProperties: \"additionalProperties\" is true or false",
                "parameters.properties.e.type: a type is one of the seven JSON types",
            ]
        );
    }
}
