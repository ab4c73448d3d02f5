//! One client's connection from its first frame to its last.

use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use dsh_json::RawValue;
use dsh_runtime::{BoxFuture, Exit, ServeSession};
use futures_util::FutureExt;
use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::json;

use crate::error::MethodError;
use crate::frame::{self, Request};
use crate::line_reader::LineReader;
use crate::methods::SHUTDOWN;
use crate::plugin::SdkJsonrpcServer;
use crate::writer::Writer;

/// Most requests that may wait for their answer. A client that has more open is told so.
const MOST_OPEN_REQUESTS: usize = 1024;
/// How long the end waits for requests that were given up, and for a client that does not read its last frames.
const END_LIMIT: Duration = Duration::from_secs(2);

/// The requests that are being carried out.
type Running = FuturesUnordered<BoxFuture<'static, ()>>;

/// Why serving ends.
enum End {
    /// The client asked for it, in the request with this id.
    Shutdown(Box<RawValue>),
    /// Input ended, or the process is asked to end.
    Over,
    /// The client left too much unread.
    Overflow,
    /// The connection failed.
    Broken(io::Error),
}

impl SdkJsonrpcServer {
    /// Serves a client.
    pub(crate) async fn run(self: &Arc<Self>, session: ServeSession) -> Exit {
        let ServeSession { input, output, shutdown, .. } = session;
        let (mut lines, mut writer) = (LineReader::new(input), Writer::new(output, Arc::clone(&self.outbox)));
        let mut running = Running::new();
        self.outbox.open();
        let end = loop {
            tokio::select! {
                biased;
                () = shutdown.cancelled() => break End::Over,
                () = self.outbox.overflowed().cancelled() => break End::Overflow,
                error = writer.run() => break End::Broken(error),
                Some(()) = running.next() => {}
                line = lines.next() => match line {
                    Ok(None) => break End::Over,
                    Err(error) => break End::Broken(error),
                    Ok(Some(line)) => match frame::read(&line) {
                        Some(request) if request.method == SHUTDOWN => break End::Shutdown(request.id),
                        Some(request) => self.start(request, &mut running),
                        None => {}
                    },
                },
            }
        };
        self.end(end, lines, writer, running).await
    }

    /// Starts a request. What it does before it first waits is done when this returns, so requests start in the order of arrival.
    fn start(self: &Arc<Self>, request: Request, running: &mut Running) {
        let Request { id, method, params } = request;
        if running.len() >= MOST_OPEN_REQUESTS {
            return self.refuse(&id, &MethodError::TooManyRequests);
        }
        let server = Arc::clone(self);
        let mut answered: BoxFuture<'static, ()> = Box::pin(async move {
            let outcome = AssertUnwindSafe(server.call(&method, &params)).catch_unwind().await.unwrap_or(Err(MethodError::Panicked));
            match outcome {
                Ok(result) => server.outbox.answer(frame::result(&id, &result)),
                Err(_) if server.closing.is_cancelled() => server.refuse(&id, &MethodError::ShuttingDown),
                Err(error) => server.refuse(&id, &error),
            }
        });
        if (&mut answered).now_or_never().is_none() {
            running.push(answered);
        }
    }

    fn refuse(&self, id: &RawValue, error: &MethodError) {
        self.outbox.answer(frame::error(id, &error.to_string()));
    }

    /// Answers what is open, then what arrived meanwhile, and writes the last frames.
    async fn end(&self, end: End, mut lines: LineReader, mut writer: Writer, mut running: Running) -> Exit {
        self.outbox.end_notifications();
        self.closing.cancel();
        let given_up = async { while running.next().await.is_some() {} };
        if tokio::time::timeout(END_LIMIT, given_up).await.is_err() {
            tracing::warn!("requests that were given up did not end in time");
        }
        let exit = match end {
            End::Shutdown(id) => {
                self.outbox.answer(frame::result(&id, &json!({})));
                self.answer_late(&mut lines);
                Exit::COMPLETED
            }
            End::Over => Exit::COMPLETED,
            End::Overflow => {
                tracing::error!("the client does not read: serving it ends");
                return Exit::GAVE_UP;
            }
            // A client that went away without a word.
            End::Broken(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::COMPLETED,
            End::Broken(error) => {
                tracing::error!(%error, "the connection to the client failed");
                Exit::GAVE_UP
            }
        };
        match tokio::time::timeout(END_LIMIT, writer.drain()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!(%error, "the client did not take the last frames"),
            Err(_) => tracing::warn!("the client did not read the last frames"),
        }
        self.outbox.close();
        exit
    }

    /// Answers the requests that arrived before the answer to `shutdown` is written.
    fn answer_late(&self, lines: &mut LineReader) {
        for _ in 0..MOST_OPEN_REQUESTS {
            let Some(Ok(Some(line))) = lines.next().now_or_never() else { return };
            match frame::read(&line) {
                Some(request) if request.method == SHUTDOWN => self.outbox.answer(frame::result(&request.id, &json!({}))),
                Some(request) => self.refuse(&request.id, &MethodError::ShuttingDown),
                None => {}
            }
        }
    }
}
