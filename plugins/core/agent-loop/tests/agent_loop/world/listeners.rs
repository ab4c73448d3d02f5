//! Listeners that a test states in one closure.

use std::sync::{Arc, Mutex, PoisonError};

use dsh_agent::{
    Agent, AgentPreStep, AgentRequest, AgentRequestError, AgentTurnStopping, KeepInbox, PreStep, PreStepDecision, Request, RequestError,
    RequestErrorAction, TurnStopping,
};
use dsh_llm::{ChunkStream, LlmStream};
use dsh_message::StreamChunk;
use dsh_runtime::event::{around, observer, participant};
use dsh_runtime::{ListenerError, Position};
use dsh_session::catalogue::AbortCause;
use dsh_session::{Appended, SessionCommitting, SessionEventAppended};
use futures_util::StreamExt;

use super::{Gate, World, transcript};

impl World {
    /// Acts once: while the first event is published whose line begins with `line`.
    pub fn at(&self, line: &str, act: impl FnOnce() + Send + 'static) {
        let (line, act) = (line.to_owned(), Mutex::new(Some(act)));
        let listener = move |Appended { event, .. }: &Appended| {
            if transcript::line(event).starts_with(&line)
                && let Some(act) = act.lock().unwrap_or_else(PoisonError::into_inner).take()
            {
                act();
            }
        };
        self.on(&self.topics.session.appended, observer::<SessionEventAppended, _>(listener));
    }

    /// Cancels an agent while such an event is published.
    pub fn cancel_at(&self, agent: &Arc<dyn Agent>, line: &str, keep: KeepInbox) {
        let agent = Arc::clone(agent);
        self.at(line, move || agent.cancel(AbortCause::User, keep));
    }

    /// Keeps the events out of the log whose line begins with `line`.
    pub fn keep_out(&self, line: &'static str) {
        let listener = move |Appended { event, .. }: &Appended| {
            if transcript::line(event).starts_with(line) { Err(ListenerError::new("not this one")) } else { Ok(()) }
        };
        self.on(&self.topics.session.committing, observer::<SessionCommitting, _>(listener));
    }

    /// Decides about proposed steps; `None` delegates.
    pub fn on_pre_step<F>(&self, decide: F)
    where
        F: Fn(&mut PreStep) -> Option<Result<PreStepDecision, ListenerError>> + Send + Sync + 'static,
    {
        let listener = around::<AgentPreStep, F>(decide, |decide: &F, proposed: &mut PreStep, next| {
            Box::pin(async move {
                match decide(proposed) {
                    Some(decision) => next.decide(decision),
                    None => next.run(proposed).await,
                }
            })
        });
        self.on(&self.topics.agent.pre_step, listener);
    }

    /// Changes what is proposed of requests, or fails.
    pub fn on_request<F>(&self, change: F)
    where
        F: Fn(&mut Request) -> Result<(), ListenerError> + Send + Sync + 'static,
    {
        let listener = around::<AgentRequest, F>(change, |change: &F, request: &mut Request, next| {
            Box::pin(async move {
                match change(request) {
                    Ok(()) => next.run(request).await,
                    Err(error) => next.decide(Err(error)),
                }
            })
        });
        self.on(&self.topics.agent.request, listener);
    }

    /// Decides what follows failed calls.
    pub fn on_request_error<F>(&self, decide: F)
    where
        F: Fn(&RequestError) -> Result<RequestErrorAction, ListenerError> + Send + Sync + 'static,
    {
        let listener = around::<AgentRequestError, F>(decide, |decide: &F, failed: &mut RequestError, next| {
            Box::pin(async move { next.decide(decide(failed)) })
        });
        self.on(&self.topics.agent.request_error, listener);
    }

    /// Is asked before turns end; the number counts the times.
    pub fn on_turn_stopping<F>(&self, act: F)
    where
        F: Fn(&TurnStopping, usize) -> Result<(), ListenerError> + Send + Sync + 'static,
    {
        let times = Mutex::new(0);
        let listener = participant::<AgentTurnStopping>(move |stopping: &TurnStopping| {
            let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
            *times += 1;
            let acted = act(stopping, *times);
            Box::pin(async move { acted })
        });
        self.on(&self.topics.agent.turn_stopping, listener);
    }

    /// Holds every reply before its `finish` until the gate is opened for it.
    pub fn hold_replies(&self) -> Gate {
        let gate = Gate::default();
        let listener = around::<LlmStream, _>(gate.clone(), |gate: &Gate, call, next| {
            let gate = gate.clone();
            Box::pin(async move { next.run(call).await.map(|reply| reply.map(|chunks| held(chunks, gate))) })
        });
        self.on(&self.topics.llm.stream, listener);
        gate
    }

    /// The key of listeners that are registered in an agent's scope.
    pub fn key(&self) -> (Position, usize) {
        (Position::Row, self.row.row())
    }
}

fn held(chunks: ChunkStream, gate: Gate) -> ChunkStream {
    let wait = move |chunk| {
        let gate = gate.clone();
        async move {
            if matches!(chunk, StreamChunk::Finish { .. }) {
                gate.pass().await;
            }
            chunk
        }
    };
    chunks.then(wait).boxed()
}
