//! From the words to a run that is known and may begin.

use std::time::Duration;

use dsh_message::{MessageId, SessionId};
use dsh_runtime::{Exit, Output, PresetError, ServeSession};

use crate::arguments::{self, Arguments};
use crate::plugin::Headless;
use crate::printing::tell;
use crate::run::Run;
use crate::run_folder::{Begun, FolderError, RunFolder};
use crate::streams::Streams;

/// Why a run cannot begin.
#[derive(Debug, thiserror::Error)]
enum TakeError {
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error("the run has another task; give it another name")]
    OtherTask,
}

/// A run as it stands.
enum Taken {
    /// It may begin, or go on.
    Run(Box<Run>),
    /// It has ended, and was told again.
    Ended(Exit),
}

impl Headless {
    /// Does what the words ask for.
    pub(crate) async fn do_words(&self, words: Vec<String>, session: ServeSession) -> Exit {
        let started = self.cx.clock().elapsed();
        let ServeSession { input, mut output, mut errors, shutdown } = session;
        let mut arguments = match arguments::read(&words) {
            Ok(arguments) => arguments,
            Err(error) if error.use_stderr() => return wrong(&mut errors, Exit::USAGE, error.to_string()).await,
            Err(help) => {
                tell(&mut output, &help.to_string()).await;
                return Exit::COMPLETED;
            }
        };
        if let Some(preset) = &arguments.preset {
            let known = self.cx.presets().names();
            if !known.contains(&preset.as_str()) {
                let unknown = PresetError::Unknown { name: preset.clone(), known };
                return wrong(&mut errors, Exit::USAGE, format!("error: {unknown}\n\nFor more information, try 'run --help'.\n")).await;
            }
        }
        let (cwd, process) = (self.cx.environment().cwd(), &self.cx.surroundings().process);
        let prompt = std::mem::take(&mut arguments.prompt);
        let task = match prompt.read(cwd, input, process.input_is_terminal(), &shutdown).await {
            Ok(task) => task,
            Err(error) => {
                return wrong(&mut errors, Exit::USAGE, format!("error: {error}\n\nFor more information, try 'run --help'.\n")).await;
            }
        };
        let mut streams = Streams::new(output, errors, &arguments, shutdown);
        match self.take(arguments, task, started, &mut streams).await {
            Ok(Taken::Run(run)) => run.conduct(self, streams).await,
            Ok(Taken::Ended(exit)) => exit,
            Err(error @ TakeError::OtherTask) => streams.refuse(Exit::USAGE, &error.to_string()).await,
            Err(error @ TakeError::Folder(_)) => streams.refuse(Exit::ENVIRONMENT, &error.to_string()).await,
        }
    }

    /// Finds out whether the run is new, goes on, or has ended.
    async fn take(&self, arguments: Arguments, task: String, started: Duration, streams: &mut Streams) -> Result<Taken, TakeError> {
        let new = |task| {
            let ids = self.cx.ids();
            let session = arguments.resume.clone().unwrap_or_else(|| format!("session-{}", ids.uuid()));
            Begun::new(SessionId::from(session), MessageId::from(ids.uuid()), task, self.cx.clock().now())
        };
        let Some(place) = arguments.place.clone() else {
            return Ok(Taken::Run(Box::new(Run { begun: new(task), arguments, started, again: false, folder: None })));
        };
        let folder = RunFolder::open(self.cx.environment().cwd(), place)?;
        let (begun, again) = match folder.begun()? {
            Some(begun) if begun.task != task => return Err(TakeError::OtherTask),
            Some(begun) => (begun, true),
            None => (new(task), false),
        };
        if let Some(ended) = folder.ended()?.filter(|ended| ended.outcome.is_final()) {
            return Ok(Taken::Ended(streams.repeat(ended).await));
        }
        if !again {
            folder.begin(&begun)?;
        }
        Ok(Taken::Run(Box::new(Run { begun, arguments, started, again, folder: Some(folder) })))
    }
}

async fn wrong(errors: &mut Output, exit: Exit, text: String) -> Exit {
    tell(errors, &text).await;
    exit
}
