//! A family of plugins from which compositions are drawn, and the workspace that holds their crates.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use dsh_build::workspace::Workspace;

/// A plugin of the family.
#[derive(Debug)]
pub struct Member {
    /// Name by which rows mount it.
    pub name: &'static str,
    /// The service that it provides, by number.
    pub provides: Option<usize>,
    /// Services that it must have.
    pub needs: &'static [usize],
    /// Services that it takes when they are there.
    pub takes: &'static [usize],
    /// What it is there for.
    pub part: Part,
}

/// What a plugin is there for, besides its service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Nothing else.
    Provider,
    /// It gives the binary a verb, named after it.
    Verb,
    /// It serves stdin and stdout.
    Server,
    /// It is one half of a loop and no part of a right composition.
    Loop,
}

const fn provider(name: &'static str, service: usize, needs: &'static [usize], takes: &'static [usize]) -> Member {
    Member { name, provides: Some(service), needs, takes, part: Part::Provider }
}

const fn user(name: &'static str, needs: &'static [usize], takes: &'static [usize], part: Part) -> Member {
    Member { name, provides: None, needs, takes, part }
}

/// Number of services that right compositions use; the two after them are those of the loop.
pub const SERVICES: usize = 6;

/// All plugins. Every service has two that could provide it.
pub const FAMILY: &[Member] = &[
    provider("s0-a", 0, &[], &[]),
    provider("s0-b", 0, &[], &[]),
    provider("s1-a", 1, &[0], &[]),
    provider("s1-b", 1, &[], &[0]),
    provider("s2-a", 2, &[0, 1], &[]),
    provider("s2-b", 2, &[], &[1]),
    provider("s3-a", 3, &[1], &[]),
    provider("s3-b", 3, &[2], &[]),
    provider("s4-a", 4, &[2, 3], &[]),
    provider("s4-b", 4, &[], &[0, 3]),
    provider("s5-a", 5, &[4], &[]),
    provider("s5-b", 5, &[3, 4], &[]),
    user("use-0", &[5], &[], Part::Verb),
    user("use-1", &[2], &[5], Part::Verb),
    user("use-2", &[0], &[3], Part::Verb),
    user("use-3", &[], &[], Part::Verb),
    user("serve-a", &[1], &[], Part::Server),
    user("serve-b", &[], &[], Part::Server),
    Member { name: "loop-a", provides: Some(SERVICES), needs: &[SERVICES + 1], takes: &[], part: Part::Loop },
    Member { name: "loop-b", provides: Some(SERVICES + 1), needs: &[SERVICES], takes: &[], part: Part::Loop },
];

/// The plugin of a name.
pub fn member(name: &str) -> &'static Member {
    FAMILY.iter().find(|member| member.name == name).expect("the name is one of the family")
}

/// Where mounting and undoing is written down, in the order in which it happens.
const JOURNAL: &str = "//! What happened.\n\nuse std::sync::Mutex;\n\nstatic NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());\n\n/// Writes a \
     line down.\npub fn note(line: String) {\n    NOTES.lock().unwrap().push(line);\n}\n\n/// What was written down since.\npub fn take() -> \
     Vec<String> {\n    std::mem::take(&mut NOTES.lock().unwrap())\n}\n";

/// The workspace of the family, written once by this process.
pub fn workspace() -> Workspace {
    static WRITTEN: OnceLock<Workspace> = OnceLock::new();
    WRITTEN.get_or_init(written).clone()
}

/// Writes the workspace of the family below cargo's target folder, where a later run finds what this one built.
fn written() -> Workspace {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("any-composition");
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the compiler lies in the workspace");
    write(
        &root.join("Cargo.toml"),
        &format!(
            "[workspace]\nresolver = \"3\"\nmembers = [\"plugins/*/*\", \"batch\"]\n\n[workspace.package]\nversion = \"0.1.0\"\nedition = \
             \"2024\"\nrust-version = \"1.95\"\nlicense = \"MIT\"\npublish = false\n\n[workspace.dependencies]\ndsh-runtime = {{ path = \
             \"{0}/runtime\" }}\n\n[workspace.lints.rust]\nunsafe_code = \"deny\"\n\n[profile.dev]\ndebug = false\n",
            repository.display()
        ),
    );
    // Versions are those of the repository, so that nothing has to be looked up.
    if !root.join("Cargo.lock").is_file() {
        fs::copy(repository.join("Cargo.lock"), root.join("Cargo.lock")).expect("the lock file can be copied");
    }
    write(&root.join("profiles/.keep"), "");
    // The member is there before it is known what is in it.
    if !root.join("batch").is_dir() {
        write(&root.join("batch/src/main.rs"), "fn main() {}\n");
        write(&root.join("batch/Cargo.toml"), &manifest("batch", "dsh-runtime.workspace = true\n"));
    }
    write(&root.join("plugins/any/journal/Cargo.toml"), &manifest("dsh-journal", ""));
    write(&root.join("plugins/any/journal/src/lib.rs"), JOURNAL);
    for service in 0..SERVICES + 2 {
        let folder = root.join(format!("plugins/any/s{service}"));
        write(&folder.join("Cargo.toml"), &manifest(&format!("dsh-s{service}"), "dsh-runtime.workspace = true\n"));
        let text = format!(
            "//! A service.\n\nuse dsh_runtime::service;\n\n/// Service {service}.\n#[service(key = \"s{service}\")]\npub trait S{service}: Send + \
             Sync {{\n    /// Who provides it.\n    fn provider(&self) -> String;\n}}\n"
        );
        write(&folder.join("src/lib.rs"), &text);
    }
    for member in FAMILY {
        let folder = root.join(format!("plugins/any/{}", member.name));
        write(&folder.join("Cargo.toml"), &manifest(&format!("dsh-{}", member.name), &dependencies(member)));
        write(&folder.join("src/lib.rs"), &source(member));
    }
    Workspace::at(&root).expect("the workspace was written")
}

