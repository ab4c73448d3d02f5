//! `dsh-build new`.

use super::arguments::NewArguments;
use super::output::Output;
use super::search::Search;

pub(super) fn new(_search: &Search, _asked: &NewArguments, _output: &Output) -> Result<(), u8> {
    Ok(())
}
