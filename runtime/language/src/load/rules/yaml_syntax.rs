//! Text that is not YAML.

use std::sync::Arc;

use crate::diagnostics::{Diagnostic, Rule, SourceFile};
use crate::load::slip::{Slip, slip};

/// `DSH0004`
pub static RULE: Rule = Rule::error("DSH0004", "a file is not valid YAML", include_str!("yaml_syntax.md"));

/// `info` is the parser's own words about the byte `at`.
pub fn yaml_syntax(file: &Arc<SourceFile>, at: usize, info: &str) -> Diagnostic {
    let Slip { place, label, help } = slip(file, at, info);
    Diagnostic::new(&RULE, "the file is not valid YAML").at(&place, label).help_if(help)
}