/// Writes a file unless it holds the text already, so that cargo builds nothing anew.
pub fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}

fn manifest(name: &str, dependencies: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion.workspace = true\nedition.workspace = true\n\n[dependencies]\n{dependencies}")
}

fn services(member: &Member) -> impl Iterator<Item = &usize> {
    member.provides.iter().chain(member.needs).chain(member.takes)
}

fn dependencies(member: &Member) -> String {
    let mut lines = "dsh-runtime.workspace = true\ndsh-journal = { path = \"../journal\" }\n".to_owned();
    services(member).for_each(|service| writeln!(lines, "dsh-s{service} = {{ path = \"../s{service}\" }}").expect("a string takes it"));
    lines
}

fn source(member: &Member) -> String {
    let imports: String = services(member).map(|service| format!("use dsh_s{service}::S{service};\n")).collect();
    let fields: String = member.needs.iter().map(|n| format!("    /// Needed.\n    pub s{n}: Arc<dyn S{n}>,\n")).collect::<String>()
        + &member.takes.iter().map(|n| format!("    /// Taken.\n    pub s{n}: Option<Arc<dyn S{n}>>,\n")).collect::<String>();
    let seen: String = member.needs.iter().map(|n| format!("        seen.push(inject.s{n}.provider());\n")).collect::<String>()
        + &member.takes.iter().map(|n| format!("        seen.extend(inject.s{n}.map(|it| it.provider()));\n")).collect::<String>();
    let provides = member.provides.map_or(String::new(), |n| format!("provides(dyn S{n})"));
    let implements = member.provides.map_or(String::new(), |n| {
        format!("\nimpl S{n} for Member {{\n    fn provider(&self) -> String {{\n        self.row.clone()\n    }}\n}}\n")
    });
    let way_in = match member.part {
        Part::Verb => format!(
            "\n    /// Runs.\n    #[verb(name = \"{}\", about = \"runs\")]\n    pub async fn run(&self, _args: Vec<String>, _session: ServeSession) -> \
             Exit {{\n        Exit::COMPLETED\n    }}\n",
            member.name
        ),
        Part::Server => {
            "\n    /// Serves.\n    #[serve]\n    pub async fn serve(&self, _session: ServeSession) -> Exit {\n        Exit::COMPLETED\n    }\n"
                .to_owned()
        }
        Part::Provider | Part::Loop => String::new(),
    };
    format!(
        "//! A plugin.\n\nuse std::sync::Arc;\n\nuse dsh_runtime::{{Exit, Inject, \
         MountError, PluginContext, ServeSession, config, plugin}};\n{imports}\n/// Settings.\n#[config]\npub struct Config {{\n    /// How many.\n    \
         #[config(default = 1, min = 1, max = 100)]\n    pub size: u64,\n    /// Words.\n    #[config(default = [])]\n    pub words: Vec<String>,\n    \
         /// How loud.\n    pub mode: Option<Mode>,\n}}\n\n/// How loud.\n#[config]\npub enum Mode {{\n    /// Not at all.\n    Plain,\n    /// \
         Very.\n    VeryLoud,\n}}\n\n/// What it needs.\n#[derive(Inject)]\npub struct Inject {{\n{fields}}}\n\n/// The plugin.\npub struct Member \
         {{\n    row: String,\n}}\n{implements}\n#[plugin({provides})]\nimpl Member {{\n    pub async fn mount(cx: &PluginContext, config: Config, \
         inject: Inject) -> Result<Self, MountError> {{\n        let row = cx.row_id().to_owned();\n        let mut seen: Vec<String> = \
         Vec::new();\n{seen}        dsh_journal::note(format!(\"mount {{row}} size {{}} sees {{}}\", config.size, seen.join(\",\")));\n        let \
         undone = row.clone();\n        cx.effects().push_sync(move || dsh_journal::note(format!(\"undo {{undone}}\")));\n        Ok(Self {{ row \
         }})\n    }}\n{way_in}}}\n"
    )
}
