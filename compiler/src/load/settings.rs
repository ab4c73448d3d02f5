//! How a binary is built: what a profile says under `build`, and what flags of the same names say instead.

use dsh_language::check::Fixed;
use dsh_language::check::rules::is_variable_name;
use dsh_language::load::{Node, NodeKind, Reading};

use super::rules;
use crate::diagnostics::Place;

/// How a binary is built.
#[derive(Clone, Debug, Default)]
pub struct BuildSettings {
    /// `static`: it needs no shared library.
    pub is_static: bool,
    /// `seal`: it takes no overlay when it starts.
    pub is_sealed: bool,
    /// `set`: variables of the environment whose values expressions see as they are given here. No name is there twice.
    pub set: Vec<SetVariable>,
}

/// A variable that is set.
#[derive(Clone, Debug)]
pub struct SetVariable {
    /// Its name.
    pub name: String,
    /// Its value; one without anything but white space sets it as not set.
    pub value: String,
    /// Its name in the profile; none where a flag gives it.
    pub place: Option<Place>,
}

/// What the command line says of the same. What it does not say is left to the profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildFlags {
    /// `--static`
    pub is_static: Option<bool>,
    /// `--seal`
    pub is_sealed: Option<bool>,
    /// `--set`: names and values.
    pub set: Vec<(String, String)>,
}

impl BuildSettings {
    /// The values that expressions see.
    #[must_use]
    pub fn fixed(&self) -> Fixed {
        Fixed::of(self.set.iter().map(|variable| (&variable.name, &variable.value)))
    }
}

impl BuildFlags {
    /// Whether what is compiled is another composition than the profile's.
    #[must_use]
    pub fn change_composition(&self) -> bool {
        self.is_sealed.is_some() || !self.set.is_empty()
    }

    /// The settings of a profile under these flags.
    pub(super) fn over(&self, profile: BuildSettings) -> BuildSettings {
        let given = |(name, value): &(String, String)| SetVariable { name: name.clone(), value: value.clone(), place: None };
        let kept = profile.set.into_iter().filter(|variable| !self.set.iter().any(|(name, _)| *name == variable.name));
        BuildSettings {
            is_static: self.is_static.unwrap_or(profile.is_static),
            is_sealed: self.is_sealed.unwrap_or(profile.is_sealed),
            set: kept.chain(self.set.iter().map(given)).collect(),
        }
    }
}

/// Reads `build` of a profile.
pub(super) fn read(reading: &mut Reading<'_>, node: &Node) -> BuildSettings {
    let Some(fields) = reading.fields(node, "`build`", &["static", "seal", "set"]) else { return BuildSettings::default() };
    let mut flag = |name: &str| fields.value(name).and_then(|node| reading.boolean(node, &format!("`{name}`"))).unwrap_or(false);
    let (is_static, is_sealed) = (flag("static"), flag("seal"));
    let set = fields.value("set").map(|node| set(reading, node)).unwrap_or_default();
    BuildSettings { is_static, is_sealed, set }
}

fn set(reading: &mut Reading<'_>, node: &Node) -> Vec<SetVariable> {
    let mut set = Vec::new();
    for (key, value) in reading.entries(node, "`set`", "names of variables to their values") {
        if !is_variable_name(&key.text) {
            reading.problems.report(rules::variable_name(&key.text, &key.place));
            continue;
        }
        // A variable of the environment is a string, and may be an empty one.
        let value = match &value.kind {
            NodeKind::Plain(text) | NodeKind::Quoted(text) if !value.is_null() => text.clone(),
            _ => {
                reading.wrong_kind(value, &format!("the value of `{}`", key.text), "a string");
                continue;
            }
        };
        set.push(SetVariable { name: key.text.clone(), value, place: Some(key.place.clone()) });
    }
    set
}
