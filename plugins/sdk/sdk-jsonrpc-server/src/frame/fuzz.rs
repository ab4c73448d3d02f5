//! Frames of any bytes: none is a panic, and a request keeps its id.

use std::path::Path;

use dsh_testkit::{Change, changed, fuzz_cases, kept_inputs};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Request, error, is_number, is_string, read, result};
use crate::error::MethodError;

fn kept() -> Vec<(String, Vec<u8>)> {
    kept_inputs(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/frames"))
}

/// Reads a line and all that a method may ask of it.
fn check(line: &[u8]) {
    let Some(Request { id, method, params }) = read(line) else { return };
    assert!(is_string(&id) || is_number(&id), "{}", id.get());
    for frame in [result(&id, &json!({})), error(&id, &MethodError::UnknownMethod(method).to_string())] {
        let frame = frame.expect("an answer has a form");
        assert!(frame.starts_with(&format!("{{\"jsonrpc\":\"2.0\",\"id\":{},", id.get())), "{frame}");
        assert!(!frame.contains('\n'), "a frame is one line: {frame}");
    }
    let refusals = [
        params.session_id().map(drop).err(),
        params.content_blocks().map(drop).err(),
        params.text("method").map(drop).ok_or(MethodError::NotInitialized).err(),
    ];
    assert!(refusals.iter().flatten().all(|refusal| !refusal.to_string().is_empty()));
    if let Some(Ok(number)) = params.positive_integer("maxTokens") {
        assert!((1..=9_007_199_254_740_991).contains(&number), "{number}");
    }
    if let Ok(id) = params.session_id() {
        assert!(!id.0.is_empty());
    }
}

#[test]
fn kept_frames() {
    for (name, line) in kept() {
        println!("{name}");
        check(&line);
        for end in 0..line.len().min(300) {
            check(&line[..end]);
        }
    }
}

/// Any JSON value that is not nested deeply.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from)
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec(("(type|text|sessionId|contentBlocks|maxTokens|[a-z]{0,3})", inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(fuzz_cases()))]

    #[test]
    fn any_bytes(line in vec(any::<u8>(), 0..300)) {
        check(&line);
    }

    #[test]
    fn any_object(id in value(), method in value(), params in value()) {
        let frame = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        check(frame.as_bytes());
        let wanted = (id.is_string() || id.is_number()) && method.is_string();
        let request = read(frame.as_bytes());
        prop_assert_eq!(request.is_some(), wanted, "{}", frame);
        if let Some(request) = request {
            prop_assert_eq!(request.id.get(), id.to_string());
            prop_assert_eq!(Some(request.method.as_str()), method.as_str());
            prop_assert_eq!(request.params.len(), params.as_object().map_or(0, serde_json::Map::len));
        }
    }

    #[test]
    fn changed_frames(kept in proptest::sample::select(kept()), changes in vec(any::<Change>(), 1..8)) {
        check(&changed(&kept.1, &changes));
    }
}
