//! Writes the events of many turns.

use std::io::{self, Write};

use serde_json::{Value, json};

/// Turns after which the conversation is replaced by a summary, so that it stays short however long the log is.
const TURNS_OF_A_CONVERSATION: u64 = 20;
/// Steps of a turn.
const STEPS: u64 = 5;

/// What the events mostly are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Pieces of streams.
    Streams,
    /// Calls, results and everything else that is no piece of a stream.
    Calls,
}

impl Shape {
    fn pieces_of_a_step(self) -> u64 {
        match self {
            Self::Streams => 60,
            Self::Calls => 0,
        }
    }
}

struct Writer<W> {
    to: W,
    seq: u64,
    time: u64,
    /// Numbers of the events that make the conversation.
    conversation: Vec<u64>,
}

/// Continues a log until it has at least `events` events. Yields how many it has.
///
/// # Errors
/// Those of the file.
pub(super) fn write(to: impl Write, begun: &[Value], shape: Shape, events: u64) -> io::Result<u64> {
    let is_said = |event: &&Value| event.get("surfaceOp").is_some();
    let number = |event: &Value| event["seq"].as_u64().unwrap_or_default();
    let mut writer = Writer {
        to,
        seq: begun.len() as u64,
        time: begun.last().map_or(0, |event| event["time"].as_u64().unwrap_or_default()),
        conversation: begun.iter().filter(is_said).map(number).collect(),
    };
    let mut turn = 1;
    while writer.seq < events {
        turn += 1;
        writer.turn(turn, shape)?;
        if turn % TURNS_OF_A_CONVERSATION == 0 {
            writer.summary(turn)?;
        }
    }
    Ok(writer.seq)
}

impl<W: Write> Writer<W> {
    fn turn(&mut self, turn: u64, shape: Shape) -> io::Result<()> {
        let id = format!("prompt-{turn}");
        let message = json!({ "content": [{ "type": "text", "text": format!("prompt {turn}") }], "source": { "kind": "user" }, "role": "user", "id": id });
        self.log("agent/inbox/spliced", json!({ "target": "next-turn", "start": 0, "inserted": [message] }))?;
        self.log("turn/start", json!({ "turn": turn }))?;
        self.log("agent/inbox/spliced", json!({ "target": "next-turn", "start": 0, "removedCount": 1, "inserted": [] }))?;
        for step in 1..=STEPS {
            self.log("step/start", json!({ "turn": turn, "step": step }))?;
            if step == 1 {
                self.say("user/message", &message, None)?;
            }
            self.step(turn, step, shape)?;
            self.log("step/end", json!({ "turn": turn, "step": step }))?;
        }
        self.log("turn/end", json!({ "turn": turn, "reason": { "kind": "completed" } }))
    }

    fn step(&mut self, turn: u64, step: u64, shape: Shape) -> io::Result<()> {
        let pieces = shape.pieces_of_a_step();
        let first = self.seq;
        if pieces > 0 {
            let texts: Vec<String> = (0..pieces).map(|piece| format!("piece {piece} of {turn}.{step}; ")).collect();
            let dt = vec![3; texts.len() - 1];
            let row = json!({ "type": "text-chunks", "seq0": self.seq, "time0": self.time, "data": { "turn": turn, "step": step, "index": 0, "dt": dt, "texts": texts } });
            writeln!(self.to, "{row}")?;
            self.seq += pieces;
        }
        let cited: Vec<u64> = (first..self.seq).collect();
        let call = format!("call-{turn}-{step}");
        let calls = step < STEPS;
        let mut content = vec![json!({ "type": "text", "text": format!("reply {turn}.{step}") })];
        if calls {
            content.push(json!({ "type": "tool-call", "id": call, "name": "bash", "arguments": "{\"command\":\"ls\"}" }));
        }
        let source = json!({ "kind": "model", "provider": "deepseek-official", "model": "deepseek-v4-flash" });
        let message = json!({ "role": "assistant", "content": content, "source": source, "id": format!("reply-{turn}-{step}") });
        self.say("assistant/message", &json!({ "turn": turn, "step": step, "message": message }), Some(&cited))?;
        if !calls {
            return Ok(());
        }
        let number = self.seq;
        self.log("tool/call", json!({ "turn": turn, "step": step, "callId": call, "name": "bash", "arguments": "{\"command\":\"ls\"}" }))?;
        let block = json!({ "type": "tool-result", "toolCallId": call, "content": [{ "type": "text", "text": format!("result {turn}.{step}") }], "isError": false });
        let message = json!({ "source": { "kind": "tool", "callId": call }, "content": [block], "role": "user", "id": format!("result-{turn}-{step}") });
        self.say("tool/result", &json!({ "turn": turn, "step": step, "message": message }), Some(&[number]))
    }

    /// Puts one message in the place of the whole conversation.
    fn summary(&mut self, turn: u64) -> io::Result<()> {
        let id = format!("compaction-{turn}");
        self.log("compaction/start", json!({ "compactionId": id, "turn": null }))?;
        let (Some(start), Some(end)) = (self.conversation.first().copied(), self.conversation.last().copied()) else { return Ok(()) };
        let text = json!([{ "type": "text", "text": format!("what was said until turn {turn}") }]);
        let summary = json!({
            "compactionId": id, "summary": text, "shadowedRange": { "start": start, "end": end }, "shadowedSeqs": self.conversation,
            "shadowedTokenCount": 1, "provider": "deepseek-official", "model": "deepseek-v4-flash",
        });
        self.log("compaction/summary", summary)?;
        let message = json!({ "content": text, "source": { "kind": "plugin", "plugin": "compact", "compactionId": id }, "role": "user", "id": format!("summary-{turn}") });
        let event = json!({
            "type": "user/message", "seq": self.seq, "time": self.time, "data": message,
            "sourceEventSeqs": self.conversation, "surfaceOp": { "op": "replace", "start": start, "end": end },
        });
        writeln!(self.to, "{event}")?;
        self.conversation = vec![self.seq];
        self.seq += 1;
        self.log("compaction/end", json!({ "compactionId": id, "turn": null }))
    }

    fn log(&mut self, kind: &str, data: Value) -> io::Result<()> {
        let event = json!({ "type": kind, "seq": self.seq, "time": self.time, "data": data });
        self.seq += 1;
        writeln!(self.to, "{event}")
    }

    fn say(&mut self, kind: &str, data: &Value, cited: Option<&[u64]>) -> io::Result<()> {
        let mut event = json!({ "type": kind, "seq": self.seq, "time": self.time, "data": data });
        if let Some(cited) = cited {
            event["sourceEventSeqs"] = json!(cited);
        }
        event["surfaceOp"] = json!("append");
        self.conversation.push(self.seq);
        self.seq += 1;
        writeln!(self.to, "{event}")
    }
}
