// Made by `dsh-build sync small`. Change the profile, not this file.
//! The program `dsh-small`.

fn main() -> std::process::ExitCode {
    dsh_runtime::boot::run(&dsh_agent_small::IDENTITY, &dsh_agent_small::DESCRIPTION, dsh_agent_small::mount)
}
