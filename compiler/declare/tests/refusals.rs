//! What each parser refuses, every problem of an item at once, in the author's terms.

use dsh_declare::source::declarations;

/// The problems of a source text, in order.
#[track_caller]
fn refused(source: &str, expected: &[&str]) {
    let file = syn::parse_str(source).expect("the fixture is Rust");
    let (_, errors) = declarations(file);
    let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(messages, expected);
}

#[test]
fn services() {
    refused(
        "#[service(key = \"\", kye = 1)]
         pub trait Shell<T>: Send + Sync where T: Send {
             async fn run(&self, command: &str, limit: Option<&'a u64>) -> u64;
             async fn take(self, next: Next<'_>);
             async fn generic<T>(&self, other: impl Send) -> impl Send;
             async fn fine(&self, text: &'static str, filter: Box<dyn Fn(&str) -> bool + Send>, f: fn(&u8));
             const MAX: u64;
             fn sync(&self, text: &str);
         }",
        &[
            "must not be blank",
            "unknown key `kye`, expected one of `key`",
            "an async function of a service takes arguments by value: the future outlives the call, so pass an owned type (`String` for \
             `&str`, `Arc<T>` for a shared value)",
            "an async function of a service takes arguments by value: the future outlives the call, so pass an owned type (`String` for \
             `&str`, `Arc<T>` for a shared value)",
            "an async function of a service takes `&self`",
            "an async function of a service borrows `self` alone: take arguments by value",
            "a service is used as `dyn`, so its functions have no type parameters",
            "a service is used as `dyn`, so its functions have no type parameters",
            "an async function of a service returns a named type",
            "a service trait has functions only: it is used as `dyn`",
            "a declaration has no generics",
            "a declaration has no `where` clause",
        ],
    );
    refused("#[service] struct Tools;", &["a service states its key: `#[service(key = \"…\")]`"]);
    refused("#[service(key = \"a\", key = \"b\")] enum Tools {}", &["`key` is given twice"]);
    refused("#[service(key = \"a\")] fn tools() {}", &["`#[service]` stands on a trait, a struct or an enum"]);
}

#[test]
fn events() {
    refused(
        "#[event(name = \"Tools\", mode = waterfal, failure = veto, extra)] pub struct Tools { field: u8 }",
        &[
            "`Tools` is not an event's name: expected `group/verb` in kebab-case",
            "`waterfal` is not one of `emit`, `parallel`, `serial`, `waterfall`",
            "unknown key `extra`, expected one of `name`, `mode`, `payload`, `out`, `failure`, `scope`, `repeatable`",
            "an event states its `payload`: `payload = …`",
            "an event is a unit struct: what listeners receive is its `payload`",
        ],
    );
    refused(
        "#[event(name = \"a/b\", mode = serial, payload = P, out = u8, failure = veto, repeatable)] struct E;",
        &[
            "only a waterfall has a result",
            "only a waterfall is repeatable",
            "only `mode = emit` states what a failing listener does: in other modes its failure reaches the dispatcher",
        ],
    );
    refused("#[event(name = \"a/b\", mode = waterfall, payload = P)] struct E;", &["a waterfall states the type of its result: `out = …`"]);
    refused("#[event] enum E {}", &["`#[event]` stands on a unit struct, such as `pub struct ToolsPreExecute;`"]);
    refused("#[event(name = \"a/b\" mode = emit, payload = P)] struct E;", &["expected `,`", "an event states its `mode`: `mode = …`"]);
}

#[test]
fn plugins() {
    refused(
        "#[plugin(provides(dyn A + B, C, C), platforms(linux), provide())]
         impl Local {
             #[on(E)]
             #[tool(name = \"x\")]
             fn twice(&self, payload: &P) {}
             #[on]
             fn nothing(&self, payload: &P) {}
             #[on(E, soon)]
             async fn wrong(&mut self, payload: P) {}
             #[on(E)]
             async fn again(&self, payload: &P) -> Result<(), ListenerError> {}
             #[serve]
             fn serve(&self) {}
         }",
        &[
            "expected string literal",
            "unknown key `provide`, expected one of `provides`, `takes`, `platforms`, `hosts`, `writes`, `invariants`, `guards`",
            "expected `dyn Trait` or the plugin's own type",
            "the service is listed twice",
            "a method has one of `#[on]`, `#[tool]`, `#[prompt]`, `#[serve]` and `#[verb]`, once",
            "a listener states its event: `#[on(Event)]`",
            "expected `first`, `last` or `optional`",
            "a listener is `fn f(&self, payload: &P)` (emit), `async fn f(&self, payload: &P) -> Result<(), ListenerError>` (parallel, \
             serial) or `async fn f(&self, payload: &mut P, next: Next<'_, Event>) -> Flow<Event>` (waterfall)",
            "expected `pub async fn serve(&self, session: ServeSession) -> Exit`",
            "a plugin has `pub async fn mount(cx: &PluginContext, config: Config, inject: Inject) -> Result<Self, MountError>`; `config` and \
             `inject` may be left out",
            "a plugin listens to an event once: do both in one method",
        ],
    );
    refused(
        "#[plugin(takes(dyn A + B = \"a\", &C = \"\"))] impl Local { pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {} }",
        &["must not be blank"],
    );
    refused(
        "#[plugin(takes(dyn A + B = \"a\", &C = config.c))] impl Local { pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {} }",
        &["expected a service: `dyn Trait` or a type", "expected a service: `dyn Trait` or a type"],
    );
    refused(
        "#[plugin(takes(C))] impl Local { pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {} }",
        &["what is taken follows the service: `Service = \"…\"` or `Service = config.<field>`"],
    );
    refused(
        "#[plugin(writes(\"{root\" = \"a\", \"b\"), hosts(\"{a b}\" = \"c\"), invariants(\"\"))]
         impl Local { pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {} }",
        &[
            "`{` and `}` stand around the Rust name of a config field",
            "`{` and `}` stand around the Rust name of a config field",
            "must not be blank",
        ],
    );
    refused("#[plugin] struct Local;", &["`#[plugin]` stands on the `impl` block of the plugin's type"]);
    refused("#[plugin] impl a::Local {}", &["`#[plugin]` stands beside its type: expected the type's name"]);
    refused(
        "#[plugin] impl<T> Clone for Local<T> {}",
        &[
            "a declaration has no generics",
            "`#[plugin]` stands on an inherent `impl` block",
            "`#[plugin]` stands beside its type: expected the type's name",
        ],
    );
}

#[test]
fn mounts() {
    let other = "the parameters of `mount` are `cx: &PluginContext`, `config: Config` and `inject: Inject`";
    refused(
        "#[plugin] impl Local { fn mount<T>(inject: Inject, config: &Config, x: u8, Inject { a }: Inject) {} }",
        &[
            "`mount` is `async`",
            "`mount` has no generics",
            "`mount` returns `Result<Self, MountError>`",
            "the first parameter of `mount` is `cx: &PluginContext`",
            other,
            other,
            other,
        ],
    );
    refused(
        "#[plugin] impl Local { async fn mount(cx: &PluginContext, inject: Inject, config: Config) -> Result<Self, MountError> {} }",
        &["`config` stands before `inject`"],
    );
}

#[test]
fn tools_and_verbs() {
    let mount = "async fn mount(cx: &PluginContext) -> Result<Self, MountError> {}";
    refused(
        &format!(
            "#[plugin] impl Local {{
                 {mount}
                 #[tool(name = \"a b\", render = card, timeout_ms = 0, describe = about, concurrent = true)]
                 async fn first(&self, args: Args, call: &ToolCall) {{}}
                 #[tool(render = diff)]
                 fn second(&self, args: Args) {{}}
                 #[tool(name = conf.x, timeout_ms = -1)]
                 async fn third(&self, args: Args, call: &ToolCall) {{}}
                 /// Documented.
                 #[tool(name = \"x\")]
                 async fn fourth(&self, args: Args, call: &ToolCall) {{}}
                 /// Documented.
                 #[tool(name = \"x\")]
                 async fn fifth(&self, args: Args, call: &ToolCall) {{}}
                 #[verb(name = \"Run\", about = \"x\")]
                 async fn sixth(&self, args: Vec<String>, session: ServeSession) -> Exit {{}}
                 #[verb]
                 async fn seventh(&self, args: Vec<String>) -> Exit {{}}
             }}"
        ),
        &[
            "a tool's name has letters, digits, `_` and `-`, at most 64 of them",
            "`card` is not one of `generic`, `terminal`, `diff`",
            "a time limit is a whole number of milliseconds, at least 1",
            "expected `,`",
            "the block has no function `fn about(config: &Config) -> String`",
            "a tool states its name: `#[tool(name = \"…\")]` or `name = config.<field>`",
            "a tool has a doc comment, which the model reads, or `describe = …`",
            "a tool is `async fn f(&self, args: Args, call: &ToolCall) -> Result<ToolOutput, ToolError>`",
            "expected a literal or `config.<field>`",
            "a time limit is a whole number of milliseconds, at least 1",
            "a tool has a doc comment, which the model reads, or `describe = …`",
            "a verb is a word in kebab-case",
            "a verb states its word and its help: `#[verb(name = \"…\", about = \"…\")]`",
            "expected `pub async fn f(&self, args: Vec<String>, session: ServeSession) -> Exit`",
            "another tool of the block has this name",
        ],
    );
}

#[test]
fn configs() {
    let types = "this type cannot be read from outside, expected `String`, `bool`, `u16`, `u32`, `u64`, `i64`, `usize`, `f64`, `PathBuf`, \
                 `SecretEnv`, `Option<T>`, `Vec<T>`, `BTreeMap<String, T>` or a type with `#[config]`";
    refused(
        "#[config(x)] struct Config<T> {
             a: i32,
             pub b: &'static str,
             pub c: HashMap<String, u64>,
             pub d: BTreeMap<u64, u64>,
             pub e: Option<Option<u64>>,
             pub f: Vec<Config>,
             #[cfg(unix)] pub g: bool,
             pub timeout_ms: u64,
             #[config(name = \"timeoutMs\")] pub other: u64,
         }",
        &[
            "`#[config]` on a type has no arguments",
            "a declaration has no generics",
            "a config type must be `pub`: the wiring names it",
            "a config field must be `pub`: the wiring names it",
            types,
            types,
            types,
            types,
            "an `Option` of an `Option`",
            "a declaration cannot depend on `cfg`: it is read from source for every target",
            "another field has the YAML key `timeoutMs`",
            "a config type cannot hold itself",
        ],
    );
    refused("#[config] pub struct Config(u64);", &["a config struct has named fields"]);
    refused("#[config] type Config = u64;", &["`#[config]` stands on a struct or an enum"]);
    refused(
        "#[config] enum Mode { A(u8), #[cfg(unix)] B } #[config] pub enum Never {}",
        &[
            "the type must be `pub`: the wiring names it",
            "the enum is one of a few words: its variants have no fields",
            "a declaration cannot depend on `cfg`: it is read from source for every target",
            "an enum of words has at least one variant",
        ],
    );
}

