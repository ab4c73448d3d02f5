//! The crates that a binary is linked from, as a bill of materials in the form of CycloneDX.

use serde_json::{Value, json};

use crate::description::Description;
use crate::entry::Identity;

/// Version of the form.
const SPEC_VERSION: &str = "1.5";

/// A line of the list.
struct Component<'a> {
    name: &'a str,
    version: &'a str,
    /// Empty where it names none.
    licence: &'a str,
    /// `workspace`, `registry` or a repository.
    origin: &'a str,
    /// Numbers of the lines with what it needs.
    needs: &'a str,
}

/// The components of a binary.
fn components(description: &Description) -> Vec<Component<'static>> {
    let component = |line: &'static str| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().unwrap_or_default();
        Component { name: cell(), version: cell(), licence: cell(), origin: cell(), needs: cell() }
    };
    description.components().lines().map(component).collect()
}

impl Component<'_> {
    /// The address by which programs that look for known faults find it.
    fn purl(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }
}

/// The bill of materials.
pub(super) fn bom(identity: &Identity, description: &Description) -> Value {
    let components = components(description);
    let listed = components.iter().map(|component| {
        let mut listed = json!({
            "type": "library",
            "bom-ref": component.purl(),
            "name": component.name,
            "version": component.version,
            "purl": component.purl(),
            "properties": [{ "name": "dsh:origin", "value": component.origin }],
        });
        if !component.licence.is_empty() {
            listed["licenses"] = json!([{ "expression": component.licence }]);
        }
        listed
    });
    let needs = components.iter().map(|component| {
        let numbers = component.needs.split_whitespace().filter_map(|number| number.parse::<usize>().ok());
        let needed: Vec<String> = numbers.filter_map(|number| components.get(number)).map(Component::purl).collect();
        json!({ "ref": component.purl(), "dependsOn": needed })
    });
    let binary = json!({ "type": "application", "name": format!("dsh-{}", identity.profile), "version": identity.version });
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": SPEC_VERSION,
        "version": 1,
        "metadata": { "component": binary },
        "components": listed.collect::<Vec<_>>(),
        "dependencies": needs.collect::<Vec<_>>(),
    })
}

/// The crates with their licences, then the notices that go with a copy of the binary.
pub(super) fn licences(description: &Description) -> String {
    let line = |component: &Component<'_>| {
        let terms = if component.licence.is_empty() { "no licence named" } else { component.licence };
        format!("{} {}: {terms}\n", component.name, component.version)
    };
    let lines: String = components(description).iter().map(line).collect();
    format!("{lines}\n{}", description.notices())
}
