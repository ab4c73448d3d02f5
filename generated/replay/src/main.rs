// Made by `dsh-build sync replay`. Change the profile, not this file.
//! The program `dsh-replay`.

fn main() -> std::process::ExitCode {
    dsh_runtime::boot::run(&dsh_agent_replay::IDENTITY, &dsh_agent_replay::DESCRIPTION, dsh_agent_replay::mount)
}
