//! `#[tool(…)]` on a method: a tool that the model may call.

use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Attribute, Error, FnArg, ImplItem, ImplItemFn, ItemImpl, LitInt, LitStr, Type};

use crate::arguments::{attribute_tokens, literal_text, or_field, read_arguments, unknown_key, value, word};
use crate::item::doc;
use crate::listener::borrows_plugin;
use crate::model::{Render, Text, ToolDecl};
use crate::names::check_tool_name;
use crate::problems::Problems;

const KEYS: [&str; 5] = ["name", "render", "concurrent", "timeout_ms", "describe"];
const RENDERS: [(&str, Render); 3] = [("generic", Render::Generic), ("terminal", Render::Terminal), ("diff", Render::Diff)];

/// Reads a tool; `None` when its name or its arguments' type cannot be read.
pub(crate) fn read_tool(attribute: &Attribute, function: &ImplItemFn, block: &ItemImpl, problems: &mut Problems) -> Option<ToolDecl> {
    let (mut tool, mut named, mut render, mut concurrent) = (None, false, Render::Generic, false);
    let (mut timeout_ms, mut describe) = (None, None::<Ident>);
    let tokens = attribute_tokens(attribute, problems);
    read_arguments(tokens, problems, |key, input| {
        match key.to_string().as_str() {
            "name" => {
                named = true;
                tool = Some(or_field(input, |input| input.peek(LitStr), tool_name)?);
            }
            "render" => render = word(input, &RENDERS)?,
            "concurrent" => concurrent = true,
            "timeout_ms" => timeout_ms = Some(or_field(input, |input| input.peek(LitInt), milliseconds)?),
            "describe" => describe = Some(value(input)?),
            _ => return Err(unknown_key(key, &KEYS)),
        }
        Ok(())
    });
    if !named {
        problems.at(attribute, "a tool states its name: `#[tool(name = \"…\")]` or `name = config.<field>`");
    }
    let doc = doc(&function.attrs);
    match &describe {
        Some(describe) if !has_function(block, describe) => {
            problems.at(describe, format!("the block has no function `fn {describe}(config: &Config) -> String`"));
        }
        None if doc.is_empty() => problems.at(&function.sig.ident, "a tool has a doc comment, which the model reads, or `describe = …`"),
        _ => {}
    }
    let args = check_signature(function, problems);
    Some(ToolDecl { tool: tool?, method: function.sig.ident.clone(), args: args?, render, concurrent, timeout_ms, describe, doc })
}

fn tool_name(input: ParseStream) -> Result<Text, Error> {
    let name = literal_text(input)?;
    match check_tool_name(&name.value) {
        Ok(()) => Ok(name),
        Err(reason) => Err(Error::new(name.span, reason)),
    }
}

fn milliseconds(input: ParseStream) -> Result<u64, Error> {
    let literal: LitInt = input.parse()?;
    match literal.base10_parse() {
        Ok(limit) if limit > 0 => Ok(limit),
        _ => Err(Error::new(literal.span(), "a time limit is a whole number of milliseconds, at least 1")),
    }
}

fn has_function(block: &ItemImpl, name: &Ident) -> bool {
    block.items.iter().any(|member| matches!(member, ImplItem::Fn(function) if function.sig.ident == *name))
}

/// The type of the second parameter.
fn check_signature(function: &ImplItemFn, problems: &mut Problems) -> Option<Type> {
    let inputs: Vec<&FnArg> = function.sig.inputs.iter().collect();
    match inputs.as_slice() {
        [receiver, FnArg::Typed(args), FnArg::Typed(_)] if borrows_plugin(receiver) && function.sig.asyncness.is_some() => {
            Some((*args.ty).clone())
        }
        _ => {
            problems.at(&function.sig, "a tool is `async fn f(&self, args: Args, call: &ToolCall) -> Result<ToolOutput, ToolError>`");
            None
        }
    }
}
