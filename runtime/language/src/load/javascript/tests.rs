//! What is translated to what; and that a translation gives the value that JavaScript gives.

use std::collections::BTreeMap;

use dsh_expression::{Refused, engine};
use proptest::prelude::*;

use super::syntax::{Script, parse};
use super::*;

#[test]
fn expressions_with_an_equal() {
    for (script, expression) in [
        ("process.env.DSH_MODE", "env.DSH_MODE"),
        ("process.env['DSH_MODE'] ?? \"ask\"", "env.DSH_MODE | default('ask')"),
        ("process.env['a-b'] ?? \"it's\"", "env['a-b'] | default('it\\'s')"),
        ("process.env.A || 'x'", "env.A or 'x'"),
        ("process.env.A ?? process.env.B ?? 'x'", "env.A | default(env.B) | default('x')"),
        ("process.env.A ? 'none' : 'zstd'", "'none' if env.A else 'zstd'"),
        ("process.env.A !== undefined ? 'none' : 'zstd'", "'none' if not (env.A is undefined) else 'zstd'"),
        ("process.env.A === 'x'", "env.A | default('') == 'x'"),
        ("'' !== process.env.A", "'' != env.A | default(none)"),
        ("process.env.A === process.env.B", "env.A | default(none) == env.B | default(none)"),
        ("process.platform === 'win32'", "platform == 'windows'"),
        ("process.platform !== 'win32'", "platform != 'windows'"),
        ("process.arch === 'arm64' && process.platform == 'linux'", "arch == 'aarch64' and platform == 'linux'"),
        ("process.cwd()", "cwd"),
        ("process.env.DSH_CWD ?? process.cwd()", "env.DSH_CWD | default(cwd)"),
        ("dshHomePath('sessions', 'a')", "home | path('sessions', 'a')"),
        ("path.join(process.cwd(), '.dsh')", "cwd | path('.dsh')"),
        ("(process.env.M ?? 'safe') === 'full' ? 'never' : 'ask'", "'never' if env.M | default('safe') == 'full' else 'ask'"),
        ("Number(process.env.N ?? '5')", "env.N | default('5') | int"),
        ("process.env.N ? Number(process.env.N) : 1000000", "env.N | int if env.N else 1000000"),
        ("process.env.N === undefined ? 5 : Number(process.env.N)", "5 if env.N is undefined else env.N | int"),
        ("JSON.parse(process.env.T ?? 'true')", "env.T | default('true') | json"),
        ("process.env.T === undefined ? true : JSON.parse(process.env.T)", "true if env.T is undefined else env.T | json"),
        ("`${process.env.A ?? 'a'}/b`", "env.A | default('a') ~ '/b'"),
        ("'a' + process.env.B + 'c'", "'a' ~ env.B ~ 'c'"),
        ("process.env.A?.trim() || 'x'", "(env.A | trim if env.A is defined) or 'x'"),
        ("process.env.A ? 'a' : undefined", "'a' if env.A"),
        ("'A' in process.env", "env.A is defined"),
        ("typeof process.env.A === 'undefined'", "env.A is undefined"),
        ("5 * 60_000", "5 * 60000"),
        ("env.DSH_CWD ?? cwd", "env.DSH_CWD | default(cwd)"),
        ("!(process.env.A && true)", "not (env.A and true)"),
    ] {
        assert_eq!(translate(script).as_deref(), Some(expression), "{script}");
    }
}

#[test]
fn expressions_without_an_equal_say_why() {
    let why = |script: &str| translate_for(script, &Use { numbers: Numbers::Whole, unset: None, is_condition: false });
    for (script, reason) in [
        ("", "a value is missing"),
        ("webStartup.port ?? 3080", "`webStartup.port` is a value that another row publishes"),
        ("cli.args.port", "`cli.args.port` is a value that another row publishes"),
        ("fileURLToPath(new URL('./skills', baseUrl))", "a path beside the composition file has no equal here"),
        ("() => 1", "`)` is not read here"),
        ("a +", "a value is missing"),
        ("'x\\0'", "it holds an escape that is not read here"),
        ("process.exit()", "`process.exit(…)` has no equal here"),
        ("1 2", "a value stands where none can"),
        ("process.arch", "the languages name processors differently"),
        ("`${process.arch}`", "the languages name processors differently"),
        ("process.env.A === 1", "values of different kinds are compared"),
        ("JSON.parse(process.env.A) || 'x'", "whether a value made of JSON counts as true"),
        ("dshHomePath('..')", "a path is joined from something else than plain words"),
        ("Number(process.env.A) ?? 5", "`??` after a number"),
        ("process.env[name]", "a name in brackets is not written out"),
        ("os.homedir()", "`os.homedir(…)` has no equal here"),
        (&"(".repeat(1000), "it is longer than what is read here"),
        (&"(".repeat(100), "it is nested deeper than what is read here"),
    ] {
        let found = why(script).expect_err(script).reason;
        assert!(found.starts_with(reason), "{script}: {found}");
    }
}

