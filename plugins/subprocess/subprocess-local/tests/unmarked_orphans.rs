//! Orphans that cannot be told whose they are. They are ended with the last row of the process, so this test is alone in its own.

use std::ffi::OsString;
use std::time::Duration;

use dsh_runtime::boot::Boot;
use dsh_runtime::{CancellationToken, NoConfig, NoInject, Surroundings};
use dsh_subprocess::{EnvironmentChanges, OutputTarget, SpawnSpec, StdinSource, Subprocess};
use dsh_subprocess_local::SubprocessLocal;

#[tokio::test]
async fn a_daemon_that_cleared_its_environment_ends_with_the_row() {
    let mut boot = Boot::new("test", Surroundings::of_process());
    let mounted = boot.mount::<SubprocessLocal>(0, "subprocess", NoConfig {}, NoInject {}).await.expect("it mounts");
    let folder = tempfile::tempdir().expect("a folder");
    // `exec` keeps the number, so the daemon can tell its own.
    let script = "env -i /usr/bin/setsid --fork /bin/bash -c 'echo $$ >pid; exec sleep 1000'; while [ ! -s pid ]; do sleep 0.01; done";
    let spec = SpawnSpec {
        argv: ["/bin/bash", "-c", script].map(OsString::from).to_vec(),
        cwd: folder.path().to_owned(),
        environment: EnvironmentChanges::new(),
        stdin: StdinSource::Ignore,
        stdout: OutputTarget::Collect { max_bytes: 100 },
        stderr: OutputTarget::Collect { max_bytes: 100 },
        grace: Duration::from_millis(100),
        cancel: CancellationToken::new(),
    };
    let child = mounted.plugin().spawn(spec).await.expect("it starts");
    child.process.exited().await;
    let pid = std::fs::read_to_string(folder.path().join("pid")).expect("it was written");
    let status = format!("/proc/{}/stat", pid.trim());
    assert!(std::path::Path::new(&status).exists(), "the daemon lives");
    child.process.terminate().await.expect("the tree as far as it is known is gone");
    assert!(std::path::Path::new(&status).exists(), "nothing tells that the daemon belongs to the tree");
    assert_eq!(boot.teardown().await.failed, Vec::<String>::new());
    assert!(!std::path::Path::new(&status).exists(), "the daemon was ended and reaped");
}
