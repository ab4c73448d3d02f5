//! What a finished binary makes of overlays: what it honours, what it refuses, and the digest that it comes to.
#![allow(missing_docs)]

use std::collections::BTreeMap;

use dsh_language::check::Fixed;
use dsh_language::diagnostics::{Diagnostics, SourceFile, Style};
use dsh_language::document::{Provenance, document};
use dsh_language::load::{Layer, Origin, Reading, parse};
use dsh_language::overlay::{Carried, CarriedPlugin, CarriedRow, Overlaid};
use dsh_language::resolve::apply;
use dsh_language::schema::{Bounds, ConfigBody, ConfigSchema, Default, FieldSchema, FieldType, ItemId, Number, Schemas};
use dsh_language::{DigestedRow, composition_digest, row_digest};

const DOCUMENT: &str = "\
- insert:
    - id: agent
      plugin: agent
    - id: tools
      rows:
        - id: shell
          plugin: shell
          config: {limit: 1}
          disabled: !expr env.BARE is defined
    - id: web
      plugin: web
      disabled: true
";

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn layer(origin: Origin, name: &str, text: &str, problems: &mut Diagnostics) -> Layer {
    let root = parse(&SourceFile::new(name, text), problems).unwrap();
    Layer { origin, entries: Reading::new(problems).patch_list(&root, "a patch list") }
}

fn item() -> ItemId {
    ItemId { package: "dsh-shell".to_owned(), name: "Config".to_owned() }
}

fn shell_digest(limit: i128, off_when: Option<&str>) -> u64 {
    use dsh_language::check::{StructValue, Value};
    let config = StructValue { item: item(), fields: vec![("limit".to_owned(), Value::Int(limit))] };
    row_digest(&DigestedRow { id: "shell", plugin: "shell", digest: 2, config: Some(&config), groups: vec!["tools"], off_when }, hash)
}

const AGENT: u64 = 11;

fn carried() -> Carried {
    let mut none = Diagnostics::new();
    let layers = [layer(Origin::Profile, "", DOCUMENT, &mut none)];
    let limit = FieldSchema {
        ident: "limit".into(),
        key: "limit".into(),
        ty: FieldType::Int(dsh_language::schema::IntType::U16),
        default: Some(Default::Number(Number::Int(5))),
        bounds: Bounds { min: Some(Number::Int(1)), max: None, non_empty: false, non_blank: false, one_of: Vec::new().into() },
        doc: "".into(),
    };
    let schema = ConfigSchema { package: "dsh-shell".into(), name: "Config".into(), body: ConfigBody::Struct(vec![limit].into()) };
    let plugin = |name, digest, config| CarriedPlugin { name, digest, config };
    let condition = Some("env.BARE is defined");
    Carried {
        profile: "small",
        fixed: Fixed::of([("FIXED", "4")]),
        frame: 1,
        document: apply(&layers, BTreeMap::new(), true, &mut none).rows,
        rows: vec![
            CarriedRow { id: "agent", plugin: plugin("agent", 1, None), digest: AGENT, groups: &[], off_when: None },
            CarriedRow {
                id: "shell",
                plugin: plugin("shell", 2, Some(item())),
                digest: shell_digest(1, condition),
                groups: &["tools"],
                off_when: condition,
            },
        ],
        groups: vec!["tools"],
        schemas: Schemas::from_iter([schema]),
        hash,
    }
}

fn overlaid(text: &str) -> Result<Overlaid, String> {
    let mut problems = Diagnostics::new();
    let layers = [layer(Origin::CommandLine, "o.yml", text, &mut problems)];
    carried().overlay(&layers, &mut problems).ok_or_else(|| problems.human(Style::Plain))
}

fn composed(rows: &[u64]) -> String {
    composition_digest(1, rows.iter().copied(), hash)
}

