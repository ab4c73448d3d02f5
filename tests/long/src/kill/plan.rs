//! What a seed decides.

use std::fmt;
use std::time::Duration;

use fastrand::Rng;

/// Boundaries that are passed while sessions are written, and up to how often.
const WRITING: [(&str, u32); 9] = [
    ("lock/made", 4),
    ("lock/taken", 4),
    ("log/first", 4),
    ("log/written", 4),
    ("log/linked", 4),
    ("log/made", 4),
    ("log/append", 60),
    ("log/appended", 60),
    // The last one: while sessions end.
    ("log/synced", 4),
];
/// Boundaries that are passed while a log is repaired and its session taken up.
const REPAIRING: [(&str, u32); 6] =
    [("lock/made", 2), ("lock/taken", 2), ("log/cut", 1), ("log/append", 4), ("log/appended", 4), ("log/synced", 2)];
/// Boundaries of a run with a folder.
const RUN: [(&str, u32); 7] = [
    ("run.lock/made", 1),
    ("run.json/text", 1),
    ("run.json/written", 1),
    ("run.json/named", 1),
    ("verdict.json/text", 1),
    ("verdict.json/written", 1),
    ("verdict.json/named", 1),
];

/// A boundary at which a process dies.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its name.
    pub name: &'static str,
    /// How often it is passed before.
    pub passed: u32,
    /// Bytes of the write that get through.
    pub bytes: u32,
}

/// How a process is killed.
#[derive(Clone, Debug)]
pub enum Kill {
    /// So long after its first prompt.
    After(Duration),
    /// When so many frames were received.
    Frames(usize),
    /// By itself, at a boundary.
    At(Point),
}

/// In which way the binary works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It serves a client.
    Serve,
    /// `run --out`.
    Run,
}

/// What a seed decides.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The seed.
    pub seed: u64,
    /// In which way the binary works.
    pub way: Way,
    /// Encoding of its logs.
    pub compression: &'static str,
    /// How many sessions work at once.
    pub sessions: u64,
    /// How many prompts each gets.
    pub prompts: u64,
    /// How the process is killed.
    pub kill: Kill,
    /// Where the process that takes the sessions up dies too.
    pub again: Option<Point>,
}

impl Plan {
    /// The plan of a seed.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let way = if rng.u32(..6) == 0 { Way::Run } else { Way::Serve };
        let kill = match (rng.u32(..10), way) {
            (0..=3, _) => Kill::After(Duration::from_micros(rng.u64(..700_000))),
            (4..=5, Way::Serve) => Kill::Frames(rng.usize(1..250)),
            (8..=9, Way::Run) => Kill::At(point(&mut rng, &WRITING)),
            (_, Way::Run) => Kill::At(point(&mut rng, &RUN)),
            (_, Way::Serve) => Kill::At(point(&mut rng, &WRITING)),
        };
        Self {
            seed,
            way,
            compression: ["none", "zstd"][rng.usize(..2)],
            sessions: rng.u64(1..5),
            prompts: rng.u64(1..4),
            again: (rng.u32(..4) == 0).then(|| point(&mut rng, &REPAIRING)),
            kill,
        }
    }
}

fn point(rng: &mut Rng, among: &[(&'static str, u32)]) -> Point {
    let (name, times) = among[rng.usize(..among.len())];
    Point { name, passed: rng.u32(..times), bytes: rng.u32(..100_000) }
}

/// As the boundary is armed.
impl fmt::Display for Point {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, passed, bytes } = self;
        match passed {
            0 => write!(out, "{name}=return({bytes})"),
            passed => write!(out, "{name}={passed}*off->return({bytes})"),
        }
    }
}
