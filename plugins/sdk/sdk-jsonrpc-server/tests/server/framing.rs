//! What is a frame, what is answered, and how answers look.

use dsh_runtime::Exit;
use serde_json::json;

use crate::world::World;

#[tokio::test]
async fn frames_may_come_in_pieces_with_any_line_end() {
    let world = World::new([]).await;
    let (mut client, _serving) = world.serve();
    for byte in "\n\r\n{\"id\":\"é😀\",\"method\":\"nope\"}\r\n".bytes() {
        client.bytes(&[byte]).await;
        tokio::task::yield_now().await;
    }
    assert_eq!(client.error("é😀").await, "unknown DeepSeek Harness SDK runtime method: nope");
}

#[tokio::test]
async fn answers_have_the_id_as_it_came_and_their_members_in_order() {
    let world = World::new([]).await;
    let (mut client, _serving) = world.client().await;
    for id in ["1.5", "\"\"", "0", "-1", "\"\\ud800\""] {
        client.line(&format!("{{\"id\":{id},\"method\":\"x\"}}")).await;
        let expected = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32603,\"message\":\"unknown DeepSeek Harness SDK runtime method: x\"}}}}"
        );
        assert_eq!(client.raw().await.unwrap(), expected);
    }
    client.line("{\"id\":7,\"method\":\"session/working-directory/get\",\"params\":{\"sessionId\":\"s\"}}").await;
    assert_eq!(client.raw().await.unwrap(), "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"cwd\":\"/w\"}}");
}

#[tokio::test]
async fn what_wants_no_answer_gets_none() {
    let world = World::new([]).await;
    let (mut client, _serving) = world.client().await;
    for line in [
        "{\"id\":",
        "[{\"id\":1,\"method\":\"x\"},{\"id\":2,\"method\":\"x\"}]",
        "{\"id\":null,\"method\":\"x\"}",
        "{\"id\":true,\"method\":\"x\"}",
        "{\"method\":\"shutdown\"}",
        "{\"id\":3,\"result\":{}}",
        "nonsense",
    ] {
        client.line(line).await;
    }
    client.send("last", "x", json!(null)).await;
    assert_eq!(client.frame().await["id"], "last");
}

#[tokio::test]
async fn a_request_without_its_line_end_is_not_carried_out() {
    let world = World::new([]).await;
    let (mut client, serving) = world.client().await;
    client.bytes(b"{\"id\":\"x\",\"method\":\"x\"}").await;
    client.end().await;
    assert_eq!(client.rest().await, Vec::<serde_json::Value>::new());
    assert_eq!(serving.await.unwrap(), Exit::COMPLETED);
}

#[tokio::test]
async fn a_prompt_of_megabytes_is_one_frame() {
    let world = World::new([dsh_testkit::Reply::text("done")]).await;
    let (mut client, _serving) = world.client().await;
    let text = "\u{2028}é".repeat(1_000_000);
    let line = json!({ "id": "p", "method": "session/prompt", "params": { "sessionId": "s", "contentBlocks": [{ "type": "text", "text": text }] } });
    client.line(&line.to_string()).await;
    let frames = client.until_idle("s").await;
    let receipt = &frames[0]["params"]["event"]["data"]["inserted"][0]["content"][0]["text"];
    assert_eq!(receipt, &json!(text));
}
