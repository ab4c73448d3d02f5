//! What readers of other languages take: JSON without lone surrogates.

use dsh_json::{JsString, Json};
use dsh_message::ContentBlock;

/// The text with U+FFFD for each lone surrogate, which parsers of other languages refuse.
pub(crate) fn text(text: &JsString) -> String {
    text.to_lossy().into_owned()
}

/// The value with such texts.
pub(crate) fn json(value: Json) -> Json {
    match value {
        Json::Text(words) => Json::Text(text(&words).into()),
        Json::List(items) => Json::List(items.into_iter().map(json).collect()),
        Json::Object(members) => Json::Object(members.into_iter().map(|(key, value)| (key, json(value))).collect()),
        Json::Null | Json::Bool(_) | Json::Number(_) => value,
    }
}

/// What blocks say, a block without text by the name of its type.
pub(crate) fn said(blocks: &[ContentBlock]) -> String {
    let piece = |block: &ContentBlock| match block {
        ContentBlock::Text(words) => text(words),
        ContentBlock::ToolResult { content, .. } => said(content),
        ContentBlock::Reasoning(_) | ContentBlock::ToolCall { .. } => String::new(),
        ContentBlock::Other(_) => format!("[{}]", block.type_name()),
    };
    blocks.iter().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use dsh_json::Json;
    use dsh_message::ContentBlock;

    #[test]
    fn lone_surrogates_are_replaced_at_every_depth() {
        let value: Json = serde_json::from_str(r#"{"a":["\ud83d",{"b":"\ud83d\ude00"}],"c":1.5}"#).unwrap();
        assert_eq!(dsh_json::to_text(&super::json(value)).unwrap(), r#"{"a":["�",{"b":"😀"}],"c":1.5}"#);
    }

    #[test]
    fn a_block_without_text_is_named() {
        let blocks: Vec<ContentBlock> =
            serde_json::from_str(r#"[{"type":"text","text":"see "},{"type":"image","attachment":{}},{"type":"reasoning","text":"hm"}]"#)
                .unwrap();
        assert_eq!(super::said(&blocks), "see [image]");
    }
}
