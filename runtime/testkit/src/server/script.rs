//! Which step answers which call.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::Step;

/// The steps of a server.
#[derive(Clone, Debug)]
pub struct Script {
    steps: Vec<Step>,
    choice: Choice,
}

/// Makes the answer to a request of its body.
type Answering = dyn Fn(&Value) -> Step + Send + Sync;

#[derive(Clone)]
enum Choice {
    /// In order; the last step answers all further calls.
    Arrival,
    /// In order, over and over.
    Loop,
    /// By how many replies follow the last typed message of the request, over and over.
    History,
    /// What a test's function makes of the request.
    Function(Arc<Answering>),
}

impl fmt::Debug for Choice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Arrival => "Arrival",
            Self::Loop => "Loop",
            Self::History => "History",
            Self::Function(_) => "Function",
        })
    }
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

    /// Each request is answered by what `answer` makes of its body.
    #[must_use]
    pub fn answering(answer: impl Fn(&Value) -> Step + Send + Sync + 'static) -> Self {
        Self { steps: Vec::new(), choice: Choice::Function(Arc::new(answer)) }
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
    pub(super) fn step(&self, call: usize, body: &Value) -> Cow<'_, Step> {
        let at = match &self.choice {
            Choice::Arrival => call.min(self.steps.len() - 1),
            Choice::Loop => call % self.steps.len(),
            Choice::History => replies(body) % self.steps.len(),
            Choice::Function(answer) => return Cow::Owned(answer(body)),
        };
        Cow::Borrowed(&self.steps[at])
    }
}

fn replies(body: &Value) -> usize {
    let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
    messages.iter().rev().take_while(|message| message["role"] != "user").filter(|message| message["role"] == "assistant").count()
}
