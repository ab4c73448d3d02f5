//! Four events, one for each mode.

use dsh_runtime::event;

/// A word that was looked up.
pub struct LookedUp {
    pub word: String,
    pub found: Option<String>,
}

/// What was looked up on a day.
pub struct Day(pub Vec<LookedUp>);

/// A word was looked up.
#[event(name = "dictionary/looked-up", mode = emit, payload = LookedUp)]
pub struct DictionaryLookedUp;

/// The notes of a day are to be saved, everywhere at once.
#[event(name = "dictionary/saving", mode = parallel, payload = Day)]
pub struct DictionarySaving;

/// The day ends; whoever has to say something does so in turn.
#[event(name = "dictionary/closing", mode = serial, payload = Day)]
pub struct DictionaryClosing;

/// A word is about to be looked up: listeners change the word, the answer, or both.
#[event(name = "dictionary/look-up", mode = waterfall, payload = String, out = Option<String>)]
pub struct DictionaryLookUp;
