//! What a run may use.

use dsh_message::TokenUsage;

use crate::learned::Learned;

/// What a run may use; nothing is bounded by default. It is looked at before each step, so that a step is never cut off: the last
/// one may go past the bound of tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Budget {
    /// Steps.
    pub(crate) max_steps: Option<u64>,
    /// Tokens of all replies, see [`tokens`].
    pub(crate) max_tokens: Option<u64>,
}

impl Budget {
    /// What a person is told when no further step may begin.
    pub(crate) fn spent(&self, learned: &Learned) -> Option<String> {
        let used = tokens(&learned.usage);
        if let Some(most) = self.max_steps.filter(|most| learned.steps >= *most) {
            return Some(format!("the budget of steps is spent: {} of {most}", learned.steps));
        }
        let most = self.max_tokens.filter(|most| used >= *most)?;
        Some(format!("the budget of tokens is spent: {used} of {most}"))
    }
}

/// All tokens of some usage: input, cached or not, and output. Reasoning is a part of the output.
pub(crate) fn tokens(usage: &TokenUsage) -> u64 {
    let parts = [Some(usage.input_tokens), Some(usage.output_tokens), usage.cache_read_tokens, usage.cache_write_tokens];
    parts.into_iter().flatten().fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_when_it_is_reached() {
        let usage =
            TokenUsage { input_tokens: 1, output_tokens: 2, cache_read_tokens: Some(4), cache_write_tokens: Some(8), ..Default::default() };
        let learned = Learned { steps: 2, usage, ..Learned::default() };
        let spent = |max_steps, max_tokens| Budget { max_steps, max_tokens }.spent(&learned);
        assert_eq!(spent(None, None), None);
        assert_eq!(spent(Some(3), Some(16)), None);
        assert_eq!(spent(Some(2), None).unwrap(), "the budget of steps is spent: 2 of 2");
        assert_eq!(spent(None, Some(15)).unwrap(), "the budget of tokens is spent: 15 of 15");
    }
}
