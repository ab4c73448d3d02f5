//! References to variables in texts.

use std::collections::BTreeMap;

use crate::error::PromptError;

/// Whether a text can refer to a variable of this name.
pub fn is_variable_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|rest| rest.is_ascii_lowercase() || rest.is_ascii_digit() || rest == '_')
}

/// Puts values in place of references. What was put in is not looked at again. `{{` with no `}}` anywhere after it is plain
/// text. `part` names the text in an error.
pub fn interpolate(part: &str, text: &str, variables: &BTreeMap<String, Option<String>>) -> Result<String, PromptError> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, opened)) = rest.split_once("{{") {
        let Some((name, after)) = opened.split_once("}}") else { break };
        if !is_variable_name(name) {
            return Err(PromptError::Malformed { part: part.to_owned() });
        }
        let missing = |why| PromptError::Variable { part: part.to_owned(), name: name.to_owned(), why };
        let value = variables.get(name).ok_or_else(|| missing("no plugin registers"))?;
        out.push_str(before);
        out.push_str(value.as_deref().ok_or_else(|| missing("has no value here"))?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Result<String, PromptError> {
        let values = [("model", Some("m1")), ("trap", Some("{{model}}")), ("cwd", None)];
        let variables = values.map(|(name, value)| (name.to_owned(), value.map(str::to_owned)));
        interpolate("section `s`", text, &BTreeMap::from(variables))
    }

    #[test]
    fn values_replace_references_once() {
        assert_eq!(run("on {{model}}, {{model}}!").unwrap(), "on m1, m1!");
        assert_eq!(run("{{trap}}").unwrap(), "{{model}}");
        assert_eq!(run("no references } {").unwrap(), "no references } {");
    }

    #[test]
    fn braces_that_never_close_are_text() {
        assert_eq!(run("{{model}} and {{model").unwrap(), "m1 and {{model");
    }

    #[test]
    fn what_is_no_reference_or_has_no_value_is_an_error() {
        for text in ["{{}}", "{{ model }}", "{{Model}}", "{{{model}}}", "{{1a}}", "{{ {{model}}"] {
            assert_eq!(run(text), Err(PromptError::Malformed { part: "section `s`".to_owned() }), "{text}");
        }
        let unknown = run("{{nope}}").unwrap_err().to_string();
        assert_eq!(unknown, "section `s` uses `{{nope}}`, which no plugin registers");
        assert!(run("{{cwd}}").unwrap_err().to_string().contains("has no value"));
    }
}
