//! Version and vocabulary of the log's format, which all providers share.

/// The version that is written and read.
pub const FORMAT_VERSION: i64 = 0;

/// Types of events in format 0. A reader must know each: an event of another type is passed over only when it says that it may be.
const KNOWN_TYPES: [&str; 48] = [
    "agent-preset/selected",
    "agent/inbox/spliced",
    "approval/asked",
    "approval/decided",
    "approval/policy",
    "assistant/chunk",
    "assistant/message",
    "command/done",
    "command/run",
    "compaction/end",
    "compaction/prune",
    "compaction/start",
    "compaction/summary",
    "feedback/record",
    "goal/change",
    "hook/invoked",
    "hook/result",
    "llm/retry",
    "llm/retry-started",
    "permission/preset",
    "plan/mode",
    "request/context",
    "request/header",
    "sandbox/mode",
    "schedule/change",
    "session/end-seed",
    "session/title",
    "session/title-llm-request",
    "step/end",
    "step/start",
    "subagent/descriptor",
    "team/member",
    "team/message/delivered",
    "team/message/queued",
    "team/task",
    "todo/write",
    "tool-workflow/agent-end",
    "tool-workflow/agent-start",
    "tool-workflow/run-end",
    "tool-workflow/run-start",
    "tool/call",
    "tool/code-dispatch",
    "tool/code-dispatch-start",
    "tool/result",
    "turn/end",
    "turn/start",
    "user/message",
    "web/deepseek-search-llm-request",
];

/// Whether format 0 knows the type of an event.
#[must_use]
pub fn is_known_type(kind: &str) -> bool {
    KNOWN_TYPES.binary_search(&kind).is_ok()
}

#[cfg(test)]
mod tests {
    use super::KNOWN_TYPES;

    #[test]
    fn the_list_is_sorted_for_its_search() {
        assert!(KNOWN_TYPES.is_sorted());
    }
}
