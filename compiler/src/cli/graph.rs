//! `dsh-build graph`.

use std::fs;
use std::io::{IsTerminal, stdout};
use std::path::Path;

use super::USAGE;
use super::arguments::{GraphArguments, GraphFormat};
use super::compiled::compile;
use super::graphviz::draw;
use super::output::Output;
use super::search::Search;
use crate::ask::InjectGraph;
use crate::compile::Source;
use crate::console::say;
use crate::index::Network;
use crate::replace::replace;

/// Writes who takes what from whom in a language that draws it, as JSON, or as a picture.
pub(super) fn graph(search: &Search, arguments: GraphArguments, network: Network, output: &Output) -> Result<(), u8> {
    let GraphArguments { source, format, events, output: file } = arguments;
    let default = if output.is_json() { GraphFormat::Json } else { GraphFormat::Mermaid };
    let format = format.unwrap_or(default);
    if format == GraphFormat::Png && file.is_none() && stdout().is_terminal() {
        say("error: a picture of this kind is not for a terminal\nhelp: name a file with `--output FILE`");
        return Err(USAGE);
    }
    let compiled = compile(search, Source::from(source), network, output)?;
    let composed = compiled.composed();
    let graph = if events { InjectGraph::with_events(&composed) } else { InjectGraph::new(&composed) };
    let written = match format {
        GraphFormat::Mermaid => graph.mermaid().into_bytes(),
        GraphFormat::Dot => graph.dot().into_bytes(),
        GraphFormat::Json => output.line(&graph)?.into_bytes(),
        GraphFormat::Svg => draw(&graph.dot(), "svg")?,
        GraphFormat::Png => draw(&graph.dot(), "png")?,
    };
    match file {
        None => output.bytes(&written),
        Some(file) => keep(&file, &written),
    }
}

/// Writes a file at once. What is there and is no file (a pipe, a device) is written to and stays.
fn keep(path: &Path, bytes: &[u8]) -> Result<(), u8> {
    let is_special = fs::metadata(path).is_ok_and(|found| !found.is_file());
    let written = if is_special { fs::write(path, bytes) } else { replace(path, |new| fs::write(new, bytes)) };
    written.map_err(|error| {
        say(format_args!("error: `{}` cannot be written: {error}", path.display()));
        USAGE
    })
}
