//! The prompt: in a profile its parts with their texts, in the workspace who adds to it.

use serde::Serialize;

use super::content::Content;
use super::described::{Described, Part};
use super::page::{code, first_paragraph, or_dash, table, unknown};
use super::subject::Subject;

/// A plugin that says what it adds.
#[derive(Serialize)]
struct Adds<'a> {
    plugin: &'a str,
    adds: &'a str,
}

pub(super) fn content(subject: &Subject<'_>) -> Content {
    match subject.described {
        Some(described) => of_profile(described),
        None => of_workspace(subject),
    }
}

fn of_profile(described: &Described) -> Content {
    let prompt = &described.prompt;
    let cells = |part: &Part| {
        let order = part.order.map(|order| order.to_string()).unwrap_or_default();
        let tokens = part.tokens.map(|tokens| tokens.to_string()).unwrap_or_default();
        let open = part.open.as_deref().unwrap_or_default();
        [part.kind.clone(), code(&part.name), code(&part.row), or_dash(&order), or_dash(&tokens), or_dash(open)]
    };
    let parts = table(["part", "name", "row", "order", "tokens", "open"], prompt.parts.iter().map(cells));
    let texts: String = prompt.parts.iter().filter_map(text).collect();
    let rest =
        if prompt.prefix.whole { "It is all of the system prompt that is known." } else { "What follows it is decided by each session." };
    let prefix = format!(
        "## Stable prefix\n\nWhat every system prompt starts with has about {} tokens and the digest `{}`. {rest}\n\n",
        prompt.prefix.tokens, prompt.prefix.digest
    );
    let open = prompt.open.iter().map(|reason| format!("- {reason}\n")).collect::<String>();
    let open = if open.is_empty() { open } else { format!("## What makes it open\n\n{open}\n") };
    let told = if prompt.parts.is_empty() { String::new() } else { format!("{parts}\n{prefix}{open}{texts}") };
    let body = unknown(described) + &told;
    let about = "What the model is told before a conversation, as far as the profile decides it. A token is taken to be four characters.";
    Content::new("Prompt", about, &prompt.parts, body)
        .with("inputs", described.inputs.clone())
        .with("answer", described.answer())
        .with("problem", described.problem.clone())
        .with("prefix", serde_json::json!(prompt.prefix))
        .with("open", prompt.open.clone())
}

/// The text of a part, set off.
fn text(part: &Part) -> Option<String> {
    let text = part.text.as_ref().filter(|text| !text.is_empty())?;
    let quoted: String = text.lines().map(|line| format!("> {line}").trim_end().to_owned() + "\n").collect();
    Some(format!("## {} `{}`\n\n{quoted}\n", part.kind, part.name))
}

fn of_workspace(subject: &Subject<'_>) -> Content {
    let decls = subject.users.iter().map(|user| (user.name, &user.plugin.declared.decl));
    let entries: Vec<Adds<'_>> =
        decls.filter(|(_, decl)| decl.prompt.is_some()).map(|(plugin, decl)| Adds { plugin, adds: &decl.prompt_doc }).collect();
    let body = table(["plugin", "what it adds"], entries.iter().map(|entry| [code(entry.plugin), first_paragraph(entry.adds)]));
    let about = "Plugins that say what they add to the prompt. The texts depend on configs and stand in the catalogs of profiles.";
    Content::new("Prompt", about, &entries, body)
}
