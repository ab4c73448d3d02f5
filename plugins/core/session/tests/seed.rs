//! Seeds: stored logs that are folded while they are read.

mod fixture;

use std::sync::Arc;

use dsh_message::StreamChunk;
use dsh_runtime::EffectStack;
use dsh_session::catalogue::{AssistantChunk, StepEnd, StepStart, TurnEnd, TurnEndReason, TurnStart, UserMessage};
use dsh_session::{Seed, SeedFold, SessionEvent, SurfaceOp};
use fixture::{Fixture, user};

/// The log of a turn with a message and a piece of a reply.
async fn log() -> Vec<Arc<SessionEvent>> {
    let fixture = Fixture::mount().await;
    let session = fixture.live("s");
    let chunk = StreamChunk::TextDelta { index: 0, text: "a".into() };
    vec![
        session.append(&TurnStart { turn: 1 }).unwrap(),
        session.append(&StepStart { turn: 1, step: 1 }).unwrap(),
        session.append_message(&UserMessage(user("m1", "hi")), SurfaceOp::Append, None).unwrap(),
        session.append(&AssistantChunk { turn: 1, step: 1, chunk }).unwrap(),
        session.append(&StepEnd { turn: 1, step: 1 }).unwrap(),
        session.append(&TurnEnd { turn: 1, reason: TurnEndReason::Completed }).unwrap(),
    ]
}

/// Remembers the types of the events that it is shown, and whose log it is.
struct Kinds {
    id: String,
    kinds: Vec<String>,
}

impl SeedFold for Kinds {
    fn take(&mut self, event: &SessionEvent) {
        self.kinds.push(event.kind.to_string());
    }
}

fn seed(events: &[Arc<SessionEvent>], mut seed: Seed) -> Seed {
    events.iter().for_each(|event| seed.push(SessionEvent::clone(event)).unwrap());
    seed
}

#[tokio::test]
async fn a_session_of_a_seed_is_the_one_of_its_events() {
    let (log, fixture) = (log().await, Fixture::mount().await);
    let header = fixture.prepared("s").header().clone();
    let effects = EffectStack::new("test");
    fixture.store().fold_seeds(|header| Kinds { id: header.id.to_string(), kinds: Vec::new() }, &effects);
    let folded = fixture.store().resume(header.clone(), seed(&log, fixture.store().folding().begin(&header))).unwrap();
    let whole = fixture.store().restore(header, Some(log.iter().map(|event| SessionEvent::clone(event)).collect())).unwrap();
    for session in [&folded, &whole] {
        assert_eq!((session.length(), session.first_live_seq(), session.last_turn()), (7, 6, 1), "a mark follows the seed");
        assert_eq!(session.surface_seqs(), [2]);
    }
    for session in [&folded, &whole] {
        let seed = session.seed();
        let Kinds { id, kinds } = seed.get().unwrap();
        let expected = ["turn/start", "step/start", "user/message", "step/end", "turn/end"];
        assert_eq!((id.as_str(), &kinds[..]), ("s", &expected.map(str::to_owned)[..]), "pieces of streams are left out");
    }
    fixture.publish(&folded);
    assert!(folded.seed().get::<Kinds>().is_none(), "nobody keeps them");
}

#[tokio::test]
async fn a_fold_whose_plugin_is_gone_leaves_nothing() {
    let (log, fixture) = (log().await, Fixture::mount().await);
    let effects = EffectStack::new("test");
    fixture.store().fold_seeds(|header| Kinds { id: header.id.to_string(), kinds: Vec::new() }, &effects);
    effects.unwind().await;
    let header = fixture.prepared("t").header().clone();
    let unheard = fixture.store().resume(header.clone(), seed(&log, fixture.store().folding().begin(&header))).unwrap();
    assert!(unheard.seed().get::<Kinds>().is_none(), "who is gone folds nothing");
}

#[tokio::test]
async fn an_event_that_does_not_follow_is_refused() {
    let log = log().await;
    let mut seed = seed(&log[..2], Seed::new());
    assert_eq!(seed.push(SessionEvent::clone(&log[3])).unwrap_err().to_string(), "event 3 stands where event 2 belongs");
}

#[tokio::test]
async fn events_that_pass_are_checked_and_not_kept() {
    let (log, fixture) = (log().await, Fixture::mount().await);
    let mut seed = Seed::new();
    log.iter().for_each(|event| seed.pass(SessionEvent::clone(event)).unwrap());
    assert_eq!(seed.length(), 6);
    assert_eq!(seed.message(2).unwrap().id.to_string(), "m1");
    assert!(seed.message(1).is_none());
    let session = fixture.store().resume(fixture.prepared("s").header().clone(), seed).unwrap();
    assert_eq!(session.surface_seqs(), [2]);
}
