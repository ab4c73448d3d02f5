//! Older forms of events, brought into the present one when a log is read. The file keeps them.

use std::borrow::Cow;

use dsh_json::{Json, RawValue, to_raw};
use dsh_message::SessionId;
use dsh_session::catalogue::{AssistantMessage, ToolResultRecord, TurnEnd, TurnStart, UserMessage};
use dsh_session::{EventData, Seed, SessionEvent, SurfaceOp};

/// Input that arrived during a turn; a user message since.
const STEERING: &str = "steering/message";

/// Whether a type that is not written any more can be brought into the present form.
pub(crate) fn is_upgraded(kind: &str) -> bool {
    kind == STEERING
}

/// Whether a request header was written for a reason that does not exist any more.
pub(crate) fn has_retired_reason(event: &SessionEvent) -> bool {
    let data: Option<Json> = serde_json::from_str(event.data.get()).ok();
    data.as_ref().and_then(|data| data.get("reason")).and_then(Json::as_text).is_some_and(|reason| *reason == "fallback")
}

/// Brings an event into its present form; one that has it is not touched.
///
/// # Errors
/// Which part of the older form is missing.
pub(crate) fn upgrade(event: SessionEvent, session: &SessionId, before: &Seed) -> Result<SessionEvent, &'static str> {
    let upgraded = match &*event.kind {
        TurnStart::TYPE => turn_start(&event.data),
        TurnEnd::TYPE => turn_end(&event.data)?,
        STEERING => Some(steering(&event.data, session, event.seq)?),
        UserMessage::TYPE => user_message(&event.data, session, event.seq)?,
        AssistantMessage::TYPE => assistant_message(&event.data, session, event.seq)?,
        ToolResultRecord::TYPE => tool_result(&event, session, before)?,
        _ => None,
    };
    let Some(data) = upgraded else { return Ok(event) };
    let data = to_raw(&data).map_err(|_| "its numbers")?;
    let kind = if event.kind == STEERING { Cow::Borrowed(UserMessage::TYPE) } else { event.kind };
    Ok(SessionEvent { kind, data: data.into(), ..event })
}

type Object = Vec<(String, Json)>;

/// The data as an object, when it has a certain member.
fn object_with(data: &RawValue, member: &str) -> Option<Object> {
    // Most events have the present form; the text tells without reading it.
    if !data.get().contains(member) {
        return None;
    }
    match serde_json::from_str(data.get()) {
        Ok(Json::Object(members)) if members.iter().any(|(name, _)| name == member) => Some(members),
        _ => None,
    }
}

fn take(members: &mut Object, name: &str) -> Option<Json> {
    let at = members.iter().position(|(held, _)| held == name)?;
    Some(members.remove(at).1)
}

