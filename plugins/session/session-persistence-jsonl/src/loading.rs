//! Reading stored sessions for another run, repaired where their writers died.

use std::io;
use std::path::Path;
use std::sync::Mutex;

use dsh_message::SessionId;
use dsh_session::{Folding, SessionHeader};
use dsh_session_persistence::{Claim, PersistenceError, Resumption, StoredSession};

use crate::log_file::LogFile;
use crate::reading::{part, read};
use crate::refusal::Refusal;
use crate::scan::{End, Keep, Scan, Scanner};
use crate::session_log::SessionLog;
use crate::store::{Store, io_error, open_log};
use crate::{closer, frames};

/// A log that was read and repaired for a session that is not live yet. It is locked as long as this lives.
pub(crate) struct Claimed {
    pub(crate) header: SessionHeader,
    /// How many events it has.
    pub(crate) events: u64,
    /// Taken out when the session becomes live.
    pub(crate) file: Mutex<Option<LogFile>>,
}

impl Store {
    /// Reads a session and repairs its log.
    pub(crate) fn load(&self, id: &SessionId) -> Result<StoredSession, PersistenceError> {
        let Scan { header, events, .. } = match self.live(id) {
            Some(log) => self.read_live(id, &log)?,
            None => self.read_stored(id, Keep::Events)?.0,
        };
        Ok(StoredSession { header, events })
    }

    /// Reads a session for taking it up, repairs its log and keeps it locked.
    pub(crate) fn resume(&self, id: &SessionId, folding: Folding) -> Result<Resumption, PersistenceError> {
        if let Some(log) = self.live(id) {
            return Err(in_use_here(id, &log));
        }
        let (Scan { header, seed, .. }, file) = self.read_stored(id, Keep::Seed(folding))?;
        let claim = self.claim(Claimed { header: header.clone(), events: seed.length(), file: Mutex::new(Some(file)) });
        Ok(Resumption { header, seed, claim: Claim::new(claim) })
    }

    fn read_stored(&self, id: &SessionId, keep: Keep) -> Result<(Scan, LogFile), PersistenceError> {
        let path = self.stored_log(id)?;
        let mut file = open_log(id, &path)?;
        self.read_and_repair(id, &mut file, keep).map(|scan| (scan, file)).map_err(|refusal| refusal.of(id, &path))
    }

    /// Nothing is written before everything was checked.
    fn read_and_repair(&self, id: &SessionId, file: &mut LogFile, keep: Keep) -> Result<Scan, Refusal> {
        let scanner = Scanner::new(keep).under(self.settings.writer.vocabulary.clone());
        let mut scan = read(file.path(), file.length(), self.settings.layout.compression(), scanner)?;
        self.check_place(id, &scan.header, file.path())?;
        if let Some(difference) = &scan.difference {
            tracing::warn!("session \"{id}\": {difference}");
        }
        let closers = scan.close()?;
        let mut added = carried(file.path(), file.length(), scan.end)?;
        added.extend(closer::lines(&closers).map_err(io::Error::other)?);
        let added = if added.is_empty() { added } else { self.settings.encoding.encode(added)? };
        repair(file, scan.end.stays, &added)?;
        Ok(scan)
    }

    /// Reads what is written of a live session. It is never repaired: its own writer closes what is open.
    fn read_live(&self, id: &SessionId, log: &SessionLog) -> Result<Scan, PersistenceError> {
        let Some((path, _)) = log.written() else { return Err(PersistenceError::NotFound(id.clone())) };
        log.write_waiting().map_err(|error| io_error(&path, io::Error::other(error)))?;
        let length = log.written().map_or(0, |(_, length)| length);
        let scan =
            read(&path, length, self.settings.layout.compression(), Scanner::new(Keep::Events)).map_err(|refusal| refusal.of(id, &path))?;
        if scan.end != (End { stays: length, carried: 0 }) {
            return Err(Refusal::Corrupt("it does not hold what its live session wrote".to_owned()).of(id, &path));
        }
        if scan.open_turn().is_some() { Err(in_use_here(id, log)) } else { Ok(scan) }
    }
}

/// Cuts an incomplete end off and adds what closes the log, each made durable before the next.
fn repair(file: &mut LogFile, stays: u64, added: &[u8]) -> io::Result<()> {
    let sync = |file: &LogFile| file.unsynced().map_or(Ok(()), |sync| sync.run().map_err(|(_, error)| error));
    if stays < file.length() {
        file.truncate(stays)?;
        sync(file)?;
    }
    if !added.is_empty() {
        file.append(added)?;
        sync(file)?;
    }
    Ok(())
}

/// The text that holds in the incomplete frame at the end of a log.
fn carried(path: &Path, length: u64, End { stays, carried }: End) -> Result<Vec<u8>, Refusal> {
    // At most as much as a line may have, so it fits the memory.
    let (mut text, wanted) = (Vec::new(), usize::try_from(carried).unwrap_or(usize::MAX));
    if wanted > 0 {
        frames::decode(part(path, stays, length)?, |piece| {
            text.extend_from_slice(piece);
            text.len() < wanted
        })?;
        text.truncate(wanted);
    }
    Ok(text)
}

fn in_use_here(id: &SessionId, log: &SessionLog) -> PersistenceError {
    PersistenceError::InUse { id: id.clone(), path: log.path().to_owned(), writer: Some(std::process::id()) }
}