#[test]
fn bounds_and_defaults() {
    refused(
        "#[config] pub struct Config {
             #[config(default = \"x\", min = 5, max = 4, non_empty, non_blank, one_of = [\"a\"])] pub a: u64,
             #[config(default = 70_000, max = 65_536)] pub b: u16,
             #[config(default = 0.5, min = -1)] pub c: u32,
             #[config(default = [1, \"x\"], min = 1)] pub d: Vec<u32>,
             #[config(default = [0], min = 1)] pub e: Option<Vec<u32>>,
             #[config(default = \"\", non_empty)] pub f: PathBuf,
             #[config(default = \" \", non_blank)] pub g: String,
             #[config(default = [\"a\", \"c\"], one_of = [\"a\", \"b\"])] pub h: Vec<String>,
             #[config(default = {}, non_empty)] pub i: BTreeMap<String, u64>,
             #[config(one_of = [])] pub j: String,
             #[config(default = true)] pub k: f64,
             #[config(default = {a: 1})] pub l: Limits,
             #[config(default = LIMIT)] pub m: u64,
             #[config(default = 5u64)] pub n: u64,
             #[config(defualt = 1)] pub o: u64,
             #[config = 1] pub p: u64,
             #[config(min = 1)] #[config(max = 2)] pub q: u64,
             #[config(default = [], min = 0.5)] pub r: SecretEnv,
             #[config(default = 1, default = 2)] pub s: u64,
             #[config(default = 1e999)] pub t: f64,
             #[config(min = \"1\")] pub u: u64,
         }",
        &[
            "`max` is below `min`",
            "`non_empty` is for strings, paths, lists and maps",
            "`non_blank` is for strings",
            "`one_of` is for strings",
            "the field takes a whole number",
            "`65536` is out of range for `u16`, which holds 0 to 65535",
            "`70000` is out of range for `u16`, which holds 0 to 65535",
            "`-1` is out of range for `u32`, which holds 0 to 4294967295",
            "the field takes a whole number (`u32`)",
            "the field takes a whole number",
            "the default is outside `min` and `max`",
            "the default is empty, and the field is `non_empty`",
            "the default is blank, and the field is `non_blank`",
            "the default is not in `one_of`",
            "the default is empty, and the field is `non_empty`",
            "`one_of` lists at least one string",
            "the field takes a number",
            "a default mapping is `{}`: state the defaults on the fields of the nested config",
            "a default is a literal, a list of literals in `[…]` or `{}`: the compiler reads it from source",
            "a number without a suffix: the field's type decides",
            "unknown key `defualt`, expected one of `default`, `min`, `max`, `non_empty`, `non_blank`, `one_of`, `name`",
            "the arguments stand in parentheses",
            "a field has one `#[config(…)]`",
            "`min` and `max` are for numbers",
            "the field takes the name of an environment variable as a string",
            "`default` is given twice",
            "the number is too large for `f64`",
            "expected a number",
        ],
    );
}

