//! The grammar of a reply's chunks.

use std::collections::BTreeMap;

use dsh_message::{FinishReason, StreamChunk};

/// What of a reply was seen so far.
#[derive(Debug, Default)]
pub(crate) struct Grammar {
    /// Type of each open block.
    open: BTreeMap<u64, String>,
    used: bool,
    finished: bool,
}

impl Grammar {
    /// Takes the next chunk in; the error says which rule it breaks.
    pub(crate) fn take(&mut self, chunk: &StreamChunk) -> Result<(), String> {
        if self.finished {
            return Err("a chunk follows `finish`".to_owned());
        }
        match chunk {
            StreamChunk::BlockStart { index, block_type } => match self.open.insert(*index, block_type.clone()) {
                None => Ok(()),
                Some(_) => Err(format!("block {index} starts while it is open")),
            },
            StreamChunk::TextDelta { index, .. } => self.delta(*index, "text"),
            StreamChunk::ReasoningDelta { index, .. } => self.delta(*index, "reasoning"),
            StreamChunk::ToolCallDelta { index, .. } => self.delta(*index, "tool-call"),
            StreamChunk::BlockEnd { index, block } => match self.open.remove(index) {
                Some(open) if open == block.type_name() => Ok(()),
                Some(open) => Err(format!("block {index} of type `{open}` ends as `{}`", block.type_name())),
                None => Err(format!("block {index} ends without being open")),
            },
            StreamChunk::Usage { .. } if self.used => Err("usage is stated twice".to_owned()),
            StreamChunk::Usage { .. } => {
                self.used = true;
                Ok(())
            }
            StreamChunk::Finish { reason, .. } => {
                self.finished = true;
                let failed = matches!(reason, FinishReason::Error { .. } | FinishReason::Aborted { .. });
                match self.open.keys().next() {
                    Some(index) if !failed => Err(format!("the reply succeeds while block {index} is open")),
                    _ => Ok(()),
                }
            }
        }
    }

    /// The reply ended.
    pub(crate) fn end(&self) -> Result<(), String> {
        if self.finished { Ok(()) } else { Err("the reply ended without `finish`".to_owned()) }
    }

    fn delta(&self, index: u64, kind: &str) -> Result<(), String> {
        match self.open.get(&index) {
            Some(open) if open == kind => Ok(()),
            Some(open) => Err(format!("a `{kind}` piece hits block {index} of type `{open}`")),
            None => Err(format!("a `{kind}` piece hits block {index}, which is not open")),
        }
    }
}
