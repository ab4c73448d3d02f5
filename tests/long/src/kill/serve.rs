//! A binary that serves a client is killed.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dsh_product_tests::{Frame, Place};
use dsh_testkit::MockServer;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::{Kill, Plan, Point, Shown, command, left_running};
use crate::closers;
use crate::model::{self, Habits};
use crate::order::{self, Fate};
use crate::peer::Peer;
use crate::stored::{self, Stored};

/// A piece of a stream that was told so long before the kill is in the log: one window, and time for a busy machine to end it.
const LONGEST_WINDOW: Duration = Duration::from_millis(200 + 1_800);
/// Number of the prompt with which a session goes on.
const LAST: u64 = 99;

const HABITS: Habits = Habits {
    most_delay: Duration::from_millis(30),
    most_pace: Duration::from_millis(12),
    one_fails_of: 12,
    shell_in_one_of: 2,
    leaves_processes: true,
};

/// What the client knew when the process was gone.
struct Told {
    frames: Vec<(Instant, Frame)>,
    /// For each session the ids of its accepted prompts.
    accepted: Vec<Vec<String>>,
    killed: Instant,
    reached: bool,
}

/// Carries out one plan.
pub(super) async fn kill(plan: &Plan, binary: &Path) -> Shown {
    let place = Place::new();
    let server = MockServer::start(model::script(&place.workspace(), HABITS)).await;
    let mut shown = Shown::default();
    let told = work_until_killed(plan, binary, &place, &server, &mut shown).await;
    shown.reached = told.reached;
    let running = left_running(&place).await;
    if !running.is_empty() {
        shown.problems.push(format!("still running after the kill: {running:?}"));
    }
    let before: Vec<Option<Stored>> = (0..plan.sessions).map(|session| look(&place, session, &mut shown)).collect();
    for (session, before) in (0..).zip(&before) {
        acknowledged(session, before.as_ref(), &told, &mut shown);
    }
    go_on(plan, binary, &place, &server, &before, &mut shown).await;
    leftovers(&place, &mut shown);
    for (session, before) in (0..).zip(&before) {
        judge(&place, session, before.as_ref(), &told.accepted, &mut shown);
    }
    shown
}

/// Lets the binary work until it is dead.
async fn work_until_killed(plan: &Plan, binary: &Path, place: &Place, server: &MockServer, shown: &mut Shown) -> Told {
    let dies_at = match &plan.kill {
        Kill::At(point) => Some(point),
        Kill::After(_) | Kill::Frames(_) => None,
    };
    let (frames, (counted, mut count)) = (Arc::new(Mutex::new(Vec::new())), watch::channel(0_usize));
    let kept = Arc::clone(&frames);
    let peer = Peer::start(command(place, binary, &server.url(), plan, dies_at), move |frame| {
        kept.lock().unwrap_or_else(PoisonError::into_inner).push((Instant::now(), frame));
        counted.send_modify(|count| *count += 1);
    });
    peer.initialize(&place.workspace()).await;
    let accepted = Mutex::new(vec![Vec::new(); usize::try_from(plan.sessions).unwrap_or_default()]);
    let working = join_all((0..plan.sessions).map(|session| prompt_all(plan, &peer, session, &accepted)));
    let moment = async {
        match &plan.kill {
            Kill::After(time) => tokio::time::sleep(*time).await,
            // The sender is gone when the process is.
            Kill::Frames(frames) => drop(count.wait_for(|count| count >= frames).await),
            Kill::At(_) => peer.over().await,
        }
    };
    tokio::select! {
        () = moment => {}
        _ = working => {
            if matches!(&plan.kill, Kill::At(point) if point.name == "log/synced") {
                // Passed when sessions end.
                peer.close().await;
                peer.over().await;
            }
        }
    }
    let killed = Instant::now();
    peer.kill().await;
    let gone = peer.gone().await;
    let reached = dies_at.is_some() && std::os::unix::process::ExitStatusExt::signal(&gone.status) == Some(9);
    shown.problems.extend(gone.problem);
    if gone.stderr.contains("panicked") || gone.stderr.contains("ERROR") {
        shown.problems.push(format!("it said: {}", gone.stderr));
    }
    let frames = std::mem::take(&mut *frames.lock().unwrap_or_else(PoisonError::into_inner));
    Told { frames, accepted: accepted.into_inner().unwrap_or_else(PoisonError::into_inner), killed, reached }
}

