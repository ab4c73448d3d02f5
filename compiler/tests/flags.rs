//! `--static`, `--seal` and `--set`, and what a profile says of the same under `build`. A shell script stands in for cargo's builds.

mod scratch;

use std::env;
use std::path::PathBuf;

use scratch::Scratch;
use scratch::small::{command, input, run, status, text};

/// The profile `small`, built as `build` says.
fn built_as(build: &str) -> Scratch {
    let scratch = input();
    let profile = scratch.read("profiles/small/profile.yml");
    scratch.write("profiles/small/profile.yml", &format!("{profile}build: {build}\n"));
    scratch
}

/// What rustc and the C compilers were told, in two lines.
fn told(scratch: &Scratch, words: &[&str], given: &[(&str, &str)]) -> (String, String) {
    let output = command(scratch, words).env_remove("RUSTFLAGS").env_remove("CFLAGS").envs(given.iter().copied()).output().unwrap();
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    let flags = scratch.read("log.flags");
    let (rust, c) = flags.split_once('\n').unwrap();
    (rust.to_owned(), c.trim_end().to_owned())
}

#[test]
fn a_static_binary_is_built_for_a_target_of_its_own() {
    let scratch = input();
    let (rust, c) = told(&scratch, &["--profile", "small", "--debug", "--static"], &[]);
    let flags = "-Ctarget-feature=+crt-static --cfg=getrandom_backend=\"linux_getrandom\"";
    assert_eq!((rust.as_str(), c.as_str()), (flags, ""), "what is for debuggers names the real places");
    assert!(scratch.read("log").trim_end().ends_with("--target host-tuple"), "{}", scratch.read("log"));
    let scratch = built_as("{static: true}");
    told(&scratch, &["--profile", "small"], &[]);
    assert!(scratch.read("log").contains("--target host-tuple"));
    told(&scratch, &["--profile", "small", "--static=false"], &[]);
    assert!(!scratch.read("log").lines().last().unwrap().contains("--target host-tuple"), "a flag goes before the profile");
    assert!(scratch.holds("generated/small/src/wiring.rs"), "it is the composition of the profile");
}

#[test]
fn folders_of_this_machine_are_kept_out_of_binaries_that_are_shipped() {
    let scratch = input();
    let home = |variable: &str, name: &str| env::var_os(variable).map_or_else(|| env::home_dir().unwrap().join(name), PathBuf::from);
    let mut places =
        [(home("RUSTUP_HOME", ".rustup"), "/rustup"), (home("CARGO_HOME", ".cargo"), "/cargo"), (scratch.root(), "/workspace")];
    // Of two folders of which one holds the other, the inner one is looked for first: flags that come later are.
    places.sort_by_key(|(folder, _)| folder.as_os_str().len());
    for (words, given) in [(&["--profile", "small"][..], "--cfg given"), (&["--profile", "small", "--ship"], "")] {
        let (rust, c) = told(&scratch, words, &[("RUSTFLAGS", given), ("CFLAGS", "-O1")]);
        let rust = rust.strip_prefix(given).expect("what the user gave comes first").trim_start();
        let flags = |flag: &str| places.each_ref().map(|(from, to)| format!("{flag}={}={to}", from.display())).join(" ");
        assert_eq!((rust, c), (flags("--remap-path-prefix").as_str(), format!("-O1 {}", flags("-ffile-prefix-map"))));
    }
}

#[test]
fn a_seal_and_what_is_set_are_built_in() {
    let scratch = built_as("{seal: true, set: {DSH_A: 1, DSH_B: two}}");
    assert_eq!(status(&run(&scratch, &["--profile", "small"])), 0);
    assert!(!scratch.read("generated/small/Cargo.toml").contains("overlays"));
    let description = scratch.read("generated/small/src/description.rs");
    assert!(description.contains(r#"set: &[("DSH_A", "1"), ("DSH_B", "two")]"#), "{description}");
    let plan = run(&scratch, &["plan", "--profile", "small"]);
    let plan = text(&plan.stdout);
    assert!(plan.contains("\nsealed: takes no overlay\nenv.DSH_A set to \"1\"\nenv.DSH_B set to \"two\"\n"), "{plan}");
}

#[test]
fn flags_go_before_the_profile_and_leave_no_trace_in_generated() {
    let scratch = built_as("{seal: true, set: {DSH_A: 1, DSH_B: two}}");
    let output = run(&scratch, &["--profile", "small", "--seal=false", "--set", "DSH_B=", "--set", "DSH_C=a=b c"]);
    assert_eq!(status(&output), 0, "{}", text(&output.stderr));
    assert!(!scratch.holds("generated"));
    let built = |file: &str| scratch.read(&format!("target/dsh/scratch/small/generated/small-scratch/{file}"));
    assert!(built("Cargo.toml").contains("overlays"));
    assert!(built("src/description.rs").contains(r#"set: &[("DSH_A", "1"), ("DSH_B", ""), ("DSH_C", "a=b c")]"#));
    let digest = |words: &[&str]| text(&run(&scratch, words).stdout).lines().next().unwrap().to_owned();
    let own = digest(&["--profile", "small", "--dump-config"]);
    assert_eq!(digest(&["--profile", "small", "--dump-config", "--set", "DSH_A=1"]), own, "nothing is changed");
    assert_ne!(digest(&["--profile", "small", "--dump-config", "--set", "DSH_A=2"]), own);
    assert_ne!(digest(&["--profile", "small", "--dump-config", "--seal=false"]), own);
}

#[test]
fn slips_in_the_flags_are_wrong_usage() {
    let cases: [(&[&str], &str); 6] = [
        (&["--set", "DSH_A"], "expected `NAME=VALUE`"),
        (&["--set", "bash.timeoutMs=1"], "`bash.timeoutMs` is not the name of a variable"),
        (&["--set", "DSH_A=1", "--set", "DSH_A=2"], "`--set DSH_A=…` is given twice"),
        (&["--seal=yes"], "'--seal"),
        (&["--static", "--dump-config"], "cannot be used with"),
        (&["--static", "true"], "true"),
    ];
    let scratch = input();
    for (flags, expected) in cases {
        let output = run(&scratch, &[&["--profile", "small"], flags].concat());
        assert_eq!(status(&output), 2, "{flags:?}");
        assert!(text(&output.stderr).contains(expected), "{flags:?}: {}", text(&output.stderr));
    }
    assert!(!scratch.holds("log"), "cargo builds nothing");
}

#[test]
fn a_machine_that_cannot_link_statically_is_told_what_it_lacks() {
    let scratch = input();
    let linker = "error: linking with `cc` failed: exit status: 1\\n  = note: /usr/bin/ld: cannot find -lc: No such file or directory\\n";
    let build = |words: &[&str]| command(&scratch, words).env("BROKEN", "dsh-agent-small").env("RENDERED", linker).output().unwrap();
    let output = build(&["--profile", "small", "--static"]);
    assert_eq!(status(&output), 2);
    assert!(text(&output.stderr).contains("libc6-dev"), "{}", text(&output.stderr));
    assert_eq!(status(&build(&["--profile", "small"])), 101);
}
