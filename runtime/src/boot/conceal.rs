//! Keeps secrets out of `/proc/<pid>/environ`, where the commands that an agent runs could read them. The kernel shows there
//! what stands in the process's own memory, so the values are overwritten once the snapshot is taken.
#![allow(unsafe_code, reason = "the environment block of the process has no safe way to be overwritten")]

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;

use crate::environment::{Environment, is_secret_name};

/// Overwrites the values of variables whose names mark secrets, in the block that the process was started with.
pub(super) fn secrets(environment: &Environment) {
    for (name, _) in environment.variables().filter(|(name, _)| is_secret_name(name)) {
        // A name of the environment holds no NUL.
        let Ok(name) = CString::new(name.as_bytes()) else { continue };
        // SAFETY: the process has one thread here and nothing else reads or writes the environment. `getenv` yields a pointer to
        // the NUL-terminated value inside the block or null; exactly the bytes before the NUL are written.
        unsafe {
            let value = libc::getenv(name.as_ptr());
            if !value.is_null() {
                std::ptr::write_bytes(value, b'*', libc::strlen(value));
            }
        }
    }
}
