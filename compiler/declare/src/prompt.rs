//! `#[prompt]` on an associated function: what a plugin adds to the prompt, as far as its config says.

use syn::{FnArg, ImplItemFn};

use crate::problems::Problems;

/// Checks that the function needs nothing but the config, so that a binary can ask without mounting anything.
pub(crate) fn check_prompt(function: &ImplItemFn, problems: &mut Problems) {
    let signature = &function.sig;
    let takes_config = signature.inputs.len() == 1 && signature.inputs.iter().all(|input| matches!(input, FnArg::Typed(_)));
    if signature.asyncness.is_some() || !takes_config {
        problems.at(signature, "expected `pub fn f(config: &Config) -> Vec<PromptPart>`; a plugin without a config takes `&NoConfig`");
    }
}
