//! The prompt of a binary as far as it is known without a session, and what makes it open.

use serde::Serialize;

use crate::description::{Description, PromptDescription, PromptKind};
use crate::digest::fnv1a;

/// The prompt.
#[derive(Serialize)]
pub(super) struct Prompt {
    /// Its parts by kind and order.
    parts: Vec<Part>,
    /// What every session's system prompt starts with.
    prefix: Prefix,
    /// What may change it besides: all that is not known before a session is there.
    open: Vec<String>,
}

/// A part with what it costs.
#[derive(Serialize)]
struct Part {
    #[serde(flatten)]
    described: PromptDescription,
    /// Estimate of its tokens, where its text is known.
    tokens: Option<usize>,
}

/// The known text that a system prompt starts with: up to the first section that is open, or the first variable in a text.
#[derive(Serialize)]
struct Prefix {
    /// Digest of the text, 16 hex digits.
    digest: String,
    /// Estimate of its tokens.
    tokens: usize,
    /// Whether it is all that is known of the system prompt.
    whole: bool,
}

/// Characters of a token, in UTF-16 code units, as estimates have it.
const UNITS_OF_A_TOKEN: usize = 4;

fn tokens(text: &str) -> usize {
    text.encode_utf16().count().div_ceil(UNITS_OF_A_TOKEN)
}

impl Prefix {
    /// Of the sections in order.
    fn of<'a>(sections: impl Iterator<Item = &'a PromptDescription>) -> Self {
        let (mut texts, mut whole) = (Vec::new(), true);
        for section in sections {
            match &section.part.text {
                Some(text) if text.is_empty() => {}
                Some(text) => {
                    let known = text.find("{{").map_or(text.as_str(), |variable| &text[..variable]);
                    texts.push(known);
                    whole = known.len() == text.len();
                }
                None => whole = false,
            }
            if !whole {
                break;
            }
        }
        // As the sections of a prompt are joined.
        let text = texts.join("\n\n");
        Self { digest: format!("{:016x}", fnv1a(text.as_bytes())), tokens: tokens(&text), whole }
    }
}

impl Prompt {
    /// Of a binary whose rows describe these parts. A prompt that no row keeps is empty.
    pub(super) fn new(described: Vec<PromptDescription>, description: &Description) -> Self {
        let of_kind = |kind: PromptKind| described.iter().filter(move |found| found.part.kind == kind);
        let mut open = Vec::new();
        for registry in of_kind(PromptKind::Registry) {
            let service = description.services.iter().find(|service| service.key == registry.part.name);
            let consumers = service.map(|service| service.consumers).unwrap_or_default();
            let silent = consumers.iter().filter(|row| !described.iter().any(|found| found.row == **row));
            open.extend(silent.map(|row| format!("row {row} takes `{}` and does not say what it adds", registry.part.name)));
        }
        for heard in of_kind(PromptKind::Listeners) {
            let event = description.events.iter().find(|event| event.name == heard.part.name);
            let listeners = event.map(|event| event.listeners).unwrap_or_default();
            open.extend(listeners.iter().map(|row| format!("row {row} listens to `{}` and may change any of it", heard.part.name)));
        }
        let is_kept = of_kind(PromptKind::Registry).next().is_some();
        let has_contexts = of_kind(PromptKind::NoContexts).next().is_none();
        let is_part = |found: &PromptDescription| {
            is_kept && found.part.kind < PromptKind::Registry && (has_contexts || found.part.kind != PromptKind::Context)
        };
        let mut parts: Vec<PromptDescription> = described.into_iter().filter(is_part).collect();
        let order = |found: &PromptDescription| found.part.order.unwrap_or(f64::MAX);
        parts.sort_by(|left, right| left.part.kind.cmp(&right.part.kind).then(order(left).total_cmp(&order(right))));
        for found in &parts {
            if let Some(reason) = &found.part.open {
                open.push(format!("{} {}: {reason}", word(found.part.kind), found.part.name));
            }
        }
        let prefix = Prefix::of(parts.iter().filter(|found| found.part.kind == PromptKind::Section));
        let part = |described: PromptDescription| Part { tokens: described.part.text.as_deref().map(tokens), described };
        Self { parts: parts.into_iter().map(part).collect(), prefix, open }
    }

    /// For readers.
    pub(super) fn human(&self) -> String {
        let mut text = String::new();
        for Part { described: PromptDescription { row, part }, .. } in &self.parts {
            let order = part.order.map(|order| format!(", order {order}")).unwrap_or_default();
            text += &format!("{} {} (row {row}{order})\n", word(part.kind), part.name);
            match (&part.text, &part.open) {
                (Some(known), _) if known.is_empty() => text += "  (empty: left out)\n",
                (Some(known), _) => known.lines().for_each(|line| text += &format!("  {line}\n")),
                (None, _) => text += "  (open)\n",
            }
        }
        if !self.open.is_empty() {
            text += "\nwhat makes it open:\n";
        }
        self.open.iter().for_each(|reason| text += &format!("  {reason}\n"));
        text
    }
}

fn word(kind: PromptKind) -> &'static str {
    match kind {
        PromptKind::Section => "section",
        PromptKind::Context => "context",
        PromptKind::Variable => "variable",
        PromptKind::Tools => "tools",
        PromptKind::Registry => "registry",
        PromptKind::Listeners => "listeners",
        PromptKind::NoContexts => "no contexts",
    }
}
