//! The list of stored sessions.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, PoisonError};

use dsh_message::SessionId;
use dsh_runtime::Timestamp;
use dsh_session::SessionHeader;
use dsh_session_persistence::{Inspection, LogSource, PersistenceError, SessionPersistence};

use crate::summary::Summary;
use crate::visible;

/// What the list tells of one session.
struct Entry {
    id: SessionId,
    last: Timestamp,
    state: &'static str,
    turns: u64,
    title: String,
}

const HEADINGS: [&str; 5] = ["SESSION", "LAST EVENT", "STATE", "TURNS", "TITLE"];

/// The list, and a line for each session that cannot be read.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn list(store: &dyn SessionPersistence) -> Result<(String, String), PersistenceError> {
    let (mut entries, mut unreadable) = (Vec::new(), String::new());
    for header in store.list().await? {
        match entry(store, &header).await {
            Ok(entry) => entries.push(entry),
            Err(error) => unreadable += &format!("dsh: {}\n", visible::line(&error.to_string())),
        }
    }
    entries.sort_by(|one, other| (Reverse(one.last), &one.id.0).cmp(&(Reverse(other.last), &other.id.0)));
    Ok((table(&entries), unreadable))
}

/// Reads a log and yields its summary.
///
/// # Errors
/// When it cannot be read.
pub(crate) async fn summary(store: &dyn SessionPersistence, id: &SessionId) -> Result<(Inspection, Summary), PersistenceError> {
    let summary = Arc::new(Mutex::new(Summary::default()));
    let taker = Arc::clone(&summary);
    let take = Box::new(move |event| taker.lock().unwrap_or_else(PoisonError::into_inner).take(&event));
    let inspection = store.inspect(LogSource::Stored(id.clone()), take).await?;
    let summary = std::mem::take(&mut *summary.lock().unwrap_or_else(PoisonError::into_inner));
    Ok((inspection, summary))
}

async fn entry(store: &dyn SessionPersistence, header: &SessionHeader) -> Result<Entry, PersistenceError> {
    let (inspection, summary) = summary(store, &header.id).await?;
    Ok(Entry {
        id: header.id.clone(),
        last: summary.last.unwrap_or(header.created_at),
        state: summary.state(inspection.is_live),
        turns: summary.turns,
        title: summary.title.unwrap_or_default(),
    })
}

fn table(entries: &[Entry]) -> String {
    let row = |entry: &Entry| {
        let Entry { id, last, state, turns, title } = entry;
        [visible::line(&id.0), last.utc(), (*state).to_owned(), turns.to_string(), visible::line(title)]
    };
    let rows: Vec<[String; 5]> = std::iter::once(HEADINGS.map(str::to_owned)).chain(entries.iter().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths = [0, 1, 2, 3].map(width);
    let line = |[id, last, state, turns, title]: &[String; 5]| {
        let [ids, lasts, states, counts] = widths;
        format!("{id:ids$}  {last:lasts$}  {state:states$}  {turns:>counts$}  {title}").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
