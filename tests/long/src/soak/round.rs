//! One process with all sessions, from its start to its end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dsh_product_tests::{Frame, Place, Signal, signal};
use dsh_testkit::MockServer;
use fastrand::Rng;
use futures_util::future::join_all;
use futures_util::stream::{self, StreamExt};
use serde_json::json;

use super::{Soak, judge};
use crate::gauge::{self, Gauge};
use crate::peer::Peer;
use crate::{model, order};

/// Longest time that an ending may take, whatever is under way.
const MOST_TO_END: Duration = Duration::from_secs(15);
/// Sessions that are taken up at once.
const AT_ONCE: usize = 32;

/// How a round ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The client asks for it when no session works.
    ShutdownAtRest,
    /// The client asks for it while sessions work.
    ShutdownAtWork,
    /// The client closes the input while sessions work.
    EndOfInput,
    /// The process is asked to end by a signal while sessions work.
    Terminated,
}

/// What a round measured.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Turns in all logs after the round.
    pub turns: usize,
    /// Prompts that were accepted in the round.
    pub prompts: usize,
    /// Events that were told in the round.
    pub told: usize,
    /// When all sessions rested the first time.
    pub warm: Gauge,
    /// When they rested the second time.
    pub rested: Gauge,
    /// Bytes of conversation that were added between the two.
    pub conversation_bytes: usize,
    /// How long the end took.
    pub ended_in: Duration,
}

pub(super) struct Round<'a> {
    pub(super) soak: Soak<'a>,
    pub(super) number: u64,
    pub(super) ending: Ending,
    pub(super) place: &'a Place,
    pub(super) server: &'a MockServer,
}

/// What was told of a session: the number of the first event, and the text of each from there on by a hash.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) events: Vec<(u64, u64)>,
    pub(super) accepted: Vec<String>,
    /// Bytes of conversation in the events.
    conversation_bytes: usize,
}

pub(super) type AllTold = BTreeMap<String, Told>;

