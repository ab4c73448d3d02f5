//! Children whose streams are pipes, collected, inherited or closed.

use std::ffi::OsString;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use dsh_subprocess::{
    Child, ChildOutput, EnvironmentChanges, OutputTail, OutputTarget, PipeReader, Signal, SpawnError, SpawnSpec, StdinSource,
};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::task::JoinHandle;

use crate::child_setup::{self, Session};
use crate::environment;
use crate::supervisor::{Care, Supervisor};

/// Bytes read from a collected pipe at once; the size of a pipe's buffer on Linux.
const READ_BYTES: usize = 64 * 1024;

/// Starts a child.
pub fn start(supervisor: &Arc<Supervisor>, spec: SpawnSpec) -> Result<Child, SpawnError> {
    let mark = supervisor.next_mark();
    let mut command = command(supervisor, &spec.argv, &spec.cwd, &[], &spec.environment, &mark)?;
    command.stdin(if spec.stdin == StdinSource::Ignore { Stdio::null() } else { Stdio::piped() });
    command.stdout(stdio(spec.stdout));
    command.stderr(stdio(spec.stderr));
    child_setup::prepare(&mut command, Session::Detached);
    let mut streams = Streams::default();
    let care = Care { grace: spec.grace, polite: &[Signal::TERMINATE, Signal::CONTINUE], cancel: spec.cancel };
    let process = supervisor.start(&mut command, mark, care, |child| {
        streams.stdin = child.stdin.take();
        let mut drains = Vec::new();
        streams.stdout = child.stdout.take().map(|pipe| output(Box::pin(pipe), spec.stdout, &mut drains));
        streams.stderr = child.stderr.take().map(|pipe| output(Box::pin(pipe), spec.stderr, &mut drains));
        drains
    })?;
    let stdin = match (spec.stdin, streams.stdin) {
        (StdinSource::Data(data), Some(mut pipe)) => {
            // A child that ends without reading all of it breaks the pipe, which is no error.
            supervisor.context().spawn(async move { drop(pipe.write_all(&data).await) });
            None
        }
        (StdinSource::Pipe, Some(pipe)) => Some(Box::pin(pipe) as dsh_subprocess::PipeWriter),
        _ => None,
    };
    let [stdout, stderr] = [streams.stdout, streams.stderr].map(|stream| stream.unwrap_or(ChildOutput::Inherited));
    Ok(Child { process, stdin, stdout, stderr })
}

/// A command with its folder and its complete environment.
pub fn command(
    supervisor: &Supervisor,
    argv: &[OsString],
    cwd: &Path,
    defaults: &[(&str, &str)],
    changes: &EnvironmentChanges,
    mark: &str,
) -> Result<Command, SpawnError> {
    let (program, arguments) = argv.split_first().filter(|(program, _)| !program.is_empty()).ok_or(SpawnError::NoProgram)?;
    // The system reports a missing folder and a missing program alike, so the folder is looked at first.
    let folder = cwd.metadata().and_then(|found| if found.is_dir() { Ok(()) } else { Err(std::io::ErrorKind::NotADirectory.into()) });
    folder.map_err(|source| SpawnError::WorkingFolder { path: cwd.to_owned(), source })?;
    let mut command = Command::new(program);
    command.args(arguments).current_dir(cwd).env_clear();
    command.envs(environment::of_child(supervisor.context().environment(), defaults, changes, mark));
    // The last resort, for a runtime that is dropped without teardown.
    command.kill_on_drop(true);
    Ok(command)
}

#[derive(Default)]
struct Streams {
    stdin: Option<tokio::process::ChildStdin>,
    stdout: Option<ChildOutput>,
    stderr: Option<ChildOutput>,
}

fn stdio(target: OutputTarget) -> Stdio {
    match target {
        OutputTarget::Inherit => Stdio::inherit(),
        OutputTarget::Pipe | OutputTarget::Collect { .. } => Stdio::piped(),
    }
}

fn output(pipe: PipeReader, target: OutputTarget, drains: &mut Vec<JoinHandle<()>>) -> ChildOutput {
    match target {
        OutputTarget::Inherit => ChildOutput::Inherited,
        OutputTarget::Pipe => ChildOutput::Pipe(pipe),
        OutputTarget::Collect { max_bytes } => {
            let tail = Arc::new(OutputTail::new(max_bytes));
            drains.push(tokio::spawn(collect(pipe, Arc::clone(&tail))));
            ChildOutput::Collected(tail)
        }
    }
}

/// Reads a pipe to its end. A read error ends it too: nothing more can come.
async fn collect(mut pipe: impl AsyncRead + Unpin, tail: Arc<OutputTail>) {
    let mut buffer = vec![0; READ_BYTES];
    while let Ok(count @ 1..) = pipe.read(&mut buffer).await {
        tail.append(&buffer[..count]);
    }
}
