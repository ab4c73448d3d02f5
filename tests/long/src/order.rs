//! The order of a log, judged event by event: numbers, what stands inside which, results after their calls, and what became of
//! every prompt.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// What became of a message that was put in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It waits.
    Pending,
    /// It was dropped before it ran.
    Cancelled {
        /// It had waited behind a turn that failed.
        behind_failure: bool,
    },
    /// A turn took it out, and it is not in the conversation.
    Claimed(u64),
    /// It is in the conversation.
    Run(u64),
}

/// What a log tells.
#[derive(Debug, Default)]
pub struct Account {
    /// Rules that it breaks.
    pub problems: Vec<String>,
    /// What became of each message that a person put in, by id.
    pub prompts: BTreeMap<String, Fate>,
    /// The turn that is open.
    pub open_turn: Option<u64>,
    /// How each turn ended, in order.
    pub ends: Vec<String>,
    open_step: Option<u64>,
    last_turn: u64,
    last_step: u64,
    chunks: Vec<u64>,
    text: String,
    asked: Vec<String>,
    calls: BTreeMap<String, u64>,
    answered: BTreeSet<String>,
    lists: BTreeMap<String, Vec<String>>,
}

/// Judges a log.
#[must_use]
pub fn account(events: &[Value]) -> Account {
    let mut account = Account::default();
    for (place, event) in events.iter().enumerate() {
        if event["seq"].as_u64() != Some(place as u64) {
            account.problems.push(format!("event {} stands at place {place}", event["seq"]));
            break;
        }
        account.take(event);
    }
    account
}

/// Bytes of an event that enter the conversation.
#[must_use]
pub fn conversation_bytes(event: &Value) -> usize {
    let data = &event["data"];
    match event["type"].as_str() {
        _ if event["surfaceOp"] != "append" => 0,
        Some("user/message") => data.to_string().len(),
        _ => data["message"].to_string().len(),
    }
}

impl Account {
    fn take(&mut self, event: &Value) {
        let data = &event["data"];
        let place = (data["turn"].as_u64(), data["step"].as_u64());
        let seq = event["seq"].as_u64().unwrap_or_default();
        match event["type"].as_str().unwrap_or_default() {
            "turn/start" => {
                self.require(self.open_turn.is_none(), seq, "a turn starts in a turn");
                self.require(place.0 == Some(self.last_turn + 1), seq, "a turn has another number than the next");
                (self.open_turn, self.last_turn, self.last_step) = (place.0, self.last_turn + 1, 0);
            }
            "turn/end" => {
                self.require(place.0.is_some() && place.0 == self.open_turn, seq, "another turn ends than is open");
                self.require(self.open_step.is_none(), seq, "a turn ends in a step");
                self.open_turn = None;
                self.ends.push(data["reason"]["kind"].as_str().unwrap_or_default().to_owned());
            }
            "step/start" => {
                self.require(place.0.is_some() && place.0 == self.open_turn && self.open_step.is_none(), seq, "a step starts elsewhere");
                self.require(place.1 == Some(self.last_step + 1), seq, "a step has another number than the next");
                (self.open_step, self.last_step) = (place.1, self.last_step + 1);
                (self.chunks, self.text, self.asked) = (Vec::new(), String::new(), Vec::new());
                (self.calls, self.answered) = (BTreeMap::new(), BTreeSet::new());
            }
            "step/end" => {
                self.inside(place, seq);
                let unanswered: Vec<&String> = self.asked.iter().filter(|call| !self.answered.contains(*call)).collect();
                let unanswered = format!("calls have no result: {unanswered:?}");
                self.require(self.asked.iter().all(|call| self.answered.contains(call)), seq, &unanswered);
                self.require(self.calls.keys().all(|call| self.answered.contains(call)), seq, "a call that started has no result");
                self.open_step = None;
            }
            "assistant/chunk" => {
                self.inside(place, seq);
                self.chunks.push(seq);
                if data["chunk"]["type"] == "text-delta" {
                    self.text.push_str(data["chunk"]["text"].as_str().unwrap_or_default());
                }
            }
            // What the failed call had said belongs to no reply.
            "llm/retry-started" => {
                self.inside(place, seq);
                (self.chunks, self.text) = (Vec::new(), String::new());
            }
            "assistant/message" => self.reply(event, place, seq),
            "tool/call" => {
                self.inside(place, seq);
                let call = data["callId"].as_str().unwrap_or_default().to_owned();
                self.require(self.asked.contains(&call), seq, "a call starts that no reply asked for");
                let twice = self.calls.insert(call, seq).is_some();
                self.require(!twice, seq, "a call starts twice");
            }
            "tool/result" if event["surfaceOp"] == "append" => self.result(event, place, seq),
            "agent/inbox/spliced" => self.splice(data, seq),
            "user/message" if event["surfaceOp"] == "append" => {
                let claimed = data["id"].as_str().and_then(|id| self.prompts.get_mut(id));
                match (claimed, self.open_turn) {
                    (Some(fate @ Fate::Claimed(_)), Some(turn)) if *fate == Fate::Claimed(turn) => *fate = Fate::Run(turn),
                    (Some(fate), _) => {
                        let problem = format!("event {seq}: a message enters the conversation that was {fate:?}");
                        self.problems.push(problem);
                    }
                    // A message of a plugin.
                    (None, _) => {}
                }
            }
            _ => {}
        }
    }

