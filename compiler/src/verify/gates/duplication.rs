//! The same code does not stand in two places.

use std::collections::HashMap;

use proc_macro2::{TokenStream, TokenTree};

use super::super::{Check, Cost, Gate, Scope, Target, Tree};
use crate::diagnostics::{Diagnostic, Diagnostics, Place, Rule, SourceFile};

/// Fewest equal tokens in a row.
const TOKENS: usize = 60;
/// Fewest lines that they fill.
const LINES: usize = 6;

/// The gate.
pub(super) static GATE: Gate = Gate {
    name: "duplication",
    rule: Rule::error(
        "DSH0626",
        "the same code stands in two places",
        "Sixty equal tokens over six lines are one thing written twice, of which one will be mended and the other forgotten. Tests, generated files and \
         imports are not compared.",
    ),
    fix: "name it and use it twice; where both only look alike by chance, list the place in `docs/exemptions.yml`",
    cost: Cost::Reads,
    scope: Scope::Plugins,
    check: Check::Tree(check),
};

/// A token with the place where it stands.
struct Token {
    digest: u64,
    start: usize,
    end: usize,
}

/// A file's tokens.
struct Tokens<'a> {
    file: &'a std::sync::Arc<SourceFile>,
    all: Vec<Token>,
}

fn check(tree: &Tree, found: &mut Diagnostics) {
    let product = tree.files_with(".rs").filter(|(path, _)| Target::of(path) == Target::Product);
    let files: Vec<Tokens<'_>> = product.filter_map(|(_, file)| tokens(file)).collect();
    let mut first: HashMap<u64, (usize, usize)> = HashMap::new();
    for (at, file) in files.iter().enumerate() {
        let mut from = 0;
        while from + TOKENS <= file.all.len() {
            let digest = window(&file.all[from..from + TOKENS]);
            let before = first.get(&digest).copied().filter(|(other, place)| *other != at || place + TOKENS <= from);
            let Some((other, place)) = before else {
                first.entry(digest).or_insert((at, from));
                from += 1;
                continue;
            };
            let length = equal(&files[other].all[place..], &file.all[from..]);
            report(file, from, length, &files[other], place, found);
            from += length.max(1);
        }
    }
}

fn report(file: &Tokens<'_>, from: usize, length: usize, other: &Tokens<'_>, place: usize, found: &mut Diagnostics) {
    let span = |tokens: &Tokens<'_>, from: usize| Place::new(tokens.file, tokens.all[from].start..tokens.all[from + length - 1].end);
    let (here, there) = (span(file, from), span(other, place));
    let lines = here.file.text()[here.span.clone()].lines().count();
    if length >= TOKENS && lines >= LINES {
        let title = format!("{lines} lines stand at {} too", there.file_line());
        let start = Place::new(file.file, here.span.start..file.all[from].end);
        found.report(Diagnostic::new(&GATE.rule, title).at(&start, format!("{length} equal tokens start here")));
    }
}

fn equal(left: &[Token], right: &[Token]) -> usize {
    left.iter().zip(right).take_while(|(left, right)| left.digest == right.digest).count()
}

fn window(tokens: &[Token]) -> u64 {
    tokens.iter().fold(0xcbf2_9ce4_8422_2325, |hash, token| (hash ^ token.digest).wrapping_mul(0x0100_0000_01b3))
}

/// The tokens of a file without its imports and its own tests; `None` for a file that is no Rust.
fn tokens(file: &std::sync::Arc<SourceFile>) -> Option<Tokens<'_>> {
    let mut all = Vec::new();
    let text = file.text();
    let product = text.split_once("#[cfg(test)]").map_or(text, |(product, _)| product);
    let stream: TokenStream = product.parse().ok()?;
    flatten(stream, &mut all);
    Some(Tokens { file, all })
}

fn flatten(stream: TokenStream, all: &mut Vec<Token>) {
    let mut is_import = false;
    for token in stream {
        is_import |= matches!(&token, TokenTree::Ident(ident) if ident == "use");
        let ends_import = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ';');
        if !is_import {
            push(token, all);
        }
        is_import &= !ends_import;
    }
}

fn push(token: TokenTree, all: &mut Vec<Token>) {
    let mut add = |text: &str, span: std::ops::Range<usize>| {
        all.push(Token { digest: dsh_declare::digest::fnv1a(text.as_bytes()), start: span.start, end: span.end });
    };
    match token {
        TokenTree::Group(group) => {
            let (open, close) = match group.delimiter() {
                proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                proc_macro2::Delimiter::Brace => ("{", "}"),
                proc_macro2::Delimiter::Bracket => ("[", "]"),
                proc_macro2::Delimiter::None => ("", ""),
            };
            add(open, group.span_open().byte_range());
            flatten(group.stream(), all);
            all.push(Token {
                digest: dsh_declare::digest::fnv1a(close.as_bytes()),
                start: group.span_close().byte_range().start,
                end: group.span_close().byte_range().end,
            });
        }
        token => add(&token.to_string(), token.span().byte_range()),
    }
}
