//! `#[serve]` and `#[verb(…)]` on a method: the ways into a binary.

use syn::{Attribute, Error, ImplItemFn};

use crate::arguments::{attribute_tokens, read_arguments, text, unknown_key, value};
use crate::listener::borrows_plugin;
use crate::model::{Text, VerbDecl};
use crate::problems::Problems;

/// Reads a verb; `None` when its word or its help cannot be read.
pub(crate) fn read_verb(attribute: &Attribute, function: &ImplItemFn, problems: &mut Problems) -> Option<VerbDecl> {
    let (mut verb, mut about, mut usage, mut named) = (None, None, None, (false, false));
    let tokens = attribute_tokens(attribute, problems);
    read_arguments(tokens, problems, |key, input| {
        match key.to_string().as_str() {
            "name" => {
                named.0 = true;
                verb = Some(text(input).and_then(verb_name)?);
            }
            "about" => {
                named.1 = true;
                about = Some(text(input)?);
            }
            "usage" => usage = Some(value(input)?),
            _ => return Err(unknown_key(key, &["name", "about", "usage"])),
        }
        Ok(())
    });
    if named != (true, true) {
        problems.at(attribute, "a verb states its word and its help: `#[verb(name = \"…\", about = \"…\")]`");
    }
    check_entry(function, "`pub async fn f(&self, args: Vec<String>, session: ServeSession) -> Exit`", 2, problems);
    Some(VerbDecl { verb: verb?, about: about?, usage, method: function.sig.ident.clone() })
}

fn verb_name(verb: Text) -> Result<Text, Error> {
    if ["inspect", "licenses"].contains(&verb.value.as_str()) {
        return Err(Error::new(verb.span, format!("`{}` is a verb of every binary", verb.value)));
    }
    let fine = verb.value.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-');
    if fine && !verb.value.starts_with('-') { Ok(verb) } else { Err(Error::new(verb.span, "a verb is a word in kebab-case")) }
}

/// Checks the receiver, `async` and the number of parameters after the receiver.
pub(crate) fn check_entry(function: &ImplItemFn, expected: &str, parameters: usize, problems: &mut Problems) {
    let signature = &function.sig;
    let fits =
        signature.asyncness.is_some() && signature.inputs.len() == parameters + 1 && signature.inputs.first().is_some_and(borrows_plugin);
    if !fits {
        problems.at(signature, format!("expected {expected}"));
    }
}
