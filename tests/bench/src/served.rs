//! A runtime that serves the SDK protocol over its standard streams.

use std::collections::BTreeSet;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::model_server::prompt;
use crate::setting::{Runtime, Setting};

/// A running runtime; it is killed when it is dropped.
pub struct Served {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// When its start was asked for.
    pub started: Instant,
    /// From there to the answer of `initialize`.
    pub answered: Duration,
}

impl Served {
    /// Starts a runtime and waits for the answer of `initialize`.
    pub fn start(setting: &Setting, runtime: Runtime<'_>) -> io::Result<Self> {
        let mut command = setting.serve(runtime);
        let started = Instant::now();
        let mut child = command.spawn()?;
        let missing = || io::Error::other("a stream of the runtime is missing");
        let (input, output) = (child.stdin.take().ok_or_else(missing)?, child.stdout.take().ok_or_else(missing)?);
        let mut served = Self { child, input, output: BufReader::with_capacity(256 * 1024, output), started, answered: Duration::ZERO };
        let params = json!({ "cwd": setting.scratch.path(), "provider": "deepseek-official", "model": "deepseek-v4-flash" });
        served.ask(0, "initialize", &params)?;
        served.read_until(|line| line.contains("\"id\":0,"))?;
        served.answered = started.elapsed();
        Ok(served)
    }

    /// Its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Has each of the sessions do a task of so many steps, all at once, and waits until all are idle. The tags name the sessions.
    pub fn work(&mut self, tags: &[String], steps: usize) -> io::Result<()> {
        for (id, tag) in (1..).zip(tags) {
            let block = json!({ "type": "text", "text": prompt(tag, steps) });
            self.ask(id, "session/prompt", &json!({ "sessionId": tag, "contentBlocks": [block] }))?;
        }
        let mut busy: BTreeSet<&str> = tags.iter().map(String::as_str).collect();
        while !busy.is_empty() {
            let line = self.read_until(|line| line.contains("\"method\":\"session.status\"") && line.contains("\"idle\""))?;
            let status: Value = serde_json::from_str(&line)?;
            busy.remove(status["params"]["sessionId"].as_str().unwrap_or_default());
        }
        Ok(())
    }

    /// Ends it in order.
    pub fn end(mut self) -> io::Result<()> {
        self.ask(0, "shutdown", &json!({}))?;
        self.read_until(|line| line.contains("\"id\":0,"))?;
        self.child.wait().map(drop)
    }

    fn ask(&mut self, id: u64, method: &str, params: &Value) -> io::Result<()> {
        let frame = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.input.write_all(format!("{frame}\n").as_bytes())
    }

    /// The next line that is wanted. Lines are looked at as text, so that reading costs little.
    fn read_until(&mut self, wanted: impl Fn(&str) -> bool) -> io::Result<String> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the runtime ended while an answer was due"));
            }
            if line.contains("\"error\":{\"code\"") {
                return Err(io::Error::other(format!("the runtime refused: {line}")));
            }
            if wanted(&line) {
                return Ok(line);
            }
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // One that has ended is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
