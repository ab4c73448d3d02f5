//! A process that outlives this one for a moment: when this process is killed, it kills what is left of its trees.
//!
//! It is a fork without an exec and waits on a pipe whose other end this process alone holds. Children hold that end too, until
//! they become another program; so the pipe ends when this process is gone and each of its children carries the mark of its tree.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};

use rustix::pipe::PipeFlags;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use rustix::thread::Timespec;

use crate::environment::TREE_VARIABLE;
use crate::{marked_processes, spare_memory};

/// Looks in a row that must find nothing before the work is done. A program that replaces another has no environment for a moment.
const EMPTY_LOOKS: u32 = 3;
/// Pause between two looks, in nanoseconds.
const PAUSE_NANOSECONDS: i64 = 5_000_000;
/// Longest mark, with its variable, for which memory is given back; a harness in the shell of another one has a longer mark.
const MOST_WANTED_BYTES: usize = 512;
/// Most looks: programs that start others faster than they are found are given up after about two seconds.
const MOST_LOOKS: u32 = 400;

/// The watch. It ends with this value, without killing anything.
pub struct DeathWatch {
    pid: Pid,
    /// The end of the pipe that tells that this process lives.
    _life: OwnedFd,
}

impl DeathWatch {
    /// Starts one for all trees whose mark starts with `marks`.
    ///
    /// # Errors
    /// When there is no room for a pipe or a process.
    pub fn start(marks: &str) -> io::Result<Self> {
        // A process is found by the bytes before and in its mark: variables are separated by zero bytes.
        let wanted = format!("\0{TREE_VARIABLE}={marks}").into_bytes();
        let (ended, life) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        fork(ended.as_raw_fd(), &wanted).map(|pid| Self { pid, _life: life })
    }

    /// Number of its process.
    pub fn pid(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }
}

impl Drop for DeathWatch {
    fn drop(&mut self) {
        // It is a child that nobody else waits for, so the number is its; it ends as soon as it is killed.
        let _ = rustix::process::kill_process(self.pid, Signal::KILL);
        let _ = rustix::process::waitid(WaitId::Pid(self.pid), WaitIdOptions::EXITED);
    }
}

/// Forks the watch. Signals are blocked meanwhile and stay so in the watch: a handler of this process must not run in it.
#[allow(unsafe_code, reason = "the standard library starts no process without another program")]
fn fork(ended: RawFd, wanted: &[u8]) -> io::Result<Pid> {
    // SAFETY: both sets are written by the calls before they are read. The forked child calls `watch` alone, which allocates
    // nothing, takes no lock, and never returns; it reads `wanted` from its own copy of the memory.
    let forked = unsafe {
        let (mut all, mut before) = (std::mem::zeroed::<libc::sigset_t>(), std::mem::zeroed::<libc::sigset_t>());
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        let forked = libc::fork();
        if forked == 0 {
            watch(ended, wanted);
        }
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut());
        if forked < 0 { Err(error) } else { Ok(forked) }
    };
    forked.and_then(|pid| Pid::from_raw(pid).ok_or_else(|| io::ErrorKind::Other.into()))
}

/// What the watch does. Only calls that are allowed between fork and exec.
#[allow(unsafe_code, reason = "system calls on numbers, and giving memory back")]
fn watch(ended: RawFd, wanted: &[u8]) -> ! {
    // A session of its own, so that it is not killed together with the group of the process that it watches.
    let _ = rustix::process::setsid();
    let _ = rustix::thread::set_name(c"dsh-death-watch");
    let number = u32::try_from(ended).unwrap_or_default();
    let mut kept = [0_u8; MOST_WANTED_BYTES];
    let on_stack = kept.get_mut(..wanted.len()).map(|place| place.copy_from_slice(wanted)).is_some();
    // SAFETY: nothing of this process uses the descriptors that are closed; where the call is missing (before Linux 5.9) they are
    // closed one by one, as far as the usual limit of open files goes. The one that is left stays open to the end. What follows the
    // return of memory uses this stack and bare system calls alone.
    let ended = unsafe {
        let below = libc::syscall(libc::SYS_close_range, 0, number - 1, 0);
        let above = libc::syscall(libc::SYS_close_range, number + 1, libc::c_uint::MAX, 0);
        if below != 0 || above != 0 {
            for descriptor in (0..4096).filter(|descriptor| *descriptor != ended) {
                libc::close(descriptor);
            }
        }
        if on_stack {
            spare_memory::give_back();
        }
        BorrowedFd::borrow_raw(ended)
    };
    // Signals are blocked and nothing is ever written, so this returns at the end of the pipe.
    let _ = rustix::io::read(ended, &mut [0_u8]);
    let wanted = if on_stack { kept.get(..wanted.len()).unwrap_or_default() } else { wanted };
    let mut empty = 0;
    for _ in 0..MOST_LOOKS {
        empty = if marked_processes::kill_all(wanted) == 0 { empty + 1 } else { 0 };
        if empty == EMPTY_LOOKS {
            break;
        }
        // Signals are blocked, so it is not cut short.
        let _ = rustix::thread::nanosleep(&Timespec { tv_sec: 0, tv_nsec: PAUSE_NANOSECONDS });
    }
    loop {
        // SAFETY: ends the process at once, without running what others registered for its end.
        unsafe { libc::syscall(libc::SYS_exit_group, 0) };
    }
}
