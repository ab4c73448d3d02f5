//! Edits of any text: it is replaced where it occurs once, and else nothing happens.

use std::path::Path;

use dsh_testkit::{fuzz_cases, kept_inputs};
use proptest::prelude::*;

use super::{MAX_PLACES, Mismatch, replaced};

/// All places of a text, also those that overlap, one byte after the other.
fn places(content: &str, old: &str) -> Vec<usize> {
    (0..content.len()).filter(|at| content.as_bytes()[*at..].starts_with(old.as_bytes())).collect()
}

/// Sees that an edit does what it must.
fn check(content: &str, old: &str, new: &str) {
    match (replaced(content, old, new), places(content, old).as_slice()) {
        (Ok(changed), [at]) => {
            assert_eq!(&changed[..*at], &content[..*at]);
            assert_eq!(&changed[*at..*at + new.len()], new);
            assert_eq!(&changed[*at + new.len()..], &content[*at + old.len()..]);
        }
        (Err(Mismatch::Absent), []) => {}
        (Err(Mismatch::Repeated { count, places: told }), found @ [_, _, ..]) => {
            assert!(count >= 2 && count <= found.len(), "{count} of {found:?}");
            assert!(told.len() >= 2 && told.len() <= count.min(MAX_PLACES), "{told:?}");
            assert!(told.iter().all(|place| found.contains(place)), "{told:?} of {found:?}");
        }
        (outcome, found) => panic!("{outcome:?} where it occurs at {found:?}"),
    }
}

#[test]
fn kept_edits() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/edits");
    for (name, bytes) in kept_inputs(folder) {
        let text = String::from_utf8(bytes).unwrap();
        let parts: Vec<&str> = text.split("\n====\n").collect();
        let [content, old, new] = parts[..] else { panic!("{name}: content, old and new text") };
        println!("{name}");
        check(content, old, new);
    }
}

#[test]
fn texts_that_overlap_themselves_are_repeated() {
    assert_eq!(replaced("aaa", "aa", "b"), Err(Mismatch::Repeated { count: 2, places: vec![0, 1] }));
    assert_eq!(replaced("x\n\n\ny", "\n\n", "\n"), Err(Mismatch::Repeated { count: 2, places: vec![1, 2] }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(fuzz_cases()))]

    #[test]
    fn any_edit(content in "[ab\n\r é😀]{0,40}", old in "[ab\n\r é😀]{1,4}", new in "[ab\n$\\\\]{0,6}") {
        check(&content, &old, &new);
    }

    #[test]
    fn an_edit_of_a_part(content in "\\PC{1,60}", from in 0_usize..60, length in 1_usize..8, new in "\\PC{0,6}") {
        let characters: Vec<char> = content.chars().collect();
        let from = from % characters.len();
        let old: String = characters[from..].iter().take(length).collect();
        check(&content, &old, &new);
    }
}
