//! From a script to what it means here, or to the part that means nothing here.

use super::Untranslated;
use super::syntax::Script;
use super::term::{Kinds, Term};

/// Names of this language, in the operators of the other.
const OWN: [&str; 4] = ["cwd", "home", "platform", "profile"];

/// What a script means.
pub(super) fn meaning(script: &Script) -> Result<Term, Untranslated> {
    match script {
        Script::Number(number) => Ok(Term::Number(number.clone())),
        Script::Text(text) => Ok(Term::Text(text.clone())),
        Script::Template(texts, holes) => template(texts, holes),
        Script::Name(name) => named(name),
        Script::Member { of, name, .. } => member(of, name),
        Script::Call(called, arguments) => call(called, arguments),
        Script::New(_) => Err(beside()),
        Script::Prefix(operator, of) => prefix(operator, of),
        Script::Binary(operator, one, other) => binary(operator, one, other),
        Script::Choice(condition, yes, no) => {
            Ok(Term::Choice(Box::new(truth(meaning(condition)?)?), Box::new(meaning(yes)?), Box::new(meaning(no)?)))
        }
    }
}

fn beside() -> Untranslated {
    Untranslated::new("a path beside the composition file has no equal here: paths are relative to the folder in which the binary starts")
}

fn named(name: &str) -> Result<Term, Untranslated> {
    match name {
        "true" | "false" => Ok(Term::Truth(name == "true")),
        "undefined" => Ok(Term::Undefined),
        "null" => Ok(Term::Null),
        "arch" => Ok(Term::Arch),
        "baseUrl" => Err(beside()),
        _ => match OWN.iter().find(|own| **own == name) {
            Some(own) => Ok(Term::Machine(own)),
            None => Err(published(&Script::Name(name.to_owned()))),
        },
    }
}

fn member(of: &Script, name: &str) -> Result<Term, Untranslated> {
    match of {
        of if is_environment(of) => Ok(Term::Env(name.to_owned())),
        Script::Name(process) if process == "process" => match name {
            "platform" => Ok(Term::Machine("platform")),
            "arch" => Ok(Term::Arch),
            _ => Err(Untranslated::new(format!("`process.{name}` has no equal here"))),
        },
        _ => Err(published(&Script::Member { of: Box::new(of.clone()), name: name.to_owned(), optional: false })),
    }
}

/// A name that is none of JavaScript's own: a value of the row's context.
fn published(script: &Script) -> Untranslated {
    match dotted(script) {
        Some(path) => Untranslated::new(format!("`{path}` is a value that another row publishes, which has no equal here")),
        None => Untranslated::new("a member of a computed value has no equal here"),
    }
}

fn dotted(script: &Script) -> Option<String> {
    match script {
        Script::Name(name) => Some(name.clone()),
        Script::Member { of, name, .. } => Some(format!("{}.{name}", dotted(of)?)),
        _ => None,
    }
}

/// `process.env`, or `env` in the names of this language.
fn is_environment(script: &Script) -> bool {
    match script {
        Script::Name(name) => name == "env",
        Script::Member { of, name, .. } => name == "env" && matches!(&**of, Script::Name(of) if of == "process" ),
        _ => false,
    }
}

fn call(called: &Script, arguments: &[Script]) -> Result<Term, Untranslated> {
    if let Script::Member { of, name, optional } = called
        && (name, arguments) == (&"trim".to_owned(), &[])
    {
        return trim(meaning(of)?, *optional);
    }
    match (dotted(called).as_deref(), arguments) {
        (Some("process.cwd"), []) => Ok(Term::Machine("cwd")),
        (Some("dshHomePath"), segments) => path(Term::Machine("home"), segments),
        (Some("path.join"), [base, segments @ ..]) => path(meaning(base)?, segments),
        (Some("Number" | "parseFloat" | "Number.parseFloat"), [of]) => number(meaning(of)?),
        (Some("parseInt" | "Number.parseInt"), [of]) => number(meaning(of)?),
        (Some("parseInt" | "Number.parseInt"), [of, Script::Number(base)]) if base == "10" => number(meaning(of)?),
        (Some("Boolean"), [of]) => Ok(Term::Not(Box::new(Term::Not(Box::new(truth(meaning(of)?)?))))),
        (Some("JSON.parse"), [of]) => match meaning(of)? {
            of if of.kinds().within(Kinds::TEXT | Kinds::UNDEFINED) => Ok(Term::FromJson(Box::new(of))),
            _ => Err(Untranslated::new("`JSON.parse` is given something that is no string")),
        },
        (Some("fileURLToPath"), _) => Err(beside()),
        (Some(name), _) => Err(Untranslated::new(format!("`{name}(…)` has no equal here"))),
        (None, _) => Err(Untranslated::new("a call of a computed value has no equal here")),
    }
}

