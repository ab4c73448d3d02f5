//! How a binary is entered: what it serves, its verbs, and how it ends.

use std::pin::Pin;
use std::sync::Arc;

use tokio::io::{AsyncBufRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use crate::BoxFuture;

/// How a run ended, as an exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit(pub u8);

impl Exit {
    /// The task was completed, or serving ended in order.
    pub const COMPLETED: Self = Self(0);
    /// The agent gave up; a refused start of a serving binary.
    pub const GAVE_UP: Self = Self(1);
    /// Wrong usage.
    pub const USAGE: Self = Self(2);
    /// A budget was spent.
    pub const BUDGET: Self = Self(3);
    /// The model provider failed or refused.
    pub const PROVIDER: Self = Self(4);
    /// The surroundings lack something: a key, a folder.
    pub const ENVIRONMENT: Self = Self(5);
    /// A fault of the program.
    pub const BUG: Self = Self(101);
}

/// Standard input or what stands for it in a test.
pub type Input = Pin<Box<dyn AsyncBufRead + Send>>;
/// Standard output or what stands for it in a test.
pub type Output = Pin<Box<dyn AsyncWrite + Send>>;

/// What an entry point works with. Standard output carries the protocol or the answer and nothing else.
pub struct ServeSession {
    /// Standard input.
    pub input: Input,
    /// Standard output.
    pub output: Output,
    /// Standard error, for what a person reads while it works.
    pub errors: Output,
    /// Cancelled when the process is asked to end; the entry point then returns soon.
    pub shutdown: CancellationToken,
}

/// A plugin that serves a protocol; `#[serve]` implements it.
pub trait Serves: Send + Sync + 'static {
    /// Serves until input ends, the client asks to stop or the process is asked to end.
    fn serve(self: Arc<Self>, session: ServeSession) -> BoxFuture<'static, Exit>;
}

/// What the words after a verb are, found out before anything mounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Usage {
    /// The verb can be run with them.
    Fits,
    /// They ask for this text, for standard output.
    Help(String),
    /// They are wrong; the text says why, for standard error.
    Wrong(String),
}

impl Usage {
    /// What a parser made of the words: help and version are answers, any other error is wrong usage.
    #[must_use]
    pub fn of<T>(parsed: Result<T, clap::Error>) -> Self {
        match parsed {
            Ok(_) => Self::Fits,
            Err(error) if error.use_stderr() => Self::Wrong(error.to_string()),
            Err(error) => Self::Help(error.to_string()),
        }
    }
}

/// A verb of a binary.
#[derive(Clone, Copy, Debug)]
pub struct Verb {
    /// The word.
    pub name: &'static str,
    /// One line for the help.
    pub about: &'static str,
    /// Looks at the words after the verb, whose name comes first.
    pub usage: fn(&str, &[String]) -> Usage,
}

/// A plugin with verbs; `#[verb]` implements it.
pub trait Verbs: Send + Sync + 'static {
    /// All of them.
    const VERBS: &'static [Verb];
    /// Looks at the words after one of [`Verbs::VERBS`].
    fn usage(verb: &str, words: &[String]) -> Usage;
    /// Runs one of [`Verbs::VERBS`] with the arguments after it.
    fn run_verb(self: Arc<Self>, verb: &'static str, args: Vec<String>, session: ServeSession) -> BoxFuture<'static, Exit>;
}

/// What a binary knows of itself without mounting anything.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// Name of its profile.
    pub profile: &'static str,
    /// Other names that it accepts.
    pub aliases: &'static [&'static str],
    /// Version of the project that made it.
    pub version: &'static str,
    /// Digest of the composition that was compiled, 16 hex digits.
    pub digest: &'static str,
    /// Whether a row serves a protocol.
    pub serves: bool,
    /// Its verbs.
    pub verbs: &'static [Verb],
    /// The records that its logs may hold.
    pub vocabulary: Vocabulary,
}

/// The types of records that a binary may write to a log and knows when it reads one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// Digest over all of them, 16 hex digits.
    pub digest: &'static str,
    /// Each type with a digest of its form, 8 hex digits; by type.
    pub words: &'static [(&'static str, &'static str)],
}

impl Vocabulary {
    /// Of a binary that keeps no log.
    pub const EMPTY: Self = Self { digest: "0000000000000000", words: &[] };
}
