//! Replays the recordings below `tests/recordings/` against the binary of the profile `minimal`: the model says what it said then,
//! the prompts are sent again, and everything that is told and logged is compared whole. `DSH_UPDATE=1` records anew.

mod chunks;
mod replay;
mod scenario;
mod tokens;

use std::fs;

use replay::replay;
use scenario::{Scenario, recordings};

#[tokio::test]
async fn every_recording_is_reproduced() {
    let names = recordings();
    assert!(names.len() >= 3, "recordings are there: {names:?}");
    let mut differences = Vec::new();
    for name in names {
        let scenario = Scenario::load(&name);
        for (file, actual) in replay(&scenario).await {
            let path = scenario.folder.join(file);
            let expected = fs::read_to_string(&path).unwrap_or_default();
            if std::env::var_os("DSH_UPDATE").is_some() {
                fs::write(&path, actual).expect("a recording can be written");
            } else {
                differences.extend(first_difference(&expected, &actual).map(|told| format!("{name}/{file}{told}")));
            }
        }
    }
    assert!(differences.is_empty(), "{}\n\nDSH_UPDATE=1 records anew", differences.join("\n\n"));
}

/// Where two texts differ first, and how.
fn first_difference(expected: &str, actual: &str) -> Option<String> {
    let (mut left, mut right) = (expected.lines(), actual.lines());
    let mut number = 1;
    loop {
        match (left.next(), right.next()) {
            (None, None) => return None,
            (expected, actual) if expected == actual => number += 1,
            (expected, actual) => return Some(format!(":{number}\n  recorded: {}\n  now:      {}", words(expected), words(actual))),
        }
    }
}

fn words(line: Option<&str>) -> &str {
    line.unwrap_or("(the end)")
}
