//! Connections: used again, given up, silent, absent.

use dsh_message::StreamChunk;
use dsh_runtime::CancellationToken;
use dsh_session::CallConfig;
use futures_util::StreamExt;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::server::{Part, Server, event, head, ok, piece, status};
use crate::setup::{KEY, config, failure, hello, mounted, setup};

fn connections(server: &Server) -> Vec<usize> {
    server.received().iter().map(|request| request.connection).collect()
}

#[tokio::test]
async fn one_connection_serves_all_calls() {
    let refusal = status("500 Oops", "", &"x".repeat(100_000));
    let server = Server::start([ok(), refusal, ok()]).await;
    let setup = setup(&server).await;
    for _ in 0..3 {
        setup.reply(hello()).await;
    }
    assert_eq!(connections(&server), [0, 0, 0]);
}

/// Whom a connection trusts is known before one is made.
#[tokio::test]
async fn a_file_of_roots_that_cannot_be_used_is_a_fault_of_the_surroundings() {
    let server = Server::start([ok()]).await;
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    for (file, why) in [("/no/such.pem", "cannot be read"), (manifest, "holds no certificate")] {
        let setup = mounted(config(&server.url), &[("TEST_KEY", KEY), ("SSL_CERT_FILE", file)]).await.unwrap();
        let found = setup.failure().await;
        assert_eq!(found.code, "ENVIRONMENT", "{found}");
        assert!(found.message.contains(&format!("the variable SSL_CERT_FILE names {file}, which {why}")), "{found}");
    }
    assert_eq!(server.received().len(), 0);
}

#[tokio::test]
async fn a_body_held_open_behind_the_reply_delays_it_a_moment_only() {
    let done = format!("data: {}\n\ndata: [DONE]\n\n", event(r#"{"content":"ok"}"#, Some("stop")));
    let (closed, told) = oneshot::channel();
    let server = Server::start([vec![head(), piece(done.as_bytes()), Part::Hang(closed)], ok()]).await;
    let setup = setup(&server).await;
    assert!(matches!(setup.reply(hello()).await.last(), Some(StreamChunk::Finish { .. })));
    told.await.unwrap();
    setup.reply(hello()).await;
    assert_eq!(connections(&server), [0, 1]);
}

#[tokio::test]
async fn a_cancelled_call_closes_its_connection() {
    let (closed, told) = oneshot::channel();
    let delta = format!("data: {}\n\n", event(r#"{"content":"a"}"#, None));
    let server = Server::start([vec![head(), piece(delta.as_bytes()), Part::Hang(closed)]]).await;
    let setup = setup(&server).await;
    let (llm, request) = (setup.llm.plugin(), hello());
    let config = CallConfig { provider: "deepseek-official".to_owned(), model: "m".to_owned(), ..CallConfig::default() };
    let prepared = llm.prepare(config, &request.signal).await.unwrap();
    let signal: CancellationToken = request.signal.clone();
    let mut reply = llm.stream(prepared, request).await.unwrap();
    assert!(matches!(reply.next().await, Some(StreamChunk::BlockStart { .. })));
    assert!(matches!(reply.next().await, Some(StreamChunk::TextDelta { .. })));
    signal.cancel();
    assert_eq!(failure(&reply.collect::<Vec<_>>().await).code, "ABORTED");
    told.await.unwrap();
}

#[tokio::test]
async fn silence_has_a_limit_before_and_within_the_answer() {
    let hang = |mut parts: Vec<Part>| {
        parts.push(Part::Hang(oneshot::channel().0));
        parts
    };
    let server = Server::start([hang(Vec::new()), hang(vec![head()]), hang(vec![head(), piece(b": still here\n\n")])]).await;
    let mut config = config(&server.url);
    config.stream_idle_timeout_ms = 50;
    let setup = mounted(config, &[("TEST_KEY", KEY)]).await.unwrap();
    for _ in 0..3 {
        let failure = setup.failure().await;
        assert_eq!((failure.code.as_str(), failure.message.contains("50 ms")), ("TIMEOUT", true));
    }
    assert_eq!(connections(&server), [0, 1, 2]);
}

#[tokio::test]
async fn a_machine_that_does_not_answer_is_a_failure_of_transport() {
    let unused = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", unused.local_addr().unwrap());
    drop(unused);
    let setup = mounted(config(&url), &[("TEST_KEY", KEY)]).await.unwrap();
    assert_eq!(setup.failure().await.code, "TRANSPORT");
}

#[tokio::test]
async fn proxies_are_those_of_the_environment() {
    let server = Server::start([ok(), ok()]).await;
    let far = config("http://models.invalid/v1");
    let proxied = mounted(far.clone(), &[("TEST_KEY", KEY), ("HTTP_PROXY", &server.url)]).await.unwrap();
    assert!(matches!(proxied.reply(hello()).await.last(), Some(StreamChunk::Finish { .. })));
    assert!(server.request().head.starts_with("POST http://models.invalid/v1/chat/completions HTTP/1.1\r\n"));
    let variables = [("TEST_KEY", KEY), ("http_proxy", "http://models.invalid"), ("no_proxy", "127.0.0.1")];
    let exempt = mounted(config(&server.url), &variables).await.unwrap();
    assert!(matches!(exempt.reply(hello()).await.last(), Some(StreamChunk::Finish { .. })));
    let wrong = mounted(far, &[("TEST_KEY", KEY), ("all_proxy", "nonsense://user:pass@host")]).await.unwrap();
    let failure = wrong.failure().await;
    assert!(failure.message.contains("all_proxy") && !failure.message.contains("pass"), "{failure}");
}
