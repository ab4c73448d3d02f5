//! What the parsers read, and where declarations are found.

use dsh_declare::model::{
    ArgType, ConfigBody, ConfigDecl, Declaration, Default, EventDecl, Failure, FieldType, FromConfig, IntType, ListenerCall, Mode, Number,
    PluginDecl, Position, Render, ServiceKind, SessionField, ToolArgsBody, Wants,
};
use dsh_declare::names::{camel_case, kebab_case, snake_case};
use dsh_declare::source::declarations;
use quote::{ToTokens, format_ident};

fn read(source: &str) -> Vec<Declaration> {
    let file = syn::parse_str(source).expect("the fixture is Rust");
    let (found, errors) = declarations(file);
    assert!(errors.is_empty(), "{errors:?}");
    found
}

fn problems(source: &str) -> (usize, Vec<String>) {
    let file = syn::parse_str(source).expect("the fixture is Rust");
    let (found, errors) = declarations(file);
    (found.len(), errors.iter().map(ToString::to_string).collect())
}

fn text(tokens: &impl ToTokens) -> String {
    dsh_declare::digest::canonical_text(tokens.to_token_stream())
}

fn plugin(source: &str) -> PluginDecl {
    match read(source).pop() {
        Some(Declaration::Plugin(decl)) => *decl,
        other => panic!("{other:?}"),
    }
}

fn config(source: &str) -> ConfigDecl {
    match read(source).pop() {
        Some(Declaration::Config(decl)) => decl,
        other => panic!("{other:?}"),
    }
}

