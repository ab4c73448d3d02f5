//! What a person reads on stderr while the agent works.

use dsh_json::Json;
use dsh_message::ContentBlock;
use dsh_session::SessionEvent;
use dsh_session::catalogue::{AssistantMessage, ToolCallRecord, ToolResultRecord};

/// Lines of a result that are shown.
const RESULT_LINES: usize = 12;
/// Characters of a line that are shown.
const LINE_CHARACTERS: usize = 200;

/// The lines for an event; none for those that say nothing to a person.
pub(crate) fn lines(event: &SessionEvent) -> Vec<String> {
    if let Some(reply) = event.data::<AssistantMessage>() {
        let text = ContentBlock::joined_text(&reply.message.content).to_lossy().into_owned();
        return text.trim_end().lines().map(cut).collect();
    }
    if let Some(call) = event.data::<ToolCallRecord>() {
        return invocation(&call);
    }
    if let Some(result) = event.data::<ToolResultRecord>() {
        return outcome(&result);
    }
    Vec::new()
}

fn invocation(call: &ToolCallRecord) -> Vec<String> {
    let arguments = call.arguments.to_lossy();
    let name = call.name.to_lossy();
    match serde_json::from_str::<Json>(&arguments) {
        // A lone command reads best as one types it.
        Ok(Json::Object(entries)) => match entries.as_slice() {
            [(key, Json::Text(command))] if key == "command" => {
                let command = command.to_lossy().into_owned();
                let mut lines = command.lines().map(cut);
                lines.next().map(|first| format!("$ {first}")).into_iter().chain(lines.map(|line| format!("  {line}"))).collect()
            }
            entries => {
                let members: Vec<String> = entries.iter().map(|(key, value)| format!("{key}={}", brief(value))).collect();
                vec![cut(&format!("{name} {}", members.join(" ")))]
            }
        },
        _ => vec![cut(&format!("{name} {arguments}"))],
    }
}

fn brief(value: &Json) -> String {
    let text = dsh_json::to_text(value).unwrap_or_default();
    if text.chars().count() > 60 { text.chars().take(59).chain(['…']).collect() } else { text }
}

fn outcome(result: &ToolResultRecord) -> Vec<String> {
    let text = ContentBlock::joined_text(&result.message.content).to_lossy().into_owned();
    let mut lines: Vec<String> = text.lines().take(RESULT_LINES).map(|line| format!("  | {}", cut(line))).collect();
    let more = text.lines().count().saturating_sub(RESULT_LINES);
    if more > 0 {
        lines.push(format!("  | … {more} more lines"));
    }
    lines
}

/// A line without control characters and not longer than a person reads.
fn cut(line: &str) -> String {
    let printable = line.chars().map(|character| if character.is_control() && character != '\t' { '\u{fffd}' } else { character });
    let mut text: String = printable.clone().take(LINE_CHARACTERS).collect();
    if printable.count() > LINE_CHARACTERS {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::lines;

    fn told(kind: &str, data: &str) -> Vec<String> {
        lines(&serde_json::from_str(&format!(r#"{{"type":"{kind}","seq":0,"time":0,"data":{data}}}"#)).unwrap())
    }

    #[test]
    fn a_command_reads_as_one_types_it() {
        let call = |arguments: &str| {
            let data =
                format!(r#"{{"turn":1,"step":1,"callId":"c","name":"tool","arguments":{}}}"#, serde_json::to_string(arguments).unwrap());
            told("tool/call", &data)
        };
        assert_eq!(call(r#"{"command":"cd x\nls"}"#), ["$ cd x", "  ls"]);
        assert_eq!(call(r#"{"command":"view","path":"/a"}"#), [r#"tool command="view" path="/a""#]);
        assert_eq!(call("not json \u{1b}[31m"), ["tool not json \u{fffd}[31m"]);
    }

    #[test]
    fn a_long_result_is_shortened() {
        let text = (1..=20).map(|line| line.to_string()).collect::<Vec<_>>().join("\\n");
        let message = format!(
            r#"{{"source":{{"kind":"tool","callId":"c"}},"content":[{{"type":"tool-result","toolCallId":"c","content":[{{"type":"text","text":"{text}"}}],"isError":false}}],"role":"user","id":"r"}}"#
        );
        let shown = told("tool/result", &format!(r#"{{"turn":1,"step":1,"message":{message}}}"#));
        assert_eq!(shown.len(), 13);
        assert_eq!(shown[0], "  | 1");
        assert_eq!(shown[12], "  | … 8 more lines");
    }

    #[test]
    fn other_events_say_nothing() {
        assert!(told("turn/start", r#"{"turn":1}"#).is_empty());
    }
}
