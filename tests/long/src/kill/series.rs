//! Many kills, some at once.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use futures_util::FutureExt;
use futures_util::stream::{self, StreamExt};

use super::{Kill, Plan, Shown, Way, headless, serve};

/// Which seeds, and how many at once.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    /// The first seed.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// How many are carried out at once.
    pub at_once: usize,
}

/// What a series showed.
#[derive(Debug, Default)]
pub struct Tally {
    /// How many kills there were.
    pub kills: u64,
    /// How many of them hit a process in a turn.
    pub in_turn: u64,
    /// How many left a log that ends within a line or a frame.
    pub torn: u64,
    /// Events and prompts that had been told and were looked for.
    pub told: usize,
    /// How often a process died at each boundary.
    pub boundaries: BTreeMap<&'static str, u64>,
    /// Failing seeds with what was wrong.
    pub failures: Vec<(u64, Vec<String>)>,
}

/// Carries out a series; `told` hears of each failure at once.
pub async fn run(series: Series, binary: &Path, told: impl Fn(u64, &[String])) -> Tally {
    let Series { first, count, at_once } = series;
    let mut tally = Tally::default();
    let start = Instant::now();
    let mut all = stream::iter(first..first + count).map(|seed| one(Plan::of(seed), binary)).buffer_unordered(at_once);
    while let Some((plan, shown)) = all.next().await {
        tally.kills += 1;
        tally.in_turn += u64::from(shown.in_turn);
        tally.torn += u64::from(shown.torn);
        tally.told += shown.told;
        if let (Kill::At(point), true) = (&plan.kill, shown.reached) {
            *tally.boundaries.entry(point.name).or_default() += 1;
        }
        if !shown.problems.is_empty() {
            told(plan.seed, &shown.problems);
            tally.failures.push((plan.seed, shown.problems));
        }
        if tally.kills.is_multiple_of(100) {
            eprintln!("{} kills, {} failures, {:.0?}", tally.kills, tally.failures.len(), start.elapsed());
        }
    }
    tally
}

async fn one(plan: Plan, binary: &Path) -> (Plan, Shown) {
    let carried_out = async {
        match plan.way {
            Way::Serve => serve::kill(&plan, binary).await,
            Way::Run => headless::kill(&plan, binary).await,
        }
    };
    // A wait that was in vain is a problem of its seed and not the end of the series.
    let shown = std::panic::AssertUnwindSafe(carried_out).catch_unwind().await.unwrap_or_else(|panic| {
        let words = panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(|words| (*words).to_owned()));
        Shown { problems: vec![words.unwrap_or_default()], ..Shown::default() }
    });
    (plan, shown)
}
