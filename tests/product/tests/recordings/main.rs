//! Plays the recordings below `tests/recordings/` again and compares everything that is told and logged, whole: against the binary of
//! the profile `minimal` with a model server that says what the model said then, and, without server and key, against that of the
//! profile `replay`, which serves the recorded session itself. `DSH_UPDATE=1` records anew with the first.

mod chunks;
mod keyless;
mod played;
mod replay;
mod scenario;
mod tokens;

use std::collections::BTreeMap;
use std::fs;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use keyless::keyless;
use played::Played;
use replay::replay;
use scenario::{Scenario, WHOLE_PROMPT, recordings};

#[tokio::test]
async fn every_recording_is_reproduced() {
    let names = recordings();
    assert!(names.len() >= 3 && names.iter().any(|name| name == WHOLE_PROMPT), "recordings are there: {names:?}");
    let played = at_once(&names, async |scenario| replay(&scenario).await).await;
    let prompt = played[WHOLE_PROMPT].prompt();
    let mut differences = Vec::new();
    for (name, played) in played {
        let scenario = Scenario::load(&name);
        let files = played.files(&scenario, &prompt);
        if std::env::var_os("DSH_UPDATE").is_some() {
            files.iter().for_each(|(file, text)| fs::write(scenario.folder.join(file), text).expect("a recording can be written"));
        }
        differences.extend(compare(&name, &scenario, files));
    }
    assert!(differences.is_empty(), "{}\n\nDSH_UPDATE=1 records anew", differences.join("\n\n"));
    // Only now: where a prompt has changed, none of them would get past the first request.
    for (name, played) in at_once(&names, async |scenario| keyless(&scenario).await).await {
        let scenario = Scenario::load(&name);
        differences.extend(compare(&name, &scenario, played.files(&scenario, &prompt)));
    }
    assert!(differences.is_empty(), "without a model server:\n{}", differences.join("\n\n"));
}

/// Plays all recordings at the same time.
async fn at_once(names: &[String], play: impl AsyncFn(Scenario) -> Played) -> BTreeMap<String, Played> {
    let mut playing: FuturesUnordered<_> = names.iter().map(async |name| (name.clone(), play(Scenario::load(name)).await)).collect();
    let mut played = BTreeMap::new();
    while let Some((name, run)) = playing.next().await {
        played.insert(name, run);
    }
    played
}

/// The first difference of each file.
fn compare(name: &str, scenario: &Scenario, played: [(&str, String); 3]) -> Vec<String> {
    let differs = |(file, actual): (&str, String)| {
        let expected = fs::read_to_string(scenario.folder.join(file)).unwrap_or_default();
        first_difference(&expected, &actual).map(|told| format!("{name}/{file}{told}"))
    };
    played.into_iter().filter_map(differs).collect()
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