#[test]
fn injects() {
    let expected = "expected `Arc<dyn Trait>` or `Arc<Type>` (a service), `Option<Arc<…>>` (a service that may be absent) or \
                    `Dispatcher<Event>`";
    refused(
        "#[derive(Inject)] struct Inject<T> {
             a: String,
             pub b: Arc<dyn A + B>,
             pub c: Box<dyn A>,
             pub d: Option<Box<dyn A>>,
             pub e: Arc<Vec<u8>>,
             pub f: Dispatcher<dyn E>,
             pub g: Option<Dispatcher<E>>,
         }",
        &[
            "a declaration has no generics",
            "an inject struct must be `pub`: the wiring names it",
            "a field of an inject struct must be `pub`: the wiring names it",
            expected,
            expected,
            expected,
            expected,
            expected,
            expected,
            expected,
        ],
    );
    refused("#[derive(Clone, dsh_runtime::Inject)] pub struct Inject;", &["an inject struct has named fields"]);
    refused("#[derive(Inject)] pub enum Inject {}", &["`#[derive(Inject)]` stands on a struct"]);
}

#[test]
fn tool_arguments() {
    let types = "this type cannot be read from outside, expected `String`, `bool`, `u64`, `i64`, `f64`, `Option<T>`, `Vec<T>`, \
                 `serde_json::Value` or a type with `#[tool_args]`";
    refused(
        "#[tool_args(x)] struct Args {
             a: u32,
             b: PathBuf,
             c: Vec<Option<u64>>,
             d: Option<Args>,
             #[serde(rename = \"y\")] e: u64,
             f: BTreeMap<String, u64>,
         }",
        &[
            "`#[tool_args]` has no arguments",
            "a type of tool arguments must be `pub`: the wiring names it",
            types,
            types,
            "an `Option` stands outermost: it means that the argument is not required",
            "`#[tool_args]` writes the serde derive: a field goes on the wire under its own name",
            types,
            "a type of tool arguments cannot hold itself",
        ],
    );
    refused("#[tool_args] pub struct Args;", &["a tool without arguments takes an empty struct: `pub struct Args {}`"]);
    refused("#[tool_args] pub struct Args(u64);", &["a struct of tool arguments has named fields"]);
    refused("#[tool_args] pub enum Args { A { x: u8 } }", &["the enum is one of a few words: its variants have no fields"]);
    refused("#[tool_args] fn args() {}", &["`#[tool_args]` stands on a struct or an enum"]);
}

