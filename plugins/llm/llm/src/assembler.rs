//! From the chunks of a reply to the blocks of a message.

use dsh_json::JsString;
use dsh_message::{CallId, ContentBlock, FinishReason, ReplayState, StreamChunk, TokenUsage};

/// Why chunks make no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssembleError {
    /// A piece of another type than its block.
    #[error("a `{piece}` piece hits block {index} of type `{block}`")]
    OtherType {
        /// The block.
        index: u64,
        /// Its type.
        block: String,
        /// The piece's type.
        piece: &'static str,
    },
    /// The reply succeeds although a block that cannot be made of pieces is open.
    #[error("block {index} of type `{block}` never ended")]
    NeverEnded {
        /// The block.
        index: u64,
        /// Its type.
        block: String,
    },
}

/// A message's content made of a whole reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembled {
    /// Blocks in the order in which they were first seen.
    pub content: Vec<ContentBlock>,
    /// Why the reply ended; a reply without `finish` counts as stopped.
    pub finish: FinishReason,
    /// What the call used.
    pub usage: Option<TokenUsage>,
    /// What the adapter needs to replay the reply, in step with `content`.
    pub replay_state: Option<ReplayState>,
}

/// Collects the chunks of one reply.
#[derive(Debug, Default)]
pub struct Assembler {
    blocks: Vec<(u64, Block)>,
    usage: Option<TokenUsage>,
    finish: Option<(FinishReason, Option<ReplayState>)>,
}

#[derive(Debug)]
enum Block {
    Open { kind: String, parts: Vec<JsString>, id: Option<CallId>, name: Option<JsString> },
    Closed(ContentBlock),
}

impl Block {
    fn open(kind: &str) -> Self {
        Self::Open { kind: kind.to_owned(), parts: Vec::new(), id: None, name: None }
    }

    /// The block so far; `None` for an open block that pieces cannot make.
    fn into_content(self, index: u64) -> Option<ContentBlock> {
        let (kind, parts, id, name) = match self {
            Self::Closed(block) => return Some(block),
            Self::Open { kind, parts, id, name } => (kind, JsString::concat(&parts), id, name),
        };
        match kind.as_str() {
            "text" => Some(ContentBlock::Text(parts)),
            "reasoning" => Some(ContentBlock::Reasoning(parts)),
            "tool-call" => {
                let id = id.unwrap_or_else(|| CallId::from(format!("call-{index}")));
                Some(ContentBlock::ToolCall { id, name: name.unwrap_or_default(), arguments: parts })
            }
            _ => None,
        }
    }
}

impl Assembler {
    /// Nothing seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next chunk in. The first end of a block counts; what comes for it later is ignored. A piece may come without
    /// the start of its block.
    ///
    /// # Errors
    /// When the chunks cannot make a message.
    pub fn push(&mut self, chunk: &StreamChunk) -> Result<(), AssembleError> {
        match chunk {
            StreamChunk::BlockStart { index, block_type } => {
                self.block(*index, block_type);
                Ok(())
            }
            StreamChunk::TextDelta { index, text } => self.piece(*index, "text", text, None),
            StreamChunk::ReasoningDelta { index, text } => self.piece(*index, "reasoning", text, None),
            StreamChunk::ToolCallDelta { index, id, name, arguments_delta } => {
                self.piece(*index, "tool-call", arguments_delta, Some((id, name.as_ref())))
            }
            StreamChunk::BlockEnd { index, block } => {
                let held = self.block(*index, "");
                if matches!(held, Block::Open { .. }) {
                    *held = Block::Closed(block.clone());
                }
                Ok(())
            }
            StreamChunk::Usage { usage } => {
                self.usage = Some(*usage);
                Ok(())
            }
            StreamChunk::Finish { reason, replay_state } => {
                self.finish = Some((reason.clone(), replay_state.clone()));
                self.complete(reason)
            }
        }
    }

    /// What the call used, as far as it was stated.
    #[must_use]
    pub fn usage(&self) -> Option<TokenUsage> {
        self.usage
    }

    /// Makes the message's content. Where the ceiling of output cut the reply off, its tool calls are left out.
    #[must_use]
    pub fn finish(self) -> Assembled {
        let (finish, replay_state) = self.finish.unwrap_or((FinishReason::Stop, None));
        let content: Vec<ContentBlock> = self.blocks.into_iter().filter_map(|(index, block)| block.into_content(index)).collect();
        let cut_off = finish == FinishReason::MaxTokens;
        let keep: Vec<bool> = content.iter().map(|block| !(cut_off && matches!(block, ContentBlock::ToolCall { .. }))).collect();
        let replay_state = replay_state.and_then(|state| aligned(state, &keep));
        Assembled { content: kept(content, &keep), finish, usage: self.usage, replay_state }
    }

    /// What a person saw of a reply that was cancelled: its texts and reasoning, complete or not, unless blank.
    #[must_use]
    pub fn interrupted(self) -> Vec<ContentBlock> {
        let blocks = self.blocks.into_iter().filter_map(|(index, block)| block.into_content(index));
        blocks.filter(|block| matches!(block, ContentBlock::Text(text) | ContentBlock::Reasoning(text) if !text.is_blank())).collect()
    }

    fn block(&mut self, index: u64, kind: &str) -> &mut Block {
        let at = self.blocks.iter().rposition(|(held, _)| *held == index).unwrap_or_else(|| {
            self.blocks.push((index, Block::open(kind)));
            self.blocks.len() - 1
        });
        &mut self.blocks[at].1
    }

    fn piece(
        &mut self,
        index: u64,
        piece: &'static str,
        text: &JsString,
        call: Option<(&CallId, Option<&JsString>)>,
    ) -> Result<(), AssembleError> {
        let Block::Open { kind, parts, id, name } = self.block(index, piece) else { return Ok(()) };
        if kind != piece {
            return Err(AssembleError::OtherType { index, block: kind.clone(), piece });
        }
        if !text.is_empty() {
            parts.push(text.clone());
        }
        if let Some((new_id, new_name)) = call {
            if !new_id.0.is_empty() {
                *id = Some(new_id.clone());
            }
            if let Some(new_name) = new_name.filter(|new_name| !new_name.is_empty()) {
                *name = Some(new_name.clone());
            }
        }
        Ok(())
    }

    /// Checks that a reply that succeeded left no block open that pieces cannot make.
    fn complete(&self, reason: &FinishReason) -> Result<(), AssembleError> {
        if matches!(reason, FinishReason::Error { .. } | FinishReason::Aborted { .. }) {
            return Ok(());
        }
        let unfinished = self.blocks.iter().find_map(|(index, block)| match block {
            Block::Open { kind, .. } if !matches!(kind.as_str(), "text" | "reasoning" | "tool-call") => Some((*index, kind.clone())),
            _ => None,
        });
        unfinished.map_or(Ok(()), |(index, block)| Err(AssembleError::NeverEnded { index, block }))
    }
}

/// The replay state with only the entries of blocks that are kept; `None` when it does not fit the reply.
fn aligned(state: ReplayState, keep: &[bool]) -> Option<ReplayState> {
    let blocks = match state.blocks {
        None => None,
        Some(blocks) if blocks.len() == keep.len() => Some(kept(blocks, keep)),
        Some(_) => return None,
    };
    Some(ReplayState { blocks, ..state })
}

fn kept<T>(items: Vec<T>, keep: &[bool]) -> Vec<T> {
    items.into_iter().zip(keep).filter_map(|(item, keep)| keep.then_some(item)).collect()
}
