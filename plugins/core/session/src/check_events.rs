//! Runtime checks of logs as they grow.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use dsh_message::SessionId;
use dsh_runtime::{Dispatcher, InvariantError, ListenerError, PluginContext, Position};

use crate::live::{Appended, SessionCommitting, SessionDisposed};
use crate::session::Session;

/// Checks each event before it is stored, with what the check keeps of the event's session. `package` names the plugin that owns the
/// rule; the check's error says what is broken. What is kept of a session goes with it.
pub fn check_events<State: Default + Send + 'static>(
    package: &'static str,
    cx: &PluginContext,
    committing: &Dispatcher<SessionCommitting>,
    disposed: &Dispatcher<SessionDisposed>,
    check: fn(&mut State, &Appended) -> Result<(), String>,
) {
    let states: Arc<Mutex<BTreeMap<SessionId, State>>> = Arc::default();
    let ended = Arc::clone(&states);
    let key = (Position::First, cx.row());
    let check = move |appended: &Appended| {
        let mut states = states.lock().unwrap_or_else(PoisonError::into_inner);
        let state = states.entry(appended.session.header().id.clone()).or_default();
        check(state, appended).map_err(|rule| {
            let rule = format!("event {} (`{}`): {rule}", appended.event.seq, appended.event.kind);
            ListenerError::from(InvariantError::new(package, rule))
        })
    };
    committing.listen(key, None, Arc::new(check), cx.effects());
    let forget = move |session: &Arc<Session>| {
        ended.lock().unwrap_or_else(PoisonError::into_inner).remove(&session.header().id);
        Ok(())
    };
    disposed.listen(key, None, Arc::new(forget), cx.effects());
}
