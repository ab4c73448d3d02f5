//! Refusals have a code, words, and nothing secret.

use crate::server::{Server, ok, status};
use crate::setup::{KEY, config, hello, mounted, setup};

#[tokio::test]
async fn refusals_carry_what_the_provider_says() {
    let context = r#"{"error":{"message":"This model's maximum context length is 10 tokens"}}"#;
    let server = Server::start([
        status("429 Slow", "retry-after: 7\r\nx-deepseek-request-id: r-2\r\n", r#"{"error":{"message":"slow down"}}"#),
        status("503 Busy", "retry-after: Sun, 06 Nov 1994 08:49:32 GMT\r\n", "overloaded"),
        status("400 Bad", "x-request-id: r-3\r\nx-deepseek-request-id: r-4\r\n", context),
        status("402 Pay", "", r#"{"error":{"message":"Insufficient Balance"}}"#),
        status("307 Elsewhere", "location: http://models.invalid/\r\n", ""),
    ])
    .await;
    let setup = setup(&server).await;
    for (code, status, retry_after, request_id, words) in [
        ("RATE_LIMIT", 429, Some(7000), Some("r-2"), "slow down"),
        ("SERVER", 503, Some(2000), None, "overloaded"),
        ("CONTEXT_WINDOW_EXCEEDED", 400, None, Some("r-3"), "10 tokens"),
        ("QUOTA", 402, None, None, "Balance"),
        ("HTTP_307", 307, None, None, "307"),
    ] {
        let failure = setup.failure().await;
        assert_eq!(failure.code, code);
        assert_eq!((failure.status, failure.provider_retry_after_ms), (Some(status), retry_after), "{code}");
        assert_eq!(failure.request_id.as_deref(), request_id, "{code}");
        assert!(failure.message.contains(words), "{failure}");
    }
}

#[tokio::test]
async fn the_key_is_not_repeated() {
    let body = format!(r#"{{"error":{{"message":"no such key: {KEY}"}}}}"#);
    let server = Server::start([status("401 No", &format!("x-request-id: {KEY}\r\n"), &body), status("200 OK", "", KEY)]).await;
    let setup = setup(&server).await;
    let refused = setup.failure().await;
    assert_eq!((refused.code.as_str(), refused.request_id.as_deref()), ("AUTH", None));
    assert!(refused.message.contains("TEST_KEY") && refused.message.contains("[API key]"), "{refused}");
    let odd = setup.failure().await;
    for failure in [refused, odd] {
        assert!(!format!("{failure:?}").contains(KEY), "{failure:?}");
    }
    assert!(!format!("{:?}", config(&server.url)).contains(KEY));
}

#[tokio::test]
async fn a_key_must_be_there_and_fit_a_header() {
    let server = Server::start([ok()]).await;
    for (variables, code) in [
        (&[][..], "MISSING_CREDENTIAL"),
        (&[("TEST_KEY", " \n")], "MISSING_CREDENTIAL"),
        (&[("TEST_KEY", "sk secret")], "INVALID_CREDENTIAL"),
        (&[("TEST_KEY", "sk-gehëim")], "INVALID_CREDENTIAL"),
    ] {
        let failure = mounted(config(&server.url), variables).await.unwrap().failure().await;
        assert_eq!(failure.code, code);
        assert!(failure.message.contains("TEST_KEY") && !failure.message.contains("sk"), "{failure}");
    }
    let padded = mounted(config(&server.url), &[("TEST_KEY", " sk-1\n")]).await.unwrap();
    padded.reply(hello()).await;
    assert_eq!(server.request().header("authorization"), Some("Bearer sk-1"));
}

#[tokio::test]
async fn an_address_must_be_usable() {
    for url in ["nonsense", "http://user:pass@127.0.0.1", "ftp://127.0.0.1"] {
        let failure = mounted(config(url), &[("TEST_KEY", KEY)]).await.unwrap().failure().await;
        assert!(["INVALID_REQUEST", "TRANSPORT"].contains(&failure.code.as_str()), "{url} {failure}");
        assert!(!failure.message.contains("pass@"), "{failure}");
    }
}
