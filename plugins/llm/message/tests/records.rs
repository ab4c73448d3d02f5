//! Records of the log read and written again: same members, same order, nothing lost.

use dsh_json::to_text;
use dsh_message::{ContentBlock, Message, MessageSource, StreamChunk};

fn same<T: serde::Serialize + serde::de::DeserializeOwned>(json: &str) -> T {
    let value: T = serde_json::from_str(json).unwrap();
    assert_eq!(to_text(&value).unwrap(), json);
    value
}

#[test]
fn messages_keep_the_order_of_their_kind() {
    same::<Message>(r#"{"content":[{"type":"text","text":"list \ud83d"}],"source":{"kind":"user"},"role":"user","id":"m1"}"#);
    same::<Message>(
        r#"{"role":"assistant","content":[{"type":"tool-call","id":"c1","name":"ls","arguments":"{\"a\":1"}],"source":{"kind":"model","provider":"p","model":"m"},"id":"m2"}"#,
    );
    same::<Message>(
        r#"{"source":{"kind":"tool","callId":"c1"},"content":[{"type":"tool-result","toolCallId":"c1","content":[{"type":"text","text":"a"}],"isError":false}],"role":"user","id":"m3"}"#,
    );
}

#[test]
fn unknown_blocks_and_sources_are_kept_whole() {
    let block = same::<ContentBlock>(r#"{"type":"chart","points":[1,2.5],"label":"\udc00"}"#);
    assert_eq!(block.type_name(), "chart");
    let source = same::<MessageSource>(r#"{"kind":"goal","goalId":"g","revision":1,"round":2}"#);
    assert_eq!(source.kind(), "goal");
    same::<MessageSource>(r#"{"kind":"user","rpcId":"r1"}"#);
    same::<MessageSource>(r#"{"kind":"plugin","plugin":"compact","compactionId":"k1"}"#);
    same::<MessageSource>(r#"{"kind":"plugin","plugin":"x","form":"snapshot","sections":[{"name":"n","text":"t"}]}"#);
}

#[test]
fn chunks_of_every_type() {
    for json in [
        r#"{"type":"block-start","index":0,"blockType":"tool-call"}"#,
        r#"{"type":"text-delta","index":1,"text":"\ud83d"}"#,
        r#"{"type":"reasoning-delta","index":1,"text":"hm"}"#,
        r#"{"type":"tool-call-delta","index":0,"id":"c1","name":"ls","argumentsDelta":"{}"}"#,
        r#"{"type":"tool-call-delta","index":0,"id":"c1","argumentsDelta":"x"}"#,
        r#"{"type":"block-end","index":0,"block":{"type":"text","text":"t"}}"#,
        r#"{"type":"usage","usage":{"inputTokens":3,"outputTokens":4,"cacheReadTokens":1}}"#,
        r#"{"type":"finish","reason":{"kind":"tool-calls"}}"#,
        r#"{"type":"finish","reason":{"kind":"error","failure":{"message":"slow down","code":"RATE_LIMIT","status":429}}}"#,
        r#"{"type":"finish","reason":{"kind":"stop"},"replayState":{"response":{"v":1},"blocks":[null]}}"#,
    ] {
        same::<StreamChunk>(json);
    }
}

#[test]
fn a_message_that_breaks_a_rule_of_the_log_is_named() {
    let wrong: Message = serde_json::from_str(r#"{"id":"m","role":"assistant","content":[],"source":{"kind":"user"}}"#).unwrap();
    assert!(wrong.validate().is_err());
    let wrong: Message =
        serde_json::from_str(r#"{"id":"m","role":"user","content":[{"type":"text","text":"x"}],"source":{"kind":"tool","callId":"c"}}"#)
            .unwrap();
    assert!(wrong.validate().unwrap_err().contains("the call that its source names"));
    assert!(serde_json::from_str::<MessageSource>(r#"{"kind":""}"#).is_err());
}

#[test]
fn results_in_results_have_a_limit() {
    let nested = |depth: usize| {
        let (open, close) = (r#"{"type":"tool-result","toolCallId":"c","content":["#, "]}");
        serde_json::from_str::<ContentBlock>(&format!("{}{}", open.repeat(depth), close.repeat(depth)))
    };
    assert!(nested(16).is_ok());
    assert!(nested(17).unwrap_err().to_string().contains("nested too deeply"));
    assert!(nested(50_000).is_err());
}
