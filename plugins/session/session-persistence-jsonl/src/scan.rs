//! The fold of a log's lines: its header, its events as far as they hold, and what would close them.

use std::borrow::Cow;

use dsh_session::catalogue::TurnEnd;
use dsh_session::{EventData, Folding, Repair, Seed, SessionEvent, SessionHeader};
use dsh_session_persistence::EventVisitor;
use serde::Deserialize;

use crate::admit::Admission;
use crate::header;
use crate::refusal::Refusal;
use crate::row::{self, RowKind};
use crate::vocabulary::Words;

/// What of a log's events is wanted.
pub(crate) enum Keep {
    /// All of them.
    Events,
    /// What a session that is taken up needs, with these folds.
    Seed(Folding),
    /// Their number.
    Length,
}

/// What a log holds.
pub(crate) struct Scan {
    pub(crate) header: SessionHeader,
    /// The fold of the events.
    pub(crate) seed: Seed,
    /// The events themselves, when all are wanted.
    pub(crate) events: Vec<SessionEvent>,
    pub(crate) end: End,
    /// How its vocabulary differs from the reader's.
    pub(crate) difference: Option<String>,
    keep: Keep,
    visitor: Option<EventVisitor>,
    repair: Repair,
}

/// Where the part of a file that holds ends. What follows was being written when its writer died.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// Length of the part in bytes.
    pub(crate) stays: u64,
    /// How many bytes of text hold in the frame that follows. The frame is not whole, so they must be written anew.
    pub(crate) carried: u64,
}

impl Scan {
    /// The turn that is open.
    pub(crate) fn open_turn(&self) -> Option<u64> {
        self.repair.open_turn()
    }

    /// Takes in the events that close what is open, and yields them.
    pub(crate) fn close(&mut self) -> Result<Vec<SessionEvent>, Refusal> {
        let closers = self.repair.closers().map_err(|error| Refusal::Corrupt(error.to_string()))?;
        closers.iter().try_for_each(|closer| self.take(closer.clone()))?;
        Ok(closers)
    }

    fn take(&mut self, event: SessionEvent) -> Result<(), Refusal> {
        self.repair.scan(&event);
        if let Some(visitor) = &mut self.visitor {
            visitor(event.clone());
        }
        let followed = match &self.keep {
            Keep::Events => {
                self.events.push(event.clone());
                self.seed.pass(event)
            }
            Keep::Seed(_) => self.seed.push(event),
            Keep::Length => self.seed.pass(event),
        };
        followed.map_err(|error| Refusal::Corrupt(error.to_string()))
    }
}

/// A log whose lines are being read.
pub(crate) struct Scanner {
    /// Handed on with the header.
    keep: Option<Keep>,
    /// Sees the events; it goes to the log once the header was read.
    visitor: Option<EventVisitor>,
    /// The vocabulary of the reader, where it matters.
    reader: Option<Words>,
    /// Absent until the header was read.
    log: Option<(Scan, Admission)>,
    whole: u64,
    broken: Option<String>,
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

impl Scanner {
    pub(crate) fn new(keep: Keep) -> Self {
        Self { keep: Some(keep), visitor: None, reader: None, log: None, whole: 0, broken: None }
    }

    /// One that shows the events and keeps none.
    pub(crate) fn showing(visitor: EventVisitor) -> Self {
        Self { visitor: Some(visitor), ..Self::new(Keep::Length) }
    }

    /// One that tells how the log's vocabulary differs from this.
    pub(crate) fn under(self, reader: Option<Words>) -> Self {
        Self { reader, ..self }
    }

    /// Takes the next line in, given without its end.
    ///
    /// # Errors
    /// When the log is damaged, or of another version or vocabulary.
    pub(crate) fn line(&mut self, line: &[u8]) -> Result<(), Refusal> {
        let Some((scan, admission)) = &mut self.log else {
            // Until there is a header it is here.
            let keep = self.keep.take().unwrap_or(Keep::Length);
            let (scan, admission) = begin(line, keep)?;
            let difference = self.reader.take().and_then(|reader| header::vocabulary(line)?.difference(&reader));
            self.log = Some((Scan { visitor: self.visitor.take(), difference, ..scan }, admission));
            self.whole = line.len() as u64 + 1;
            return Ok(());
        };
        if let Some(reason) = &self.broken {
            // A writer that died leaves a broken end; a turn that ended after it shows that it is none.
            return if ends_turn(line) { Err(Refusal::Corrupt(format!("{reason}, and a turn ends after it"))) } else { Ok(()) };
        }
        let read = read(line, scan.seed.length(), admission).map_err(|refusal| refusal.explained(scan.difference.as_deref()))?;
        match read {
            Line::Events(events) => {
                for event in events {
                    let event = admission.upgrade(event, &scan.seed)?;
                    scan.take(event)?;
                }
                self.whole += line.len() as u64 + 1;
            }
            Line::Broken(reason) => self.broken = Some(format!("the line at byte {}: {reason}", self.whole)),
        }
        Ok(())
    }

    /// Length in bytes of the text that holds.
    pub(crate) fn whole(&self) -> u64 {
        self.whole
    }

    /// Which line does not hold and why; everything after it is passed over.
    pub(crate) fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// How many events were taken in; none before there is a header.
    pub(crate) fn length(&self) -> Option<u64> {
        self.log.as_ref().map(|(scan, _)| scan.seed.length())
    }

    /// What was read, up to `end`.
    ///
    /// # Errors
    /// When there was no header.
    pub(crate) fn finish(self, end: End) -> Result<Scan, Refusal> {
        let Some((scan, _)) = self.log else { return Err(Refusal::Corrupt("it has no complete header line".to_owned())) };
        Ok(Scan { end, ..scan })
    }
}

fn begin(line: &[u8], keep: Keep) -> Result<(Scan, Admission), Refusal> {
    let header = header::read(line)?;
    let admission = Admission::new(&header.id);
    let end = End { stays: 0, carried: 0 };
    let seed = match &keep {
        Keep::Seed(folding) => folding.begin(&header),
        Keep::Events | Keep::Length => Seed::new(),
    };
    Ok((Scan { header, seed, events: Vec::new(), end, difference: None, keep, visitor: None, repair: Repair::new() }, admission))
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
