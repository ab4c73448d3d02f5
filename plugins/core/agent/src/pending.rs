//! What is pending: two lists, changed by splices.

use std::sync::Arc;

use dsh_message::{Message, MessageId};

use crate::Target;
use crate::inbox_failure::Misfit;
use crate::spliced::InboxSpliced;

/// The lists of an inbox.
#[derive(Clone, Default)]
pub(crate) struct Pending {
    next_turn: Vec<Arc<Message>>,
    next_step: Vec<Arc<Message>>,
}

impl Pending {
    pub(crate) fn list(&self, target: Target) -> &[Arc<Message>] {
        match target {
            Target::NextTurn => &self.next_turn,
            Target::NextStep => &self.next_step,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.next_turn.is_empty() && self.next_step.is_empty()
    }

    /// Whether the change fits: its place exists, and no message is pending twice afterwards.
    pub(crate) fn check(&self, splice: &InboxSpliced) -> Result<(), Misfit> {
        let list = self.list(splice.target);
        let end = splice.start.saturating_add(splice.removed_count);
        if end > list.len() {
            return Err(Misfit::Place);
        }
        let other = match splice.target {
            Target::NextTurn => Target::NextStep,
            Target::NextStep => Target::NextTurn,
        };
        let kept = list[..splice.start].iter().chain(&list[end..]).chain(self.list(other));
        let mut ids: Vec<&MessageId> = kept.map(|message| &message.id).collect();
        for message in &splice.inserted {
            if ids.contains(&&message.id) {
                return Err(Misfit::Pending(message.id.clone()));
            }
            ids.push(&message.id);
        }
        Ok(())
    }

    /// Makes a change that was checked. Yields what was taken out.
    pub(crate) fn apply(&mut self, splice: InboxSpliced) -> Vec<Arc<Message>> {
        let InboxSpliced { target, start, removed_count, inserted, .. } = splice;
        let list = match target {
            Target::NextTurn => &mut self.next_turn,
            Target::NextStep => &mut self.next_step,
        };
        list.splice(start..start + removed_count, inserted).collect()
    }
}