fn trim(of: Term, optional: bool) -> Result<Term, Untranslated> {
    if !of.kinds().within(Kinds::TEXT | Kinds::UNDEFINED) {
        return Err(Untranslated::new("`trim` is called on something that is no string"));
    }
    let trimmed = Term::Trim(Box::new(of.clone()));
    match of {
        Term::Env(_) if optional => {
            Ok(Term::Choice(Box::new(Term::Is("defined", Box::new(of))), Box::new(trimmed), Box::new(Term::Undefined)))
        }
        _ if optional && of.kinds().has(Kinds::UNDEFINED) => Err(Untranslated::new("`?.` after a computed value has no equal here")),
        _ => Ok(trimmed),
    }
}

/// Joins words to a path. Only plain words mean the same in both languages: what starts with `/` or climbs does not.
fn path(base: Term, segments: &[Script]) -> Result<Term, Untranslated> {
    let word = |segment: &Script| match segment {
        Script::Text(text) if text.split('/').all(|part| !matches!(part, "" | "." | "..")) => Ok(text.clone()),
        _ => Err(Untranslated::new("a path is joined from something else than plain words")),
    };
    let words = segments.iter().map(word).collect::<Result<Vec<_>, _>>()?;
    if !base.kinds().within(Kinds::TEXT | Kinds::UNDEFINED) {
        return Err(Untranslated::new("a path is joined to something that is no string"));
    }
    if words.is_empty() { Ok(base) } else { Ok(Term::Path(Box::new(base), words)) }
}

fn number(of: Term) -> Result<Term, Untranslated> {
    match of.kinds() {
        kinds if kinds.within(Kinds::NUMBER | Kinds::NAN) => Ok(of),
        kinds if kinds.within(Kinds::TEXT | Kinds::NUMBER | Kinds::UNDEFINED) => Ok(Term::ToNumber(Box::new(of))),
        _ => Err(Untranslated::new("a number is made of something that is no string")),
    }
}

/// A term whose truth the languages agree on. They do not on empty lists and mappings, which JSON may hold.
fn truth(of: Term) -> Result<Term, Untranslated> {
    if of.kinds().has(Kinds::ANY) {
        return Err(Untranslated::new("whether a value made of JSON counts as true differs between the languages"));
    }
    Ok(of)
}

fn prefix(operator: &str, of: &Script) -> Result<Term, Untranslated> {
    match (operator, meaning(of)?) {
        ("!", of) => Ok(Term::Not(Box::new(truth(of)?))),
        ("-", of) if of.kinds().within(Kinds::NUMBER) => Ok(Term::Minus(Box::new(of))),
        ("+", of) => number(of),
        (operator, _) => Err(Untranslated::new(format!("`{operator}` before this value has no equal here"))),
    }
}

fn binary(operator: &'static str, one: &Script, other: &Script) -> Result<Term, Untranslated> {
    match operator {
        "in" => {
            return match one {
                Script::Text(name) if is_environment(other) => Ok(Term::Is("defined", Box::new(Term::Env(name.clone())))),
                _ => Err(Untranslated::new("`in` has no equal here")),
            };
        }
        "===" | "!==" | "==" | "!=" => return equality(operator, one, other),
        _ => {}
    }
    let (one, other) = (meaning(one)?, meaning(other)?);
    let boxed = |term: Term| Box::new(term);
    match operator {
        "??" if one.kinds().has(Kinds::NAN) => {
            Err(Untranslated::new("`??` after a number: what is no number is not undefined, and is refused here"))
        }
        "??" if !one.kinds().has(Kinds::UNDEFINED | Kinds::NULL | Kinds::ANY) => Ok(one),
        "??" if one.kinds().has(Kinds::NULL | Kinds::ANY) && !one.is_short() => {
            Err(Untranslated::new("`??` after a computed value that may be null has no equal here"))
        }
        "??" => Ok(Term::Else(boxed(one), boxed(other))),
        "||" => Ok(Term::Or(boxed(truth(one)?), boxed(other))),
        "&&" => Ok(Term::And(boxed(truth(one)?), boxed(other))),
        "<" | ">" | "<=" | ">=" if both(&one, &other, Kinds::NUMBER) => Ok(Term::Compare(operator, boxed(one), boxed(other))),
        "+" | "-" | "*" if both(&one, &other, Kinds::NUMBER | Kinds::NAN) => Ok(Term::Math(operator, boxed(one), boxed(other))),
        "+" => joined(vec![one, other]),
        _ => Err(Untranslated::new(format!("`{operator}` between these values has no equal here"))),
    }
}

fn both(one: &Term, other: &Term, kinds: Kinds) -> bool {
    (one.kinds() | other.kinds()).within(kinds)
}

fn template(texts: &[String], holes: &[Script]) -> Result<Term, Untranslated> {
    let mut parts = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        parts.push(Term::Text(text.clone()));
        if let Some(hole) = holes.get(at) {
            parts.push(meaning(hole)?);
        }
    }
    joined(parts)
}

