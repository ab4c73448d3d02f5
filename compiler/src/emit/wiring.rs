//! The wiring: assembled from its parts and formatted.

use quote::quote;

use super::configs::configs;
use super::first_line;
use super::freshness::freshness;
use super::identity::identity;
use super::imports::imports;
use super::mount::mount;
use super::names::Names;
use crate::plan::Plan;

/// `src/wiring.rs`.
///
/// # Panics
/// When what was assembled is no Rust, which is a fault of the compiler.
pub(super) fn wiring(plan: &Plan) -> String {
    let names = Names::new(plan);
    let (identity, configs, mount, freshness) =
        (identity(plan, &names), configs(plan, &names), mount(plan, &names), freshness(plan, &names));
    let body = quote!(#identity #mount #configs #freshness);
    let imports = imports(&body);
    let file: syn::File = syn::parse2(quote!(#imports #body)).unwrap_or_else(|error| panic!("the wiring is no Rust: {error}"));
    format!("// {}\n\n{}", first_line(&plan.profile), spaced(&prettyplease::unparse(&file)))
}

/// An empty line before each item of the top level but between imports, which the formatter leaves out.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let (mut before, mut before_is_import) = ("", false);
    for line in text.lines() {
        let is_comment = line.starts_with("//") || line.starts_with('#');
        let starts_item = is_comment || line.starts_with(|first: char| first.is_alphabetic());
        let is_import = line.starts_with("use ");
        let continues = before.is_empty() || before.starts_with("//") || before.starts_with('#') || (is_import && before_is_import);
        if starts_item && !continues {
            spaced.push('\n');
        }
        spaced.push_str(line);
        spaced.push('\n');
        before = line;
        before_is_import = if starts_item { is_import } else { before_is_import };
    }
    spaced
}
