//! From an assembly to what a request holds.

use dsh_session::ToolSchema;

use crate::assembly::Assembly;
use crate::error::PromptError;
use crate::interpolate::interpolate;

/// The finished texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// The system prompt; `None` when nothing is to be said.
    pub system: Option<String>,
    /// Name and text of each runtime context that has one, in order.
    pub contexts: Vec<(String, String)>,
    /// Tools in the order in which the model sees them.
    pub tools: Vec<ToolSchema>,
}

/// Renders an assembly: references replaced, parts in order, empty ones left out, sections joined by a blank line.
///
/// # Errors
/// Names the section or context with a reference that has no value.
pub fn render(assembly: &Assembly) -> Result<Rendered, PromptError> {
    let text = |kind: &str, name: &str, text: &str| interpolate(&format!("the {kind} `{name}`"), text, &assembly.variables);
    let mut sections: Vec<_> = assembly.sections.iter().collect();
    sections.sort_by(|left, right| left.order.total_cmp(&right.order));
    let mut parts = Vec::new();
    for section in sections {
        parts.push(text("section", &section.name, &section.text)?);
    }
    parts.retain(|part| !part.is_empty());
    let mut ordered: Vec<_> = assembly.contexts.iter().collect();
    ordered.sort_by(|left, right| left.order.total_cmp(&right.order));
    let mut contexts = Vec::new();
    for context in ordered {
        contexts.push((context.name.clone(), text("context", &context.name, &context.text)?));
    }
    contexts.retain(|(_, text)| !text.is_empty());
    let system = (!parts.is_empty()).then(|| parts.join("\n\n"));
    Ok(Rendered { system, contexts, tools: assembly.tools.clone() })
}
