//! What the primer shows is what runs here, line for line.

use std::fs;
use std::path::Path;

/// Lines without their indentation; blank ones do not count.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn every_program_of_the_primer_is_compiled_and_run() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(package.join("../../docs/primer.md")).unwrap();
    let sources: Vec<String> =
        fs::read_dir(package.join("tests/primer")).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect();
    let sources: Vec<Vec<&str>> = sources.iter().map(|source| lines(source)).collect();
    let programs = page.split("```rust\n").skip(1).filter_map(|rest| rest.split_once("```")).map(|(program, _)| program);
    let mut shown = 0;
    for program in programs {
        // A gap in what is shown: the parts stand in one source, in this order.
        let parts: Vec<Vec<&str>> = program.split("// …\n").map(lines).collect();
        assert!(sources.iter().any(|source| holds(source, &parts)), "no source holds this program:\n{program}");
        shown += 1;
    }
    assert!(shown >= 5, "the primer shows a program for each idea");
}

/// Whether the parts stand in the source, one after the other.
fn holds(source: &[&str], parts: &[Vec<&str>]) -> bool {
    let mut from = 0;
    parts.iter().filter(|part| !part.is_empty()).all(|part| {
        let found = source[from..].windows(part.len()).position(|window| window == part.as_slice());
        if let Some(at) = found {
            from += at + part.len();
        }
        found.is_some()
    })
}
