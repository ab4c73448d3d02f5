//! What a fork begins with: the finished turns of another session, copied.

use dsh_session::catalogue::{TurnEnd, TurnStart};
use dsh_session::{NewSession, SessionEvent, SessionHeader};
use serde::Deserialize;

/// Type of the event that changes the preset of a session's agent.
const PRESET_SELECTED: &str = "agent-preset/selected";

/// A session that is to be made of another one.
#[derive(Clone, Debug)]
pub struct Fork {
    /// What is said of it.
    pub session: NewSession,
    /// The events that it begins with.
    pub seed: Vec<SessionEvent>,
}

/// Why a session cannot be forked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForkError {
    /// It has no turn that ended, so there is nothing to go on from.
    #[error("session \"{0}\" has no finished turn to fork from")]
    NoTurn(dsh_message::SessionId),
}

impl Fork {
    /// Takes the events up to the end of the turn in which event `at` stands, or of the last finished turn where that one has not
    /// ended, `at` lies past the end or is not given. What follows that end goes along up to the next turn.
    ///
    /// # Errors
    /// When no turn ended.
    pub fn of(source: &SessionHeader, mut events: Vec<SessionEvent>, at: Option<u64>) -> Result<Self, ForkError> {
        let ends = || events.iter().enumerate().filter(|(_, event)| event.is::<TurnEnd>()).map(|(place, _)| place);
        let wanted = at.and_then(|at| ends().find(|place| events[*place].seq >= at));
        let end = wanted.or_else(|| ends().next_back()).ok_or_else(|| ForkError::NoTurn(source.id.clone()))?;
        let tail = events[end..].iter().position(|event| event.is::<TurnStart>());
        events.truncate(tail.map_or(events.len(), |tail| end + tail));
        let session = NewSession {
            cwd: source.cwd.clone(),
            parent_session: Some(source.id.clone()),
            seed_length: Some(events.len() as u64),
            agent_preset: events.iter().rev().find_map(selected_preset).or_else(|| source.agent_preset.clone()),
            ..NewSession::default()
        };
        Ok(Self { session, seed: events })
    }
}

/// The preset that an event selects.
fn selected_preset(event: &SessionEvent) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Selected {
        agent_preset: String,
    }
    if event.kind != PRESET_SELECTED {
        return None;
    }
    serde_json::from_str::<Selected>(event.data.get()).ok().map(|selected| selected.agent_preset)
}

#[cfg(test)]
mod tests {
    use dsh_runtime::Timestamp;
    use dsh_session::{Origin, SessionEvent, SessionHeader};

    use super::{Fork, ForkError};

    fn header() -> SessionHeader {
        SessionHeader {
            id: "parent".into(),
            created_at: Timestamp(1),
            cwd: Some("/w".to_owned()),
            parent_session: Some("above".into()),
            seed_length: Some(1),
            origin: Some(Origin::Subagent),
            delegation_depth: 2,
            agent_preset: Some("standard".to_owned()),
        }
    }

    /// A log: `<` begins a turn, `>` ends it, `p` selects the preset `code`, anything else is a title.
    fn log(kinds: &str) -> Vec<SessionEvent> {
        let event = |(seq, kind): (usize, char)| {
            let (kind, data) = match kind {
                '<' => ("turn/start", r#"{"turn":1}"#),
                '>' => ("turn/end", r#"{"turn":1,"reason":{"kind":"completed"}}"#),
                'p' => ("agent-preset/selected", r#"{"agentPreset":"code"}"#),
                _ => ("session/title", r#"{"title":"t","messageSeqs":[],"source":{"kind":"user"}}"#),
            };
            serde_json::from_str(&format!(r#"{{"type":"{kind}","seq":{seq},"time":0,"data":{data}}}"#)).unwrap()
        };
        kinds.chars().enumerate().map(event).collect()
    }

    fn length(kinds: &str, at: Option<u64>) -> Result<usize, ForkError> {
        Fork::of(&header(), log(kinds), at).map(|fork| fork.seed.len())
    }

    #[test]
    fn a_fork_ends_before_the_turn_that_follows_the_event() {
        for (kinds, at, expected) in [
            ("<.>.<.>", None, 7),
            ("<.>.<.>..", None, 9),
            ("<.>.<.>", Some(0), 4),
            ("<.>.<.>", Some(2), 4),
            ("<.>.<.>", Some(3), 7),
            ("<.>.<.>", Some(99), 7),
            ("<.>.<..", None, 4),
            ("<.>.<..", Some(5), 4),
            ("<>", Some(1), 2),
        ] {
            assert_eq!(length(kinds, at), Ok(expected), "{kinds} at {at:?}");
        }
        assert_eq!(length("..<.", None), Err(ForkError::NoTurn("parent".into())));
        assert_eq!(length("", Some(0)), Err(ForkError::NoTurn("parent".into())));
    }

    #[test]
    fn a_fork_is_a_session_of_its_own_in_the_same_folder_with_the_preset_in_force() {
        let fork = |kinds| Fork::of(&header(), log(kinds), None).unwrap().session;
        let plain = fork("<>");
        assert_eq!((plain.cwd.as_deref(), plain.parent_session), (Some("/w"), Some("parent".into())));
        assert_eq!((plain.seed_length, plain.origin, plain.delegation_depth), (Some(2), None, 0));
        assert_eq!(plain.agent_preset.as_deref(), Some("standard"));
        assert_eq!(fork("p<>").agent_preset.as_deref(), Some("code"));
        assert_eq!(fork("<><p").agent_preset.as_deref(), Some("standard"), "a preset that was selected later is not in force");
    }
}
