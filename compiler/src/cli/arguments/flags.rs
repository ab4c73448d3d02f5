//! The flags whose defaults a profile gives under `build`.

use clap::Args;
use dsh_language::check::rules::is_variable_name;

use crate::load::BuildFlags;

/// How the binary is built where it is not as the profile says.
#[derive(Debug, Default, PartialEq, Eq, Args)]
pub(in crate::cli) struct FlagArguments {
    /// Link all into one file that runs on any Linux of this architecture, without a libc there [default: `build.static` of the profile]
    #[arg(
        long = "static",
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        conflicts_with_all = ["dump_config", "dump_default_config"]
    )]
    is_static: Option<bool>,
    /// Make a binary that takes no overlay, neither from the harness home nor with `--patch`, and holds nothing that reads YAML. The
    /// generated crate is then not kept [default: `build.seal` of the profile]
    #[arg(long = "seal", value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    is_sealed: Option<bool>,
    /// Settle what expressions see as `env.NAME`, whatever the variable is where the binary runs; an empty value means not set. May be
    /// given again, adds to `build.set` of the profile, and the generated crate is then not kept
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, String)>,
}

impl FlagArguments {
    /// A name that is set twice.
    pub(super) fn repeated(&self) -> Option<&str> {
        let names: Vec<&str> = self.set.iter().map(|(name, _)| name.as_str()).collect();
        names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)).map(|(_, name)| *name)
    }
}

impl From<&FlagArguments> for BuildFlags {
    fn from(FlagArguments { is_static, is_sealed, set }: &FlagArguments) -> Self {
        Self { is_static: *is_static, is_sealed: *is_sealed, set: set.clone() }
    }
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let Some((name, value)) = text.split_once('=') else {
        return Err("expected `NAME=VALUE`; `NAME=` means that the variable counts as not set".to_owned());
    };
    if !is_variable_name(name) {
        return Err(format!("`{name}` is not the name of a variable: a letter or `_`, then letters, digits and `_`"));
    }
    Ok((name.to_owned(), value.to_owned()))
}