#[test]
fn session_events() {
    refused(
        "#[session_event(name = \"turn\", surface, visible)] pub struct Turn<'a>(&'a str);",
        &[
            "`turn` is not an event's name: expected `group/verb` in kebab-case",
            "unknown key `visible`, expected one of `name`, `surface`, `ignorable`",
            "a declaration has no generics",
        ],
    );
    refused("#[session_event] pub struct Turn;", &["a session event states its name: `#[session_event(name = \"…\")]`"]);
    refused("#[session_event(name = \"a/b\")] pub enum Turn {}", &["`#[session_event]` stands on a struct"]);
}

#[test]
fn declarations_that_are_not_in_the_source() {
    const IN_MACRO: &str = "a declaration cannot stand in a macro: it is read from source, where what a macro makes cannot be seen";
    const BEHIND_CFG: &str = "a declaration cannot depend on `cfg`: it is read from source for every target";
    refused(
        "macro_rules! make { ($name:ident) => { #[dsh_runtime::config] pub struct $name {} #[derive(Clone, Inject)] pub struct Other; } }
         make! { #[plugin(provides())] impl X {} }",
        &[IN_MACRO, IN_MACRO, IN_MACRO],
    );
    refused("#[cfg_attr(feature = \"x\", config)] pub struct Config {}", &[BEHIND_CFG]);
    refused("#[cfg_attr(test, derive(dsh_runtime::Inject))] pub struct Inject {}", &[BEHIND_CFG]);
    refused("#[cfg_attr(feature = \"event\", derive(Debug))] struct A; macro_rules! b { () => { #[doc = \"#[plugin]\"] struct C; } }", &[]);
}
