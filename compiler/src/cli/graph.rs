//! `dsh-build graph`.

use super::arguments::{GraphArguments, GraphFormat};
use super::compiled::compile;
use super::output::Output;
use super::search::Search;
use crate::ask::InjectGraph;
use crate::compile::Source;
use crate::index::Network;

/// Writes who takes what from whom in a language that draws it, or as JSON.
pub(super) fn graph(search: &Search, arguments: GraphArguments, network: Network, output: &Output) -> Result<(), u8> {
    let (format, wants_events) = (arguments.format, arguments.events);
    let compiled = compile(search, Source::from(arguments.source), network, output)?;
    let composed = compiled.composed();
    let graph = if wants_events { InjectGraph::with_events(&composed) } else { InjectGraph::new(&composed) };
    let default = if output.is_json() { GraphFormat::Json } else { GraphFormat::Mermaid };
    match format.unwrap_or(default) {
        GraphFormat::Mermaid => output.answer(&graph.mermaid()),
        GraphFormat::Dot => output.answer(&graph.dot()),
        GraphFormat::Json => output.json(&graph),
    }
}