#[test]
fn the_digest_is_that_of_a_build_with_the_overlay() {
    let condition = Some("env.BARE is defined");
    let cases = [
        ("[]", composed(&[AGENT, shell_digest(1, condition)])),
        ("- {id: shell, config: {limit: 3}}", composed(&[AGENT, shell_digest(3, condition)])),
        ("- {id: shell, config: {limit: !expr env.FIXED | int}}", composed(&[AGENT, shell_digest(4, condition)])),
        ("- {id: shell, disabled: !expr env.FIXED == '4'}", composed(&[AGENT])),
        ("- {id: shell, config: {}}", composed(&[AGENT, shell_digest(5, condition)])),
        ("- {id: shell, disabled: false}", composed(&[AGENT, shell_digest(1, None)])),
        ("- {id: shell, disabled: true}", composed(&[AGENT])),
        ("- {id: shell, disabled: !expr 1 == 1}", composed(&[AGENT])),
        ("- {id: shell, disabled: !expr env.A is defined}", composed(&[AGENT, shell_digest(1, Some("env.A is defined"))])),
        ("- {id: web, optional: true, config: {}}", composed(&[AGENT, shell_digest(1, condition)])),
    ];
    for (overlay, digest) in cases {
        assert_eq!(overlaid(overlay).map(|overlaid| overlaid.digest()), Ok(digest), "{overlay}");
    }
    assert_ne!(overlaid("- {id: tools, disabled: true}").unwrap().digest(), composed(&[AGENT, shell_digest(1, condition)]));
}

#[test]
fn what_is_not_carried_or_not_a_row_is_refused() {
    let refused = |text: &str| overlaid(text).err().unwrap_or_else(|| panic!("{text} is honoured"));
    let off = refused("- {id: web, config: {}}");
    assert!(off.contains("error[DSH0702]: row `web` is not part of this binary\n --> o.yml:1:8\n"), "{off}");
    assert!(off.contains("switched off when the binary was built") && off.contains("dsh-build --profile small --patch o.yml"), "{off}");
    let group = refused("- {id: tools, config: {}}");
    assert!(group.contains("error[DSH0701]: a finished binary cannot configure the group `tools`"), "{group}");
    for (disabled, code) in [("!expr env.A", "DSH0220"), ("!expr '1'", "DSH0216"), ("!expr 1 +", "DSH0212"), ("yes", "DSH0102")] {
        let found = refused(&format!("- {{id: shell, disabled: {disabled}}}"));
        assert!(found.starts_with(&format!("error[{code}]")), "{disabled}: {found}");
    }
}

#[test]
fn a_row_that_is_named_by_its_plugin_is_told() {
    let mut problems = Diagnostics::new();
    let mut carried = carried();
    carried.rows[0].plugin.name = "driver";
    let layers = [layer(Origin::CommandLine, "o.yml", "- {id: driver, config: {}}", &mut problems)];
    assert!(carried.overlay(&layers, &mut problems).is_none());
    let found = problems.human(Style::Plain);
    assert!(found.contains("help: `driver` is the plugin of row `agent`: write `agent`"), "{found}");
}

#[test]
fn overlays_come_to_configs_and_switches_on_a_machine() {
    let overlay = "- {id: shell, config: {limit: !expr env.N | int}, disabled: !expr env.A == 'x'}\n- {id: tools, disabled: false}\n";
    let overlaid = overlaid(overlay).unwrap();
    let machine = |n: &str| minijinja::context! { env => minijinja::context! { N => n, A => "x" } };
    let mut problems = Diagnostics::new();
    assert_eq!(overlaid.configs(machine("4"), &mut problems).len(), 1);
    let switched: Vec<(String, bool)> =
        overlaid.switched(machine("4"), &mut problems).into_iter().map(|switched| (switched.id, switched.disabled)).collect();
    assert_eq!(switched, [("shell".to_owned(), true), ("tools".to_owned(), false)]);
    assert!(problems.is_empty());
    for n in ["0", "many"] {
        let mut problems = Diagnostics::new();
        let _ = overlaid.configs(machine(n), &mut problems);
        assert!(problems.has_errors(), "{n}");
        assert!(!problems.human(Style::Plain).contains("many"), "values of the machine are not shown");
    }
}

#[test]
fn the_document_tells_what_the_overlay_changed() {
    let overlaid = overlaid("- {id: shell, config: {limit: 1}, disabled: true}").unwrap();
    let text = document(overlaid.rows(), |row| {
        let mut provenance = Provenance { inserted: "base.yml".to_owned(), patched: Vec::new() };
        Provenance::of(row).patched.into_iter().for_each(|file| provenance.patched_by(file));
        provenance
    });
    let expected = "\
# == base.yml#agent to #web
- insert:
    - id: agent
      plugin: agent
    - id: tools
      rows:
        # == base.yml#shell, patched by o.yml
        - id: shell
          plugin: shell
          config:
            limit: 1
          disabled: true
    - id: web
      plugin: web
      disabled: true
";
    assert_eq!(text, expected);
}
