//! Compiles the wiring of many compositions into one program, runs it, and reads in its journal what happened.

use std::process::Command;

use dsh_build::emit::{Form, emit};
use dsh_build::inventory::Inventory;
use dsh_build::plan::Plan;

use super::draw::Drawn;
use super::family::{FAMILY, member, workspace, write};

/// A composition with its plan.
pub struct Case {
    pub drawn: Drawn,
    pub plan: Plan,
}

/// Mounts and undoes every composition.
pub fn run(cases: &[Case]) {
    let workspace = workspace();
    let batch = workspace.root().join("batch");
    let members: String = FAMILY.iter().map(|member| format!("dsh-{0} = {{ path = \"../plugins/any/{0}\" }}\n", member.name)).collect();
    let services: String = (0..super::family::SERVICES + 2).map(|n| format!("dsh-s{n} = {{ path = \"../plugins/any/s{n}\" }}\n")).collect();
    write(
        &batch.join("Cargo.toml"),
        &format!(
            "[package]\nname = \"batch\"\nversion.workspace = true\nedition.workspace = true\n\n[dependencies]\ndsh-runtime.workspace = \
             true\ndsh-journal = {{ path = \"../plugins/any/journal\" }}\ntokio = {{ version = \"1\", default-features = false, features = [\"rt\", \
             \"time\"] }}\n{members}{services}"
        ),
    );
    for (at, case) in cases.iter().enumerate() {
        let generated = emit(&case.plan, &Inventory::default(), Form::Member);
        write(&batch.join(format!("src/case_{at}.rs")), &generated.files["src/wiring.rs"]);
    }
    write(&batch.join("src/main.rs"), &program(cases.len()));
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--offline", "-p", "batch"]).current_dir(workspace.root()).env_remove("CARGO_TARGET_DIR");
    let output = cargo.output().expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let journal = String::from_utf8(output.stdout).expect("the journal is text");
    let mut sections = journal.split("case ").skip(1);
    for case in cases {
        let (_, lines) = sections.next().and_then(|section| section.split_once('\n')).expect("every composition has a section");
        judge(case, &lines.lines().collect::<Vec<_>>());
    }
}

/// The program: for each composition a line `case N`, then what was written down.
fn program(cases: usize) -> String {
    let modules: String = (0..cases).map(|at| format!("mod case_{at};\n")).collect();
    let calls: String = (0..cases).map(|at| format!("    run({at}, case_{at}::IDENTITY.profile, case_{at}::mount);\n")).collect();
    format!(
        "//! Mounts compositions and undoes them.\n\nuse dsh_runtime::Surroundings;\nuse dsh_runtime::boot::{{Boot, Wire}};\n\n{modules}\nfn run(at: \
         usize, profile: &'static str, wire: Wire) {{\n    let tokio = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();\n    \
         tokio.block_on(async {{\n        let mut boot = Boot::new(profile, Surroundings::of_process());\n        drop(wire(&mut boot).await.unwrap());\n        \
         assert!(boot.teardown().await.failed.is_empty());\n    }});\n    println!(\"case {{at}}\\n{{}}\", dsh_journal::take().join(\"\\n\"));\n}}\n\nfn \
         main() {{\n{calls}}}\n"
    )
}

/// Every row mounts once, after the rows that it needs and with their services, and is undone in reverse.
fn judge(case: &Case, lines: &[&str]) {
    let told = || format!("{:#?}\n{}", case.drawn, lines.join("\n"));
    let mounted: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("mount ")?.split(' ').next()).collect();
    let undone: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("undo ")).collect();
    let mut sorted = mounted.clone();
    sorted.sort_unstable();
    assert!(sorted.iter().copied().eq(case.drawn.rows.keys().map(String::as_str)), "other rows mounted: {}", told());
    assert!(mounted.iter().rev().eq(undone.iter()), "undone in another order: {}", told());
    assert_eq!(lines.len(), mounted.len() + undone.len(), "{}", told());
    for (id, row) in &case.drawn.rows {
        let wanted = member(row.plugin);
        let provider = |service: &usize| {
            let found = case.drawn.rows.iter().find(|(_, row)| member(row.plugin).provides == Some(*service));
            found.map(|(id, _)| id.as_str())
        };
        let seen: Vec<&str> = wanted.needs.iter().chain(wanted.takes).filter_map(provider).collect();
        let line = format!("mount {id} size {} sees {}", row.size, seen.join(","));
        assert!(lines.contains(&line.as_str()), "no line `{line}`: {}", told());
        let at = |id: &str| mounted.iter().position(|other| *other == id);
        assert!(seen.iter().all(|provider| at(provider) < at(id)), "`{id}` mounted before what it needs: {}", told());
    }
}
