//! Reading logs without changing them.

use std::io::{self, Read};
use std::path::Path;

use dsh_message::SessionId;
use dsh_session_persistence::{EventVisitor, Inspection, PersistenceError};

use crate::config::Compression;
use crate::frames::MAGIC;
use crate::reading::{part, read};
use crate::refusal::Refusal;
use crate::scan::Scanner;
use crate::session_lock::SessionLock;
use crate::store::{Store, io_error};

/// Whether a log has a writer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writer {
    Alive,
    Dead,
}

impl Store {
    /// Shows the events of a session's log.
    pub(crate) fn inspect(&self, id: &SessionId, visitor: EventVisitor) -> Result<Inspection, PersistenceError> {
        let compression = self.settings.layout.compression();
        if let Some(log) = self.live(id) {
            log.write_waiting().map_err(|error| io_error(log.path(), io::Error::other(error)))?;
            let (path, length) = log.written().ok_or_else(|| PersistenceError::NotFound(id.clone()))?;
            return show(&path, length, compression, visitor, Writer::Alive).map_err(|refusal| refusal.of(id, &path));
        }
        let path = self.stored_log(id)?;
        let shown = || {
            let held = path.parent().map_or(Ok(false), SessionLock::is_held)?;
            let length = std::fs::metadata(&path)?.len();
            let inspection = show(&path, length, compression, visitor, if held { Writer::Alive } else { Writer::Dead })?;
            self.check_place(id, &inspection.header, &path)?;
            Ok(inspection)
        };
        shown().map_err(|refusal: Refusal| refusal.of(id, &path))
    }
}

/// Shows the events of a log that belongs to no store.
pub(crate) fn file(path: &Path, visitor: EventVisitor) -> Result<Inspection, PersistenceError> {
    let shown = || -> Result<Inspection, Refusal> {
        let length = std::fs::metadata(path)?.len();
        show(path, length, compression_of(path)?, visitor, Writer::Dead)
    };
    shown().map_err(|refusal| match refusal {
        Refusal::Io(source) => io_error(path, source),
        other => PersistenceError::File { path: path.to_owned(), reason: other.reason() },
    })
}

fn show(path: &Path, length: u64, compression: Compression, visitor: EventVisitor, writer: Writer) -> Result<Inspection, Refusal> {
    let mut scan = read(path, length, compression, Scanner::showing(visitor))?;
    let closers = match writer {
        Writer::Alive => 0,
        Writer::Dead => scan.close()?.len(),
    };
    Ok(Inspection { header: scan.header, is_live: writer == Writer::Alive, closers })
}

/// The encoding that the first bytes of a file show.
fn compression_of(path: &Path) -> io::Result<Compression> {
    let mut first = Vec::new();
    part(path, 0, MAGIC.len() as u64)?.read_to_end(&mut first)?;
    Ok(if first == MAGIC { Compression::Zstd } else { Compression::None })
}
