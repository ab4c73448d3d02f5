//! Which step answers which call.

use serde_json::Value;

use super::Step;

/// The steps of a server.
#[derive(Clone, Debug)]
pub struct Script {
    steps: Vec<Step>,
    choice: Choice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// In order; the last step answers all further calls.
    Arrival,
    /// In order, over and over.
    Loop,
    /// By how many replies follow the last typed message of the request, over and over.
    History,
}

impl Script {
    /// Steps in order of arrival; the last one answers all further calls.
    ///
    /// # Panics
    /// Without a step.
    #[must_use]
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        let steps: Vec<Step> = steps.into_iter().collect();
        assert!(!steps.is_empty(), "a script has at least one step");
        Self { steps, choice: Choice::Arrival }
    }

    /// After the last step comes the first again.
    #[must_use]
    pub fn repeating(self) -> Self {
        Self { choice: Choice::Loop, ..self }
    }

    /// Each conversation has its own place in the script: the number of replies since its last message of a person.
    #[must_use]
    pub fn by_history(self) -> Self {
        Self { choice: Choice::History, ..self }
    }

    /// The step for the call with this number, from 0, and this body.
    pub(super) fn step(&self, call: usize, body: &Value) -> &Step {
        let at = match self.choice {
            Choice::Arrival => call.min(self.steps.len() - 1),
            Choice::Loop => call % self.steps.len(),
            Choice::History => replies(body) % self.steps.len(),
        };
        &self.steps[at]
    }
}

fn replies(body: &Value) -> usize {
    let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
    messages.iter().rev().take_while(|message| message["role"] != "user").filter(|message| message["role"] == "assistant").count()
}
