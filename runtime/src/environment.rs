//! What the process started with.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use dsh_expression::Fixed;

/// Parts of a variable's name, in upper case, that mark its value as a secret.
const SECRET_MARKS: [&str; 4] = ["KEY", "PASSWORD", "SECRET", "TOKEN"];

/// Whether a variable's name marks its value as a secret.
#[must_use]
pub fn is_secret_name(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    SECRET_MARKS.iter().any(|mark| name.contains(mark))
}

/// The environment variables and folders that the process started with. Read once; later changes are not seen.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
    cwd: PathBuf,
    fixed: Fixed,
}

impl Environment {
    /// The process's own.
    #[must_use]
    pub fn of_process() -> Self {
        // A folder that was deleted under the process has no path; `.` still resolves to it.
        Self::of(std::env::vars_os(), std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")))
    }

    /// A made-up one, for tests.
    #[must_use]
    pub fn of(variables: impl IntoIterator<Item = (impl Into<OsString>, impl Into<OsString>)>, cwd: impl Into<PathBuf>) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { variables, cwd: cwd.into(), fixed: Fixed::default() }
    }

    /// The same, where expressions see these values in place of its own.
    #[must_use]
    pub fn fixing(self, fixed: Fixed) -> Self {
        Self { fixed, ..self }
    }

    /// What expressions see in place of its own variables.
    #[must_use]
    pub fn fixed(&self) -> &Fixed {
        &self.fixed
    }

    /// A variable's value as it is. One that is empty or holds nothing but white space counts as not set, wherever it is read.
    #[must_use]
    pub fn var_os(&self, name: impl AsRef<OsStr>) -> Option<&OsStr> {
        self.variables.get(name.as_ref()).map(OsString::as_os_str).filter(|value| !is_blank(value))
    }

    /// A variable's value when it is Unicode.
    #[must_use]
    pub fn var(&self, name: impl AsRef<OsStr>) -> Option<&str> {
        self.var_os(name).and_then(OsStr::to_str)
    }

    /// All variables as they are, for the environment of child processes.
    pub fn variables(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
    }

    /// Working folder at start.
    #[must_use]
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// Home of the harness: `DSH_HOME` when it is set, else `.dsh` in the user's home, else `.dsh` in the working folder.
    #[must_use]
    pub fn harness_home(&self) -> PathBuf {
        match (self.var_os("DSH_HOME"), self.var_os("HOME")) {
            (Some(home), user) => match (home.to_str().and_then(|text| text.strip_prefix("~/")), user) {
                (Some(rest), Some(user)) => Path::new(user).join(rest),
                _ => PathBuf::from(home),
            },
            (None, Some(user)) => Path::new(user).join(".dsh"),
            (None, None) => self.cwd.join(".dsh"),
        }
    }
}

/// Whether a variable with this value counts as not set.
pub(crate) fn is_blank(value: &OsStr) -> bool {
    value.to_str().is_some_and(dsh_expression::is_blank)
}

/// Names only: values may be secrets.
impl fmt::Debug for Environment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.variables.keys().collect();
        out.debug_struct("Environment").field("variables", &names).field("cwd", &self.cwd).finish()
    }
}