    fn reply(&mut self, event: &Value, place: (Option<u64>, Option<u64>), seq: u64) {
        self.inside(place, seq);
        let message = &event["data"]["message"];
        let cited: Vec<u64> = event["sourceEventSeqs"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
        self.require(cited == self.chunks, seq, "a reply cites other chunks than those of its call");
        let blocks = message["content"].as_array().cloned().unwrap_or_default();
        let text: String = blocks.iter().filter(|block| block["type"] == "text").filter_map(|block| block["text"].as_str()).collect();
        self.require(text == self.text, seq, "a reply says something else than its chunks");
        let calls = blocks.iter().filter(|block| block["type"] == "tool-call").filter_map(|block| block["id"].as_str());
        self.asked = calls.map(str::to_owned).collect();
    }

    fn result(&mut self, event: &Value, place: (Option<u64>, Option<u64>), seq: u64) {
        self.inside(place, seq);
        let data = &event["data"];
        let call = data["message"]["source"]["callId"].as_str().unwrap_or_default().to_owned();
        let not_started = data["error"]["code"] == "TOOL_NOT_STARTED";
        let cited = event["sourceEventSeqs"][0].as_u64();
        self.require(not_started || self.calls.get(&call).copied() == cited, seq, "a result cites another event than its call");
        // Results come in the order in which the model asked.
        self.require(self.asked.get(self.answered.len()) == Some(&call), seq, "a result stands out of order");
        self.answered.insert(call);
    }

    fn splice(&mut self, data: &Value, seq: u64) {
        let target = data["target"].as_str().unwrap_or_default().to_owned();
        let start = usize::try_from(data["start"].as_u64().unwrap_or_default()).unwrap_or(usize::MAX);
        let removed = usize::try_from(data["removedCount"].as_u64().unwrap_or_default()).unwrap_or(usize::MAX);
        let list = self.lists.entry(target).or_default();
        let Some(end) = start.checked_add(removed).filter(|end| *end <= list.len()) else {
            self.problems.push(format!("event {seq}: a change of the inbox does not fit it"));
            return;
        };
        let inserted: Vec<String> =
            data["inserted"].as_array().into_iter().flatten().filter_map(|message| message["id"].as_str().map(str::to_owned)).collect();
        let taken: Vec<String> = list.splice(start..end, inserted.iter().cloned()).collect();
        for id in taken {
            let behind_failure = self.open_turn.is_none() && self.ends.last().is_some_and(|end| end == "error");
            let fate = match data["outcome"].as_str() {
                Some("canceled") => Fate::Cancelled { behind_failure },
                _ => Fate::Claimed(self.open_turn.unwrap_or_default()),
            };
            self.require(fate != Fate::Claimed(0), seq, "a message is taken out between turns");
            self.prompts.insert(id, fate);
        }
        for id in inserted {
            // One that did not run, because the process was gone or it was taken back, may be put in again.
            let before = self.prompts.insert(id, Fate::Pending);
            let twice = matches!(before, Some(Fate::Pending | Fate::Run(_)));
            self.require(!twice, seq, "a message is put in twice");
        }
    }

    fn inside(&mut self, place: (Option<u64>, Option<u64>), seq: u64) {
        self.require(place == (self.open_turn, self.open_step) && place.1.is_some(), seq, "an event stands outside of its step");
    }

    fn require(&mut self, holds: bool, seq: u64, rule: &str) {
        if !holds {
            self.problems.push(format!("event {seq}: {rule}"));
        }
    }
}