#[test]
fn what_is_unset_is_left_to_the_default_of_the_field() {
    let with = |script: &str| {
        let of = Use { numbers: Numbers::Real, unset: Some("'native'".to_owned()), is_condition: false };
        translate_for(script, &of).unwrap()
    };
    assert_eq!(with("process.env.A"), "env.A | default('native')");
    assert_eq!(with("process.env.A ?? 'x'"), "env.A | default('x')");
    assert_eq!(with("process.env.A || undefined"), "env.A or 'native'");
    assert_eq!(with("process.env.A ? null : 'x'"), "'native' if env.A else 'x'");
    assert_eq!(with("Number(process.env.A || '1.5')"), "(env.A or '1.5') | float");
}

#[test]
fn conditions_are_made_true_or_false() {
    let condition = |script: &str| translate_for(script, &Use { numbers: Numbers::Whole, unset: None, is_condition: true });
    assert_eq!(condition("process.platform === 'win32'").unwrap(), "platform == 'windows'");
    assert_eq!(condition("process.env.CI").unwrap(), "true if env.CI else false");
    assert!(condition("JSON.parse(process.env.CI)").is_err());
}

#[test]
fn packages() {
    assert_eq!(plugin_of_package("@deepseek-ai/dsh-tool-bash"), Some("tool-bash"));
    assert_eq!(plugin_of_package("@deepseek-ai/dsh-headless/startup"), None);
    assert_eq!(plugin_of_package("cordis:group"), None);
}

/// A value of JavaScript.
#[derive(Clone, Debug, PartialEq)]
enum Js {
    Undefined,
    Null,
    Truth(bool),
    Number(f64),
    Text(String),
}

/// Where scripts are evaluated: variables, and this machine as both languages see it.
struct Machine(BTreeMap<String, String>);

impl Machine {
    /// What JavaScript gives; `None` where it throws, or makes text of what is unset.
    fn value(&self, script: &Script) -> Option<Js> {
        Some(match script {
            Script::Number(number) => Js::Number(number.parse().ok()?),
            Script::Text(text) => Js::Text(text.clone()),
            Script::Template(texts, holes) => {
                let mut text = texts[0].clone();
                for (hole, after) in holes.iter().zip(&texts[1..]) {
                    text = text + &spelt(&self.value(hole)?)? + after;
                }
                Js::Text(text)
            }
            Script::Name(name) => match name.as_str() {
                "true" => Js::Truth(true),
                "false" => Js::Truth(false),
                "null" => Js::Null,
                "undefined" => Js::Undefined,
                _ => return None,
            },
            Script::Member { name, of, .. } => match (&**of, name.as_str()) {
                (Script::Name(_), "platform") => Js::Text("linux".to_owned()),
                (Script::Name(_), "arch") => Js::Text("x64".to_owned()),
                _ => self.0.get(name).map_or(Js::Undefined, |value| Js::Text(value.clone())),
            },
            Script::Call(called, arguments) => self.call(called, arguments)?,
            Script::Prefix("!", of) => Js::Truth(!truth(&self.value(of)?)),
            Script::Prefix("-", of) => Js::Number(-number(&self.value(of)?)?),
            Script::Prefix(..) | Script::New(_) => return None,
            Script::Binary(operator, one, other) => self.binary(operator, one, other)?,
            Script::Choice(condition, yes, no) => self.value(if truth(&self.value(condition)?) { yes } else { no })?,
        })
    }

