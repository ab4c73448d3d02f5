//! Each file in `cases/` breaks one rule that the types carry; the `.stderr` file beside it is what its author reads. After a
//! change of words, `TRYBUILD=overwrite` writes them anew for a reviewer to read.

use std::fs;
use std::path::Path;

#[test]
fn what_the_types_forbid_does_not_compile() {
    // One run for all cases: they share one build of what they depend on.
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}

/// Expected words hold on every machine.
#[test]
fn no_expected_text_names_a_folder_of_this_machine() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    for entry in fs::read_dir(cases).expect("the cases can be listed") {
        let path = entry.expect("a case can be listed").path();
        if path.extension().is_some_and(|extension| extension == "stderr") {
            let text = fs::read_to_string(&path).expect("an expected text can be read");
            let places = text.lines().filter_map(|line| line.trim_start().strip_prefix("--> ").or(line.trim_start().strip_prefix("::: ")));
            let foreign: Vec<&str> = places.filter(|place| !place.starts_with("cases/") && !place.starts_with('$')).collect();
            assert!(foreign.is_empty(), "{}: {foreign:?}", path.display());
        }
    }
}
