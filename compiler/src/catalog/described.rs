//! What a profile's binary says of itself: its tools and its prompt under the profile's configs. Functions of plugins make these texts, so
//! a binary must be run for them; what it said is kept in the catalogs with a digest of what it was made from.

use std::fs;
use std::path::Path;

use dsh_declare::digest::fnv1a;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{PROMPT, TOOLS};
use crate::plan::Plan;

/// The answer of a binary.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Described {
    /// Digest of what the binary was made from, as far as the answer may depend on it.
    pub inputs: String,
    pub(super) tools: Vec<Tool>,
    pub(super) prompt: Prompt,
    /// Why the binary could not say it without surroundings; then there are no tools and there is no prompt.
    pub(super) problem: Option<String>,
}

/// A tool under its row's config.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tool {
    pub row: String,
    pub name: String,
    pub description: String,
    pub parameters: Value,
    pub render: String,
    pub concurrent: bool,
    pub timeout_ms: Option<u64>,
}

/// The prompt under the configs of rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Prompt {
    pub parts: Vec<Part>,
    pub prefix: Prefix,
    /// What may change it besides.
    pub open: Vec<String>,
}

/// A part of the prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Part {
    pub row: String,
    pub kind: String,
    pub name: String,
    pub order: Option<f64>,
    pub text: Option<String>,
    pub open: Option<String>,
    pub tokens: Option<u64>,
}

/// The known text that a system prompt starts with.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Prefix {
    pub digest: String,
    pub tokens: u64,
    pub whole: bool,
}

/// The members of a self-description that catalogs show.
#[derive(Deserialize)]
struct Answer {
    tools: Vec<Tool>,
    prompt: Prompt,
}

/// A catalog as it was kept.
#[derive(Deserialize)]
struct Kept<E> {
    inputs: String,
    answer: String,
    entries: Vec<E>,
    prefix: Option<Prefix>,
    open: Option<Vec<String>>,
    problem: Option<String>,
}

impl Described {
    /// Whether a binary must be asked: some row of the plan has tools or adds to the prompt.
    pub(crate) fn must_be_asked(plan: &Plan) -> bool {
        !plan.prompts.is_empty() || plan.all_contributions().next().is_some()
    }

    /// Of what `--self-describe` wrote.
    ///
    /// # Errors
    /// When that has another form.
    pub(crate) fn of_answer(inputs: String, answer: &[u8]) -> Result<Self, serde_json::Error> {
        let Answer { tools, prompt } = serde_json::from_slice(answer)?;
        Ok(Self { inputs, tools, prompt, problem: None })
    }

    /// Of a binary that said why it cannot tell: an expression asks for what a start without surroundings does not have.
    pub(crate) fn unknown(inputs: String, problem: String) -> Self {
        Self { inputs, problem: Some(problem), ..Self::default() }
    }

    /// What the catalogs in a folder were made of. `None` where they are not there, or one was changed by hand.
    pub(crate) fn kept(catalogs: &Path) -> Option<Self> {
        let tools: Kept<Tool> = read(&catalogs.join(TOOLS))?;
        let prompt: Kept<Part> = read(&catalogs.join(PROMPT))?;
        let (inputs, answers) = (tools.inputs, [tools.answer, prompt.answer]);
        let prompt_inputs = prompt.inputs;
        let prompt = Prompt { parts: prompt.entries, prefix: prompt.prefix?, open: prompt.open? };
        let kept = Self { inputs, tools: tools.entries, prompt, problem: tools.problem };
        let is_whole = prompt_inputs == kept.inputs && answers.iter().all(|answer| *answer == kept.answer());
        is_whole.then_some(kept)
    }

    /// What is kept, where it says the same: what it was made from is a hint where to look, and nothing that a reader needs.
    pub(crate) fn unless_same(self, kept: Option<Self>) -> Self {
        match kept {
            Some(kept) if (&kept.tools, &kept.prompt, &kept.problem) == (&self.tools, &self.prompt, &self.problem) => kept,
            _ => self,
        }
    }

    /// Digest of the answer: what was changed by hand has another.
    pub(super) fn answer(&self) -> String {
        // Strings, numbers and JSON under string keys are always JSON.
        let text = serde_json::to_string(&(&self.tools, &self.prompt, &self.problem)).unwrap_or_default();
        format!("{:016x}", fnv1a(text.as_bytes()))
    }
}

fn read<E: DeserializeOwned>(file: &Path) -> Option<Kept<E>> {
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}
