//! The vocabulary of the format.

use dsh_session::EventData;
use dsh_session::catalogue::{AssistantChunk, EndSeed, RequestContext, ToolResultRecord, TurnEnd};
use dsh_session_persistence::is_known_type;

#[test]
fn types_of_the_core_and_of_plugins_are_known() {
    for kind in [AssistantChunk::TYPE, EndSeed::TYPE, RequestContext::TYPE, ToolResultRecord::TYPE, TurnEnd::TYPE] {
        assert!(is_known_type(kind), "{kind}");
    }
    for kind in ["agent-preset/selected", "agent/inbox/spliced", "team/task", "tool-workflow/run-end", "web/deepseek-search-llm-request"] {
        assert!(is_known_type(kind), "{kind}");
    }
}

#[test]
fn retired_and_unheard_types_are_unknown() {
    for kind in ["request/header-delta", "mode/set", "steering/message", "text-chunks", "acme/thing", ""] {
        assert!(!is_known_type(kind), "{kind}");
    }
}
