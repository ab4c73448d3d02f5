//! A Rust file for the gates that read one at a time.

use std::ops::Range;
use std::sync::Arc;

use super::Tree;
use crate::diagnostics::{Place, SourceFile};

/// A parsed file.
pub struct RustFile<'a> {
    /// The tree that it belongs to.
    pub tree: &'a Tree,
    /// Its path, relative to the tree's root.
    pub path: &'a str,
    /// Its text.
    pub source: &'a Arc<SourceFile>,
    /// Its syntax; in a file of the product without what is there for tests alone.
    pub syntax: &'a syn::File,
    /// What it is compiled into.
    pub target: Target,
}

/// What a file is compiled into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A library or a program.
    Product,
    /// Tests, benchmarks and examples, whole packages of them included.
    Tests,
    /// Written by the compiler.
    Generated,
}

impl Target {
    /// By where the file lies.
    #[must_use]
    pub fn of(path: &str) -> Self {
        let has = |folder: &str| path.starts_with(&format!("{folder}/")) || path.contains(&format!("/{folder}/"));
        if has("tests") || has("benches") || has("examples") || has("testkit") {
            Self::Tests
        } else if path.starts_with("generated/") {
            Self::Generated
        } else {
            Self::Product
        }
    }
}

impl RustFile<'_> {
    /// Where a part of the syntax stands.
    #[must_use]
    pub fn place(&self, part: &impl syn::spanned::Spanned) -> Place {
        self.at(part.span().byte_range())
    }

    /// A range of its bytes.
    #[must_use]
    pub fn at(&self, range: Range<usize>) -> Place {
        Place::new(self.source, range)
    }
}

/// Takes away what is there for tests alone, so that no gate about the product sees it.
pub(super) fn remove_tests(items: &mut Vec<syn::Item>) {
    items.retain(|item| !is_for_tests(item));
    for item in items {
        if let syn::Item::Mod(module) = item
            && let Some((_, inside)) = &mut module.content
        {
            remove_tests(inside);
        }
    }
}

fn is_for_tests(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        attribute.path().segments.last().is_some_and(|last| last.ident == "test")
            || (attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test")))
    })
}
