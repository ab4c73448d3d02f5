//! Where the compiler works: the workspace that was named or that it stands in, or the folder of a profile that needs none.

use std::path::{Path, PathBuf};

use super::USAGE;
use crate::compile::{Source, request};
use crate::console::say;
use crate::diagnostics::Diagnostics;
use crate::index::RUNTIME;
use crate::load::{Profile, is_name, load_profile};
use crate::workspace::{Workspace, WorkspaceError};

/// How a workspace is looked for.
pub(super) struct Search {
    /// `--workspace`
    named: Option<PathBuf>,
}

impl Search {
    pub(super) fn new(named: Option<PathBuf>) -> Self {
        Self { named }
    }

    /// The workspace. What was looked for is said when there is none.
    ///
    /// # Errors
    /// The exit status.
    pub(super) fn workspace(&self) -> Result<Workspace, u8> {
        self.find().map_err(|error| {
            self.tell(&error);
            say("help: go to the workspace, or name it with `--workspace DIR` or `DSH_WORKSPACE`");
            USAGE
        })
    }

    /// The workspace, where there is one.
    pub(super) fn find(&self) -> Result<Workspace, WorkspaceError> {
        let variable = variable();
        match self.named.as_deref().or(variable.as_deref()) {
            Some(folder) => Workspace::at(folder),
            None => Workspace::above(Path::new(".")),
        }
    }

    /// Where a profile is compiled, and how it is called there: a profile that lists the runtime needs no workspace.
    ///
    /// # Errors
    /// The exit status.
    pub(super) fn of(&self, source: Source) -> Result<(Workspace, Source), u8> {
        let found = self.find();
        let profile = match &found {
            Ok(workspace) => load_profile(&request(workspace, &source), &mut Diagnostics::new()),
            Err(_) => profile_without_workspace(&source),
        };
        let is_shipped = |profile: &Profile| {
            found.as_ref().is_ok_and(|workspace| profile.folder.parent().is_some_and(|parent| parent == workspace.profiles()))
        };
        match profile.as_ref().filter(|profile| lists_runtime(profile) && !is_shipped(profile)) {
            Some(profile) => self.alone(profile, source),
            None => match found {
                Ok(workspace) => Ok((workspace, source)),
                Err(error) => {
                    self.tell(&error);
                    tell_profile(profile.as_ref(), &source);
                    Err(USAGE)
                }
            },
        }
    }

    fn alone(&self, profile: &Profile, source: Source) -> Result<(Workspace, Source), u8> {
        let workspace = Workspace::of_profile(&profile.folder).map_err(|error| {
            say(format_args!("error: {error}"));
            USAGE
        })?;
        let folder = workspace.root().to_string_lossy().into_owned();
        Ok((workspace, Source { profile: folder, ..source }))
    }

    /// Says why there is no workspace, and what was looked at.
    fn tell(&self, error: &WorkspaceError) {
        say(format_args!("error: {error}"));
        let named = match (&self.named, variable()) {
            (Some(_), _) => "it was named with `--workspace`",
            (None, Some(_)) => "it was named with the environment variable `DSH_WORKSPACE`",
            (None, None) => "neither `--workspace` nor the environment variable `DSH_WORKSPACE` names one",
        };
        say(format_args!("note: {named}"));
    }
}

/// Says why the profile needs one.
fn tell_profile(profile: Option<&Profile>, source: &Source) {
    match profile {
        Some(profile) => say(format_args!(
            "note: profile `{}` does not list `{RUNTIME}` under `crates`, so its plugins are looked for in a workspace\n\
             help: name a clone of dsh-build with `--workspace DIR` or `DSH_WORKSPACE`, or list `{RUNTIME}` and each plugin under `crates`",
            profile.name.text
        )),
        None if is_name(&source.profile) && Path::new(&source.profile).join("profile.yml").exists() => {
            say(format_args!("help: the profile in the folder here is named by its path: `./{}`", source.profile));
        }
        None => {
            say("help: name a clone of dsh-build with `--workspace DIR` or `DSH_WORKSPACE`; a profile that needs none is named by its path")
        }
    }
}

fn lists_runtime(profile: &Profile) -> bool {
    profile.crates.iter().any(|listed| listed.name.text == RUNTIME)
}

/// A profile named by its path, or one of the harness home.
fn profile_without_workspace(source: &Source) -> Option<Profile> {
    let here = Workspace::of_profile(Path::new(".")).ok()?;
    load_profile(&request(&here, source), &mut Diagnostics::new())
}

fn variable() -> Option<PathBuf> {
    std::env::var_os("DSH_WORKSPACE").filter(|value| !value.is_empty()).map(PathBuf::from)
}
