//! The standard streams of a run: who writes what where, and how long a reader is waited for.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use dsh_json::JsString;
use dsh_runtime::{CancellationToken, Exit, Output, PluginContext};
use tokio::task::JoinHandle;

use crate::arguments::Arguments;
use crate::patience::unless_overdue;
use crate::printing::{print, printable, show, tell};
use crate::records;
use crate::run_folder::Ended;
use crate::watch::{Progress, Shown};

/// How long a standard error that nobody reads may hold up the end.
const ERRORS_LIMIT: Duration = Duration::from_secs(2);
/// How long a standard output that nobody reads may hold up the end of a run that has a deadline; without one it is waited for.
const OUTPUT_LIMIT: Duration = Duration::from_secs(10);
/// How long a standard stream may hold up the end once the process is asked to end.
const URGENT_LIMIT: Duration = Duration::from_millis(100);

/// The standard streams of a run.
pub(crate) struct Streams {
    /// None while, or since, something is shown on it that was not taken.
    output: Option<Output>,
    errors: Option<Output>,
    json: bool,
    quiet: bool,
    /// How long standard output is waited for.
    output_limit: Duration,
    showing: Option<JoinHandle<(Output, io::Result<()>)>>,
    shutdown: CancellationToken,
}

impl Streams {
    pub(crate) fn new(output: Output, errors: Output, arguments: &Arguments, shutdown: CancellationToken) -> Self {
        let &Arguments { json, quiet, deadline, .. } = arguments;
        let output_limit = if deadline.is_some() { OUTPUT_LIMIT } else { Duration::MAX };
        Self { output: Some(output), errors: Some(errors), json, quiet, output_limit, showing: None, shutdown }
    }

    pub(crate) fn shutdown(&self) -> &CancellationToken {
        &self.shutdown
    }

    /// What is shown of a run while it goes on.
    pub(crate) fn shown(&self) -> Shown {
        match (self.json, self.quiet) {
            (true, _) => Shown::Records,
            (false, true) => Shown::Nothing,
            (false, false) => Shown::Steps,
        }
    }

    /// Shows a run: records on standard output, steps on standard error.
    pub(crate) fn begin(&mut self, cx: &PluginContext, progress: Progress) {
        let stream = if self.json { self.output.take() } else { self.errors.take() };
        self.showing = stream.map(|stream| cx.spawn(show(stream, progress)));
    }

    /// Waits until everything was shown. Records are waited for, steps only for a while.
    ///
    /// # Errors
    /// When not all records were taken.
    pub(crate) async fn finish(&mut self) -> io::Result<()> {
        let Some(mut showing) = self.showing.take() else { return Ok(()) };
        let limit = if self.json { self.output_limit } else { ERRORS_LIMIT };
        let shown = tokio::time::timeout(limit, unless_overdue(&self.shutdown, URGENT_LIMIT, &mut showing)).await;
        match shown {
            Ok(Some(Ok((stream, shown)))) if self.json => {
                self.output = Some(stream);
                shown
            }
            Ok(Some(Ok((stream, _)))) => {
                self.errors = Some(stream);
                Ok(())
            }
            _ => {
                showing.abort();
                if self.json { Err(not_read()) } else { Ok(()) }
            }
        }
    }

    /// Prints the answer, if there is one.
    ///
    /// # Errors
    /// When it was not taken.
    pub(crate) async fn answer(&mut self, answer: Option<&JsString>) -> io::Result<()> {
        let (Some(output), Some(answer)) = (&mut self.output, answer) else { return Ok(()) };
        let text = if self.json { records::last(answer) } else { format!("{}\n", answer.to_lossy()) };
        match tokio::time::timeout(self.output_limit, unless_overdue(&self.shutdown, URGENT_LIMIT, print(output, &text))).await {
            Ok(Some(printed)) => printed,
            Ok(None) | Err(_) => Err(not_read()),
        }
    }

    /// Tells what went wrong, and where the log lies.
    pub(crate) async fn tell(&mut self, said: Option<&str>, log: Option<&PathBuf>) {
        if let (true, Some(said), Some(output)) = (self.json, said, &mut self.output) {
            let record = records::error(said);
            let printed = unless_overdue(&self.shutdown, URGENT_LIMIT, print(output, &record));
            if !matches!(tokio::time::timeout(self.output_limit, printed).await, Ok(Some(Ok(())))) {
                tracing::debug!("standard output cannot be written");
            }
        }
        let mut text = said.map_or_else(String::new, |said| format!("dsh: {}\n", printable(said)));
        if let Some(path) = log.filter(|_| !self.quiet) {
            text += &format!("log: {}\n", path.display());
        }
        let Some(errors) = self.errors.as_mut().filter(|_| !text.is_empty()) else { return };
        let told = tokio::time::timeout(ERRORS_LIMIT, unless_overdue(&self.shutdown, URGENT_LIMIT, tell(errors, &text))).await;
        if !matches!(told, Ok(Some(()))) {
            tracing::debug!("nobody reads standard error");
        }
    }

    /// Tells that a run cannot begin.
    pub(crate) async fn refuse(&mut self, exit: Exit, said: &str) -> Exit {
        self.tell(Some(said), None).await;
        exit
    }

    /// Tells again how a run ended.
    pub(crate) async fn repeat(&mut self, ended: Ended) -> Exit {
        if let Err(error) = self.answer(ended.answer.as_ref()).await {
            return self.refuse(Exit::ENVIRONMENT, &format!("the answer was not printed: {error}")).await;
        }
        self.tell(ended.reason.as_deref(), ended.log_path.as_ref()).await;
        Exit(ended.exit)
    }
}

fn not_read() -> io::Error {
    io::Error::other("standard output was not read in time")
}
