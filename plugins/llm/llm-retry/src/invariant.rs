//! Runtime checks of the records: their form, their place in the log, and that they follow each other.

use dsh_runtime::{Dispatcher, PluginContext};
use dsh_session::catalogue::StepStart;
use dsh_session::{Appended, EventData, OpenStep, Session, SessionCommitting, SessionDisposed, SessionEvent, check_events};

use crate::event::{LlmRetry, LlmRetryStarted, RetryMode};

/// Longest pause that a timer of the log's other readers can wait, 2^31 - 1.
const MAX_DELAY_MS: f64 = 2_147_483_647.0;

/// The last record of each chain of a session's step, and whether its repetition has started.
type Chains = Vec<(LlmRetry, bool)>;

/// Installs the checks.
pub(crate) fn install(cx: &PluginContext, committing: &Dispatcher<SessionCommitting>, disposed: &Dispatcher<SessionDisposed>) {
    check_events(env!("CARGO_PKG_NAME"), cx, committing, disposed, check);
}

fn check(chains: &mut Chains, Appended { session, event }: &Appended) -> Result<(), String> {
    match &*event.kind {
        StepStart::TYPE => {
            chains.clear();
            Ok(())
        }
        LlmRetry::TYPE => scheduled(chains, session, read(event)?),
        LlmRetryStarted::TYPE => started(chains, session, &read(event)?),
        _ => Ok(()),
    }
}

fn scheduled(chains: &mut Chains, session: &Session, record: LlmRetry) -> Result<(), String> {
    well_formed(&record)?;
    inside(session, record.turn, record.step)?;
    let route = session.request_context().map(|context| context.provider);
    require(route.as_ref() == Some(&record.provider), || format!("it names the route `{}`, the step's is {route:?}", record.provider))?;
    let last = chains.iter().position(|(held, _)| held.chain() == record.chain());
    let expected = last.map_or(1, |at| chains[at].0.retry + 1);
    require(record.retry == expected, || format!("repetition {} stands where {expected} belongs", record.retry))?;
    let owner = chains.iter().position(|(held, _)| held.retry_id == record.retry_id);
    require(owner == last, || format!("the id `{}` is not that of its chain alone", record.retry_id))?;
    match last {
        Some(at) => chains[at] = (record, false),
        None => chains.push((record, false)),
    }
    Ok(())
}

fn started(chains: &mut Chains, session: &Session, record: &LlmRetryStarted) -> Result<(), String> {
    inside(session, record.turn, record.step)?;
    let waiting = chains.iter_mut().find(|(held, started)| !started && held.started() == *record);
    let (_, started) = waiting.ok_or_else(|| format!("repetition {} of `{}` is not waiting", record.retry, record.retry_id))?;
    *started = true;
    Ok(())
}

fn well_formed(record: &LlmRetry) -> Result<(), String> {
    let LlmRetry { retry_id, provider, policy_key, failure, .. } = record;
    let named = [retry_id, provider, policy_key, &failure.code, &failure.message].iter().all(|text| !text.is_empty());
    require(named, || "one of its texts is empty".to_owned())?;
    require((record.mode == RetryMode::Normal) == record.max_retries.is_some(), || "its maximum does not fit its mode".to_owned())?;
    let most = record.max_retries.map_or(u64::MAX, u64::from);
    require(record.retry <= most, || format!("repetition {} is above the maximum {most}", record.retry))?;
    let waitable = (0.0..=MAX_DELAY_MS).contains(&record.delay_ms);
    require(waitable, || format!("no timer waits {} ms", record.delay_ms))
}

fn inside(session: &Session, turn: u64, step: u64) -> Result<(), String> {
    let (named, open) = (OpenStep { turn, step }, session.open_step());
    require(open == Some(named), || format!("it names {named:?}, open is {open:?}"))
}

fn read<T: EventData>(event: &SessionEvent) -> Result<T, String> {
    event.data().ok_or_else(|| "its data has another form".to_owned())
}

fn require(holds: bool, rule: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(rule()) }
}
