//! Children on a pseudo-terminal.

use std::io;
use std::process::Stdio;
use std::sync::Arc;

use dsh_runtime::BoxFuture;
use dsh_subprocess::{
    CleanupError, ExitOutcome, Foreground, InputWait, LineMode, ProcessId, ProcessTree, Signal, SignalError, SpawnError, Terminal,
    TerminalProcess, TerminalSpec,
};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::process::Pid;
use rustix::pty::OpenptFlags;
use rustix::termios::{InputModes, LocalModes, OptionalActions, OutputModes, Winsize};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::async_descriptor;
use crate::child_setup::{self, Session};
use crate::foreground;
use crate::local_tree::LocalTree;
use crate::piped;
use crate::supervisor::{Care, Supervisor};
use crate::terminal_output::TerminalOutput;

/// How both ends of a terminal are opened: it becomes nobody's controlling terminal by that.
const FLAGS: OpenptFlags = OpenptFlags::RDWR.union(OpenptFlags::NOCTTY).union(OpenptFlags::CLOEXEC);
/// Signals that ask the processes of a terminal to end. An interactive shell ignores SIGTERM and obeys SIGHUP.
const POLITE: &[Signal] = &[Signal::HANGUP, Signal::TERMINATE, Signal::CONTINUE];

/// Starts a child on a new terminal.
pub fn open(supervisor: &Arc<Supervisor>, spec: TerminalSpec) -> Result<Terminal, SpawnError> {
    let mark = supervisor.next_mark();
    let mut command = piped::command(supervisor, &spec.argv, &spec.cwd, &[("TERM", "dumb")], &spec.environment, &mark)?;
    let pair = Pair::open(&spec).map_err(SpawnError::Terminal)?;
    command.stdin(pair.inner_end().map_err(SpawnError::Terminal)?);
    command.stdout(pair.inner_end().map_err(SpawnError::Terminal)?);
    command.stderr(pair.inner_end().map_err(SpawnError::Terminal)?);
    child_setup::prepare(&mut command, Session::OnTerminal);
    let care = Care { grace: spec.grace, polite: POLITE, cancel: spec.cancel };
    let tree = supervisor.start(&mut command, mark, care, |_| Vec::new())?;
    // The command and the pair hold inner ends of the terminal; while any is open, output does not end.
    drop(command);
    let outer = Arc::new(pair.outer);
    let output = Box::pin(TerminalOutput::new(Arc::clone(&outer), Arc::clone(&tree)));
    Ok(Terminal { process: Arc::new(PseudoTerminal { tree, outer, writing: tokio::sync::Mutex::default() }), output })
}

/// Both ends of a new terminal.
struct Pair {
    outer: AsyncFd<OwnedFd>,
    inner: OwnedFd,
}

impl Pair {
    /// Opens a terminal and sets it up before anything runs on it, so that nothing is echoed or cut that should not be.
    fn open(spec: &TerminalSpec) -> io::Result<Self> {
        let outer = rustix::pty::openpt(FLAGS)?;
        rustix::pty::grantpt(&outer)?;
        rustix::pty::unlockpt(&outer)?;
        let inner = rustix::pty::ioctl_tiocgptpeer(&outer, FLAGS)?;
        let mut modes = rustix::termios::tcgetattr(&inner)?;
        modes.output_modes.remove(OutputModes::OPOST);
        modes.input_modes.insert(InputModes::IUTF8);
        if spec.line_mode == LineMode::Direct {
            modes.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON);
        }
        rustix::termios::tcsetattr(&inner, OptionalActions::Now, &modes)?;
        rustix::termios::tcsetwinsize(&inner, Winsize { ws_row: spec.rows, ws_col: spec.cols, ws_xpixel: 0, ws_ypixel: 0 })?;
        rustix::io::ioctl_fionbio(&outer, true)?;
        Ok(Self { outer: async_descriptor::register(outer, Interest::READABLE | Interest::WRITABLE)?, inner })
    }

    fn inner_end(&self) -> io::Result<Stdio> {
        Ok(Stdio::from(self.inner.try_clone()?))
    }
}

/// A terminal and the tree on it.
struct PseudoTerminal {
    tree: Arc<LocalTree>,
    outer: Arc<AsyncFd<OwnedFd>>,
    /// Held while bytes are typed, so that two writers do not mix.
    writing: tokio::sync::Mutex<()>,
}

impl PseudoTerminal {
    async fn type_all(&self, bytes: &[u8]) -> io::Result<()> {
        let _turn = self.writing.lock().await;
        if self.tree.outcome().is_some() {
            // The kernel would take the bytes, and nobody would read them.
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let mut ready = self.outer.writable().await?;
            match ready.try_io(|outer| Ok(rustix::io::write(outer, rest)?)) {
                Ok(Ok(count)) => rest = &rest[count..],
                Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(Err(error)) => return Err(error),
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Whether something was typed that a reader could take and has not taken.
    fn has_unread_input(&self) -> io::Result<bool> {
        let inner = rustix::pty::ioctl_tiocgptpeer(&*self.outer, FLAGS)?;
        // Asking makes the kernel pass on what is still on its way from the outer end.
        let mut asked = [PollFd::new(&inner, PollFlags::IN)];
        Ok(rustix::event::poll(&mut asked, Some(&Timespec::default()))? > 0)
    }

    fn foreground_group(&self) -> io::Result<Pid> {
        // Asked on the outer end, the kernel answers for the inner one: 0, which rustix reports as an error, when it has none.
        Ok(rustix::termios::tcgetpgrp(&*self.outer)?)
    }
}

impl ProcessTree for PseudoTerminal {
    fn leader(&self) -> ProcessId {
        self.tree.leader()
    }

    fn exited(&self) -> BoxFuture<'_, ExitOutcome> {
        self.tree.exited()
    }

    fn outcome(&self) -> Option<ExitOutcome> {
        self.tree.outcome()
    }

    fn gone(&self) -> BoxFuture<'_, ()> {
        self.tree.gone()
    }

    fn terminate(&self) -> BoxFuture<'_, Result<(), CleanupError>> {
        self.tree.terminate()
    }
}

impl TerminalProcess for PseudoTerminal {
    fn write(&self, bytes: Vec<u8>) -> BoxFuture<'_, io::Result<()>> {
        Box::pin(async move { self.type_all(&bytes).await })
    }

    fn inspect_foreground(&self) -> io::Result<Foreground> {
        let group = self.foreground_group()?.as_raw_nonzero().get().unsigned_abs();
        let waits = foreground::input_wait(group, self.tree.leader().0);
        // A reader for whom there is input will take it as soon as it is scheduled.
        let input = if waits == InputWait::Proven && self.has_unread_input()? { InputWait::No } else { waits };
        Ok(Foreground { process_group: ProcessId(group), input })
    }

    fn signal_foreground(&self, signal: Signal) -> Result<ProcessId, SignalError> {
        let group = self.foreground_group().map_err(SignalError::NoForeground)?;
        let id = ProcessId(group.as_raw_nonzero().get().unsigned_abs());
        if signal == Signal::KILL && id == self.tree.leader() {
            return Err(SignalError::OwnShell(signal));
        }
        let number = rustix::process::Signal::from_named_raw(signal.number()).ok_or(SignalError::NoForeground(Errno::INVAL.into()))?;
        rustix::process::kill_process_group(group, number).map_err(|error| SignalError::NoForeground(error.into()))?;
        Ok(id)
    }
}
