//! What a diagnostic's code stands for.

/// A rule that input can break. Each has a file of its own that also makes its diagnostic.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable code, `DSH` and four digits: 00 files and YAML, 01 profiles and layers, 02 a row's config, 03 the graph,
    /// 04 declarations in plugin sources, 05 generated files and builds, 06 overlays of a finished binary.
    pub code: &'static str,
    /// How grave a breach is.
    pub severity: Severity,
    /// Whose fault a breach is.
    pub class: Class,
    /// What a breach means, in one line.
    pub meaning: &'static str,
    /// Why the rule is there and how to mend a breach.
    pub doc: &'static str,
}

impl Rule {
    /// A rule about what a composition says.
    #[must_use]
    pub const fn error(code: &'static str, meaning: &'static str, doc: &'static str) -> Self {
        Self { code, severity: Severity::Error, class: Class::Composition, meaning, doc }
    }

    /// A rule about what was asked for or what the machine could not do.
    #[must_use]
    pub const fn environment(code: &'static str, meaning: &'static str, doc: &'static str) -> Self {
        Self { code, severity: Severity::Error, class: Class::Environment, meaning, doc }
    }

    /// A rule whose breach does not keep the binary from being built.
    #[must_use]
    pub const fn warning(code: &'static str, meaning: &'static str, doc: &'static str) -> Self {
        Self { code, severity: Severity::Warning, class: Class::Composition, meaning, doc }
    }
}

/// How grave a breach is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Nothing is built.
    Error,
    /// Something is likely not meant so.
    Warning,
}

impl Severity {
    /// The word in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// Whose fault a breach is; decides the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The composition or a plugin's source is wrong: 1.
    Composition,
    /// Wrong usage, or the machine could not do it: 2.
    Environment,
}

impl Class {
    /// The exit status of a run that such a breach ended.
    #[must_use]
    pub const fn exit_status(self) -> u8 {
        match self {
            Self::Composition => 1,
            Self::Environment => 2,
        }
    }
}
