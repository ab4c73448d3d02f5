// Made by `dsh-build sync demo`. Change the profile, not this file.
//! The program `dsh-demo`.

fn main() -> std::process::ExitCode {
    dsh_runtime::boot::run(&dsh_agent_demo::IDENTITY, &dsh_agent_demo::DESCRIPTION, dsh_agent_demo::mount)
}
