//! Whether a value satisfies a schema of the subset.

use serde_json::{Map, Value};

use super::Violation;
use super::violation::ViolationKind;
use crate::arguments::is_minus_zero;

/// All violations, in the order of the schema. The schema has passed [`super::check`].
pub(crate) fn validate(schema: &Value, value: &Value) -> Vec<Violation> {
    let mut found = Violations::default();
    found.value("", schema, value);
    found.0
}

#[derive(Default)]
struct Violations(Vec<Violation>);

impl Violations {
    fn add(&mut self, path: &str, kind: ViolationKind) {
        self.0.push(Violation { path: path.to_owned(), kind });
    }

    fn value(&mut self, path: &str, schema: &Value, value: &Value) {
        if let Some(expected) = schema.get("type").and_then(Value::as_str)
            && let Some(kind) = type_violation(expected, value)
        {
            // What the schema says of the inside cannot hold either.
            return self.add(path, kind);
        }
        if let Some(Value::Array(allowed)) = schema.get("enum")
            && !allowed.contains(value)
        {
            self.add(path, ViolationKind::Enum(Value::from(allowed.clone()).to_string()));
        }
        if let Some(only) = schema.get("const")
            && only != value
        {
            self.add(path, ViolationKind::Const(only.to_string()));
        }
        if let Some(Value::Array(branches)) = schema.get("oneOf") {
            let matched = branches.iter().filter(|branch| validate(branch, value).is_empty()).count();
            if matched != 1 {
                self.add(path, ViolationKind::OneOf { matched });
            }
        }
        match value {
            Value::Object(members) => self.object(path, schema, members),
            Value::Array(items) => {
                let Some(schema) = schema.get("items") else { return };
                items.iter().enumerate().for_each(|(index, item)| self.value(&format!("{path}[{index}]"), schema, item));
            }
            _ => {}
        }
    }

    fn object(&mut self, path: &str, schema: &Value, members: &Map<String, Value>) {
        let properties = schema.get("properties").and_then(Value::as_object);
        for name in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            if !members.contains_key(name) {
                self.add(&join(path, name), ViolationKind::Missing);
            }
        }
        for (name, schema) in properties.into_iter().flatten() {
            if let Some(member) = members.get(name) {
                self.value(&join(path, name), schema, member);
            }
        }
        if schema.get("additionalProperties") == Some(&Value::Bool(false)) {
            for name in members.keys().filter(|name| !properties.is_some_and(|declared| declared.contains_key(*name))) {
                self.add(&join(path, name), ViolationKind::Undeclared);
            }
        }
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn type_violation(expected: &str, value: &Value) -> Option<ViolationKind> {
    let fits = match (expected, value) {
        ("number" | "integer", Value::Number(number)) if is_minus_zero(number) => return Some(ViolationKind::NotFinite),
        // Whole numbers beyond 2^53 stay doubles.
        ("integer", Value::Number(number)) => number.as_f64().is_none_or(|number| number.fract() == 0.0),
        ("number", Value::Number(_)) => true,
        _ => expected == type_name(value),
    };
    (!fits).then(|| ViolationKind::Type { expected: expected.to_owned(), found: type_name(value) })
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::validate;

    fn violations(schema: &Value, value: &Value) -> Vec<String> {
        validate(schema, value).iter().map(ToString::to_string).collect()
    }

    fn property(schema: &Value, value: Value) -> Vec<String> {
        violations(&json!({ "type": "object", "properties": { "a": schema } }), &json!({ "a": value }))
    }

    #[test]
    fn all_violations_are_reported_with_their_paths() {
        let schema = json!({
            "type": "object",
            "properties": {
                "mode": { "type": "string", "enum": ["a", "b"] },
                "edits": {
                    "type": "array",
                    "items": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"], "additionalProperties": false },
                },
                "count": { "type": "integer" },
                "fixed": { "const": { "x": 1 } },
            },
            "required": ["mode", "path"],
        });
        let value = json!({ "mode": "c", "edits": [{ "text": 1, "other": 2 }, {}, 3], "count": 1.5, "fixed": null, "extra": 1 });
        assert_eq!(
            violations(&schema, &value),
            [
                "missing required property \"path\"",
                "mode must be one of [\"a\",\"b\"]",
                "edits[0].text must be of type string, not number",
                "undeclared property \"edits[0].other\"",
                "missing required property \"edits[1].text\"",
                "edits[2] must be of type object, not number",
                "count must be of type integer, not number",
                "fixed must equal {\"x\":1}",
            ]
        );
    }

    #[test]
    fn the_root_is_named_arguments() {
        assert_eq!(violations(&json!({ "type": "object" }), &json!("{oops")), ["arguments must be of type object, not string"]);
    }

    #[test]
    fn integers_have_no_fraction_and_no_minus_zero() {
        let integer = json!({ "type": "integer" });
        for fine in [json!(0), json!(-3), json!(u64::MAX), json!(1e20)] {
            assert_eq!(property(&integer, fine.clone()), [""; 0], "{fine}");
        }
        assert_eq!(property(&integer, json!(0.5)), ["a must be of type integer, not number"]);
        assert_eq!(property(&integer, json!(-0.0)), ["a must be a finite JSON number"]);
        assert_eq!(property(&json!({ "type": "number" }), json!(-0.0)), ["a must be a finite JSON number"]);
        assert_eq!(property(&json!({ "type": "number" }), json!(0.5)), [""; 0]);
    }

    #[test]
    fn exactly_one_branch_must_fit() {
        let schema = json!({ "oneOf": [{ "type": "number" }, { "type": "integer" }, { "type": "string" }] });
        assert_eq!(property(&schema, json!("x")), [""; 0]);
        assert_eq!(property(&schema, json!(1)), ["a must match exactly one oneOf branch, matched 2"]);
        assert_eq!(property(&schema, json!(null)), ["a must match exactly one oneOf branch, matched 0"]);
    }

    #[test]
    fn a_node_without_a_type_takes_anything() {
        for value in [json!(null), json!([{ "x": [] }]), json!("x")] {
            assert_eq!(property(&json!({}), value), [""; 0]);
        }
    }
}
