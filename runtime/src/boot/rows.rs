//! Which rows of a binary are on: by their conditions, and by what an overlay at start says of them.

use super::graph::{Condition, Graph, Switch};
use crate::config::ConfigProblem;
use crate::{Evaluator, Site};

/// What an overlay at start says of a row or a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowOverride {
    /// Id of the row or group.
    pub id: String,
    /// What its `disabled` is to be.
    pub disabled: bool,
    /// Where the overlay says so, as `file:line:column`.
    pub place: String,
}

/// Which rows are on.
#[derive(Clone, Debug)]
pub struct Rows {
    on: Vec<bool>,
}

impl Rows {
    /// Decides for every row. What is wrong is recorded in `eval`, and then the result is for no other use than to find more that is
    /// wrong: a row of which nothing can be told counts as off.
    pub fn resolve(graph: &'static Graph, overrides: &[RowOverride], eval: &mut Evaluator) -> Self {
        let mut deciding = Deciding { graph, overrides, eval, refused: Vec::new() };
        let rows = deciding.decide();
        for (given, what) in std::mem::take(&mut deciding.refused) {
            deciding.tell(given, &what);
        }
        rows
    }

    /// What keeps entries from being honoured: each with its place among them. Conditions that cannot be evaluated are recorded in `eval`.
    #[cfg(feature = "overlays")]
    pub(crate) fn refused(graph: &'static Graph, overrides: &[RowOverride], eval: &mut Evaluator) -> Vec<(usize, String)> {
        let mut deciding = Deciding { graph, overrides, eval, refused: Vec::new() };
        deciding.decide();
        let place = |given: &RowOverride| overrides.iter().position(|other| std::ptr::eq(other, given));
        deciding.refused.into_iter().filter_map(|(given, what)| Some((place(given)?, what))).collect()
    }

    /// Whether the row at this place is on.
    #[must_use]
    pub fn is_on(&self, row: usize) -> bool {
        self.on[row]
    }
}

struct Deciding<'a> {
    graph: &'static Graph,
    overrides: &'a [RowOverride],
    eval: &'a mut Evaluator,
    /// Entries that cannot be honoured, and why.
    refused: Vec<(&'a RowOverride, String)>,
}

impl<'a> Deciding<'a> {
    fn decide(&mut self) -> Rows {
        let (graph, overrides) = (self.graph, self.overrides);
        for given in overrides {
            if !self.carries(&given.id) {
                self.refuse(given, format!("this binary has no row `{}`", given.id));
            }
        }
        let mut groups: Vec<Option<bool>> = Vec::with_capacity(graph.groups.len());
        for group in graph.groups {
            let on = self.is_on(&group.0, &groups);
            groups.push(on);
        }
        let decided: Vec<Option<bool>> = graph.rows.iter().map(|row| self.is_on(&row.switch, &groups)).collect();
        let rows = Rows { on: decided.iter().map(|on| on.unwrap_or(false)).collect() };
        // The compiler has seen to it that every combination of conditions holds; what an overlay makes of them it could not see.
        if !overrides.is_empty() && decided.iter().all(Option::is_some) {
            self.hold(&rows);
        }
        rows
    }

    fn carries(&self, id: &str) -> bool {
        self.graph.rows.iter().any(|row| row.switch.id == id) || self.graph.groups.iter().any(|group| group.0.id == id)
    }

    /// The last entry on a row or group, which is the one that holds.
    fn given(&self, id: &str) -> Option<&'a RowOverride> {
        self.overrides.iter().rev().find(|given| given.id == id)
    }

    /// Whether a row or group is on. `None` when its condition, or that of a group around it, cannot be evaluated, which is recorded.
    /// What stands in a group that is off is off, and its own condition is not looked at.
    fn is_on(&mut self, switch: &Switch, groups: &[Option<bool>]) -> Option<bool> {
        if switch.group.is_some_and(|group| groups[group] == Some(false)) {
            return Some(false);
        }
        let own = match (self.given(switch.id), switch.disabled) {
            (Some(given), _) => !given.disabled,
            (None, None) => true,
            (None, Some(Condition { text, file })) => {
                let site = Site { row: switch.id, field: "disabled", file };
                !self.eval.try_get::<bool>(site, text)?
            }
        };
        if own { switch.group.map_or(Some(true), |group| groups[group]) } else { Some(false) }
    }

    /// The ids by which a row can be switched: its own and those of the groups around it.
    fn switches(&self, row: usize) -> impl Iterator<Item = &'static str> + use<'a> {
        let (graph, row) = (self.graph, &self.graph.rows[row].switch);
        let around = std::iter::successors(row.group, move |group| graph.groups[*group].0.group);
        std::iter::once(row.id).chain(around.map(move |group| graph.groups[group].0.id))
    }

    /// The entry that switched one of `rows`, to `disabled`.
    fn blamed(&self, rows: &[usize], disabled: bool) -> Option<&'a RowOverride> {
        let switches = rows.iter().flat_map(|row| self.switches(*row));
        switches.filter_map(|id| self.given(id)).find(|given| given.disabled == disabled)
    }

    /// Refuses entries with which a row lacks what it requires, or shares what only one may have.
    fn hold(&mut self, rows: &Rows) {
        let graph = self.graph;
        for (at, row) in graph.rows.iter().enumerate().filter(|(at, _)| rows.is_on(*at)) {
            for (service, from) in row.requires.iter().filter(|(_, from)| !from.iter().any(|row| rows.is_on(*row))) {
                let names: Vec<String> = from.iter().map(|row| format!("`{}`", graph.rows[*row].switch.id)).collect();
                let lacks = format!("row `{}` needs the service `{service}` of row {}, which is off", row.switch.id, names.join(" or "));
                if let Some(given) = self.blamed(from, true).or_else(|| self.blamed(&[at], false)) {
                    self.refuse(given, lacks);
                }
            }
        }
        for (what, holders) in graph.exclusives {
            let on: Vec<usize> = holders.iter().copied().filter(|row| rows.is_on(*row)).collect();
            if on.len() < 2 {
                continue;
            }
            let names: Vec<String> = on.iter().map(|row| format!("`{}`", graph.rows[*row].switch.id)).collect();
            if let Some(given) = self.blamed(&on, false) {
                self.refuse(given, format!("rows {} are on, and only one may have {what}", names.join(" and ")));
            }
        }
    }

    fn refuse(&mut self, given: &'a RowOverride, what: String) {
        self.refused.push((given, what));
    }

    /// Records a refusal in words.
    fn tell(&mut self, given: &RowOverride, what: &str) {
        let (RowOverride { id, disabled, place }, profile) = (given, self.graph.profile);
        let file = file(place);
        let message = format!(
            "{what}\n    `disabled: {disabled}` cannot be honoured at start; to have it built, or be told in full what it lacks: `dsh-build \
             --profile {profile} --patch {file}`"
        );
        self.eval.refuse(ConfigProblem { place: format!("row `{id}`, field `disabled` ({place})"), message });
    }
}

/// The file of `file:line:column`.
fn file(place: &str) -> &str {
    place.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ':')
}
