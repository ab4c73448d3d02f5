//! An overlay that a sealed binary is given.

use crate::diagnostics::Rule;

/// `DSH0705`, which sealed binaries say in their own words: they hold nothing of this crate.
pub static RULE: Rule = Rule::error(
    "DSH0705",
    "a sealed binary is given an overlay",
    "A profile with `build: {seal: true}`, or a build with `--seal`, gives a binary whose configuration is settled. It refuses `--patch`, and \
     does not look for `dsh.patch.yml` in the harness home. The message names the build that takes the overlay in; `--seal=false` makes a \
     binary that takes overlays when it starts.",
);