/// Gives a session its prompts, some of them while it works on the one before.
async fn prompt_all(plan: &Plan, peer: &Peer, session: u64, accepted: &Mutex<Vec<Vec<String>>>) {
    for number in 0..plan.prompts {
        let before = peer.rests(&name(session));
        let Some(Ok(id)) = peer.prompt(&name(session), &model::prompt(plan.seed, session, number)).await else { return };
        let at = usize::try_from(session).unwrap_or_default();
        accepted.lock().unwrap_or_else(PoisonError::into_inner)[at].push(id);
        if !(plan.seed + session + number).is_multiple_of(3) && !peer.rested(&name(session), before).await {
            return;
        }
    }
    peer.request("session/wait", &json!({ "sessionId": name(session) })).await;
}

/// The log of a session as the kill left it.
fn look(place: &Place, session: u64, shown: &mut Shown) -> Option<Stored> {
    let path = log_of(place, session)?;
    let stored = stored::read(&path);
    if stored.as_ref().is_ok_and(Option::is_none) {
        shown.problems.push(format!("{} has no whole header", path.display()));
    }
    shown.torn |= stored.as_ref().is_ok_and(|stored| stored.as_ref().is_some_and(|stored| stored.torn));
    stored.unwrap_or_else(|problem| {
        shown.problems.push(problem);
        None
    })
}

/// Everything that was acknowledged is in the log as it was told.
fn acknowledged(session: u64, stored: Option<&Stored>, told: &Told, shown: &mut Shown) {
    let events = stored.map_or(&[][..], |stored| &stored.events);
    let account = order::account(events);
    shown.in_turn |= account.open_turn.is_some();
    shown.problems.extend(account.problems.iter().map(|problem| format!("{} after the kill: {problem}", name(session))));
    for (time, frame) in &told.frames {
        let Some(event) = frame.event().filter(|_| frame.session() == Some(&name(session))) else { continue };
        let is_chunk = event["type"] == "assistant/chunk";
        if is_chunk && told.killed.saturating_duration_since(*time) < LONGEST_WINDOW {
            continue;
        }
        shown.told += 1;
        let at = event["seq"].as_u64().and_then(|seq| usize::try_from(seq).ok()).unwrap_or(usize::MAX);
        if events.get(at) != Some(event) {
            shown.problems.push(format!("{} was told {event}, its log has {:?}", name(session), events.get(at).map(Value::to_string)));
        }
    }
    for id in &told.accepted[usize::try_from(session).unwrap_or_default()] {
        shown.told += 1;
        if !account.prompts.contains_key(id) {
            shown.problems.push(format!("{} accepted the prompt {id}, which its log does not have", name(session)));
        }
    }
}

/// Takes every session up and gives it another prompt. The plan may have the process that does so die as well.
async fn go_on(plan: &Plan, binary: &Path, place: &Place, server: &MockServer, before: &[Option<Stored>], shown: &mut Shown) {
    if let Some(point) = &plan.again {
        take_up(plan, binary, place, server, (before, Some(point)), shown).await;
        let running = left_running(place).await;
        if !running.is_empty() {
            shown.problems.push(format!("still running after the second kill: {running:?}"));
        }
    }
    take_up(plan, binary, place, server, (before, None), shown).await;
    let running = left_running(place).await;
    if !running.is_empty() {
        shown.problems.push(format!("still running after the end: {running:?}"));
    }
}

