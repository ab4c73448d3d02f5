//! What a script means here, and of which kinds its value can be.

use std::ops::BitOr;

/// Kinds that a value can be of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const UNDEFINED: Self = Self(1);
    pub(super) const NULL: Self = Self(2);
    pub(super) const TRUTH: Self = Self(4);
    pub(super) const NUMBER: Self = Self(8);
    pub(super) const TEXT: Self = Self(16);
    /// Whatever JSON gives: `null`, lists and mappings too.
    pub(super) const ANY: Self = Self(32);
    /// No number, of which nothing is made here.
    pub(super) const NAN: Self = Self(64);

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOr for Kinds {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// An expression whose parts all have a meaning in both languages.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Term {
    Undefined,
    Null,
    Truth(bool),
    Number(String),
    Text(String),
    /// A literal of this language, for an unset value.
    Given(String),
    Env(String),
    /// `cwd`, `home`, `platform`, `profile`.
    Machine(&'static str),
    /// `arch`, which may be compared and not shown: the languages name the same thing differently.
    Arch,
    /// Words joined to a path.
    Path(Box<Term>, Vec<String>),
    ToNumber(Box<Term>),
    FromJson(Box<Term>),
    Trim(Box<Term>),
    Joined(Vec<Term>),
    /// `+`, `-`, `*`.
    Math(&'static str, Box<Term>, Box<Term>),
    Minus(Box<Term>),
    Not(Box<Term>),
    And(Box<Term>, Box<Term>),
    Or(Box<Term>, Box<Term>),
    /// The right one where the left one is undefined or null.
    Else(Box<Term>, Box<Term>),
    /// An operator in this language's spelling.
    Compare(&'static str, Box<Term>, Box<Term>),
    /// A test of this language: `defined`, `undefined`, `none`.
    Is(&'static str, Box<Term>),
    Choice(Box<Term>, Box<Term>, Box<Term>),
}

impl Term {
    /// Kinds of its value in JavaScript.
    pub(super) fn kinds(&self) -> Kinds {
        match self {
            Self::Undefined => Kinds::UNDEFINED,
            Self::Null => Kinds::NULL,
            Self::Truth(_) | Self::Not(_) | Self::Compare(..) | Self::Is(..) => Kinds::TRUTH,
            Self::Number(_) | Self::Math(..) | Self::Minus(_) => Kinds::NUMBER,
            Self::Env(_) => Kinds::TEXT | Kinds::UNDEFINED,
            Self::Text(_) | Self::Machine(_) | Self::Arch | Self::Path(..) | Self::Trim(_) | Self::Joined(_) => Kinds::TEXT,
            Self::Given(_) => Kinds::ANY,
            Self::ToNumber(of) if of.kinds().has(Kinds::UNDEFINED) => Kinds::NUMBER | Kinds::NAN,
            Self::ToNumber(_) => Kinds::NUMBER,
            Self::FromJson(of) if of.kinds().has(Kinds::UNDEFINED) => Kinds::ANY | Kinds::UNDEFINED,
            Self::FromJson(_) => Kinds::ANY,
            Self::And(one, other) | Self::Choice(_, one, other) => one.kinds() | other.kinds(),
            Self::Or(one, other) => one.kinds().without(Kinds::UNDEFINED | Kinds::NULL | Kinds::NAN) | other.kinds(),
            Self::Else(one, other) => one.kinds().without(Kinds::UNDEFINED | Kinds::NULL) | other.kinds(),
        }
    }

    /// Whether it can fail here where its variables are set, so that it must not be evaluated without need.
    pub(super) fn can_fail(&self) -> bool {
        match self {
            Self::Undefined | Self::Null | Self::Truth(_) | Self::Number(_) | Self::Text(_) | Self::Given(_) => false,
            Self::Env(_) | Self::Machine(_) | Self::Arch => false,
            Self::Path(base, _) => base.can_fail() || matches!(**base, Self::Env(_)),
            _ => true,
        }
    }

    /// Whether it can be an undefined value that makes an empty text. An unset variable makes none: that is refused.
    pub(super) fn may_vanish(&self) -> bool {
        match self {
            Self::Undefined => true,
            Self::Choice(_, one, other) | Self::And(one, other) | Self::Or(one, other) | Self::Else(one, other) => {
                one.may_vanish() || other.may_vanish()
            }
            _ => false,
        }
    }

    /// Whether it may be written twice.
    pub(super) fn is_short(&self) -> bool {
        match self {
            Self::Env(_) => true,
            Self::ToNumber(of) | Self::FromJson(of) | Self::Trim(of) => matches!(**of, Self::Env(_)),
            _ => false,
        }
    }

    /// The same with a value where it would be undefined or null.
    pub(super) fn settled(self, unset: &Self) -> Self {
        match self {
            Self::Undefined | Self::Null => unset.clone(),
            Self::Choice(condition, yes, no) => Self::Choice(condition, Box::new(yes.settled(unset)), Box::new(no.settled(unset))),
            Self::Or(one, other) => Self::Or(one, Box::new(other.settled(unset))),
            Self::Else(one, other) => Self::Else(one, Box::new(other.settled(unset))),
            term if term.kinds().has(Kinds::UNDEFINED) || (term.kinds().has(Kinds::ANY) && term.is_short()) => {
                Self::Else(Box::new(term), Box::new(unset.clone()))
            }
            term => term,
        }
    }
}
