//! A model that works busily. What it answers follows from the words of the prompt, and from how often it failed to answer them, so a
//! seed repeats a whole run.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use dsh_product_tests::{Place, workspace};
use dsh_testkit::{Script, Step};
use fastrand::Rng;
use serde_json::{Value, json};
use tokio::process::Command;

/// How a model behaves.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// Longest pause before an answer.
    pub most_delay: Duration,
    /// Longest pause between two pieces of an answer.
    pub most_pace: Duration,
    /// One of so many answers fails in some way; 0 for none. Asked again it fails once more, or for good, or not at all.
    pub one_fails_of: u32,
    /// Of how many sessions one uses the shell.
    pub shell_in_one_of: u64,
    /// Whether commands leave processes behind.
    pub leaves_processes: bool,
}

/// A binary that works with this model: what fails is repeated soon.
#[must_use]
pub fn client(place: &Place, binary: &Path, server: &str) -> Command {
    let mut command = place.command(binary, server);
    command.arg("--patch").arg(workspace().join("tests/long/soon.yml"));
    command
}

/// The words of a prompt that this model understands.
#[must_use]
pub fn prompt(seed: u64, session: u64, number: u64) -> String {
    format!("work {seed} {session} {number}")
}

/// The model, for a workspace.
#[must_use]
pub fn script(workspace: &Path, habits: Habits) -> Script {
    let workspace = workspace.to_owned();
    let failed: Mutex<BTreeMap<[u64; 4], u32>> = Mutex::default();
    Script::answering(move |body| {
        let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
        let asked = messages.iter().rposition(|message| message["role"] == "user").unwrap_or_default();
        let words: Vec<u64> = text(&messages[asked]).split(' ').filter_map(|word| word.parse().ok()).collect();
        let [seed, session, number] = words[..] else { return Step::text("I was asked nothing that I understand.") };
        let replies = messages[asked..].iter().filter(|message| message["role"] == "assistant").count() as u64;
        let mut rng = Rng::with_seed([seed, session, number, replies].iter().fold(7, |hash, word| {
            // The multiplier of a common linear generator; it only has to spread the seeds.
            (hash ^ word).wrapping_mul(6_364_136_223_846_793_005).rotate_left(17)
        }));
        let fails = habits.one_fails_of > 0 && rng.u32(..habits.one_fails_of) == 0;
        let step = if fails && fails_again(&mut rng, &failed, [seed, session, number, replies]) {
            failure(&mut rng)
        } else {
            answer(&mut rng, &workspace, habits, (session, replies))
        };
        step.delay(up_to(&mut rng, habits.most_delay)).pace(up_to(&mut rng, habits.most_pace))
    })
}

fn text(message: &Value) -> String {
    match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().filter_map(|block| block["text"].as_str()).collect(),
        _ => String::new(),
    }
}

/// Whether an answer that fails still does. One in four does for good, so that repetitions come to their end too.
fn fails_again(rng: &mut Rng, failed: &Mutex<BTreeMap<[u64; 4], u32>>, asked: [u64; 4]) -> bool {
    let times = if rng.u32(..4) == 0 { u32::MAX } else { rng.u32(1..3) };
    let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
    let before = failed.entry(asked).or_default();
    *before += 1;
    *before <= times
}

fn answer(rng: &mut Rng, workspace: &Path, habits: Habits, (session, replies): (u64, u64)) -> Step {
    if replies >= rng.u64(1..5) { said(rng) } else { work(rng, workspace, habits, session) }
}

fn up_to(rng: &mut Rng, most: Duration) -> Duration {
    most.mul_f64(rng.f64().powi(3))
}

fn failure(rng: &mut Rng) -> Step {
    match rng.u32(..6) {
        0 => Step::status(429).header("retry-after", "1"),
        1 => Step::status(500),
        2 => Step::status(503),
        3 => Step::text("this answer is cut off in the middle of").pieces(5).cut(),
        4 => Step::raw(["data: {\"no\": \"chunk\"\n\n"]),
        _ => Step::text("this answer is too long").finish("length"),
    }
}

fn said(rng: &mut Rng) -> Step {
    let words = rng.usize(3..120);
    let text: String =
        (0..words).map(|_| ["done", "now", "this", "file", "é", "😀", "test", "\n"][rng.usize(..8)].to_owned() + " ").collect();
    Step::text(&text).pieces(rng.usize(2..40))
}

/// One to three tool calls, with some words before them.
fn work(rng: &mut Rng, workspace: &Path, habits: Habits, session: u64) -> Step {
    let mut step = Step::text("Let me see.").and_reasoning("hm, hm, hm").pieces(rng.usize(2..12));
    for _ in 0..rng.usize(1..4) {
        let shell = session.is_multiple_of(habits.shell_in_one_of.max(1)) && rng.bool();
        let (name, arguments) = if shell {
            let command = match rng.u32(..6) {
                0 => "sleep 0.03; echo slept".to_owned(),
                1 => format!("seq {}", rng.u32(1..400)),
                2 if habits.leaves_processes => "(sleep 61.7 &) ; echo left one behind".to_owned(),
                3 if habits.leaves_processes => "setsid sleep 61.7 & echo left another behind".to_owned(),
                4 => format!("exit_code() {{ return {}; }}; exit_code", rng.u8(0..3)),
                _ => format!("echo {} >> notes-{session}.txt; wc -l < notes-{session}.txt", rng.u32(..)),
            };
            ("bash", json!({ "command": command }))
        } else {
            let path = workspace.join(format!("file-{session}-{}.txt", rng.u32(..3)));
            match rng.u32(..3) {
                0 => ("str_replace_editor", json!({ "command": "view", "path": path })),
                1 => ("str_replace_editor", json!({ "command": "create", "path": path, "file_text": "line\n".repeat(rng.usize(1..60)) })),
                _ => ("no_such_tool", json!({ "x": rng.u32(..) })),
            }
        };
        step = step.and_tool(name, &arguments.to_string());
    }
    step
}
