//! A run with a folder is killed and started again.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use dsh_product_tests::{Place, Signal, signal};
use dsh_testkit::MockServer;
use serde_json::Value;
use tokio::process::Command;

use super::{Kill, Plan, Shown, command, left_running};
use crate::model::{self, Habits};
use crate::{closers, order, stored};

const HABITS: Habits = Habits {
    most_delay: Duration::from_millis(20),
    most_pace: Duration::from_millis(8),
    one_fails_of: 0,
    shell_in_one_of: 1,
    leaves_processes: true,
};

/// Carries out one plan.
pub(super) async fn kill(plan: &Plan, binary: &Path) -> Shown {
    let place = Place::new();
    let server = MockServer::start(model::script(&place.workspace(), HABITS)).await;
    let mut shown = Shown::default();
    let verdict = place.workspace().join("out/r/t/verdict.json");
    let start = |dies_at| {
        let mut run = command(&place, binary, &server.url(), plan, dies_at);
        run.args(["run", &model::prompt(plan.seed, 0, 0), "--out", "out", "--run-id", "r", "--task-id", "t"]);
        run
    };
    let status = match &plan.kill {
        Kill::After(time) => ended(start(None), Some(*time)).await.0,
        Kill::Frames(_) => ended(start(None), Some(Duration::from_millis(100))).await.0,
        Kill::At(point) => ended(start(Some(point)), None).await.0,
    };
    shown.reached = status.is_none();
    let running = left_running(&place).await;
    if !running.is_empty() {
        shown.problems.push(format!("still running after the kill: {running:?}"));
    }
    let first = fs::read_to_string(&verdict).ok();
    let before = match place.logs().first().map(|path| stored::read(path)) {
        Some(Ok(before)) => before,
        Some(Err(problem)) => {
            shown.problems.push(problem);
            None
        }
        None => None,
    };
    shown.torn = before.as_ref().is_some_and(|before| before.torn);
    shown.in_turn = before.as_ref().is_some_and(|before| order::account(&before.events).open_turn.is_some());
    let asked = server.requests().len();
    let (status, stderr) = ended(start(None), None).await;
    let text = fs::read_to_string(&verdict).unwrap_or_default();
    let read: Value = serde_json::from_str(&text).unwrap_or_default();
    if status != Some(0) || read["outcome"] != "completed" {
        shown.problems.push(format!("the second start ended with {status:?} and the verdict {text:?}: {stderr}"));
    }
    if first.as_ref().is_some_and(|first| *first != text || server.requests().len() != asked) {
        shown.problems.push(format!("a verdict was there and became another one: {first:?}, {text:?}"));
    }
    let logs = place.logs();
    let [log] = &logs[..] else {
        shown.problems.push(format!("the run has the logs {logs:?}"));
        return shown;
    };
    match stored::read(log) {
        Ok(Some(after)) => {
            let account = order::account(&after.events);
            shown.problems.extend(account.problems);
            if let Some(before) = before {
                shown.told += before.events.len();
                match after.events.strip_prefix(&before.events[..]) {
                    Some(added) => shown.problems.extend(closers::problems(&before.events, added)),
                    None => shown.problems.push("events of before the kill are gone or changed".to_owned()),
                }
            }
        }
        other => shown.problems.push(format!("the log is {other:?}")),
    }
    shown
}

/// Runs to the end, or until it is killed after a time. Yields the exit status, which a killed process has not, and standard error.
async fn ended(mut command: Command, killed_after: Option<Duration>) -> (Option<i32>, String) {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let child = command.spawn().expect("the binary starts");
    let pid = child.id();
    let output = child.wait_with_output();
    let output = async {
        let Some(time) = killed_after else { return output.await };
        let killer = async {
            tokio::time::sleep(time).await;
            if let Some(pid) = pid {
                signal(pid, Signal::KILL);
            }
            std::future::pending::<()>().await;
        };
        tokio::select! {
            output = output => output,
            () = killer => unreachable!("it waits for ever"),
        }
    };
    let output = tokio::time::timeout(crate::peer::PATIENCE, output).await.expect("the run ends").expect("its streams can be read");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}
