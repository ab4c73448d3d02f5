//! The schedule of a reply's tool calls: an exclusive call runs alone, calls that may overlap form a pool; starts and results
//! keep the model's order whatever finishes first.

use std::collections::BTreeMap;

use dsh_agent::{Agent, Target};
use dsh_json::JsString;
use dsh_message::{CallId, ContentBlock, Message};
use dsh_session::SurfaceOp;
use dsh_session::catalogue::{ToolCallRecord, ToolResultRecord};
use dsh_tools::{CallRequest, ExecutedCall, SettledCall};
use tokio::task::JoinSet;

use crate::abort::Abort;
use crate::failure::Stop;
use crate::loop_agent::LoopAgent;
use crate::step::{Outcome, Step};

/// A call as the model made it.
struct Asked {
    id: CallId,
    name: JsString,
    arguments: JsString,
}

/// Calls that have started and not been committed.
struct Pool {
    /// Bodies that run, each in a task of its own: a started call is never dropped in the middle.
    running: JoinSet<(usize, ExecutedCall)>,
    /// Bodies that ended and wait for those before them.
    ended: BTreeMap<usize, ExecutedCall>,
    /// Events of the started calls, by place.
    records: Vec<u64>,
}

impl LoopAgent {
    /// Runs the calls of a reply. All of them are on record with a result when this returns, unless the scheduler itself failed.
    pub(crate) async fn run_tools(&self, step: Step, calls: Vec<ContentBlock>, abort: &Abort) -> Result<Outcome, Stop> {
        let asked: Vec<Asked> = calls
            .into_iter()
            .filter_map(|block| match block {
                ContentBlock::ToolCall { id, name, arguments } => Some(Asked { id, name, arguments }),
                _ => None,
            })
            .collect();
        let mut pool = Pool { running: JoinSet::new(), ended: BTreeMap::new(), records: Vec::new() };
        let mut concluded = false;
        let ran = self.run_pool(step, &asked, &mut pool, &mut concluded, abort).await;
        // Where the scheduler failed, calls that started still end, but no result is made up for them.
        while pool.running.join_next().await.is_some() {}
        ran?;
        for call in &asked[pool.records.len()..] {
            let record = self.record(step, call)?;
            self.commit(step, call, record, SettledCall::aborted_before_dispatch())?;
        }
        abort.check()?;
        Ok(if concluded { Outcome::Completed } else { Outcome::ToolsRan })
    }

    async fn run_pool(&self, step: Step, asked: &[Asked], pool: &mut Pool, concluded: &mut bool, abort: &Abort) -> Result<(), Stop> {
        let mut committed = 0;
        loop {
            while abort.cause().is_none() && self.may_start(asked, pool, committed, abort) {
                let place = pool.records.len();
                let call = &asked[place];
                pool.records.push(self.record(step, call)?);
                let prepared = self.services.tools.prepare(self.call_request(call, abort)).await;
                pool.running.spawn(async move { (place, prepared.execute().await) });
            }
            let Some(joined) = pool.running.join_next().await else { return Ok(()) };
            let (place, executed) = joined.map_err(|error| Stop::unknown(&error))?;
            pool.ended.insert(place, executed);
            while let Some(executed) = pool.ended.remove(&committed) {
                let settled = executed.settle().await;
                *concluded |= settled.concludes_turn;
                self.commit(step, &asked[committed], pool.records[committed], settled)?;
                committed += 1;
            }
        }
    }

    /// Whether the next call may start beside those that run. Its mode is read anew each time.
    fn may_start(&self, asked: &[Asked], pool: &Pool, committed: usize, abort: &Abort) -> bool {
        let started = pool.records.len();
        let Some(next) = asked.get(started) else { return false };
        if started == committed {
            return true;
        }
        let concurrent = |call: &Asked| self.services.tools.is_concurrent(&self.call_request(call, abort));
        pool.running.len() < self.services.max_parallel_tool_calls && asked[committed..started].iter().all(concurrent) && concurrent(next)
    }

    fn call_request(&self, call: &Asked, abort: &Abort) -> CallRequest {
        CallRequest {
            call_id: call.id.clone(),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            agent: self.shared(),
            signal: abort.signal().clone(),
        }
    }

    fn record(&self, step: Step, call: &Asked) -> Result<u64, Stop> {
        let (call_id, name, arguments) = (call.id.clone(), call.name.clone(), call.arguments.clone());
        let event = self.session.append(&ToolCallRecord { turn: step.turn, step: step.number, call_id, name, arguments })?;
        Ok(event.seq)
    }

    fn commit(&self, step: Step, call: &Asked, record: u64, settled: SettledCall) -> Result<(), Stop> {
        let SettledCall { content, is_error, error, meta, additional_contexts, .. } = settled;
        let message = Message::tool_result(self.services.ids.uuid().into(), call.id.clone(), content, is_error).into();
        let result = ToolResultRecord { turn: step.turn, step: step.number, message, error, meta };
        self.session.append_message(&result, SurfaceOp::Append, Some(vec![record]))?;
        for context in additional_contexts {
            self.inbox().append(Target::NextStep, context)?;
        }
        Ok(())
    }
}
