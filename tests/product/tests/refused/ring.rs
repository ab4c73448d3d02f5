//! Two plugins that need each other, as somebody would add them to a workspace: one crate for the services, one for each half.

use dsh_product_tests::Scratch;

const SERVICES: &str = r#"//! Services of two halves.

use dsh_runtime::service;

/// One half.
#[service(key = "left-half")]
pub trait LeftHalf: Send + Sync {
    /// Its name.
    fn name(&self) -> String;
}

/// The other half.
#[service(key = "right-half")]
pub trait RightHalf: Send + Sync {
    /// Its name.
    fn name(&self) -> String;
}
"#;

const HALF: &str = r#"//! A half that needs the other.

use std::sync::Arc;

use dsh_ring::{LeftHalf, RightHalf};
use dsh_runtime::{Inject, MountError, PluginContext, plugin};

/// What it needs.
#[derive(Inject)]
pub struct Inject {
    /// The other half.
    pub other: Arc<dyn OTHER>,
}

/// The half.
pub struct OWNPlugin;

#[plugin(provides(dyn OWN))]
impl OWNPlugin {
    /// Mounts.
    pub async fn mount(_cx: &PluginContext, _inject: Inject) -> Result<Self, MountError> {
        Ok(Self)
    }
}

impl OWN for OWNPlugin {
    fn name(&self) -> String {
        "half".to_owned()
    }
}
"#;

/// Adds the crates to the group `ring`.
pub fn write_plugins(scratch: &Scratch) {
    write(scratch, "ring", "", SERVICES);
    let half = |own: &str, other: &str| HALF.replace("OWN", own).replace("OTHER", other);
    write(scratch, "ring-left", "dsh-ring = { path = \"../ring\" }\n", &half("LeftHalf", "RightHalf"));
    write(scratch, "ring-right", "dsh-ring = { path = \"../ring\" }\n", &half("RightHalf", "LeftHalf"));
}

fn write(scratch: &Scratch, name: &str, dependencies: &str, source: &str) {
    let manifest = format!(
        "[package]\nname = \"dsh-{name}\"\nversion.workspace = true\nedition.workspace = true\n\n[dependencies]\ndsh-runtime.workspace = true\n{dependencies}"
    );
    scratch.write(&format!("plugins/ring/{name}/Cargo.toml"), &manifest);
    scratch.write(&format!("plugins/ring/{name}/src/lib.rs"), source);
}
