//! The schedule of a reply's tool calls: an exclusive call runs alone, calls that may overlap form a pool; starts and results
//! keep the model's order whatever finishes first.

use std::collections::BTreeMap;
use std::sync::Arc;

use dsh_agent::{Agent, Target};
use dsh_json::JsString;
use dsh_message::{CallId, ContentBlock, Message};
use dsh_session::catalogue::{ToolCallRecord, ToolResultRecord};
use dsh_session::{AppendError, SurfaceOp};
use dsh_tools::{CallRequest, ExecutedCall, SettledCall};
use futures_util::FutureExt;
use tokio::task::JoinSet;

use crate::abort::Abort;
use crate::failure::Stop;
use crate::loop_agent::LoopAgent;
use crate::step::{Outcome, Step};

/// A call as the model made it.
pub(crate) struct Asked {
    id: CallId,
    name: JsString,
    arguments: JsString,
}

impl Asked {
    /// The calls of a reply, in its order.
    pub(crate) fn of(content: &[ContentBlock]) -> Vec<Self> {
        let call = |block: &ContentBlock| match block {
            ContentBlock::ToolCall { id, name, arguments } => {
                Some(Self { id: id.clone(), name: name.clone(), arguments: arguments.clone() })
            }
            _ => None,
        };
        content.iter().filter_map(call).collect()
    }
}

/// How far the calls of a reply are.
#[derive(Default)]
struct Pool {
    /// Bodies that run, each in a task of its own: a started call is never dropped in the middle.
    running: JoinSet<(usize, ExecutedCall)>,
    /// Bodies that ended and wait for those before them.
    ended: BTreeMap<usize, ExecutedCall>,
    /// Events of the started calls, by place.
    records: Vec<u64>,
    /// How many results are on record.
    committed: usize,
    /// Whether the calls that started and are not committed may overlap with others.
    shared: bool,
    /// Whether a result ends the turn.
    concluded: bool,
    /// Why no further call starts: the log took no record of one.
    refused: Option<AppendError>,
}

impl LoopAgent {
    /// Runs the calls of a reply. All of them are on record with a result when this returns, unless the scheduler itself failed.
    pub(crate) async fn run_tools(self: &Arc<Self>, step: Step, asked: &[Asked], abort: &Abort) -> Result<Outcome, Stop> {
        let mut pool = Pool::default();
        let ran = self.run_pool(step, asked, &mut pool, abort).await;
        // Where the scheduler failed, calls that started still end, but no result is made up for them.
        while pool.running.join_next().await.is_some() {}
        ran?;
        if let Some(refused) = pool.refused {
            // A reply whose calls have no results could not be sent again.
            for call in &asked[pool.records.len()..] {
                self.commit(step, call, None, SettledCall::not_started(&refused.to_string()))?;
            }
            return Err(refused.into());
        }
        for call in &asked[pool.records.len()..] {
            let record = self.record(step, call)?;
            self.commit(step, call, Some(record), SettledCall::aborted_before_dispatch())?;
        }
        Ok(if pool.concluded { Outcome::Completed } else { Outcome::ToolsRan })
    }

    async fn run_pool(self: &Arc<Self>, step: Step, asked: &[Asked], pool: &mut Pool, abort: &Abort) -> Result<(), Stop> {
        loop {
            while abort.cause().is_none() && self.may_start(asked, pool, abort) {
                self.start_call(step, asked, pool, abort).await?;
                while let Some(joined) = pool.running.try_join_next() {
                    let (place, executed) = joined.map_err(|error| Stop::unknown(&error))?;
                    pool.ended.insert(place, executed);
                }
                self.commit_ended(step, asked, pool).await?;
            }
            let Some(joined) = pool.running.join_next().await else { return Ok(()) };
            let (place, executed) = joined.map_err(|error| Stop::unknown(&error))?;
            pool.ended.insert(place, executed);
            self.commit_ended(step, asked, pool).await?;
        }
    }

    /// Whether the next call may start beside those that run. Its mode is read anew each time.
    fn may_start(self: &Arc<Self>, asked: &[Asked], pool: &Pool, abort: &Abort) -> bool {
        let started = pool.records.len();
        if pool.refused.is_some() {
            return false;
        }
        let Some(next) = asked.get(started) else { return false };
        let free = pool.running.len() < self.services.max_parallel_tool_calls;
        started == pool.committed || pool.shared && free && self.services.tools.is_concurrent(&self.call_request(next, abort))
    }

    /// Records a call, takes it through policy and starts its body.
    async fn start_call(self: &Arc<Self>, step: Step, asked: &[Asked], pool: &mut Pool, abort: &Abort) -> Result<(), Stop> {
        let place = pool.records.len();
        let request = self.call_request(&asked[place], abort);
        if place == pool.committed {
            pool.shared = self.services.tools.is_concurrent(&request);
        }
        match self.record(step, &asked[place]) {
            Ok(record) => pool.records.push(record),
            Err(refused @ AppendError::Refused { .. }) => {
                pool.refused = Some(refused);
                return Ok(());
            }
            Err(error) => return Err(error.into()),
        }
        let mut execution = Box::pin(self.services.tools.prepare(request).await.execute());
        // A call that ends at once (one that policy refused, say) is not in flight: its result comes before the next call.
        if let Some(executed) = (&mut execution).now_or_never() {
            pool.ended.insert(place, executed);
        } else {
            pool.running.spawn(async move { (place, execution.await) });
        }
        Ok(())
    }

    async fn commit_ended(self: &Arc<Self>, step: Step, asked: &[Asked], pool: &mut Pool) -> Result<(), Stop> {
        while let Some(executed) = pool.ended.remove(&pool.committed) {
            let settled = executed.settle().await;
            pool.concluded |= settled.concludes_turn;
            self.commit(step, &asked[pool.committed], Some(pool.records[pool.committed]), settled)?;
            pool.committed += 1;
        }
        Ok(())
    }

    fn call_request(self: &Arc<Self>, call: &Asked, abort: &Abort) -> CallRequest {
        CallRequest {
            call_id: call.id.clone(),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            agent: Some(self.shared()),
            signal: abort.signal(),
        }
    }

    fn record(&self, step: Step, call: &Asked) -> Result<u64, AppendError> {
        let (call_id, name, arguments) = (call.id.clone(), call.name.clone(), call.arguments.clone());
        let event = self.session.append(&ToolCallRecord { turn: step.turn, step: step.number, call_id, name, arguments })?;
        Ok(event.seq)
    }

    fn commit(&self, step: Step, call: &Asked, record: Option<u64>, settled: SettledCall) -> Result<(), Stop> {
        let SettledCall { content, is_error, error, meta, additional_contexts, .. } = settled;
        let message = Message::tool_result(self.services.ids.uuid().into(), call.id.clone(), content, is_error).into();
        let result = ToolResultRecord { turn: step.turn, step: step.number, message, error, meta };
        self.session.append_message(&result, SurfaceOp::Append, record.map(|record| vec![record]))?;
        for context in additional_contexts {
            self.inbox().append(Target::NextStep, context)?;
        }
        Ok(())
    }
}
