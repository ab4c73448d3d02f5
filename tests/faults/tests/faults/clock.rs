//! A wall clock that steps back while a session works. The process is given another clock by a library that is loaded before all others
//! (`LD_PRELOAD`), made with the machine's C compiler.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dsh_product_tests::{Place, binary};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};

use crate::scene::{Scene, assert_completed, output, shell};

/// Moves the wall clock by the seconds that stand in a file; other clocks stay.
const LIBRARY: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t id, struct timespec *out) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int status = real(id, out);
    const char *path = getenv("FAULTS_CLOCK");
    if (status == 0 && id == CLOCK_REALTIME && path) {
        FILE *file = fopen(path, "r");
        long moved = 0;
        if (file) { if (fscanf(file, "%ld", &moved) != 1) moved = 0; fclose(file); }
        out->tv_sec += moved;
    }
    return status;
}
"#;

fn library(folder: &Path) -> PathBuf {
    let (source, library) = (folder.join("clock.c"), folder.join("clock.so"));
    fs::write(&source, LIBRARY).unwrap();
    output(Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).arg("-ldl"));
    library
}

#[tokio::test]
async fn a_step_back_is_recorded_and_changes_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let (library, moved) = (library(folder.path()), folder.path().join("moved"));
    let place = Place::new();
    // The command itself moves the clock, between two events of the same turn.
    let back = format!("echo -86400 > {0}.new && mv {0}.new {0}", moved.display());
    let steps = [shell(&back).and_text("some words in several pieces").pieces(8), Step::text("more words in several pieces").pieces(8)];
    let server = MockServer::start(Script::new(steps)).await;
    let with_clock = |place: &Place, server: &MockServer| {
        let mut command = place.command(&binary("minimal"), &server.url());
        command.env("LD_PRELOAD", &library).env("FAULTS_CLOCK", &moved);
        command
    };
    let command = with_clock(&place, &server);
    let mut scene = Scene::start_as(command, place, server).await;
    let events = scene.turn("s", "hello").await;
    assert_completed(&events);
    let times: Vec<i64> = events.iter().filter_map(|event| event["time"].as_i64()).collect();
    let steps: Vec<i64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(steps.iter().filter(|step| **step < -80_000_000).count(), 1, "the clock stepped back once: {steps:?}");
    let (place, ended) = scene.close().await;
    assert_eq!(ended.stderr, "");

    let server = MockServer::start(Script::new([Step::text("later, which is earlier")])).await;
    fs::write(&moved, "-900000000").unwrap();
    let command = with_clock(&place, &server);
    let mut scene = Scene::start_as(command, place, server).await;
    assert_eq!(scene.client.request("session/resume", &json!({ "sessionId": "s" })).await, Ok(json!({})));
    let later = scene.turn("s", "again").await;
    assert_completed(&later);
    assert!(later[0]["time"].as_i64() < events[0]["time"].as_i64().map(|time| time - 800_000_000));
    let Scene { place, client, .. } = scene;
    assert_eq!(client.close().await.status, 0);
    let log = place.log("s");
    let all: Vec<Value> = events.into_iter().chain(later).collect();
    // What a resumption adds is not told.
    let told: Vec<&Value> = log.events.iter().filter(|event| event["type"] != "session/end-seed").collect();
    assert_eq!(told, all.iter().collect::<Vec<_>>());
}