impl Round<'_> {
    pub(super) async fn run(&self) -> (Figures, Vec<String>) {
        let told: Arc<Mutex<AllTold>> = Arc::default();
        let heard = Arc::clone(&told);
        let sink = move |frame: Frame| {
            if let (Some(event), Some(session)) = (frame.event(), frame.session()) {
                let mut told = heard.lock().unwrap_or_else(PoisonError::into_inner);
                let told = told.entry(session.to_owned()).or_default();
                told.events.push((event["seq"].as_u64().unwrap_or(u64::MAX), judge::hash(event)));
                told.conversation_bytes += order::conversation_bytes(event);
            }
        };
        let peer = Peer::start(model::client(self.place, self.soak.binary, &self.server.url()), sink);
        peer.initialize(&self.place.workspace()).await;
        let mut problems = self.take_up(&peer).await;
        let half = self.soak.round / 2;
        problems.extend(self.work(&peer, &told, (0, half)).await);
        let (warm, before) = (self.at_rest(&peer).await, conversation_bytes(&told));
        problems.extend(self.work(&peer, &told, (1, half)).await);
        let (rested, after) = (self.at_rest(&peer).await, conversation_bytes(&told));
        if self.ending != Ending::ShutdownAtRest {
            // Nobody waits for what is under way.
            let _ = tokio::time::timeout(Duration::from_millis(500), self.work(&peer, &told, (2, Duration::from_secs(600)))).await;
        }
        let ended_in = self.end(&peer, &mut problems).await;
        let told = std::mem::take(&mut *told.lock().unwrap_or_else(PoisonError::into_inner));
        let turns = judge::logs(self.place, &told, self.ending, &mut problems);
        let figures = Figures {
            turns,
            prompts: told.values().map(|told| told.accepted.len()).sum(),
            told: told.values().map(|told| told.events.len()).sum(),
            warm,
            rested,
            conversation_bytes: after - before,
            ended_in,
        };
        judge::figures(&figures, &mut problems);
        (figures, problems)
    }

    /// Takes the sessions of the round before up.
    async fn take_up(&self, peer: &Peer) -> Vec<String> {
        if self.number == 0 {
            return Vec::new();
        }
        let resumed = stream::iter(0..self.soak.sessions).map(async |session| {
            let answer = peer.request("session/resume", &json!({ "sessionId": name(session) })).await;
            (!matches!(answer, Some(Ok(_)))).then(|| format!("{} cannot be taken up: {answer:?}", name(session)))
        });
        resumed.buffer_unordered(AT_ONCE).filter_map(async |problem| problem).collect().await
    }

    /// Has all sessions work for a while.
    async fn work(&self, peer: &Peer, told: &Mutex<AllTold>, (part, time): (u64, Duration)) -> Vec<String> {
        let end = Instant::now() + time;
        let sessions = (0..self.soak.sessions).map(async |session| {
            let seed = [self.soak.seed, self.number, part, session].iter().fold(3_u64, |seed, word| seed.wrapping_mul(1_000_003) ^ word);
            let mut rng = Rng::with_seed(seed);
            let mut number = (self.number * 3 + part) * 1_000_000;
            while Instant::now() < end {
                let before = peer.rests(&name(session));
                // Some prompts come while the one before is worked on.
                for _ in 0..rng.usize(1..4) {
                    let accepted = peer.prompt(&name(session), &model::prompt(self.soak.seed, session, number)).await;
                    number += 1;
                    match accepted {
                        Some(Ok(id)) => {
                            told.lock().unwrap_or_else(PoisonError::into_inner).entry(name(session)).or_default().accepted.push(id);
                        }
                        Some(Err(error)) => return Some(format!("{} takes no prompt: {error}", name(session))),
                        None => return Some(format!("the process ended while {} was prompted", name(session))),
                    }
                    tokio::time::sleep(Duration::from_millis(rng.u64(..300))).await;
                }
                if !peer.rested(&name(session), before).await {
                    return Some(format!("the process ended while {} worked", name(session)));
                }
                let pause = Duration::from_millis(rng.u64(..2_000));
                tokio::time::sleep(pause.min(end.saturating_duration_since(Instant::now()))).await;
            }
            None
        });
        join_all(sessions).await.into_iter().flatten().collect()
    }

    /// Waits until no session works, and looks at the process.
    async fn at_rest(&self, peer: &Peer) -> Gauge {
        let resting = stream::iter(0..self.soak.sessions).map(async |session| {
            peer.request("session/wait", &json!({ "sessionId": name(session) })).await;
        });
        resting.buffer_unordered(AT_ONCE).collect::<Vec<()>>().await;
        self.server.forget_requests();
        // Threads for waiting and connections that are kept open end after a while.
        tokio::time::sleep(Duration::from_millis(500)).await;
        gauge::look(peer.pid())
    }

    async fn end(&self, peer: &Peer, problems: &mut Vec<String>) -> Duration {
        let start = Instant::now();
        match self.ending {
            Ending::ShutdownAtRest | Ending::ShutdownAtWork => {
                if !matches!(peer.request("shutdown", &json!({})).await, Some(Ok(_))) {
                    problems.push("`shutdown` is not answered".to_owned());
                }
            }
            Ending::EndOfInput => peer.close().await,
            Ending::Terminated => signal(peer.pid(), Signal::TERM),
        }
        let gone = peer.gone().await;
        let ended_in = start.elapsed();
        problems.extend(gone.problem);
        if gone.status.code() != Some(0) || gone.stderr.contains("ERROR") || gone.stderr.contains("panicked") {
            problems.push(format!("it ended with {:?}: {}", gone.status, gone.stderr));
        }
        if ended_in > MOST_TO_END {
            problems.push(format!("its end took {ended_in:?}"));
        }
        let running = self.place.processes();
        if !running.is_empty() {
            problems.push(format!("processes are left behind: {running:?}"));
        }
        ended_in
    }
}

fn conversation_bytes(told: &Mutex<AllTold>) -> usize {
    told.lock().unwrap_or_else(PoisonError::into_inner).values().map(|told| told.conversation_bytes).sum()
}

pub(super) fn name(session: u64) -> String {
    format!("s{session}")
}
