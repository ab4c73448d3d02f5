//! The source files of a library: its root and every file that a `mod name;` leads to.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dsh_declare::is_cfg;
use dsh_declare::skim::{Skimmed, skim};
use dsh_declare::source::is_cfg_test;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Item, ItemMod};

use super::prefilter::needs_parsing;
use super::rules;
use crate::diagnostics::{Diagnostic, Diagnostics, Place, SourceFile};
use crate::workspace::Workspace;

/// A parsed file.
pub(crate) struct ParsedFile {
    /// Its text, for diagnostics.
    pub source: Arc<SourceFile>,
    /// Its syntax, without the bodies of functions.
    pub syntax: syn::File,
    /// Declarations in the bodies.
    pub in_bodies: Vec<syn::Error>,
    /// Whether a module on the way to it stands under `cfg`, so that it must not declare anything.
    pub conditional: bool,
}

/// Where a span of a file lies.
pub(crate) fn place(source: &Arc<SourceFile>, span: Span) -> Place {
    let range = span.byte_range();
    // The end of the input and the macro's own call site have no extent; the first line is shown for them.
    if range.is_empty() { Place::start_of(source) } else { Place::new(source, range) }
}

/// The files of a library.
pub(crate) struct Library {
    /// Those that may declare something, the root first.
    pub files: Vec<ParsedFile>,
    /// Whether nothing was left out that may.
    pub is_whole: bool,
}

/// Reads a library from its root file. A file that cannot be read or parsed is reported and left out, one that cannot declare
/// anything is left out.
pub(crate) fn read_library(root: &Path, workspace: &Workspace, diagnostics: &mut Diagnostics) -> Library {
    let mut reader = Reader { workspace, diagnostics, library: Library { files: Vec::new(), is_whole: true } };
    // The library's root looks for its modules beside itself, whatever its name is.
    if let Some(folder) = root.parent() {
        reader.read(root, folder, false);
    }
    reader.library
}

struct Reader<'a> {
    workspace: &'a Workspace,
    diagnostics: &'a mut Diagnostics,
    library: Library,
}

impl Reader<'_> {
    /// Reports why a part of the library is left out.
    fn refuse(&mut self, problem: Diagnostic) {
        self.library.is_whole = false;
        self.diagnostics.report(problem);
    }

    /// Reads a file whose modules lie in `folder`.
    fn read(&mut self, path: &Path, folder: &Path, conditional: bool) {
        let name = self.workspace.relative(path);
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => return self.refuse(rules::unreadable_source::unreadable_source(&name, &error)),
        };
        // The root is always parsed, for what it exports.
        if !self.library.files.is_empty() && !needs_parsing(&text) {
            return;
        }
        // The parser passes over a byte order mark, which would shift every place after it.
        let source = SourceFile::new(name, text.strip_prefix('\u{feff}').unwrap_or(&text));
        let Skimmed { file: syntax, in_bodies } = match skim(source.text()) {
            Ok(skimmed) => skimmed,
            Err(error) => {
                let at = place(&source, error.span());
                return self.refuse(rules::syntax_error::syntax_error(&at, &error));
            }
        };
        let mut children = Vec::new();
        self.children(&syntax.items, folder, &source, conditional, &mut children);
        self.library.files.push(ParsedFile { source, syntax, in_bodies, conditional });
        for child in children {
            self.read(&child.path, &child.folder, child.conditional);
        }
    }

    /// The files of the modules among `items`, those of inline modules included.
    fn children(&mut self, items: &[Item], folder: &Path, source: &Arc<SourceFile>, conditional: bool, found: &mut Vec<Child>) {
        for item in items {
            if let Item::Mod(module) = item
                && !module.attrs.iter().any(is_cfg_test)
            {
                self.child(module, folder, source, conditional || module.attrs.iter().any(is_cfg), found);
            }
        }
    }

    fn child(&mut self, module: &ItemMod, folder: &Path, source: &Arc<SourceFile>, conditional: bool, found: &mut Vec<Child>) {
        let name = module.ident.unraw().to_string();
        if let Some(attribute) = module.attrs.iter().find(|attribute| attribute.path().is_ident("path")) {
            return self.refuse(rules::module_path::module_path(&place(source, attribute.span()), &name));
        }
        let inner = folder.join(&name);
        match &module.content {
            Some((_, items)) => self.children(items, &inner, source, conditional, found),
            None => match module_file(folder, &name) {
                Some(path) => found.push(Child { path, folder: inner, conditional }),
                None => {
                    let expected = self.workspace.relative(&folder.join(format!("{name}.rs")));
                    self.refuse(rules::missing_module::missing_module(&place(source, module.ident.span()), &name, &expected));
                }
            },
        }
    }
}

/// A file that a `mod` item leads to.
struct Child {
    path: PathBuf,
    /// Where its own modules lie.
    folder: PathBuf,
    conditional: bool,
}

fn module_file(folder: &Path, name: &str) -> Option<PathBuf> {
    [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")].into_iter().find(|path| path.is_file())
}
