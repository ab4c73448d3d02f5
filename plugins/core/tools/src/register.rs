//! What may be registered.

use dsh_runtime::MountError;

use crate::ToolSpec;
use crate::arguments::whole_numbers;
use crate::schema::{SchemaProblem, check};

/// Reserved for the transport of programs that call tools.
const RESERVED: &str = "run_code";

/// Why a tool was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// Model providers do not accept the name.
    #[error("`{name}` cannot be the name of a tool: it has letters, digits, `_` and `-`, 1 to 64 of them")]
    Name {
        /// The name.
        name: String,
    },
    /// The name is kept for the harness.
    #[error("the tool name `{name}` is reserved")]
    Reserved {
        /// The name.
        name: String,
    },
    /// The layer has a tool of that name.
    #[error("a tool named `{name}` is already registered")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// Its time limit is zero.
    #[error("the time limit of the tool `{name}` is not positive")]
    Timeout {
        /// The name.
        name: String,
    },
    /// Its schema leaves the subset.
    #[error(
        "UNSUPPORTED_SCHEMA: tool `{name}`: {}",
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    )]
    Schema {
        /// The name.
        name: String,
        /// All places.
        problems: Vec<SchemaProblem>,
    },
}

impl From<RegisterError> for MountError {
    fn from(error: RegisterError) -> Self {
        Self::new(error)
    }
}

/// Checks a declaration and puts its numbers into the form in which arguments are compared with them.
pub(crate) fn admit(spec: ToolSpec) -> Result<ToolSpec, RegisterError> {
    let name = spec.name.clone();
    let fine = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if name.is_empty() || name.len() > 64 || !name.chars().all(fine) {
        return Err(RegisterError::Name { name });
    }
    if name == RESERVED {
        return Err(RegisterError::Reserved { name });
    }
    if spec.timeout_ms == Some(0) {
        return Err(RegisterError::Timeout { name });
    }
    let problems = check(&spec.parameters);
    if !problems.is_empty() {
        return Err(RegisterError::Schema { name, problems });
    }
    Ok(ToolSpec { parameters: whole_numbers(spec.parameters), ..spec })
}
