//! Logs of any bytes, plain and compressed: reading one is no panic and changes nothing; a log that can be taken up can be taken up
//! again, and holds what it held; packed rows give back the events that they stand for.

use std::path::{Path, PathBuf};

use dsh_session_persistence::{PersistenceError, StoredSession};
use dsh_testkit::{Change, changed, fuzz_cases, kept_inputs};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use tokio::runtime::Runtime;

use crate::world::{World, lines, log_path, zstd_path};

/// A form of logs: how a world of it is made, and where the log lies.
#[derive(Clone, Copy)]
enum Form {
    Plain,
    Zstd,
}

impl Form {
    fn kept(self) -> Vec<(String, Vec<u8>)> {
        let name = match self {
            Self::Plain => "plain",
            Self::Zstd => "zstd",
        };
        kept_inputs(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jsonl/corpus").join(name))
    }

    async fn world(self, root: &Path) -> World {
        match self {
            Self::Plain => World::at(root).await,
            Self::Zstd => World::zstd(root).await,
        }
    }

    fn path(self, root: &Path) -> PathBuf {
        match self {
            Self::Plain => log_path(root, "s"),
            Self::Zstd => zstd_path(root, "s"),
        }
    }
}

fn told(stored: &Result<StoredSession, PersistenceError>) -> Result<String, String> {
    stored.as_ref().map(lines).map_err(ToString::to_string)
}

/// Reads a log of these bytes, takes it up, and reads it again.
async fn check(form: Form, bytes: &[u8]) {
    let root = tempfile::tempdir().unwrap();
    let path = form.path(root.path());
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();

    let world = form.world(root.path()).await;
    let first = world.load("s").await;
    match &first {
        Ok(stored) => {
            let numbers: Vec<u64> = stored.events.iter().map(|event| event.seq).collect();
            assert_eq!(numbers, (0..stored.events.len() as u64).collect::<Vec<_>>());
        }
        Err(error) => {
            assert!(error.to_string().contains(path.to_str().unwrap()) || matches!(error, PersistenceError::NotFound(_)), "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes, "a log that is refused is not changed");
        }
    }
    let claimed = world.claim("s").await;
    assert_eq!(claimed.is_ok(), first.is_ok(), "{:?}, {:?}", told(&first), claimed.as_ref().err());
    drop(claimed);

    let again = form.world(root.path()).await;
    let second = again.load("s").await;
    if first.is_ok() {
        assert_eq!(told(&second), told(&first), "what was read once is read again");
        let repaired = std::fs::read(&path).unwrap();
        let third = form.world(root.path()).await.load("s").await;
        assert_eq!(told(&third), told(&second));
        assert_eq!(std::fs::read(&path).unwrap(), repaired, "what is repaired needs no repair");
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn kept_logs(form: Form) {
    let runtime = runtime();
    for (name, bytes) in form.kept() {
        println!("{name}");
        runtime.block_on(check(form, &bytes));
    }
}

/// Changes of kept logs, and any bytes.
fn any_log(form: Form) {
    let (runtime, kept) = (runtime(), form.kept());
    // Each case makes files; a fourth of the usual number takes about as long as the other properties.
    let mut runner = TestRunner::new(Config::with_cases((fuzz_cases() / 4).max(1)));
    let changes = (proptest::sample::select(kept), vec(any::<Change>(), 1..6)).prop_map(|((_, bytes), changes)| changed(&bytes, &changes));
    let input = prop_oneof![9 => changes, 1 => vec(any::<u8>(), 0..300)];
    let ran = runner.run(&input, |bytes| {
        runtime.block_on(check(form, &bytes));
        Ok::<(), TestCaseError>(())
    });
    ran.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn kept_plain_logs() {
    kept_logs(Form::Plain);
}

#[test]
fn kept_compressed_logs() {
    kept_logs(Form::Zstd);
}

#[test]
fn any_plain_log() {
    any_log(Form::Plain);
}

#[test]
fn any_compressed_log() {
    any_log(Form::Zstd);
}
