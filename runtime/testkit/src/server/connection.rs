//! One connection: requests one after the other, until the client closes it.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

use super::frames::{Events, events};
use super::http::{Request, read_request};
use super::step::{Answer, Frames, Step, StreamEnd};
use super::{RecordedRequest, State};

/// Whether a connection goes on after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Next,
    Close,
}

/// Answers the requests of a connection. A client that breaks off ends it.
pub(super) async fn serve(socket: TcpStream, number: usize, state: Arc<State>) {
    // Events go out as they are written, as from a model.
    if socket.set_nodelay(true).is_err() {
        return;
    }
    let (reader, mut writer) = socket.into_split();
    let mut reader = BufReader::new(reader);
    while let Ok(Some(request)) = read_request(&mut reader).await {
        let answered = answer(&mut reader, &mut writer, request, number, &state).await;
        if !matches!(answered, Ok(Then::Next)) {
            return;
        }
    }
}

async fn answer(
    reader: &mut BufReader<OwnedReadHalf>,
    writer: &mut OwnedWriteHalf,
    request: Request,
    connection: usize,
    state: &State,
) -> io::Result<Then> {
    let Request { method, path, headers, body } = request;
    let model_call = method == "POST";
    let recorded = RecordedRequest { connection, method, path, headers, text: String::from_utf8_lossy(&body).into_owned() };
    let body = recorded.body();
    let call = {
        let mut log = state.log();
        log.requests.push(recorded);
        log.calls += usize::from(model_call);
        state.answered.send_replace(log.requests.len());
        log.calls.saturating_sub(1)
    };
    if !model_call {
        let models = json!({ "object": "list", "data": [{ "id": "mock-model", "object": "model" }] });
        return plain(writer, 200, &[], &models.to_string()).await;
    }
    let step = state.script.step(call, &body);
    let Step { answer, delay, pace, gate } = step.as_ref();
    tokio::time::sleep(*delay).await;
    if let Some(gate) = gate {
        gate.cancelled().await;
    }
    match answer {
        Answer::Plain { status, headers, body } => plain(writer, *status, headers, body).await,
        Answer::Stream { reply, end } => {
            let events = match reply {
                Frames::Raw(lines) => Events { said: lines.clone(), last: Vec::new() },
                Frames::Reply(reply) => events(reply, call, body["model"].as_str().unwrap_or("mock-model")),
            };
            stream(reader, writer, events, (*pace, *end)).await
        }
    }
}

async fn plain(writer: &mut OwnedWriteHalf, status: u16, headers: &[(String, String)], body: &str) -> io::Result<Then> {
    let typed = headers.iter().any(|(name, _)| name == "content-type");
    let json = [("content-type".to_owned(), "application/json".to_owned())];
    let headers = headers.iter().chain(json.iter().filter(|_| !typed));
    let headers: String = headers.map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!("HTTP/1.1 {status} Mock\r\n{headers}content-length: {}\r\n\r\n", body.len());
    writer.write_all(format!("{head}{body}").as_bytes()).await?;
    Ok(Then::Next)
}

async fn stream(
    reader: &mut BufReader<OwnedReadHalf>,
    writer: &mut OwnedWriteHalf,
    events: Events,
    (pace, end): (Duration, StreamEnd),
) -> io::Result<Then> {
    writer.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n").await?;
    write_chunks(writer, &events.said, pace).await?;
    match end {
        StreamEnd::Whole => {
            write_chunks(writer, &events.last, Duration::ZERO).await?;
            writer.write_all(b"0\r\n\r\n").await?;
            Ok(Then::Next)
        }
        StreamEnd::Cut => Ok(Then::Close),
        StreamEnd::Stalled => {
            // Nothing is due from the client but the end of the connection.
            reader.fill_buf().await?;
            Ok(Then::Close)
        }
    }
}

async fn write_chunks(writer: &mut OwnedWriteHalf, events: &[String], pace: Duration) -> io::Result<()> {
    for event in events {
        if !pace.is_zero() {
            tokio::time::sleep(pace).await;
        }
        writer.write_all(format!("{:x}\r\n{event}\r\n", event.len()).as_bytes()).await?;
    }
    Ok(())
}
