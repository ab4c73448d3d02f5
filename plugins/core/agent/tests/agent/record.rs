//! The form of the record of a change.

use dsh_agent::{InboxOutcome, InboxSpliced, Target};

#[test]
fn a_record_reads_back_and_leaves_out_what_it_has_not() {
    let nothing = InboxSpliced { target: Target::NextStep, start: 2, removed_count: 0, inserted: Vec::new(), outcome: None };
    let dropped = InboxSpliced { removed_count: 3, outcome: Some(InboxOutcome::Canceled), target: Target::NextTurn, ..nothing.clone() };
    let texts = [
        r#"{"target":"next-step","start":2,"inserted":[]}"#,
        r#"{"target":"next-turn","start":2,"removedCount":3,"inserted":[],"outcome":"canceled"}"#,
    ];
    for (record, text) in [nothing, dropped].into_iter().zip(texts) {
        assert_eq!(serde_json::to_string(&record).unwrap(), text);
        assert_eq!(serde_json::from_str::<InboxSpliced>(text).unwrap(), record);
    }
}
