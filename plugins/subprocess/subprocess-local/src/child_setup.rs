//! What a child does between `fork` and `exec`.

use std::io;

use tokio::process::Command;

/// What kind of session a child leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Session {
    /// One without a terminal.
    Detached,
    /// One whose terminal is the child's standard input.
    OnTerminal,
}

/// First descriptor after the standard streams.
const FIRST_PRIVATE: libc::c_int = 3;
/// Descriptors that are looked at one by one where the system cannot mark a range (the usual limit of open files, four times).
const LAST_MARKED_SINGLY: libc::c_int = 4096;
/// Number of the last signal.
const LAST_SIGNAL: libc::c_int = 64;
/// Bytes of the kernel's set of signals.
const SIGNAL_SET_BYTES: libc::size_t = 8;

/// Makes the child lead a session of its own, with all signals as the system sets them, and with no descriptor of the harness but
/// the three standard streams.
#[allow(unsafe_code, reason = "the standard library has no safe way to act between fork and exec")]
pub fn prepare(command: &mut Command, session: Session) {
    // SAFETY: the closure runs in the forked child, where only async-signal-safe calls are allowed. All that it does are system
    // calls on values that it owns: it allocates nothing, takes no lock and touches no memory of the parent.
    unsafe {
        command.pre_exec(move || {
            rustix::process::setsid()?;
            if session == Session::OnTerminal {
                rustix::process::ioctl_tiocsctty(rustix::stdio::stdin())?;
            }
            reset_signals();
            close_the_rest_on_exec()
        });
    }
}

/// Sets every signal to its default action. A signal that the harness was started to ignore would else be ignored by every
/// descendant. The standard library has cleared the signal mask already.
#[allow(unsafe_code, reason = "the standard library resets no signal but SIGPIPE")]
fn reset_signals() {
    // The kernel's `struct sigaction`: default action, no flags, no restorer, an empty mask.
    let default_action = [0_u64; 4];
    for signal in 1..=LAST_SIGNAL {
        // SAFETY: a system call that reads the array and installs no handler. It is called directly, since the C library refuses
        // the signals that it keeps for itself. The kernel refuses SIGKILL and SIGSTOP, which need nothing.
        unsafe { libc::syscall(libc::SYS_rt_sigaction, signal, default_action.as_ptr(), std::ptr::null::<u64>(), SIGNAL_SET_BYTES) };
    }
}

/// Marks every other descriptor as closed on `exec`. Closing at once would break the pipe on which the standard library reports a
/// failed `exec`.
#[allow(unsafe_code, reason = "neither the standard library nor rustix has close_range")]
fn close_the_rest_on_exec() -> io::Result<()> {
    // SAFETY: a system call on numbers. Descriptors stay open until `exec`, so nothing in this process is affected.
    let marked = unsafe { libc::syscall(libc::SYS_close_range, FIRST_PRIVATE, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if marked != 0 {
        // Kernels before 5.11 lack the call or the flag.
        for descriptor in FIRST_PRIVATE..LAST_MARKED_SINGLY {
            // SAFETY: as above; a number that is not open is refused.
            unsafe { libc::fcntl(descriptor, libc::F_SETFD, libc::FD_CLOEXEC) };
        }
    }
    Ok(())
}
