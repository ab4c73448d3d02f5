//! One answer of the server.

use std::time::Duration;

use dsh_runtime::CancellationToken;
use serde_json::{Value, json};

/// One answer. It starts as an empty reply; the methods add to it.
#[derive(Clone, Debug)]
pub struct Step {
    pub(super) answer: Answer,
    pub(super) delay: Duration,
    pub(super) pace: Duration,
    pub(super) gate: Option<CancellationToken>,
}

#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// An answer without a stream.
    Plain { status: u16, headers: Vec<(String, String)>, body: String },
    /// A reply of a model.
    Stream { reply: Frames, end: StreamEnd },
}

/// What a stream holds.
#[derive(Clone, Debug)]
pub(super) enum Frames {
    /// What a model says.
    Reply(ModelReply),
    /// Lines as they are.
    Raw(Vec<String>),
}

#[derive(Clone, Debug)]
pub(super) struct ModelReply {
    pub(super) reasoning: String,
    pub(super) text: String,
    pub(super) tools: Vec<(String, String)>,
    pub(super) finish: Option<String>,
    pub(super) usage: Value,
    pub(super) pieces: usize,
}

/// How a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamEnd {
    /// In order.
    Whole,
    /// The connection is closed before the finish reason.
    Cut,
    /// Nothing more comes before the client is gone.
    Stalled,
}

impl Step {
    fn of(answer: Answer) -> Self {
        Self { answer, delay: Duration::ZERO, pace: Duration::ZERO, gate: None }
    }

    fn reply() -> Self {
        let usage = json!({
            "prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110,
            "prompt_cache_hit_tokens": 0, "prompt_cache_miss_tokens": 100,
        });
        let reply = ModelReply { reasoning: String::new(), text: String::new(), tools: Vec::new(), finish: None, usage, pieces: 4 };
        Self::of(Answer::Stream { reply: Frames::Reply(reply), end: StreamEnd::Whole })
    }

    /// A text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self::reply().map(|reply| text.clone_into(&mut reply.text))
    }

    /// A tool call.
    #[must_use]
    pub fn tool(name: &str, args: &Value) -> Self {
        Self::reply().and_tool(name, &args.to_string())
    }

    /// An answer that is no stream, with an error of the usual form as its body.
    #[must_use]
    pub fn status(status: u16) -> Self {
        let body = json!({ "error": { "message": "mock error" } }).to_string();
        Self::of(Answer::Plain { status, headers: Vec::new(), body })
    }

    /// A page in place of a stream: status 200 with another content type.
    #[must_use]
    pub fn page(content_type: &str, body: &str) -> Self {
        Self::status(200).header("content-type", content_type).body(body)
    }

    /// Lines as they are, each with its line breaks.
    #[must_use]
    pub fn raw<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        let lines = lines.into_iter().map(str::to_owned).collect();
        Self::of(Answer::Stream { reply: Frames::Raw(lines), end: StreamEnd::Whole })
    }

    /// With a tool call after what is there, whose arguments are this text. Its id is `call_<call>_<index>`, both from 0.
    #[must_use]
    pub fn and_tool(self, name: &str, arguments: &str) -> Self {
        self.map(|reply| reply.tools.push((name.to_owned(), arguments.to_owned())))
    }

    /// With a text before its tool calls.
    #[must_use]
    pub fn and_text(self, text: &str) -> Self {
        self.map(|reply| text.clone_into(&mut reply.text))
    }

    /// With reasoning before all else.
    #[must_use]
    pub fn and_reasoning(self, reasoning: &str) -> Self {
        self.map(|reply| reasoning.clone_into(&mut reply.reasoning))
    }

    /// With this finish reason in place of `stop` or `tool_calls`.
    #[must_use]
    pub fn finish(self, reason: &str) -> Self {
        self.map(|reply| reply.finish = Some(reason.to_owned()))
    }

    /// With this usage.
    #[must_use]
    pub fn usage(self, usage: Value) -> Self {
        self.map(|reply| reply.usage = usage)
    }

    /// With texts in about so many pieces.
    #[must_use]
    pub fn pieces(self, pieces: usize) -> Self {
        self.map(|reply| reply.pieces = pieces)
    }

    /// With another header, for an answer that is no stream.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let Answer::Plain { headers, .. } = &mut self.answer {
            headers.push((name.to_owned(), value.to_owned()));
        }
        self
    }

    /// With this body, for an answer that is no stream.
    #[must_use]
    pub fn body(mut self, text: &str) -> Self {
        if let Answer::Plain { body, .. } = &mut self.answer {
            text.clone_into(body);
        }
        self
    }

    /// The connection is closed after what is said, before the finish reason.
    #[must_use]
    pub fn cut(self) -> Self {
        self.ending(StreamEnd::Cut)
    }

    /// Nothing comes after what is said, until the client closes the connection.
    #[must_use]
    pub fn stall(self) -> Self {
        self.ending(StreamEnd::Stalled)
    }

    /// The answer waits so long.
    #[must_use]
    pub fn delay(self, delay: Duration) -> Self {
        Self { delay, ..self }
    }

    /// Each piece of the stream waits so long after the one before it.
    #[must_use]
    pub fn pace(self, pace: Duration) -> Self {
        Self { pace, ..self }
    }

    /// The answer waits until the test cancels `gate`.
    #[must_use]
    pub fn hold(self, gate: &CancellationToken) -> Self {
        Self { gate: Some(gate.clone()), ..self }
    }

    fn ending(mut self, ending: StreamEnd) -> Self {
        if let Answer::Stream { end, .. } = &mut self.answer {
            *end = ending;
        }
        self
    }

    fn map(mut self, change: impl FnOnce(&mut ModelReply)) -> Self {
        if let Answer::Stream { reply: Frames::Reply(reply), .. } = &mut self.answer {
            change(reply);
        }
        self
    }
}