fn event(source: &str) -> EventDecl {
    match read(source).pop() {
        Some(Declaration::Event(decl)) => *decl,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_plugin_lists_what_it_contributes_in_source_order() {
    let decl = plugin(
        "/// Runs shells.
         #[dsh_runtime::plugin(provides(dyn Shell, a::Tools), takes(dyn Screens = \"front\", a::Tools = config.name), platforms(\"linux\"))]
         impl Local {
             fn plain(&self) {}
             /// Watches.
             #[on(crate::events::Read, last, optional)] fn read(&self, p: &P) {}
             #[on(Stop)] async fn stop(self: &Arc<Self>, p: &P) -> Result<(), ListenerError> {}
             #[on(Change, first)] async fn change(&self, p: &mut P, next: Next<'_, Change>) -> Flow<Change> {}
             pub async fn mount(cx: &PluginContext, _config: Config, inject: Inject) -> Result<Self, MountError> {}
             /// Runs one.
             #[tool(name = \"bash\", render = terminal, concurrent, timeout_ms = 5_000)]
             async fn bash(&self, args: BashArgs, call: &ToolCall) -> Result<ToolOutput, ToolError> {}
             #[tool(name = config.tool_name, timeout_ms = config.limit, describe = about)]
             async fn named(&self, args: Args, call: &ToolCall) -> Result<ToolOutput, ToolError> {}
             fn about(config: &Config) -> String {}
             #[serve] async fn listen(&self, session: ServeSession) -> Exit {}
             #[verb(name = \"run\", about = \"Runs\")] async fn run(&self, args: Vec<String>, session: ServeSession) -> Exit {}
         }",
    );
    assert_eq!((decl.name.to_string(), decl.doc.as_str()), ("Local".to_owned(), "Runs shells."));
    assert_eq!(decl.provides.iter().map(text).collect::<Vec<_>>(), ["dyn Shell", "a : : Tools"]);
    assert_eq!(decl.takes.iter().map(|taken| text(&taken.service)).collect::<Vec<_>>(), ["dyn Screens", "a : : Tools"]);
    assert!(matches!(&decl.takes[0].what, FromConfig::Literal(what) if what.value == "front"));
    assert!(matches!(&decl.takes[1].what, FromConfig::Field(field) if field == "name"));
    assert_eq!(decl.platforms.iter().map(|platform| platform.value.as_str()).collect::<Vec<_>>(), ["linux"]);
    assert_eq!((decl.config.as_ref().map(text), decl.inject.as_ref().map(text)), (Some("Config".to_owned()), Some("Inject".to_owned())));
    let listeners: Vec<_> = decl
        .listeners
        .iter()
        .map(|heard| (text(&heard.event), heard.method.to_string(), heard.call, heard.position, heard.optional, heard.doc.as_str()))
        .collect();
    let expected = [
        ("crate : : events : : Read", "read", ListenerCall::Observer, Position::Last, true, "Watches."),
        ("Stop", "stop", ListenerCall::Participant, Position::Row, false, ""),
        ("Change", "change", ListenerCall::Around, Position::First, false, ""),
    ];
    assert_eq!(
        listeners,
        expected.map(|(event, method, call, at, optional, doc)| (event.to_owned(), method.to_owned(), call, at, optional, doc))
    );
    let [bash, named] = decl.tools.as_slice() else { panic!("{:?}", decl.tools) };
    assert!(matches!(&bash.tool, FromConfig::Literal(name) if name.value == "bash"));
    assert!(matches!(bash.timeout_ms, Some(FromConfig::Literal(5_000))));
    assert_eq!(
        (bash.render, bash.concurrent, bash.doc.as_str(), text(&bash.args)),
        (Render::Terminal, true, "Runs one.", "BashArgs".to_owned())
    );
    assert!(matches!(&named.tool, FromConfig::Field(field) if field == "tool_name"));
    assert!(matches!(&named.timeout_ms, Some(FromConfig::Field(field)) if field == "limit"));
    assert_eq!((named.render, named.concurrent), (Render::Generic, false));
    assert_eq!(named.describe.as_ref().map(ToString::to_string), Some("about".to_owned()));
    assert_eq!(decl.serve.map(|method| method.to_string()), Some("listen".to_owned()));
    let [run] = decl.verbs.as_slice() else { panic!("{:?}", decl.verbs) };
    assert_eq!((run.verb.value.as_str(), run.about.value.as_str(), run.method.to_string()), ("run", "Runs", "run".to_owned()));
}

#[test]
fn a_plugin_states_what_it_reaches_checks_and_denies() {
    let decl = plugin(
        "#[plugin(
             hosts(\"{base_url}/v1\" = \"requests\", \"example.org\" = \"news\"),
             writes(\"{root}/{name}.log\" = \"the log\"),
             invariants(\"One follows the other.\"),
             guards(\"Nothing is removed.\", \"Nothing is sent.\"),
         )]
         impl Local { pub async fn mount(cx: &PluginContext, config: Config) -> Result<Self, MountError> {} }",
    );
    let hosts: Vec<_> = decl.hosts.iter().map(|host| (host.target.value.as_str(), host.meaning.value.as_str())).collect();
    assert_eq!(hosts, [("{base_url}/v1", "requests"), ("example.org", "news")]);
    assert_eq!(decl.hosts[1].fields().count(), 0);
    assert_eq!(decl.writes[0].fields().collect::<Vec<_>>(), ["root", "name"]);
    assert_eq!(decl.invariants[0].value, "One follows the other.");
    assert_eq!(decl.guards.len(), 2);
}

#[test]
fn a_session_event_has_the_members_that_serde_writes() {
    let members = |source: &str| match read(source).pop() {
        Some(Declaration::SessionEvent(decl)) => {
            let member = |field: SessionField| (field.key, text(&field.ty), field.optional, field.doc);
            decl.fields.into_iter().map(member).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    let member = |key: &str, ty: &str, optional: bool| (Some(key.to_owned()), ty.to_owned(), optional, String::new());
    assert_eq!(
        members(
            "#[session_event(name = \"a/b\")]
             #[derive(Serialize)]
             #[serde(rename_all = \"camelCase\", deny_unknown_fields)]
             pub struct E {
                 pub call_id: CallId,
                 pub r#type: Option<Vec<u8>>,
                 #[serde(default)] pub a__b: bool,
                 #[serde(rename = \"URL\", skip_serializing_if = \"none\")] pub url: Url,
                 #[serde(skip)] pub kept: u8,
             }"
        ),
        [member("callId", "CallId", false), member("type", "Vec < u8 >", true), member("aB", "bool", true), member("URL", "Url", true)]
    );
    assert_eq!(
        members("#[session_event(name = \"a/b\")] #[serde(transparent)] pub struct E(/// All.\n pub Arc<Message>);"),
        [(None, "Arc < Message >".to_owned(), false, "All.".to_owned())]
    );
}

#[test]
fn an_event_states_mode_payload_result_and_failure() {
    let decl = event(
        "#[event(name = \"agent/inbox/claimed\", mode = waterfall, payload = BTreeMap<String, u64>, out = Result<(), E>, \
         scope = crate::scope_of, repeatable,)] pub struct Claimed;",
    );
    assert_eq!(
        (decl.event.value.as_str(), decl.mode, decl.failure, decl.repeatable),
        ("agent/inbox/claimed", Mode::Waterfall, Failure::Contained, true)
    );
    assert_eq!(text(&decl.payload), "BTreeMap < String , u64 >");
    assert_eq!(decl.out.as_ref().map(text), Some("Result < ( ) , E >".to_owned()));
    assert_eq!(decl.scope.as_ref().map(text), Some("crate : : scope_of".to_owned()));
    let veto = event("#[event(name = \"a/b\", mode = emit, payload = (), failure = veto)] struct E {}".replace(" {}", ";").as_str());
    assert_eq!((veto.mode, veto.failure), (Mode::Emit, Failure::Veto));
}

#[test]
fn a_config_field_carries_key_type_default_and_bounds() {
    let decl = config(
        "/// First.
         ///
         ///   Indented.
         #[config] pub struct Config {
             /// Limit.
             #[config(default = 300_000, min = 1, max = 0xff_ffff)] pub timeout_ms: u64,
             #[config(default = [\"bash\", \"sh\"], non_empty, one_of = [\"bash\", \"sh\"])] pub shells: Vec<String>,
             #[config(default = -0.5, min = -1)] pub r#type: f64,
             #[config(name = \"baseURL\", default = \"x\", non_blank)] pub base_url: Option<String>,
             #[config(default = {})] pub limits: a::Limits,
             #[config(default = true)] pub on: bool,
             pub deep: std::collections::BTreeMap<String, Vec<Limits>>,
             pub key: SecretEnv, pub root: PathBuf, pub count: usize,
         }",
    );
    assert_eq!(decl.doc, "First.\n\n  Indented.");
    assert_eq!(decl.named().into_iter().map(text).collect::<Vec<_>>(), ["a : : Limits", "Limits"]);
    let ConfigBody::Struct(fields) = decl.body else { panic!("it is a struct") };
    let keys: Vec<_> = fields.iter().map(|field| field.key.as_str()).collect();
    assert_eq!(keys, ["timeoutMs", "shells", "type", "baseURL", "limits", "on", "deep", "key", "root", "count"]);
    let defaults: Vec<_> = fields.iter().map(|field| field.default.clone()).collect();
    let words = ["bash", "sh"].map(|word| Default::Text(word.into())).to_vec();
    let expected = [
        Some(Default::Number(Number::Int(300_000))),
        Some(Default::List(words.into())),
        Some(Default::Number(Number::Float(-0.5))),
        Some(Default::Text("x".into())),
        Some(Default::Empty),
        Some(Default::Bool(true)),
        None,
        None,
        None,
        None,
    ];
    assert_eq!(defaults, expected);
    assert_eq!(
        (fields[0].bounds.min, fields[0].bounds.max, fields[0].doc.as_str()),
        (Some(Number::Int(1)), Some(Number::Int(0xff_ffff)), "Limit.")
    );
    assert_eq!((fields[1].bounds.non_empty, &*fields[1].bounds.one_of), (true, ["bash".into(), "sh".into()].as_slice()));
    assert!(fields[3].bounds.non_blank && matches!(&fields[3].ty, FieldType::Option(inner) if matches!(**inner, FieldType::Text)));
    assert!(
        matches!(&fields[6].ty, FieldType::Map(list) if matches!(&**list, FieldType::List(item) if matches!(**item, FieldType::Named(_))))
    );
    assert!(matches!(fields[7].ty, FieldType::SecretEnv) && matches!(fields[8].ty, FieldType::Path));
    assert!(matches!(fields[9].ty, FieldType::Int(IntType::Usize)));
}

#[test]
fn enums_services_injects_and_tool_arguments_are_read() {
    let found = read(
        "#[config] pub enum Mode { ReadOnly, /** Full access. */ Full }
         #[service(key = \"shell\")] pub trait Shell {}
         #[service(key = \"tools\")] pub struct Tools { private: u8 }
         #[derive(Clone, Inject)] pub struct Inject {
             pub a: Arc<dyn dsh_shell::Shell>, pub b: std::option::Option<std::sync::Arc<Tools>>, pub c: Dispatcher<dsh_a::Read>,
         }
         #[tool_args] pub struct Args { a: Option<Vec<Kind>>, r#type: serde_json::Value, c: i64 }
         #[tool_args] pub enum Kind { StrReplace }
         #[session_event(name = \"turn/start\", surface)] #[derive(Serialize)] pub struct TurnStart { turn: u64 }",
    );
    let [Declaration::Config(mode), Declaration::Service(shell), Declaration::Service(tools), Declaration::Inject(inject), ..] =
        found.as_slice()
    else {
        panic!("{found:?}")
    };
    let ConfigBody::Enum(variants) = &mode.body else { panic!("it is an enum") };
    let words: Vec<_> = variants.iter().map(|variant| (variant.key.as_str(), variant.doc.trim())).collect();
    assert_eq!(words, [("read-only", ""), ("full", "Full access.")]);
    assert_eq!((shell.kind, shell.key.value.as_str(), tools.kind), (ServiceKind::Trait, "shell", ServiceKind::Concrete));
    assert!(matches!(&inject.fields[0].wants, Wants::Required(ty) if text(ty) == "dyn dsh_shell : : Shell"));
    assert!(matches!(&inject.fields[1].wants, Wants::Optional(ty) if text(ty) == "Tools"));
    assert!(matches!(&inject.fields[2].wants, Wants::Dispatch(event) if text(event) == "dsh_a : : Read"));
    let [.., Declaration::ToolArgs(args), Declaration::ToolArgs(kind), Declaration::SessionEvent(turn)] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(args.named().into_iter().map(text).collect::<Vec<_>>(), ["Kind"]);
    let ToolArgsBody::Struct(fields) = &args.body else { panic!("it is a struct") };
    assert!(matches!(&fields[0].ty, ArgType::Option(list) if matches!(&**list, ArgType::List(_))));
    assert!(matches!(fields[1].ty, ArgType::Any) && matches!(fields[2].ty, ArgType::Int));
    assert!(matches!(&kind.body, ToolArgsBody::Enum(words) if words[0].key == "str_replace"));
    assert_eq!((turn.event.value.as_str(), turn.surface, turn.ignorable), ("turn/start", true, false));
}

#[test]
fn declarations_are_found_in_inline_modules_and_not_under_cfg_or_in_functions() {
    let event = "#[event(name = \"a/b\", mode = emit, payload = ())] pub struct E;";
    assert_eq!(problems(&format!("mod a {{ pub mod b {{ {event} }} }} mod elsewhere;")), (1, vec![]));
    assert_eq!(problems(&format!("#[cfg(test)] mod tests {{ {event} fn f() {{ {event} }} }} #[cfg(test)] {event}")), (0, vec![]));
    let module = "a declaration cannot stand in a module under `cfg`: it is read from source for every target";
    assert_eq!(problems(&format!("#[cfg(unix)] mod a {{ mod b {{ {event} }} }} {event}")), (2, vec![module.to_owned()]));
    let item = "a declaration cannot depend on `cfg`: it is read from source for every target";
    assert_eq!(problems(&format!("#[cfg_attr(unix, allow(unused))] {event}")), (1, vec![item.to_owned()]));
    let function = "a declaration cannot stand in a function: it belongs at module level";
    let source = format!("fn f() {{ if true {{ {event} }} }} impl A {{ fn g() {{ {event} }} }}");
    assert_eq!(problems(&source), (0, vec![function.to_owned(); 2]));
}

#[test]
fn names_are_spelled_for_yaml_and_for_the_wire() {
    let camel = ["timeout_ms", "r#type", "_private", "a_b_c", "x2_y"].map(|name| camel_case(&syn::parse_str(name).expect("an identifier")));
    assert_eq!(camel, ["timeoutMs", "type", "private", "aBC", "x2Y"]);
    let variant = format_ident!("StrReplaceV2");
    assert_eq!((kebab_case(&variant), snake_case(&variant)), ("str-replace-v2".to_owned(), "str_replace_v2".to_owned()));
}
