//! The wiring: assembled from its parts, formatted, with comments put back.

use quote::quote;

use super::comment::restore;
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
    let (identity, configs, mount, freshness) = (identity(plan), configs(plan, &names), mount(plan, &names), freshness(plan, &names));
    let body = quote!(#identity #mount #configs #freshness);
    let imports = imports(&body);
    let file: syn::File = syn::parse2(quote!(#imports #body)).unwrap_or_else(|error| panic!("the wiring is no Rust: {error}"));
    format!("// {}\n\n{}", first_line(&plan.profile), spaced(&restore(&prettyplease::unparse(&file))))
}

/// An empty line before each item of the top level, which the formatter leaves out.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len());
    let mut before = "";
    for line in text.lines() {
        let starts_item = line.starts_with(|first: char| first.is_alphabetic() || first == '/' || first == '#');
        let continues = before.is_empty() || before.starts_with("//") || before.starts_with('#');
        let both_imports = line.starts_with("use ") && before.starts_with("use ");
        if starts_item && !continues && !both_imports {
            spaced.push('\n');
        }
        spaced.push_str(line);
        spaced.push('\n');
        before = line;
    }
    spaced
}
