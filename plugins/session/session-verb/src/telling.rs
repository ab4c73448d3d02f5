//! A session as text: what was said and done, in the order of its log.

use std::sync::{Arc, Mutex, PoisonError};

use dsh_message::{ContentBlock, Message, MessageSource, SessionId};
use dsh_runtime::Timestamp;
use dsh_session::catalogue::{AssistantMessage, ToolResultRecord, TurnEnd, TurnEndReason, TurnStart, UserMessage};
use dsh_session::{SessionEvent, SessionHeader, SurfaceOp};
use dsh_session_persistence::{Inspection, LogSource, PersistenceError, SessionPersistence};

use crate::summary::{Summary, reason_word};
use crate::visible;

/// A log while it is told.
#[derive(Default)]
struct Story {
    summary: Summary,
    text: String,
}

/// Tells a session.
///
/// # Errors
/// When it cannot be read.
pub(crate) async fn show(store: &dyn SessionPersistence, id: SessionId) -> Result<String, PersistenceError> {
    let story = Arc::new(Mutex::new(Story::default()));
    let taker = Arc::clone(&story);
    let take = Box::new(move |event| taker.lock().unwrap_or_else(PoisonError::into_inner).take(&event));
    let inspection = store.inspect(LogSource::Stored(id.clone()), take).await?;
    let path = store.locate(id).await;
    let Story { summary, text } = std::mem::take(&mut *story.lock().unwrap_or_else(PoisonError::into_inner));
    let log = path.map(|path| path.display().to_string());
    Ok(head(&inspection, &summary, log) + &text)
}

/// What is known of the session as a whole.
fn head(Inspection { header, is_live, .. }: &Inspection, summary: &Summary, log: Option<String>) -> String {
    let SessionHeader { id, created_at, cwd, parent_session, seed_length, .. } = header;
    let forked = parent_session.as_ref().map(|parent| match seed_length {
        Some(length) => format!("{parent}, its first {length} events"),
        None => parent.to_string(),
    });
    let members = [
        ("session", Some(id.to_string())),
        ("title", summary.title.clone()),
        ("state", Some(summary.state(*is_live).to_owned())),
        ("folder", cwd.clone()),
        ("created", Some(created_at.utc())),
        ("last event", summary.last.map(Timestamp::utc)),
        ("forked from", forked),
        ("log", log),
    ];
    let told = members.into_iter().filter_map(|(name, value)| Some((name, value?)));
    told.map(|(name, value)| format!("{name:11}  {}\n", visible::line(&value))).collect()
}

impl Story {
    fn take(&mut self, event: &SessionEvent) {
        self.summary.take(event);
        if let Some(TurnStart { turn }) = event.data() {
            self.text += &format!("\nturn {turn}\n");
        } else if let Some(TurnEnd { turn, reason }) = event.data() {
            let why = match &reason {
                TurnEndReason::Error { error } => format!(" ({}: {})", error.code, visible::line(&error.message)),
                _ => String::new(),
            };
            self.text += &format!("turn {turn} ended with event {}: {}{why}\n", event.seq, reason_word(&reason));
        } else if event.surface_op == Some(SurfaceOp::Append) {
            self.say(event);
        }
    }

    /// A message as it was added. What later shortened the model's view of it changes nothing that was said.
    fn say(&mut self, event: &SessionEvent) {
        if let Some(UserMessage(message)) = event.data() {
            let who = match &message.source {
                MessageSource::User => "user".to_owned(),
                MessageSource::Plugin(source) => format!("context of {}", visible::line(&source.plugin)),
                MessageSource::Model { .. } | MessageSource::Tool { .. } | MessageSource::Other(_) => "context".to_owned(),
            };
            self.block(&who, &message);
        } else if let Some(reply) = event.data::<AssistantMessage>() {
            self.block(if reply.interrupted { "assistant, interrupted" } else { "assistant" }, &reply.message);
        } else if let Some(record) = event.data::<ToolResultRecord>() {
            self.block("result", &record.message);
        }
    }

    fn block(&mut self, who: &str, message: &Message) {
        for block in &message.content {
            let (heading, text) = match block {
                ContentBlock::Text(text) => (who.to_owned(), text.to_lossy().into_owned()),
                ContentBlock::Reasoning(text) => ("reasoning".to_owned(), text.to_lossy().into_owned()),
                ContentBlock::ToolCall { name, arguments, .. } => {
                    (format!("call of {}", visible::line(&name.to_lossy())), arguments.to_lossy().into_owned())
                }
                ContentBlock::ToolResult { content, is_error, .. } => {
                    let heading = if *is_error == Some(true) { "failed result" } else { who };
                    (heading.to_owned(), ContentBlock::joined_text(content).to_lossy().into_owned())
                }
                ContentBlock::Other(_) => (who.to_owned(), format!("[{}]", block.type_name())),
            };
            self.text += &format!("{heading}:\n{}", visible::indented(&text));
        }
    }
}
