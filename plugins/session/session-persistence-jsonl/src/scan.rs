//! Reading a log: its header, its events as far as they hold, and where its incomplete end begins.

use std::borrow::Cow;

use dsh_session::catalogue::TurnEnd;
use dsh_session::{EventData, SessionEvent, SessionHeader};
use serde::Deserialize;

use crate::admit::Admission;
use crate::header;
use crate::refusal::Refusal;
use crate::row::{self, RowKind};

/// What a log holds.
#[derive(Debug)]
pub(crate) struct Scan {
    pub(crate) header: SessionHeader,
    pub(crate) events: Vec<SessionEvent>,
    /// Length in bytes of the part that holds; what follows was being written when its writer died.
    pub(crate) whole: usize,
}

/// What must be known of a line before it is taken.
#[derive(Deserialize)]
struct Probe<'a> {
    #[serde(borrow)]
    r#type: Option<Cow<'a, str>>,
    seq: Option<u64>,
}

/// What a line is.
enum Line {
    /// One event or the members of a row.
    Events(Vec<SessionEvent>),
    /// Nothing that can stand here; the words say why.
    Broken(String),
}

/// Reads a log.
///
/// # Errors
/// When it is damaged, or of another version or vocabulary.
pub(crate) fn scan(bytes: &[u8]) -> Result<Scan, Refusal> {
    let mut lines = complete_lines(bytes);
    let Some(first) = lines.next() else { return Err(Refusal::Corrupt("it has no complete header line".to_owned())) };
    let header = header::read(first)?;
    let mut whole = first.len() + 1;
    let admission = Admission::new(&header.id);
    let mut events: Vec<SessionEvent> = Vec::new();
    for line in lines {
        match read(line, events.len() as u64, &admission)? {
            Line::Events(read) => {
                for event in read {
                    let event = admission.upgrade(event, &events)?;
                    events.push(event);
                }
                whole += line.len() + 1;
            }
            Line::Broken(reason) => {
                // A writer that died leaves a broken end; a turn that ended after it shows that it is none.
                if complete_lines(&bytes[whole..]).skip(1).any(ends_turn) {
                    return Err(Refusal::Corrupt(format!("the line at byte {whole}: {reason}, and a turn ends after it")));
                }
                break;
            }
        }
    }
    Ok(Scan { header, events, whole })
}

/// The lines that end with a line feed, without it.
fn complete_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').filter_map(|line| line.strip_suffix(b"\n"))
}

fn ends_turn(line: &[u8]) -> bool {
    serde_json::from_slice::<Probe<'_>>(line).is_ok_and(|probe| probe.r#type.as_deref() == Some(TurnEnd::TYPE))
}

fn read(line: &[u8], expected: u64, admission: &Admission) -> Result<Line, Refusal> {
    let probe: Probe<'_> = match serde_json::from_slice(line) {
        Ok(probe) => probe,
        Err(error) => return Ok(Line::Broken(error.to_string())),
    };
    let kind = probe.r#type.as_deref().unwrap_or_default();
    if let Some(row) = RowKind::of_tag(kind) {
        return Ok(match row::events(row, line) {
            Ok(events) if events[0].seq == expected => Line::Events(events),
            Ok(events) => Line::Broken(gap(events[0].seq, expected)),
            Err(reason) => Line::Broken(reason),
        });
    }
    match probe.seq {
        Some(seq) if seq == expected => Ok(Line::Events(vec![admission.event(kind, seq, line)?])),
        Some(seq) => Ok(Line::Broken(gap(seq, expected))),
        None => Ok(Line::Broken("it has no number".to_owned())),
    }
}

fn gap(found: u64, expected: u64) -> String {
    format!("event {found} stands where event {expected} belongs")
}

/// The number of the event that follows a line of a log; 0 after the header.
///
/// # Errors
/// What is wrong with the line.
pub(crate) fn next_seq(line: &[u8]) -> Result<u64, String> {
    let probe: Probe<'_> = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let kind = probe.r#type.as_deref().unwrap_or_default();
    match (RowKind::of_tag(kind), probe.seq) {
        (Some(row), _) => Ok(row::events(row, line)?.last().map_or(0, |event| event.seq + 1)),
        (None, Some(seq)) => Ok(seq + 1),
        (None, None) => Ok(0),
    }
}