    fn call(&self, called: &Script, arguments: &[Script]) -> Option<Js> {
        let Script::Member { of, name, optional } = called else {
            let Script::Name(name) = called else { return None };
            return match (name.as_str(), arguments) {
                ("Number", [of]) => number(&self.value(of)?).map(Js::Number),
                ("dshHomePath", [Script::Text(word)]) => Some(Js::Text(format!("/home/.dsh/{word}"))),
                _ => None,
            };
        };
        match (name.as_str(), arguments) {
            ("cwd", []) => Some(Js::Text("/work".to_owned())),
            ("parse", [of]) => {
                let Js::Text(text) = self.value(of)? else { return None };
                Some(match serde_json::from_str(&text).ok()? {
                    serde_json::Value::Null => Js::Null,
                    serde_json::Value::Bool(value) => Js::Truth(value),
                    serde_json::Value::Number(value) => Js::Number(value.as_f64()?),
                    serde_json::Value::String(text) => Js::Text(text),
                    _ => return None,
                })
            }
            ("trim", []) => match self.value(of)? {
                Js::Text(text) => Some(Js::Text(text.trim().to_owned())),
                Js::Undefined if *optional => Some(Js::Undefined),
                _ => None,
            },
            _ => None,
        }
    }

    fn binary(&self, operator: &str, one: &Script, other: &Script) -> Option<Js> {
        if operator == "in" {
            let Script::Text(name) = one else { return None };
            return Some(Js::Truth(self.0.contains_key(name)));
        }
        let left = self.value(one)?;
        match operator {
            "??" if !matches!(left, Js::Undefined | Js::Null) => return Some(left),
            "||" if truth(&left) => return Some(left),
            "&&" if !truth(&left) => return Some(left),
            _ => {}
        }
        let right = self.value(other)?;
        let order = || Some((number(&left)?, number(&right)?));
        let loosely = || left == right || matches!((&left, &right), (Js::Undefined, Js::Null) | (Js::Null, Js::Undefined));
        Some(match operator {
            "??" | "||" | "&&" => right,
            "===" => Js::Truth(left == right),
            "!==" => Js::Truth(left != right),
            "==" => Js::Truth(loosely()),
            "!=" => Js::Truth(!loosely()),
            "<" => Js::Truth(order()?.0 < order()?.1),
            ">" => Js::Truth(order()?.0 > order()?.1),
            "<=" => Js::Truth(order()?.0 <= order()?.1),
            ">=" => Js::Truth(order()?.0 >= order()?.1),
            "+" => match (&left, &right) {
                (Js::Number(left), Js::Number(right)) => Js::Number(left + right),
                _ => Js::Text(spelt(&left)? + &spelt(&right)?),
            },
            "-" => Js::Number(order()?.0 - order()?.1),
            "*" => Js::Number(order()?.0 * order()?.1),
            _ => return None,
        })
    }

    /// What the translation gives; `None` where it fails.
    fn translated(&self, expression: &str) -> Option<Js> {
        let engine = engine(Refused::Shown);
        let names = minijinja::context! { env => &self.0, cwd => "/work", home => "/home/.dsh", platform => "linux", arch => "x86_64" };
        let value = engine.compile_expression(expression).unwrap_or_else(|error| panic!("{expression}: {error}")).eval(names).ok()?;
        Some(match value.kind() {
            minijinja::value::ValueKind::Undefined => Js::Undefined,
            minijinja::value::ValueKind::None => Js::Null,
            minijinja::value::ValueKind::Bool => Js::Truth(value.is_true()),
            minijinja::value::ValueKind::Number => Js::Number(f64::try_from(value).ok()?),
            minijinja::value::ValueKind::String => Js::Text(value.to_string()),
            _ => return None,
        })
    }
}

fn truth(value: &Js) -> bool {
    match value {
        Js::Undefined | Js::Null => false,
        Js::Truth(value) => *value,
        Js::Number(number) => *number != 0.0 && !number.is_nan(),
        Js::Text(text) => !text.is_empty(),
    }
}

/// `Number(…)` of values that the generated scripts give it.
fn number(value: &Js) -> Option<f64> {
    match value {
        Js::Undefined => Some(f64::NAN),
        Js::Number(number) => Some(*number),
        Js::Text(text) if text.trim().is_empty() => Some(0.0),
        Js::Text(text) => Some(text.trim().parse().unwrap_or(f64::NAN)),
        Js::Null | Js::Truth(_) => None,
    }
}

