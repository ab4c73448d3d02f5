//! Names of machines in a binary without shared libraries.

/// Has the C library look names up in `/etc/hosts` and then with the servers of `/etc/resolv.conf`, whatever the machine's
/// `nsswitch.conf` says: the other ways are shared libraries of the machine's own C library, which do not fit the one in the binary.
#[cfg(all(target_env = "gnu", target_feature = "crt-static"))]
#[allow(unsafe_code, reason = "the C library is told so by a function of its own, which has no safe form")]
pub(super) fn without_shared_libraries() {
    use std::ffi::{c_char, c_int};

    unsafe extern "C" {
        fn __nss_configure_lookup(database: *const c_char, ways: *const c_char) -> c_int;
    }
    // SAFETY: both arguments are strings that end with NUL and live for ever, and no other thread looks names up yet. It fails only for
    // a database that is not known, and this one is.
    unsafe { __nss_configure_lookup(c"hosts".as_ptr(), c"files dns".as_ptr()) };
}

/// The machine's own way is taken.
#[cfg(not(all(target_env = "gnu", target_feature = "crt-static")))]
pub(super) fn without_shared_libraries() {}