async fn take_up(
    plan: &Plan,
    binary: &Path,
    place: &Place,
    server: &MockServer,
    (before, dies_at): (&[Option<Stored>], Option<&Point>),
    shown: &mut Shown,
) {
    let peer = Peer::start(command(place, binary, &server.url(), plan, dies_at), drop);
    peer.initialize(&place.workspace()).await;
    let sessions = (0..).zip(before).map(async |(session, before)| {
        // Where a first try to go on was killed, it may have made the session.
        if before.is_some() || log_of(place, session).is_some() {
            match peer.request("session/resume", &json!({ "sessionId": name(session) })).await {
                Some(Ok(_)) => {}
                None => return Ok(()),
                Some(Err(error)) => return Err(format!("{} cannot be taken up: {error}", name(session))),
            }
        }
        match peer.prompt(&name(session), &model::prompt(plan.seed, session, LAST)).await {
            Some(Ok(_)) => {}
            None => return Ok(()),
            Some(Err(error)) => return Err(format!("{} takes no prompt: {error}", name(session))),
        }
        peer.request("session/wait", &json!({ "sessionId": name(session) })).await;
        Ok(())
    });
    let outcomes: Vec<Result<(), String>> = join_all(sessions).await;
    shown.problems.extend(outcomes.into_iter().filter_map(Result::err));
    peer.close().await;
    let gone = peer.gone().await;
    shown.problems.extend(gone.problem);
    match (gone.status.code(), dies_at) {
        (Some(0), _) | (None, Some(_)) => {}
        _ => shown.problems.push(format!("it ended with {:?}: {}", gone.status, gone.stderr)),
    }
    if gone.stderr.contains("panicked") || gone.stderr.contains("ERROR") {
        shown.problems.push(format!("it said: {}", gone.stderr));
    }
}

/// No writer leaves a temporary file once the session went on.
fn leftovers(place: &Place, shown: &mut Shown) {
    let folders = place.logs().into_iter().filter_map(|path| path.parent().map(Path::to_path_buf));
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
    let temporary = files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|end| end == "tmp"));
    shown.problems.extend(temporary.map(|path| format!("{} is left behind", path.display())));
}

/// What a session's log holds in the end.
fn judge(place: &Place, session: u64, before: Option<&Stored>, accepted: &[Vec<String>], shown: &mut Shown) {
    let mut problems = Vec::new();
    let after = log_of(place, session).ok_or_else(|| "there is no log".to_owned()).and_then(|path| stored::read(&path));
    let after = match after {
        Ok(Some(after)) => after,
        Ok(None) => return shown.problems.push(format!("the log of {} has no header", name(session))),
        Err(problem) => return shown.problems.push(problem),
    };
    if let Some(before) = before {
        if before.header != after.header {
            problems.push(format!("the header changed to {}", after.header));
        }
        match after.events.strip_prefix(&before.events[..]) {
            Some(added) => problems.extend(closers::problems(&before.events, added)),
            None => problems.push("events of before the kill are gone or changed".to_owned()),
        }
    }
    let account = order::account(&after.events);
    problems.extend(account.problems);
    if account.open_turn.is_some() {
        problems.push("a turn is open in the end".to_owned());
    }
    for id in &accepted[usize::try_from(session).unwrap_or_default()] {
        // One that a turn had taken out may be gone with the process, as the format says; one that waited has had its turn. Behind a
        // failed turn prompts go on waiting, and are dropped when the process ends in order.
        let fate = account.prompts.get(id);
        let waits = fate == Some(&Fate::Pending) && account.ends.last().is_some_and(|end| end == "error");
        if !waits && !matches!(fate, Some(Fate::Run(_) | Fate::Claimed(_) | Fate::Cancelled { behind_failure: true })) {
            problems.push(format!("the accepted prompt {id} came to {fate:?}; turns ended {:?}", account.ends));
        }
    }
    shown.problems.extend(problems.iter().map(|problem| format!("{} in the end: {problem}", name(session))));
}

fn name(session: u64) -> String {
    format!("s{session}")
}

fn log_of(place: &Place, session: u64) -> Option<PathBuf> {
    place.logs().into_iter().find(|path| path.parent().and_then(Path::file_name).is_some_and(|folder| *folder == *name(session)))
}
