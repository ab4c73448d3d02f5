//! The library's root and the program. They hold nothing but the way to the wiring, which rustfmt must leave alone: its form is
//! that of another formatter.

use super::first_line;
use crate::agent_names::{binary, package};
use crate::plan::Plan;

/// `src/lib.rs`.
pub(super) fn library(plan: &Plan) -> String {
    let (profile, first) = (&plan.profile, first_line(&plan.profile));
    format!(
        "// {first}\n\
         //! The agent of the profile `{profile}`: its plugins with their configuration, in the order in which they mount.\n\
         //!\n\
         //! Another program runs it inside of itself with [`start`].\n\
         \n\
         #[rustfmt::skip]\n\
         mod description;\n\
         #[rustfmt::skip]\n\
         mod wiring;\n\
         \n\
         pub use description::DESCRIPTION;\n\
         pub use dsh_runtime::embed;\n\
         pub use wiring::{{IDENTITY, mount}};\n\
         \n\
         /// Mounts the agent inside of the calling program, on a thread of its own.\n\
         ///\n\
         /// # Errors\n\
         /// When a row does not mount.\n\
         pub fn start(host: embed::Host) -> Result<embed::Embedded, embed::EmbedError> {{\n\
         \x20   embed::Embedded::start(&IDENTITY, mount, host)\n\
         }}\n"
    )
}

/// `src/main.rs`.
pub(super) fn program(plan: &Plan) -> String {
    let (first, program) = (first_line(&plan.profile), binary(&plan.profile));
    let lib = package(&plan.profile).replace('-', "_");
    format!(
        "// {first}\n\
         //! The program `{program}`.\n\
         \n\
         fn main() -> std::process::ExitCode {{\n\
         \x20   dsh_runtime::boot::run(&{lib}::IDENTITY, &{lib}::DESCRIPTION, {lib}::mount)\n\
         }}\n"
    )
}
