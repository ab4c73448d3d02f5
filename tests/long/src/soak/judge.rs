//! What must hold after a round.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use dsh_product_tests::Place;
use serde_json::Value;

use super::round::{AllTold, Ending, Figures};
use crate::order::{self, Fate};
use crate::stored;

/// Memory that may be added for each byte of conversation, and in all: what an allocator keeps for the next request is not a leak.
const MOST_BYTES_FOR_EACH: u64 = 8;
const MOST_BYTES_BESIDE: u64 = 24 * 1024 * 1024;
/// Descriptors that one more shell may take, and that may be open by chance, such as connections to the model.
const MOST_FOR_A_SHELL: usize = 6;
const MOST_BESIDE: usize = 40;

/// A hash of an event.
pub(super) fn hash(event: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    event.to_string().hash(&mut hasher);
    hasher.finish()
}

/// Judges all logs. Yields how many turns they hold.
pub(super) fn logs(place: &Place, told: &AllTold, ending: Ending, problems: &mut Vec<String>) -> usize {
    let mut turns = 0;
    for path in place.logs() {
        let session = path.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        let stored = match stored::read(&path) {
            Ok(Some(stored)) if !stored.torn => stored,
            other => {
                problems.push(format!("the log of {session} is {other:?}"));
                continue;
            }
        };
        let mut found = Vec::new();
        let account = order::account(&stored.events);
        turns += account.ends.len();
        if account.open_turn.is_some() {
            found.push("a turn is open after an end in order".to_owned());
        }
        let told = told.get(&session);
        for (seq, hashed) in told.map_or(&[][..], |told| &told.events) {
            let event = usize::try_from(*seq).ok().and_then(|seq| stored.events.get(seq));
            if event.map(hash) != Some(*hashed) {
                found.push(format!("event {seq} was told and the log has {event:?}"));
            }
        }
        let numbers: Vec<u64> = told.map_or(&[][..], |told| &told.events).iter().map(|(seq, _)| *seq).collect();
        if numbers.windows(2).any(|pair| pair[1] != pair[0] + 1) {
            found.push("events were told out of order, or one was not told".to_owned());
        }
        for id in told.map_or(&[][..], |told| &told.accepted) {
            let fate = account.prompts.get(id);
            let fine = match fate {
                Some(Fate::Run(_) | Fate::Cancelled { behind_failure: true }) => true,
                // Taken out by a turn that was given up before its first step, or dropped with the turn before it.
                Some(Fate::Claimed(_) | Fate::Cancelled { .. }) => ending != Ending::ShutdownAtRest,
                Some(Fate::Pending) | None => false,
            };
            if !fine {
                found.push(format!("the prompt {id} came to {fate:?}"));
            }
        }
        found.extend(account.problems);
        problems.extend(found.into_iter().map(|problem| format!("{session}: {problem}")));
    }
    turns
}

/// Judges what the process used.
pub(super) fn figures(figures: &Figures, problems: &mut Vec<String>) {
    let Figures { warm, rested, conversation_bytes, .. } = figures;
    let grown = rested.resident_bytes.saturating_sub(warm.resident_bytes);
    let allowed = *conversation_bytes as u64 * MOST_BYTES_FOR_EACH + MOST_BYTES_BESIDE;
    if grown > allowed {
        problems.push(format!("memory grew by {grown} bytes while conversations grew by {conversation_bytes}"));
    }
    let shells = rested.descendants.saturating_sub(warm.descendants);
    if rested.descriptors > warm.descriptors + shells * MOST_FOR_A_SHELL + MOST_BESIDE {
        problems.push(format!("descriptors grew from {} to {} with {shells} more shells", warm.descriptors, rested.descriptors));
    }
    if rested.threads > warm.threads + 8 {
        problems.push(format!("threads grew from {} to {}", warm.threads, rested.threads));
    }
}
