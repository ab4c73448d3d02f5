// Made by `dsh-build sync minimal`. Change the profile, not this file.
//! The program `dsh-minimal`.

fn main() -> std::process::ExitCode {
    dsh_runtime::boot::run(&dsh_agent_minimal::IDENTITY, &dsh_agent_minimal::DESCRIPTION, dsh_agent_minimal::mount)
}
