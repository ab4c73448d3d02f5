//! What the program around a composition gives it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use crate::context::Surroundings;
use crate::entry::Identity;
use crate::environment::Environment;
use crate::process::Process;

/// Environment variables and working folder of a composition. Its tools see them, without those whose names mark secrets.
#[derive(Clone)]
pub struct Host {
    variables: BTreeMap<OsString, OsString>,
    cwd: PathBuf,
}

impl Host {
    /// Those that this process has now.
    #[must_use]
    pub fn of_process() -> Self {
        let environment = Environment::of_process();
        let variables = environment.variables().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Self { variables, cwd: environment.cwd().to_owned() }
    }

    /// No variables.
    #[must_use]
    pub fn bare(cwd: impl Into<PathBuf>) -> Self {
        Self { variables: BTreeMap::new(), cwd: cwd.into() }
    }

    /// Sets a variable for the composition alone. A key that is given so stands in no process's environment.
    #[must_use]
    pub fn with(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// Leaves a variable out.
    #[must_use]
    pub fn without(mut self, name: impl Into<OsString>) -> Self {
        self.variables.remove(&name.into());
        self
    }

    /// Sets the working folder, an absolute one.
    #[must_use]
    pub fn within(self, cwd: impl Into<PathBuf>) -> Self {
        Self { cwd: cwd.into(), ..self }
    }

    pub(super) fn surroundings(self, identity: &'static Identity) -> Surroundings {
        let environment = Environment::of(self.variables, self.cwd).into();
        Surroundings { environment, process: Process::of(identity), ..Surroundings::of_process() }
    }
}

/// Names only: values may be secrets.
impl fmt::Debug for Host {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.variables.keys().collect();
        out.debug_struct("Host").field("variables", &names).field("cwd", &self.cwd).finish()
    }
}
