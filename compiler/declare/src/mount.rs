//! `mount`: the function that starts a plugin. Its parameters tell which config and inject types the plugin has.

use syn::{FnArg, ImplItemFn, Pat, PatType, ReturnType, Type};

use crate::inject::plain_path;
use crate::model::PluginDecl;
use crate::problems::Problems;

/// Checks `mount` and takes the types of `config` and `inject` from it.
pub(crate) fn read_mount(function: &ImplItemFn, decl: &mut PluginDecl, problems: &mut Problems) {
    let signature = &function.sig;
    if signature.asyncness.is_none() {
        problems.at(signature.fn_token, "`mount` is `async`");
    }
    if !signature.generics.params.is_empty() {
        problems.at(&signature.generics.params, "`mount` has no generics");
    }
    if matches!(signature.output, ReturnType::Default) {
        problems.at(&signature.ident, "`mount` returns `Result<Self, MountError>`");
    }
    let mut inputs = signature.inputs.iter();
    match inputs.next() {
        Some(FnArg::Typed(PatType { ty, .. })) if matches!(**ty, Type::Reference(_)) => {}
        _ => problems.at(&signature.ident, "the first parameter of `mount` is `cx: &PluginContext`"),
    }
    for input in inputs {
        match parameter(input) {
            Some(("config", ty)) if decl.inject.is_some() => {
                problems.at(ty, "`config` stands before `inject`");
            }
            Some(("config", ty)) => decl.config = Some(ty.clone()),
            Some(("inject", ty)) => decl.inject = Some(ty.clone()),
            _ => problems.at(input, "the parameters of `mount` are `cx: &PluginContext`, `config: Config` and `inject: Inject`"),
        }
    }
}

/// Name (without a leading `_`) and type of a parameter whose type is a plain path.
fn parameter(input: &FnArg) -> Option<(&'static str, &Type)> {
    let FnArg::Typed(PatType { pat, ty, .. }) = input else { return None };
    let Pat::Ident(name) = &**pat else { return None };
    let name = name.ident.to_string();
    let known = ["config", "inject"].into_iter().find(|known| *known == name.trim_start_matches('_'))?;
    plain_path(ty)?;
    Some((known, ty))
}
