//! The program `dsh-build`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(dsh_build::cli::run(std::env::args_os()))
}
