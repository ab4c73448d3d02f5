//! What the compiler read of a plugin, to be compared with what rustc made of it.

use std::marker::PhantomData;

use crate::plugin::{InjectMeta, Plugin};

/// A plugin's digest and the identities that its names resolve to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Digest of its declaration.
    pub digest: u64,
    /// Ids of provided services.
    pub provides: &'static [&'static str],
    /// Ids of heard events.
    pub listens: &'static [&'static str],
    /// Ids of injected services; an optional one starts with `?`.
    pub services: &'static [&'static str],
    /// Ids of dispatched events.
    pub dispatches: &'static [&'static str],
}

impl Declared {
    /// What rustc made of a plugin.
    const fn of<P: Plugin>() -> Self {
        Self {
            digest: P::DIGEST,
            provides: P::PROVIDES,
            listens: P::LISTENS,
            services: <P::Inject as InjectMeta>::SERVICES,
            dispatches: <P::Inject as InjectMeta>::DISPATCHES,
        }
    }

    /// `==` does not run in a constant.
    const fn same(&self, other: &Self) -> bool {
        self.digest == other.digest
            && same_ids(self.provides, other.provides)
            && same_ids(self.listens, other.listens)
            && same_ids(self.services, other.services)
            && same_ids(self.dispatches, other.dispatches)
    }
}

/// Proof that a plugin is what the compiler read: a constant of this type only compiles when it is.
pub struct Confirmed<P> {
    _plugin: PhantomData<fn() -> P>,
}

impl<P: Plugin> Confirmed<P> {
    /// Compares what the compiler read with what rustc made of the plugin.
    ///
    /// # Panics
    /// When they differ, which stops the compilation of a constant.
    #[must_use]
    #[track_caller] // The error then points at the wiring and not in here.
    pub const fn by(read: Declared) -> Self {
        assert!(read.same(&Declared::of::<P>()), "wiring is stale: run `dsh-build sync`");
        Self { _plugin: PhantomData }
    }
}

const fn same_ids(left: &[&str], right: &[&str]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if !same_bytes(left[at].as_bytes(), right[at].as_bytes()) {
            return false;
        }
        at += 1;
    }
    true
}

const fn same_bytes(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::Declared;

    const ONE: Declared = Declared { digest: 1, provides: &["a::B"], listens: &[], services: &["?a::C"], dispatches: &[] };

    #[test]
    fn compares_every_part() {
        assert!(ONE.same(&ONE.clone()));
        let others = [
            Declared { digest: 2, ..ONE },
            Declared { provides: &["a::C"], ..ONE },
            Declared { listens: &["a::B"], ..ONE },
            Declared { services: &["a::C"], ..ONE },
            Declared { dispatches: &["a::B", "a::C"], ..ONE },
        ];
        for other in others {
            assert!(!ONE.same(&other), "{other:?}");
            assert_eq!(ONE.same(&other), ONE == other);
        }
    }
}
