//! The end of a run: its record is made durable, the answer printed, the verdict written last.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use dsh_agent::Agent;
use dsh_json::JsString;
use dsh_runtime::Exit;
use dsh_sandbox_policy::SandboxMode;

use crate::budget::tokens;
use crate::learned::Learned;
use crate::patience::unless_overdue;
use crate::plugin::Headless;
use crate::run_folder::{Begun, Composition, Ended, RunFolder};
use crate::streams::Streams;
use crate::verdict::Verdict;

/// How long the flush of the record may take once the process is asked to end.
const FLUSH_LIMIT: Duration = Duration::from_millis(500);

/// What is known at the end.
pub(crate) struct Report<'a> {
    pub(crate) headless: &'a Headless,
    pub(crate) begun: &'a Begun,
    pub(crate) folder: Option<&'a RunFolder>,
    pub(crate) verdict: Verdict,
    pub(crate) learned: Learned,
}

impl Report<'_> {
    /// Makes the record durable, says what came of the task, and writes the verdict.
    pub(crate) async fn close(self, agent: Option<&Arc<dyn Agent>>, mut streams: Streams) -> Exit {
        let Self { headless, begun, folder, verdict, learned } = self;
        let answer = learned.answer.clone().filter(|answer| verdict.answered && !answer.is_blank());
        let mut verdict = if answer.is_some() { verdict } else { verdict.without_answer() };
        if let Some(agent) = agent {
            let flushed = unless_overdue(streams.shutdown(), FLUSH_LIMIT, headless.sessions.flush(agent.session())).await;
            verdict = match flushed {
                Some(Ok(_)) => verdict,
                Some(Err(error)) => verdict.but(format!("the record of the run may be incomplete: {error}")),
                None => verdict.but("the record of the run may be incomplete: it was not flushed in time".to_owned()),
            };
        }
        let log = match &headless.persistence {
            Some(persistence) => persistence.locate(begun.session_id.clone()).await,
            None => None,
        };
        if let Err(error) = streams.finish().await {
            verdict = verdict.but(format!("the records of the run were not printed: {error}"));
        }
        if let Err(error) = streams.answer(answer.as_ref()).await {
            verdict = verdict.but(format!("the answer was not printed: {error}"));
        }
        streams.tell(verdict.said.as_deref(), log.as_ref()).await;
        let exit = verdict.outcome.exit(headless.cx.surroundings().process.signal());
        let Some(folder) = folder else { return exit };
        let sandbox = headless.sandbox_policy.as_ref().map(|policy| match agent {
            Some(agent) => policy.policy_for(agent.session()).mode,
            None => learned.sandbox.unwrap_or_else(|| policy.default_policy().mode),
        });
        let ended = ended(headless, begun, folder, exit, (verdict, answer, log), &learned, sandbox);
        match folder.end(&ended) {
            Ok(()) => exit,
            Err(error) => streams.refuse(if exit == Exit::COMPLETED { Exit::ENVIRONMENT } else { exit }, &error.to_string()).await,
        }
    }
}

fn ended(
    headless: &Headless,
    begun: &Begun,
    folder: &RunFolder,
    exit: Exit,
    (verdict, answer, log_path): (Verdict, Option<JsString>, Option<PathBuf>),
    learned: &Learned,
    sandbox: Option<SandboxMode>,
) -> Ended {
    let place = folder.place();
    Ended {
        version: Ended::VERSION,
        run_id: place.run_id.clone(),
        task_id: place.task_id.clone(),
        outcome: verdict.outcome,
        exit: exit.0,
        reason: verdict.said,
        answer,
        session_id: begun.session_id.clone(),
        log_path,
        steps: learned.steps,
        usage: learned.usage,
        total_tokens: tokens(&learned.usage),
        started_at: begun.started_at,
        ended_at: headless.cx.clock().now(),
        sandbox,
        composition: headless.cx.identity().map(|identity| Composition {
            profile: identity.profile.to_owned(),
            version: identity.version.to_owned(),
            digest: headless.cx.surroundings().process.composition().unwrap_or(identity.digest).to_owned(),
        }),
    }
}