fn spelt(value: &Js) -> Option<String> {
    match value {
        Js::Text(text) => Some(text.clone()),
        Js::Number(number) if number.fract() == 0.0 => Some(format!("{number}")),
        _ => None,
    }
}

/// Sources of scripts that stay within what compositions hold, each in parentheses where it has parts.
fn scripts() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec![
        "process.env.A",
        "process.env.B",
        "process.env['A']",
        "'x'",
        "''",
        "'0'",
        "'5'",
        "0",
        "5",
        "1.5",
        "true",
        "false",
        "null",
        "undefined",
        "process.platform",
        "process.cwd()",
        "dshHomePath('s')",
        "process.env.A?.trim()",
        "'B' in process.env",
        "Number(process.env.A)",
        "JSON.parse(process.env.B)",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(4, 20, 3, |inner| {
        let operators = vec!["??", "||", "&&", "===", "!==", "==", "!=", "<", ">=", "+", "-", "*"];
        prop_oneof![
            (inner.clone(), prop::sample::select(operators), inner.clone())
                .prop_map(|(one, sign, other)| format!("({one} {sign} {other})")),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(condition, yes, no)| format!("({condition} ? {yes} : {no})")),
            inner.clone().prop_map(|of| format!("!({of})")),
            inner.clone().prop_map(|of| format!("Number({of})")),
            inner.clone().prop_map(|of| format!("JSON.parse({of})")),
            inner
                .clone()
                .prop_map(|of| format!("`a${{{of}}}b`"))
                .prop_filter("no template in a template", |text| text.matches('`').count() == 2),
        ]
    })
}

fn variables() -> impl Strategy<Value = BTreeMap<String, String>> {
    let value = prop::sample::select(vec!["", "x", "0", "5", " 7 ", "1.5", "true", "null", "linux", "\"q\"", "[]"]);
    prop::collection::btree_map(prop::sample::select(vec!["A".to_owned(), "B".to_owned()]), value.prop_map(str::to_owned), 0..3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// Wherever both languages give a value, it is the same one.
    #[test]
    fn a_translation_gives_the_value_that_javascript_gives(script in scripts(), variables in variables()) {
        let Ok(expression) = translate_for(&script, &Use { numbers: Numbers::Real, unset: None, is_condition: false }) else { return Ok(()) };
        let machine = Machine(variables);
        let (Some(expected), Some(found)) = (machine.value(&parse(&script).unwrap()), machine.translated(&expression)) else { return Ok(()) };
        if matches!(expected, Js::Number(number) if number.is_nan()) {
            return Ok(());
        }
        prop_assert_eq!(&found, &expected, "{} became {} with {:?}", script, expression, machine.0);
    }

    /// What is not set can be compared in JavaScript, so its translation can be.
    #[test]
    fn comparisons_of_variables_give_a_value_on_every_machine(
        one in prop::sample::select(vec!["process.env.A", "process.env.B", "'x'", "''", "(process.env.A || process.env.B)"]),
        operator in prop::sample::select(vec!["===", "!==", "==", "!="]),
        other in prop::sample::select(vec!["process.env.A", "process.env.B", "'x'", "''"]),
        variables in variables(),
    ) {
        let script = format!("{one} {operator} {other}");
        let expression = translate(&script).unwrap();
        let machine = Machine(variables);
        let expected = machine.value(&parse(&script).unwrap());
        prop_assert_eq!(machine.translated(&expression), expected, "{} became {} with {:?}", script, expression, machine.0);
    }

    #[test]
    fn any_text_is_translated_or_refused(pieces in prop::collection::vec(prop::sample::select(vec![
        "process", ".", "env", "A", "'", "\"", "`", "${", "}", "(", ")", "?", ":", "??", "||", "!", "\\", "u", "{", "é", "\n", " ", "1", "new ",
        "typeof ", "=>", "[", "]", ",", "+", "0x", "\u{2028}",
    ]), 0..24)) {
        let script = pieces.concat();
        if let Some(expression) = translate(&script) {
            prop_assert!(engine(Refused::Shown).compile_expression(&expression).is_ok(), "{} became {}", script, expression);
        }
    }
}