fn object(members: impl IntoIterator<Item = (&'static str, Json)>) -> Json {
    Json::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn text(text: &str) -> Json {
    Json::Text(text.into())
}

fn minted_id(session: &SessionId, seq: u64) -> Json {
    Json::Text(format!("legacy-message:{session}:{seq}").into())
}

/// `trigger` named what began the turn.
fn turn_start(data: &RawValue) -> Option<Json> {
    let mut members = object_with(data, "trigger")?;
    take(&mut members, "trigger");
    Some(Json::Object(members))
}

/// Reasons without a cause, a kind of their own for disposal, failures without an `error`.
fn turn_end(data: &RawValue) -> Result<Option<Json>, &'static str> {
    let Some(mut members) = object_with(data, "reason") else { return Ok(None) };
    let Some((_, Json::Object(reason))) = members.iter_mut().find(|(name, _)| name == "reason") else { return Ok(None) };
    let kind = reason.iter().find(|(name, _)| name == "kind").and_then(|(_, kind)| kind.as_text()?.as_str().map(str::to_owned));
    let has = |name: &str| reason.iter().any(|(held, _)| held == name);
    let aborted = |cause: &str| vec![("kind".to_owned(), text("aborted")), ("reason".to_owned(), object([("kind", text(cause))]))];
    match kind.as_deref() {
        Some("aborted") if !has("reason") => *reason = aborted("legacy"),
        Some("disposed") => *reason = aborted("disposed"),
        Some("error") if !has("error") => {
            let error = match (take(reason, "failure"), take(reason, "message"), take(reason, "code")) {
                (Some(failure), ..) => failure,
                (None, Some(message), code) => object([("message", message), ("code", code.unwrap_or_else(|| text("UNKNOWN")))]),
                (None, None, _) => return Err("an error without `failure` and `message`"),
            };
            *reason = vec![("kind".to_owned(), text("error")), ("error".to_owned(), error)];
        }
        _ => return Ok(None),
    }
    Ok(Some(Json::Object(members)))
}

/// A whole message, or its content and source.
fn steering(data: &RawValue, session: &SessionId, seq: u64) -> Result<Json, &'static str> {
    if let Some(mut members) = object_with(data, "message") {
        return take(&mut members, "message").ok_or("`message`");
    }
    let mut members = object_with(data, "content").ok_or("`content`")?;
    user(&mut members, session, seq)
}

/// A message without id and role.
fn user_message(data: &RawValue, session: &SessionId, seq: u64) -> Result<Option<Json>, &'static str> {
    if object_with(data, "role").is_some() {
        return Ok(None);
    }
    let Some(mut members) = object_with(data, "content") else { return Ok(None) };
    user(&mut members, session, seq).map(Some)
}

fn user(members: &mut Object, session: &SessionId, seq: u64) -> Result<Json, &'static str> {
    let content = take(members, "content").ok_or("`content`")?;
    let source = take(members, "source").ok_or("`source`")?;
    Ok(object([("content", content), ("source", source), ("role", text("user")), ("id", minted_id(session, seq))]))
}

/// A reply whose content and origin stand beside the turn's number.
fn assistant_message(data: &RawValue, session: &SessionId, seq: u64) -> Result<Option<Json>, &'static str> {
    let Some(mut members) = object_with(data, "provenance") else { return Ok(None) };
    let content = take(&mut members, "content").ok_or("`content`")?;
    let Some(Json::Object(mut source)) = take(&mut members, "provenance") else { return Err("`provenance`") };
    take(&mut source, "kind");
    source.insert(0, ("kind".to_owned(), text("model")));
    let message =
        object([("role", text("assistant")), ("content", content), ("source", Json::Object(source)), ("id", minted_id(session, seq))]);
    members.push(("message".to_owned(), message));
    Ok(Some(Json::Object(members)))
}

/// A result whose content stands beside the call's id. One that replaces another keeps the id of that message.
fn tool_result(event: &SessionEvent, session: &SessionId, before: &Seed) -> Result<Option<Json>, &'static str> {
    if object_with(&event.data, "message").is_some() {
        return Ok(None);
    }
    let Some(mut members) = object_with(&event.data, "callId") else { return Ok(None) };
    let call_id = take(&mut members, "callId").ok_or("`callId`")?;
    let content = take(&mut members, "content").ok_or("`content`")?;
    let is_error = take(&mut members, "isError").ok_or("`isError`")?;
    let id = match event.surface_op {
        Some(SurfaceOp::Replace { start, .. }) => text(&before.message(start).ok_or("the message that it replaces")?.id.to_string()),
        _ => minted_id(session, event.seq),
    };
    let block = object([("type", text("tool-result")), ("toolCallId", call_id.clone()), ("content", content), ("isError", is_error)]);
    let source = object([("kind", text("tool")), ("callId", call_id)]);
    let message = object([("source", source), ("content", Json::List(vec![block])), ("role", text("user")), ("id", id)]);
    members.push(("message".to_owned(), message));
    Ok(Some(Json::Object(members)))
}
