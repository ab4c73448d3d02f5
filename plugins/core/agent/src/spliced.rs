//! The record of every change of an inbox.

use std::sync::Arc;

use dsh_message::Message;
use dsh_runtime::session_event;
use serde::{Deserialize, Serialize};

use crate::Target;

/// A list of the inbox changed: some messages were taken out at a place, others put in.
#[session_event(name = "agent/inbox/spliced")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InboxSpliced {
    /// The list.
    pub target: Target,
    /// The place, from 0.
    pub start: usize,
    /// How many were taken out; absent for none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub removed_count: usize,
    /// What was put in.
    pub inserted: Vec<Arc<Message>>,
    /// `canceled` where messages were dropped; absent where they were claimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<InboxOutcome>,
}

/// What became of messages that were taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InboxOutcome {
    /// They were dropped.
    Canceled,
}

// serde hands the field by reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &usize) -> bool {
    *count == 0
}
