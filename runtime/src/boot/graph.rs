//! A composition as its binary carries it: the rows, what each requires of others, and the conditions under which it is off.

/// What the rows of a binary require of each other. The wiring holds one, in which rows and groups are named by their places.
#[derive(Debug)]
pub struct Graph {
    /// Name of the profile.
    pub profile: &'static str,
    /// Groups; one comes after those around it.
    pub groups: &'static [GraphGroup],
    /// All rows, those of presets after the composition's.
    pub rows: &'static [GraphRow],
    /// What only one of several rows may have at a time: in words, and the rows.
    pub exclusives: &'static [(&'static str, &'static [usize])],
}

impl Graph {
    /// Place of a row.
    pub(crate) fn place(&self, id: &str) -> Option<usize> {
        self.rows.iter().position(|row| row.switch.id == id)
    }
}

/// A group of rows, or a row: what may be switched off.
#[derive(Clone, Copy, Debug)]
pub struct Switch {
    /// Its id.
    pub id: &'static str,
    /// The innermost group around it.
    pub group: Option<usize>,
    /// When it is off.
    pub disabled: Option<Condition>,
}

/// A group of rows.
#[derive(Clone, Copy, Debug)]
pub struct GraphGroup(pub Switch);

/// A row.
#[derive(Clone, Copy, Debug)]
pub struct GraphRow {
    /// How it is switched off.
    pub switch: Switch,
    /// Key of each service that it cannot do without, with the rows that may provide it.
    pub requires: &'static [(&'static str, &'static [usize])],
}

/// A `disabled` that reads the machine.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// The expression; true is off.
    pub text: &'static str,
    /// The file that gave it.
    pub file: &'static str,
}

impl GraphGroup {
    /// A group in no other.
    #[must_use]
    pub const fn new(id: &'static str) -> Self {
        Self(Switch::new(id))
    }

    /// Inside the group at this place.
    #[must_use]
    pub const fn within(self, group: usize) -> Self {
        Self(self.0.within(group))
    }

    /// Off where the expression `text`, which `file` gave, is true.
    #[must_use]
    pub const fn off_when(self, text: &'static str, file: &'static str) -> Self {
        Self(self.0.off_when(text, file))
    }
}

impl GraphRow {
    /// A row in no group that requires nothing.
    #[must_use]
    pub const fn new(id: &'static str) -> Self {
        Self { switch: Switch::new(id), requires: &[] }
    }

    /// Inside the group at this place.
    #[must_use]
    pub const fn within(self, group: usize) -> Self {
        Self { switch: self.switch.within(group), ..self }
    }

    /// Off where the expression `text`, which `file` gave, is true.
    #[must_use]
    pub const fn off_when(self, text: &'static str, file: &'static str) -> Self {
        Self { switch: self.switch.off_when(text, file), ..self }
    }

    /// The services that it cannot do without, by key, with the rows that may provide each.
    #[must_use]
    pub const fn requires(self, requires: &'static [(&'static str, &'static [usize])]) -> Self {
        Self { requires, ..self }
    }
}

impl Switch {
    const fn new(id: &'static str) -> Self {
        Self { id, group: None, disabled: None }
    }

    const fn within(self, group: usize) -> Self {
        Self { group: Some(group), ..self }
    }

    const fn off_when(self, text: &'static str, file: &'static str) -> Self {
        Self { disabled: Some(Condition { text, file }), ..self }
    }
}
