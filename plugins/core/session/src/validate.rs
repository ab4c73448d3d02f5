//! Checks of stored events before anything is done with them.

use std::sync::Arc;

use crate::state::LogState;
use crate::{SeedError, SessionEvent};

/// Checks that events are a log: numbered from 0 without gaps, with data of their form, and fitting the model-visible list.
///
/// # Errors
/// The first rule that is broken.
pub fn validate<'a>(events: impl IntoIterator<Item = &'a SessionEvent>) -> Result<(), SeedError> {
    let mut state = LogState::default();
    events.into_iter().try_for_each(|event| state.replay(&Arc::new(event.clone())))
}
