//! An entry of `hosts(…)` and `writes(…)`: `"target" = "meaning"`.

use syn::Error;
use syn::parse::ParseStream;

use crate::arguments::{literal_text, text};
use crate::model::ReachDecl;

/// Reads an entry. Whether the config has the fields that the target names is the compiler's to say.
pub(crate) fn reach(input: ParseStream) -> Result<ReachDecl, Error> {
    let target = literal_text(input)?;
    let meaning = text(input)?;
    if !is_closed(&target.value) {
        return Err(Error::new(target.span, "`{` and `}` stand around the Rust name of a config field"));
    }
    Ok(ReachDecl { target, meaning })
}

/// Whether every brace is a part of `{field}`.
fn is_closed(target: &str) -> bool {
    let mut parts = target.split('{');
    let before = parts.next().unwrap_or_default();
    !before.contains('}')
        && parts.all(|part| match part.split_once('}') {
            Some((field, rest)) => syn::parse_str::<syn::Ident>(field).is_ok() && !rest.contains('}'),
            None => false,
        })
}
