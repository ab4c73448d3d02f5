//! Older forms of events are read as the present ones; the file keeps them.

use crate::world::{World, header, lines, put};

const SOURCE: &str = r#"{"kind":"user"}"#;

fn event(seq: usize, (kind, data, envelope): (&str, &str, &str)) -> String {
    format!("{{\"type\":\"{kind}\",\"seq\":{seq},\"time\":5,\"data\":{data}{envelope}}}\n")
}

const APPEND: &str = r#","surfaceOp":"append""#;

#[tokio::test]
async fn older_forms_become_present_ones() {
    let (content, result) = (r#"[{"type":"text","text":"hi"}]"#, r#"[{"type":"text","text":"out"}]"#);
    let call = r#"[{"type":"tool-call","id":"c1","name":"ls","arguments":"{}"}]"#;
    let replaced = r#","sourceEventSeqs":[5],"surfaceOp":{"op":"replace","start":5,"end":5}"#;
    let user = format!("{{\"content\":{content},\"source\":{SOURCE}}}");
    let steering = format!("{{\"turn\":1,\"content\":{content},\"source\":{SOURCE}}}");
    let whole = format!("{{\"content\":{content},\"source\":{SOURCE},\"role\":\"user\",\"id\":\"m9\"}}");
    let wrapped_steering = format!("{{\"turn\":1,\"message\":{whole}}}");
    let reply = format!("{{\"turn\":1,\"step\":1,\"content\":{call},\"provenance\":{{\"provider\":\"p\",\"model\":\"m\"}}}}");
    let answer = format!("{{\"turn\":1,\"step\":1,\"callId\":\"c1\",\"content\":{result},\"isError\":false}}");
    let pruned = answer.replace("out", "cut");
    let old = [
        ("turn/start", r#"{"turn":1,"trigger":{"kind":"user"}}"#, ""),
        ("step/start", r#"{"turn":1,"step":1}"#, ""),
        ("user/message", &user, APPEND),
        ("assistant/message", &reply, APPEND),
        ("tool/call", r#"{"turn":1,"step":1,"callId":"c1","name":"ls","arguments":"{}"}"#, ""),
        ("tool/result", &answer, APPEND),
        ("tool/result", &pruned, replaced),
        ("steering/message", &steering, APPEND),
        ("steering/message", &wrapped_steering, APPEND),
        ("step/end", r#"{"turn":1,"step":1}"#, ""),
        ("turn/end", r#"{"turn":1,"reason":{"kind":"aborted"}}"#, ""),
    ];
    let message = |seq: usize| format!("{{\"content\":{content},\"source\":{SOURCE},\"role\":\"user\",\"id\":\"legacy-message:s:{seq}\"}}");
    let (prompt, steered) = (message(2), message(7));
    let reply = format!(
        "{{\"turn\":1,\"step\":1,\"message\":{{\"role\":\"assistant\",\"content\":{call},\"source\":{{\"kind\":\"model\",\"provider\":\"p\",\
         \"model\":\"m\"}},\"id\":\"legacy-message:s:3\"}}}}"
    );
    let answer = format!(
        "{{\"turn\":1,\"step\":1,\"message\":{{\"source\":{{\"kind\":\"tool\",\"callId\":\"c1\"}},\"content\":[{{\"type\":\"tool-result\",\
         \"toolCallId\":\"c1\",\"content\":{result},\"isError\":false}}],\"role\":\"user\",\"id\":\"legacy-message:s:5\"}}}}"
    );
    let pruned = answer.replace("out", "cut");
    let new = [
        ("turn/start", r#"{"turn":1}"#, ""),
        old[1],
        ("user/message", &prompt, APPEND),
        ("assistant/message", &reply, APPEND),
        old[4],
        ("tool/result", &answer, APPEND),
        ("tool/result", &pruned, replaced),
        ("user/message", &steered, APPEND),
        ("user/message", &whole, APPEND),
        old[9],
        ("turn/end", r#"{"turn":1,"reason":{"kind":"aborted","reason":{"kind":"legacy"}}}"#, ""),
    ];
    let text = |events: &[(&str, &str, &str)]| events.iter().enumerate().map(|(seq, parts)| event(seq, *parts)).collect::<String>();
    let root = tempfile::tempdir().unwrap();
    let path = put(root.path(), "s", header("s") + &text(&old));
    let loaded = World::at(root.path()).await.load("s").await.unwrap();
    assert_eq!(lines(&loaded), text(&new));
    assert_eq!(std::fs::read_to_string(path).unwrap(), header("s") + &text(&old));
}

#[tokio::test]
async fn older_ends_of_turns_become_present_ones() {
    for (old, new) in [
        (r#"{"kind":"disposed"}"#, r#"{"kind":"aborted","reason":{"kind":"disposed"}}"#),
        (
            r#"{"kind":"error","step":1,"failure":{"message":"m","code":"AUTH"}}"#,
            r#"{"kind":"error","error":{"message":"m","code":"AUTH"}}"#,
        ),
        (r#"{"kind":"error","step":1,"message":"m"}"#, r#"{"kind":"error","error":{"message":"m","code":"UNKNOWN"}}"#),
        (r#"{"kind":"error","step":1,"message":"m","code":"X"}"#, r#"{"kind":"error","error":{"message":"m","code":"X"}}"#),
        (r#"{"kind":"aborted","reason":{"kind":"user"}}"#, r#"{"kind":"aborted","reason":{"kind":"user"}}"#),
    ] {
        let root = tempfile::tempdir().unwrap();
        let end = |reason: &str| format!("{{\"turn\":1,\"reason\":{reason}}}");
        let start = event(0, ("turn/start", r#"{"turn":1}"#, ""));
        put(root.path(), "s", header("s") + &start + &event(1, ("turn/end", &end(old), "")));
        let loaded = World::at(root.path()).await.load("s").await.unwrap();
        assert_eq!(lines(&loaded), start + &event(1, ("turn/end", &end(new), "")));
    }
}

#[tokio::test]
async fn half_of_an_older_form_is_damage() {
    for (kind, data) in [
        ("steering/message", r#"{"turn":1}"#),
        ("user/message", r#"{"content":[]}"#),
        ("assistant/message", r#"{"turn":1,"step":1,"provenance":{"provider":"p","model":"m"}}"#),
        ("tool/result", r#"{"turn":1,"step":1,"callId":"c1","content":[]}"#),
        ("turn/end", r#"{"turn":1,"reason":{"kind":"error","step":1}}"#),
    ] {
        let root = tempfile::tempdir().unwrap();
        put(root.path(), "s", header("s") + &event(0, (kind, data, APPEND)));
        let error = World::at(root.path()).await.load("s").await.unwrap_err().to_string();
        assert!(error.contains(&format!("event 0 (`{kind}`) has an older form that is incomplete")), "{error}");
    }
}