/// Values in a row as one string.
fn joined(parts: Vec<Term>) -> Result<Term, Untranslated> {
    if !parts.iter().any(|part| part.kinds().has(Kinds::TEXT)) {
        return Err(Untranslated::new("`+` between these values has no equal here"));
    }
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Term::Text(text) if text.is_empty() => {}
            Term::Joined(inner) => flat.extend(inner),
            // A fraction may be spelt differently.
            Term::Number(ref number) if !number.contains('.') => flat.push(part),
            Term::Arch => return Err(shown_arch()),
            part if part.kinds().within(Kinds::TEXT | Kinds::UNDEFINED) && !part.may_vanish() => flat.push(part),
            _ => return Err(Untranslated::new("a string is made of something whose spelling differs between the languages")),
        }
    }
    Ok(if flat.is_empty() { Term::Text(String::new()) } else { Term::Joined(flat) })
}

fn shown_arch() -> Untranslated {
    Untranslated::new("the languages name processors differently: `process.arch` can only be compared")
}

fn equality(operator: &str, one: &Script, other: &Script) -> Result<Term, Untranslated> {
    let (is_negated, is_strict) = (operator.starts_with('!'), operator.len() == 3);
    let negated = |term: Term| if is_negated { Term::Not(Box::new(term)) } else { term };
    if let (Script::Prefix("typeof", of), Script::Text(name)) = (one, other) {
        return type_of(&meaning(of)?, name).map(negated);
    }
    let (one, other) = (meaning(one)?, meaning(other)?);
    let (one, other) = if matches!(one, Term::Undefined | Term::Null) { (other, one) } else { (one, other) };
    match &other {
        Term::Undefined | Term::Null => return nothing(one, &other, is_strict).map(negated),
        Term::Text(name) if matches!(one, Term::Machine("platform") | Term::Arch) => {
            let name = Term::Text(own_name(name).to_owned());
            return Ok(compare(is_negated, one, name));
        }
        _ => {}
    }
    if matches!(one, Term::Arch) || matches!(other, Term::Arch) {
        return Err(shown_arch());
    }
    // Between values of two kinds JavaScript is always right or always converts.
    let alike = [Kinds::TEXT, Kinds::NUMBER, Kinds::TRUTH].into_iter().any(|kind| both(&one, &other, kind | Kinds::UNDEFINED | Kinds::NAN));
    if one.kinds().has(Kinds::NAN) && other.kinds().has(Kinds::NAN | Kinds::UNDEFINED)
        || other.kinds().has(Kinds::NAN) && one.kinds().has(Kinds::UNDEFINED)
    {
        return Err(Untranslated::new("two values that may be no numbers are compared"));
    }
    let (one, other) = (comparable(one, &other), other);
    let (other, one) = (comparable(other, &one), one);
    if alike { Ok(compare(is_negated, one, other)) } else { Err(Untranslated::new("values of different kinds are compared")) }
}

/// The same with a value where it would be undefined, which cannot be compared here: one that does not equal the other side.
fn comparable(of: Term, other: &Term) -> Term {
    let kinds = of.kinds();
    if !kinds.has(Kinds::UNDEFINED) || kinds.has(Kinds::ANY | Kinds::NULL | Kinds::NAN) {
        return of;
    }
    let unset = if matches!(other, Term::Text(text) if !text.is_empty()) { Term::Text(String::new()) } else { Term::Null };
    of.settled(&unset)
}

fn compare(is_negated: bool, one: Term, other: Term) -> Term {
    Term::Compare(if is_negated { "!=" } else { "==" }, Box::new(one), Box::new(other))
}

/// Whether a value is undefined, null, or with `==` either.
fn nothing(of: Term, what: &Term, is_strict: bool) -> Result<Term, Untranslated> {
    let kinds = of.kinds();
    if kinds.has(Kinds::NULL | Kinds::NAN) || (kinds.has(Kinds::ANY) && !of.is_short()) {
        return Err(Untranslated::new("this value cannot be compared with nothing here"));
    }
    let is = |test: &'static str| Term::Is(test, Box::new(of.clone()));
    Ok(match (what, is_strict, kinds.has(Kinds::ANY)) {
        (Term::Null, true, true) => is("none"),
        // Nothing but JSON gives null.
        (Term::Null, true, false) => Term::Truth(false),
        (_, true, _) | (_, false, false) => is("undefined"),
        (_, false, true) => Term::Or(Box::new(is("undefined")), Box::new(is("none"))),
    })
}

fn type_of(of: &Term, name: &str) -> Result<Term, Untranslated> {
    match (of, name) {
        (Term::Env(_), "undefined") => Ok(Term::Is("undefined", Box::new(of.clone()))),
        (Term::Env(_), "string") => Ok(Term::Is("defined", Box::new(of.clone()))),
        _ => Err(Untranslated::new("`typeof` has no equal here")),
    }
}

/// Names that Node and Rust give differently.
fn own_name(name: &str) -> &str {
    match name {
        "win32" => "windows",
        "darwin" => "macos",
        "x64" => "x86_64",
        "arm64" => "aarch64",
        other => other,
    }
}
