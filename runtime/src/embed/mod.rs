//! A composition inside of another program. It mounts on a thread of its own and is spoken to in the words of its command line; what it
//! would print, it hands over. The program's standard streams, signals, log and environment are left alone.

mod call;
mod host;
mod thread;

use std::sync::mpsc;
use std::thread::JoinHandle;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

pub use crate::boot::BootError;
pub use crate::effect::TeardownReport;
pub use crate::entry::Exit;
pub use call::{Call, Said};
pub use host::Host;

use crate::boot::Wire;
use crate::entry::{Identity, Usage, Verb};
use call::Ordered;

/// A composition that has mounted. Dropping it ends it as [`Embedded::end`] does.
pub struct Embedded {
    identity: &'static Identity,
    orders: UnboundedSender<Ordered>,
    shutdown: CancellationToken,
    thread: Option<JoinHandle<TeardownReport>>,
}

/// Why a composition is not there.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// The system gave no thread, or what its asynchronous runtime needs.
    #[error("the agent has no thread to run on: {0}")]
    Thread(#[source] std::io::Error),
    /// It did not mount; what had mounted is undone.
    #[error(transparent)]
    Boot(#[from] BootError),
    /// Its thread panicked outside of any plugin.
    #[error("the agent's thread ended before it had mounted")]
    Panicked,
}

/// Why a call did not begin.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// The first word is no verb.
    #[error("`{verb}` is no verb of the profile `{profile}`; it has {}", known.join(", "))]
    NoVerb {
        /// The word; empty where there was none.
        verb: String,
        /// The profile.
        profile: &'static str,
        /// Its verbs.
        known: Vec<&'static str>,
    },
    /// The words after the verb are wrong; the verb's own text, of several lines.
    #[error("{0}")]
    Words(String),
    /// They ask for help; the verb's own text.
    #[error("{0}")]
    Help(String),
    /// The composition has ended.
    #[error("the agent has ended")]
    Ended,
}

impl Embedded {
    /// Mounts a composition. The function `start` of a generated crate calls this with its own.
    ///
    /// It blocks until everything has mounted, which takes milliseconds. Overlays are not looked for.
    ///
    /// # Errors
    /// When there is no thread, or a row does not mount.
    pub fn start(identity: &'static Identity, wire: Wire, host: Host) -> Result<Self, EmbedError> {
        let surroundings = host.surroundings(identity);
        let shutdown = surroundings.shutdown.clone();
        let (orders, ordered) = unbounded_channel();
        let (mounted, has_mounted) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name(format!("dsh-{}", identity.profile))
            .spawn(move || thread::live(identity, wire, surroundings, &mounted, ordered))
            .map_err(EmbedError::Thread)?;
        match has_mounted.recv() {
            Ok(Ok(())) => Ok(Self { identity, orders, shutdown, thread: Some(thread) }),
            Ok(Err(error)) => Err(error),
            Err(mpsc::RecvError) => Err(EmbedError::Panicked),
        }
    }

    /// Runs a verb with its words, as on the command line of the binary: `["run", "--json", "Make the tests pass."]`. Calls run one after the
    /// other, in the order in which they are made. Standard input is empty.
    ///
    /// # Errors
    /// When the first word is no verb, the verb does not take the others, or the composition has ended.
    pub fn call(&self, words: impl IntoIterator<Item = impl Into<String>>) -> Result<Call, CallError> {
        let mut words = words.into_iter().map(Into::into);
        let verb = self.verb(words.next().unwrap_or_default())?;
        let words: Vec<String> = words.collect();
        match (verb.usage)(verb.name, &words) {
            Usage::Fits => {}
            Usage::Wrong(text) => return Err(CallError::Words(text)),
            Usage::Help(text) => return Err(CallError::Help(text)),
        }
        let (call, ordered) = call::ordered(verb.name, words, self.shutdown.child_token());
        self.orders.send(ordered).map_err(|_| CallError::Ended)?;
        Ok(call)
    }

    fn verb(&self, word: String) -> Result<&'static Verb, CallError> {
        let Identity { profile, verbs, .. } = self.identity;
        verbs.iter().find(|verb| verb.name == word).ok_or_else(|| CallError::NoVerb {
            verb: word,
            profile,
            known: verbs.iter().map(|verb| verb.name).collect(),
        })
    }

    /// Ends it: calls are cancelled, then every row is undone in reverse order, with all processes that were started. It blocks meanwhile.
    #[must_use]
    pub fn end(mut self) -> TeardownReport {
        self.stop()
    }

    fn stop(&mut self) -> TeardownReport {
        self.shutdown.cancel();
        // A thread that panicked has told so already, and undid nothing.
        self.thread.take().and_then(|thread| thread.join().ok()).unwrap_or_default()
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        self.stop();
    }
}
