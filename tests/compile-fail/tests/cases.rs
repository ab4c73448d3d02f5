//! Each file in `cases/` breaks one rule that the types carry; the `.stderr` file beside it is what its author reads. After a
//! change of words, `TRYBUILD=overwrite` writes them anew for a reviewer to read.

use std::fs;
use std::path::Path;

#[test]
fn what_the_types_forbid_does_not_compile() {
    // One run for all cases: they share one build of what they depend on.
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}

/// Where rustc may point: into the case, this workspace and the crates that the lock file pins. Of the standard library it shows
/// the source only on machines that have it.
const SAME_EVERYWHERE: [&str; 3] = ["cases/", "$WORKSPACE/", "$CARGO/"];

#[test]
fn expected_words_are_the_same_on_every_machine() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    for entry in fs::read_dir(cases).expect("the cases can be listed") {
        let path = entry.expect("a case can be listed").path();
        if path.extension().is_some_and(|extension| extension == "stderr") {
            let text = fs::read_to_string(&path).expect("the words of a case can be read");
            let places = text.lines().map(str::trim_start).filter_map(|line| line.strip_prefix("--> ").or(line.strip_prefix("::: ")));
            let elsewhere: Vec<&str> = places.filter(|place| !SAME_EVERYWHERE.iter().any(|start| place.starts_with(start))).collect();
            assert!(elsewhere.is_empty(), "{} speaks of {elsewhere:?}", path.display());
        }
    }
}
