//! Rust names of rows, events and declared types.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::index::ItemId;
use crate::plan::{Plan, PlannedTopic};

/// Names that the body of the wiring uses for itself, and a word that this edition reserves and `syn` does not know.
const TAKEN: [&str; 7] = ["boot", "topics", "rows", "configs", "eval", "contributed", "gen"];

/// The names of a preset's items.
pub(super) struct PresetNames {
    /// The struct of what its rows take from the composition.
    pub given: Ident,
    /// The struct of its rows' configs.
    pub configs: Ident,
    /// The field that holds them among all configs.
    pub field: Ident,
    /// The function that mounts it, boxed.
    pub mount: Ident,
    /// The function that mounts its rows.
    pub mount_rows: Ident,
}

impl PresetNames {
    /// `camel` and `snake` are its name in both forms.
    fn new(camel: &Ident, snake: &Ident) -> Self {
        let ident = |text: String| Ident::new(&text, Span::call_site());
        Self {
            given: ident(format!("Preset{camel}")),
            configs: ident(format!("Preset{camel}Configs")),
            field: ident(format!("preset_{snake}")),
            mount: ident(format!("mount_preset_{snake}")),
            mount_rows: ident(format!("mount_rows_of_preset_{snake}")),
        }
    }
}

/// The names of a plan's rows, groups, presets and topics.
pub(super) struct Names<'p> {
    plan: &'p Plan,
    rows: BTreeMap<&'p str, Ident>,
    places: BTreeMap<&'p str, Ident>,
    groups: BTreeMap<&'p str, Ident>,
    presets: BTreeMap<&'p str, PresetNames>,
    topics: BTreeMap<&'p ItemId, Ident>,
}

impl<'p> Names<'p> {
    pub(super) fn new(plan: &'p Plan) -> Self {
        let (mut rows, mut topics, mut places) = (Unique::snake_case(), Unique::snake_case(), Unique::camel_case());
        // In row order, so that a name does not depend on what mounts when.
        let ids = in_row_order(plan);
        let mut groups = Unique::camel_case();
        let (mut camel, mut snake) = (Unique::camel_case(), Unique::snake_case());
        let mut preset = |name: &str| PresetNames::new(&camel.name(&camel_case(name)), &snake.name(&snake_case(name)));
        Self {
            plan,
            groups: plan.groups.iter().map(|group| (group.id.as_str(), groups.name(&camel_case(&group.id)))).collect(),
            presets: plan.presets.iter().map(|known| (known.name.as_str(), preset(&known.name))).collect(),
            rows: ids.iter().map(|id| (*id, rows.name(&snake_case(id)))).collect(),
            places: ids.iter().map(|id| (*id, places.name(&camel_case(id)))).collect(),
            topics: plan.topics.iter().map(|topic| (&topic.event, topics.name(&topic_name(topic)))).collect(),
        }
    }

    /// The variable that holds a row.
    pub(super) fn row(&self, id: &str) -> &Ident {
        &self.rows[id]
    }

    /// The variant that stands for a row's place in the composition.
    pub(super) fn place(&self, id: &str) -> &Ident {
        &self.places[id]
    }

    /// The variant that stands for a group.
    pub(super) fn group(&self, id: &str) -> &Ident {
        &self.groups[id]
    }

    /// The items of a preset.
    pub(super) fn preset(&self, name: &str) -> &PresetNames {
        &self.presets[name]
    }

    /// The function that makes a row's config.
    pub(super) fn config_function(&self, id: &str) -> Ident {
        Ident::new(&format!("{}_config", self.rows[id]), Span::call_site())
    }

    /// The field that holds an event's topic.
    pub(super) fn topic(&self, event: &ItemId) -> &Ident {
        &self.topics[event]
    }

    /// A declared type, by the library that exports it.
    pub(super) fn item(&self, id: &ItemId) -> TokenStream {
        let lib = Ident::new(&self.plan.crates[&id.package].lib, Span::call_site());
        let name = Ident::new(&id.name, Span::call_site());
        quote!(#lib::#name)
    }
}

/// A field's or variant's name in a declaration, possibly raw.
pub(super) fn member(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(name) => Ident::new_raw(name, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

/// Ids of all rows in the order of the composition, those of presets last.
pub(super) fn in_row_order(plan: &Plan) -> Vec<&str> {
    let mut rows: Vec<(usize, &str)> = plan.all_rows().map(|row| (row.place, row.id.as_str())).collect();
    rows.sort_unstable();
    rows.into_iter().map(|(_, id)| id).collect()
}

/// `session-title` as `SessionTitle`.
fn camel_case(id: &str) -> String {
    let raised = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    words(id).map(raised).collect()
}

/// `session-title` as `session_title`, `tools/pre-execute` as `tools_pre_execute`.
fn snake_case(name: &str) -> String {
    words(name).collect::<Vec<_>>().join("_")
}

/// The words of an id or an event's name, which are in lower case.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(['-', '/']).filter(|word| !word.is_empty())
}

fn topic_name(topic: &PlannedTopic) -> String {
    let name = snake_case(&topic.name);
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("event_{name}") } else { name }
}

/// Makes identifiers of words: a keyword, or a word that was given before, gets a number.
struct Unique {
    /// Stands before the number.
    separator: &'static str,
    given: Vec<String>,
}

impl Unique {
    /// For names in snake_case.
    fn snake_case() -> Self {
        Self { separator: "_", given: Vec::new() }
    }

    /// For names in CamelCase, which has no separator.
    fn camel_case() -> Self {
        Self { separator: "", given: Vec::new() }
    }

    fn name(&mut self, word: &str) -> Ident {
        let usable = |name: &String| syn::parse_str::<Ident>(name).is_ok() && !TAKEN.contains(&name.as_str()) && !self.given.contains(name);
        let numbered = (2..).map(|number| format!("{word}{}{number}", self.separator));
        let name = std::iter::once(word.to_owned()).chain(numbered).find(usable).unwrap_or_else(|| unreachable!("numbers do not end"));
        self.given.push(name.clone());
        Ident::new(&name, Span::call_site())
    }
}

#[cfg(test)]
mod tests {
    use super::{Unique, camel_case, snake_case};

    #[test]
    fn every_word_gets_a_name_of_its_own() {
        let mut unique = Unique::snake_case();
        let words = ["tool_bash", "type", "type_2", "self", "a_b", "a_b", "boot", "gen"];
        let names: Vec<String> = words.iter().map(|word| unique.name(word).to_string()).collect();
        assert_eq!(names, ["tool_bash", "type_2", "type_2_2", "self_2", "a_b", "a_b_2", "boot_2", "gen_2"]);
        let mut unique = Unique::camel_case();
        let names: Vec<String> = ["Self", "Self2", "A1", "A1"].iter().map(|word| unique.name(word).to_string()).collect();
        assert_eq!(names, ["Self2", "Self22", "A1", "A12"]);
    }

    #[test]
    fn a_place_is_named_like_its_row() {
        let cases = [("session-title", "SessionTitle"), ("a1-b--c", "A1BC"), ("llm", "Llm")];
        for (id, expected) in cases {
            assert_eq!(camel_case(id), expected);
        }
        assert_eq!(snake_case("a--b-"), "a_b");
        assert_eq!(snake_case("tools/pre-execute"), "tools_pre_execute");
    }
}
