// Made by `dsh-build sync bench`. Change the profile, not this file.
//! The program `dsh-bench`.

fn main() -> std::process::ExitCode {
    dsh_runtime::boot::run(&dsh_agent_bench::IDENTITY, &dsh_agent_bench::DESCRIPTION, dsh_agent_bench::mount)
}
