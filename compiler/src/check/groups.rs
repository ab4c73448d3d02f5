//! Groups: what is around a row, and in which realm it stands for a service.

use super::condition::Literal;
use crate::load::{Given, Named, Switch};
use crate::resolve::Row;

/// A group of the composition or of a preset.
pub struct Group<'a> {
    /// Its row.
    pub row: &'a Row,
    /// The preset that it belongs to.
    pub preset: Option<usize>,
    /// The group around it.
    pub parent: Option<usize>,
    /// What its own `disabled` says.
    pub state: State<'a>,
}

impl Group<'_> {
    /// The service keys for which it is a realm.
    pub fn isolates(&self) -> &[Named] {
        self.row.isolate.as_ref().map_or(&[], |isolate| isolate.value())
    }
}

/// What a `disabled` says.
#[derive(Clone, Copy)]
pub enum State<'a> {
    /// Nothing, or `false`.
    On,
    /// `true`, given here.
    Off(&'a Given<Switch>),
    /// The machine decides.
    When(Literal, &'a Given<Switch>),
    /// It cannot be told; a diagnostic says why.
    Unknown,
}

/// Where a row has the one provider of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Realm {
    /// Outside of all groups that isolate the service.
    Outermost,
    /// Among the rows of a preset; what these do not provide is the outermost realm's.
    Preset(usize),
    /// In the innermost group around the row that isolates the service.
    Group(usize),
}

/// The groups of a composition.
#[derive(Default)]
pub struct Groups<'a> {
    /// In order; a group comes after those around it.
    pub known: Vec<Group<'a>>,
}

impl<'a> Groups<'a> {
    /// The groups around a row, innermost first.
    pub fn around(&self, innermost: Option<usize>) -> impl Iterator<Item = (usize, &Group<'a>)> {
        std::iter::successors(innermost, |at| self.known[*at].parent).map(|at| (at, &self.known[at]))
    }

    /// The realm of a service key inside a group, or outside of all.
    #[must_use]
    pub fn realm(&self, innermost: Option<usize>, preset: Option<usize>, key: &str) -> Realm {
        let isolating = self.around(innermost).find(|(_, group)| group.isolates().iter().any(|isolated| isolated.text == key));
        match (isolating, preset) {
            (Some((group, _)), _) => Realm::Group(group),
            (None, Some(preset)) => Realm::Preset(preset),
            (None, None) => Realm::Outermost,
        }
    }
}
