//! Signals by number, with the names that people know.

use std::fmt;

/// A signal of the operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signal(i32);

/// Names of the signals 1 to 31 as Linux numbers them on `x86_64` and `aarch64` (`signal(7)`).
const NAMES: [&str; 31] = [
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGILL",
    "SIGTRAP",
    "SIGABRT",
    "SIGBUS",
    "SIGFPE",
    "SIGKILL",
    "SIGUSR1",
    "SIGSEGV",
    "SIGUSR2",
    "SIGPIPE",
    "SIGALRM",
    "SIGTERM",
    "SIGSTKFLT",
    "SIGCHLD",
    "SIGCONT",
    "SIGSTOP",
    "SIGTSTP",
    "SIGTTIN",
    "SIGTTOU",
    "SIGURG",
    "SIGXCPU",
    "SIGXFSZ",
    "SIGVTALRM",
    "SIGPROF",
    "SIGWINCH",
    "SIGIO",
    "SIGPWR",
    "SIGSYS",
];

impl Signal {
    /// The terminal was hung up.
    pub const HANGUP: Self = Self(1);
    /// Interrupt from the keyboard.
    pub const INTERRUPT: Self = Self(2);
    /// Immediate end; it cannot be caught.
    pub const KILL: Self = Self(9);
    /// Polite request to end.
    pub const TERMINATE: Self = Self(15);
    /// Continue after a stop.
    pub const CONTINUE: Self = Self(18);
    /// Stop from the keyboard.
    pub const STOP_KEY: Self = Self(20);

    /// A signal by its number.
    #[must_use]
    pub fn from_number(number: i32) -> Self {
        Self(number)
    }

    /// A signal by its name, `SIGINT` for example.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().zip(1..).find(|(known, _)| **known == name).map(|(_, number)| Self(number))
    }

    /// Its number.
    #[must_use]
    pub fn number(self) -> i32 {
        self.0
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = usize::try_from(self.0 - 1).ok().and_then(|index| NAMES.get(index));
        match name {
            Some(name) => out.write_str(name),
            None => write!(out, "signal {}", self.0),
        }
    }
}
