//! What a stored log leaves pending.

use dsh_session::{SeedFold, SessionEvent, SessionHeader};

use crate::inbox_failure::{InboxFailure, Misfit};
use crate::pending::Pending;
use crate::spliced::InboxSpliced;

/// The inbox as the log of its session leaves it.
#[derive(Default)]
pub struct InboxFold {
    /// Number of the first event that counts.
    from: u64,
    pending: Pending,
    /// The first change that does not fit those before it.
    misfit: Option<(u64, Misfit)>,
}

impl InboxFold {
    /// For the log with a header. A fork does not inherit what was pending where it was taken from.
    #[must_use]
    pub fn new(header: &SessionHeader) -> Self {
        Self { from: header.seed_length.unwrap_or(0), ..Self::default() }
    }

    /// What is pending.
    ///
    /// # Errors
    /// When a recorded change does not fit those before it.
    pub(crate) fn pending(&self) -> Result<Pending, InboxFailure> {
        match &self.misfit {
            None => Ok(self.pending.clone()),
            Some((seq, source)) => Err(InboxFailure::Replay { seq: *seq, source: source.clone() }),
        }
    }

    fn change(&mut self, event: &SessionEvent) -> Result<(), Misfit> {
        let splice: InboxSpliced = event.data().ok_or(Misfit::Form)?;
        self.pending.check(&splice)?;
        self.pending.apply(splice);
        Ok(())
    }
}

impl SeedFold for InboxFold {
    fn take(&mut self, event: &SessionEvent) {
        if event.seq >= self.from && self.misfit.is_none() && event.is::<InboxSpliced>() {
            self.misfit = self.change(event).err().map(|misfit| (event.seq, misfit));
        }
    }
}
