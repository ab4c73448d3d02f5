//! `dsh-build why`.

use super::USAGE;
use super::compiled::compile;
use super::output::Output;
use super::search::Search;
use crate::ask::Why;
use crate::compile::Source;
use crate::console::say;
use crate::index::Network;

/// Says where a part of a profile came from, who needs it and what would not mount without it.
pub(super) fn why(search: &Search, asked: &str, source: Source, network: Network, output: &Output) -> Result<(), u8> {
    let compiled = compile(search, source, network, output)?;
    match Why::new(&compiled.composed(), asked) {
        Ok(why) => output.report(&why),
        Err(unknown) => {
            say(format_args!("error: {unknown}"));
            Err(USAGE)
        }
    }
}
