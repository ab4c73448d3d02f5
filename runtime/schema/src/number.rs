//! Numbers of bounds and defaults.

/// A numeric bound or default as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Int(i128),
    /// A number with a fraction or an exponent.
    Float(f64),
}

impl Number {
    /// Whether it is smaller than another: integers are compared exactly, otherwise as `f64`.
    #[must_use]
    #[allow(clippy::cast_precision_loss)]
    pub fn is_below(self, other: Self) -> bool {
        match (self, other) {
            (Self::Int(one), Self::Int(other)) => one < other,
            (Self::Int(one), Self::Float(other)) => (one as f64) < other,
            (Self::Float(one), Self::Int(other)) => one < other as f64,
            (Self::Float(one), Self::Float(other)) => one < other,
        }
    }
}
