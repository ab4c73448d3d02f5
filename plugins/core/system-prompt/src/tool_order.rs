//! The order in which the model sees its tools. It is fixed, because a changed order is a changed request to every cache.

use std::collections::BTreeSet;

use dsh_runtime::MountError;
use dsh_session::ToolSchema;

use crate::contribution::ToolOffer;
use crate::error::PromptError;

/// Where tools go that the order does not name.
const UNLISTED: &str = "<unlisted-tools>";

/// A checked order.
#[derive(Debug)]
pub struct ToolOrder {
    listed: Vec<String>,
}

impl ToolOrder {
    /// Checks the configured order; without one the tools go by name.
    pub fn new(configured: Option<Vec<String>>) -> Result<Self, MountError> {
        let listed = configured.unwrap_or_else(|| vec![UNLISTED.to_owned()]);
        let distinct: BTreeSet<_> = listed.iter().collect();
        if distinct.len() < listed.len() {
            return Err(MountError::new(format!("`toolOrder` names a tool twice: {}", listed.join(", "))));
        }
        if !listed.iter().any(|name| name == UNLISTED) {
            return Err(MountError::new(format!("`toolOrder` must hold `{UNLISTED}`, where all other tools go")));
        }
        Ok(Self { listed })
    }

    /// Puts the tools of all providers in order.
    pub fn apply(&self, offers: Vec<ToolOffer>) -> Result<Vec<ToolSchema>, PromptError> {
        let (mut tools, mut known) = (Vec::new(), BTreeSet::new());
        for offer in offers {
            known.extend(offer.known);
            tools.extend(offer.schemas);
        }
        // Names are compared by UTF-16 code unit, as other writers of these requests do.
        tools.sort_by_cached_key(|tool: &ToolSchema| tool.name.encode_utf16().collect::<Vec<_>>());
        if let Some(pair) = tools.windows(2).find(|pair| pair[0].name == pair[1].name) {
            return Err(PromptError::DuplicateTool { name: pair[0].name.clone() });
        }
        known.extend(tools.iter().map(|tool| tool.name.clone()));
        if let Some(name) = self.listed.iter().find(|name| *name != UNLISTED && !known.contains(*name)) {
            return Err(PromptError::UnknownTool { name: name.clone() });
        }
        let place = |name: &str| self.listed.iter().position(|listed| listed == name);
        let unlisted = place(UNLISTED);
        tools.sort_by_key(|tool| place(&tool.name).or(unlisted));
        Ok(tools)
    }
}
