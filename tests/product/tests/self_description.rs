//! What a binary says of itself to programs, what it says of licences, and what its logs say of it.

use std::fs;

use dsh_product_tests::{Ended, Place, binary, run_to_end};
use dsh_testkit::{MockServer, Script, Step};
use serde_json::{Value, json};

const NOWHERE: &str = "http://127.0.0.1:9";

async fn told(place: &Place, server: &str, words: &[&str]) -> Ended {
    let mut command = place.command(&binary("minimal"), server);
    command.args(words);
    run_to_end(command).await
}

async fn described(place: &Place, words: &[&str]) -> Value {
    let words: Vec<&str> = words.iter().chain(&["--self-describe"]).copied().collect();
    let ended = told(place, NOWHERE, &words).await;
    assert_eq!((ended.status, ended.stderr.as_str(), ended.stdout.lines().count()), (0, "", 1));
    serde_json::from_str(&ended.stdout).unwrap()
}

fn list<'v>(value: &'v Value, key: &str) -> &'v Vec<Value> {
    value[key].as_array().unwrap_or_else(|| panic!("`{key}` is a list: {value}"))
}

#[tokio::test]
async fn a_binary_tells_programs_all_that_it_is() {
    let place = Place::new();
    let all = described(&place, &[]).await;
    assert_eq!((&all["profile"], &all["aliases"]), (&json!("minimal"), &json!(["sdk-minimal"])));
    assert_eq!(all["composition"], all["built"]);
    assert_eq!(all["build"]["profile"], "dev");
    assert_eq!((&all["build"]["unwinds"], &all["build"]["overlays"]), (&json!(true), &json!(true)));
    for kind in ["rows", "tools", "prompt"] {
        let inspected = told(&place, NOWHERE, &["inspect", kind, "--message-format", "json"]).await.stdout;
        assert_eq!(serde_json::from_str::<Value>(&inspected).unwrap()[kind], all[kind], "{kind}");
    }
    assert_eq!(list(&all, "hosts").last().unwrap()["host"], "https://api.deepseek.com");
    assert_eq!(all["prompt"]["prefix"]["digest"].as_str().map(str::len), Some(16));
    assert_eq!(fs::read_dir(place.workspace()).unwrap().count(), 0, "nothing was started");
}

#[tokio::test]
async fn a_self_description_follows_overlays() {
    let place = Place::new();
    fs::write(
        place.workspace().join("overlay.yml"),
        "- id: system-prompt\n  config: {includeHarnessIdentity: false, persona: 'Overlaid, in {{cwd}}.'}\n",
    )
    .unwrap();
    let (plain, overlaid) = (described(&place, &[]).await, described(&place, &["--patch", "overlay.yml"]).await);
    assert_eq!(overlaid["built"], plain["composition"]);
    assert_ne!(overlaid["composition"], plain["composition"]);
    let prefix = &overlaid["prompt"]["prefix"];
    assert_ne!(prefix["digest"], plain["prompt"]["prefix"]["digest"]);
    assert_eq!((&prefix["whole"], &prefix["tokens"]), (&json!(false), &json!(4)), "it ends before the variable");
}

#[tokio::test]
async fn the_bill_of_materials_names_what_is_linked_and_what_each_part_needs() {
    let place = Place::new();
    let bom = described(&place, &[]).await["bom"].take();
    assert_eq!((&bom["bomFormat"], &bom["specVersion"]), (&json!("CycloneDX"), &json!("1.5")));
    let names: Vec<&str> = list(&bom, "components").iter().filter_map(|component| component["name"].as_str()).collect();
    for linked in ["dsh-runtime", "dsh-session", "tokio", "rustls"] {
        assert!(names.contains(&linked), "{linked}: {names:?}");
    }
    for left_out in ["syn", "dsh-macros", "dsh-build", "windows-sys", "dsh-llm-script"] {
        assert!(!names.contains(&left_out), "{left_out} is not linked");
    }
    let known: Vec<&Value> = list(&bom, "components").iter().map(|component| &component["bom-ref"]).collect();
    for needs in list(&bom, "dependencies") {
        assert!(known.contains(&&needs["ref"]) && list(needs, "dependsOn").iter().all(|needed| known.contains(&needed)), "{needs}");
    }
    assert!(list(&bom, "components").iter().all(|component| component["licenses"][0]["expression"].is_string()));
}

#[tokio::test]
async fn licences_are_told_with_their_notices() {
    let place = Place::new();
    let ended = told(&place, NOWHERE, &["licenses"]).await;
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert!(ended.stdout.contains("\ntokio 1."), "{}", &ended.stdout[..400]);
    for notice in ["Permission is hereby granted, free of charge", "UNICODE LICENSE V3", "Copyright (c) "] {
        assert!(ended.stdout.contains(notice), "{notice}");
    }
    let mit =
        ended.stdout.matches("Permission is hereby granted, free of charge, to any person obtaining a copy\n    of this software").count();
    assert!(mit <= 4, "a text that many crates have is told once, not {mit} times");
}

#[tokio::test]
async fn a_log_names_what_wrote_it_and_a_resume_under_another_vocabulary_says_what_differs() {
    let place = Place::new();
    let server = MockServer::start(Script::new([Step::text("one"), Step::text("two"), Step::text("three")])).await;
    assert_eq!(told(&place, &server.url(), &["run", "first"]).await.stdout, "one\n");
    let [log] = &place.logs()[..] else { panic!("one log: {:?}", place.logs()) };
    let text = fs::read_to_string(log).unwrap();
    let (line, events) = text.split_once('\n').unwrap();
    let mut header: Value = serde_json::from_str(line).unwrap();
    let all = described(&place, &[]).await;
    assert_eq!((&header["composition"], &header["vocabulary"]), (&all["composition"], &all["vocabulary"]));
    let id = header["id"].as_str().unwrap().to_owned();

    let same = told(&place, &server.url(), &["run", "--resume", &id, "second"]).await;
    assert_eq!((same.stdout.as_str(), same.stderr.contains("vocabulary")), ("two\n", false), "{}", same.stderr);

    let forms = header["vocabulary"]["events"].as_object_mut().unwrap();
    forms.insert("goal/change".to_owned(), json!("00000001"));
    forms.insert("turn/start".to_owned(), json!("00000002"));
    forms.remove("session/title");
    header["vocabulary"]["digest"] = json!("1111222233334444");
    let text = fs::read_to_string(log).unwrap();
    fs::write(log, format!("{header}\n{}", text.split_once('\n').unwrap().1)).unwrap();
    assert!(text.contains(events), "the log goes on");
    let other = told(&place, &server.url(), &["run", "--resume", &id, "third"]).await;
    assert_eq!((other.status, other.stdout.as_str()), (0, "three\n"), "{}", other.stderr);
    let own = all["vocabulary"]["digest"].as_str().unwrap();
    let difference = format!(
        "session \"{id}\": its log has the vocabulary 1111222233334444, this binary has {own}; not known to this binary: `goal/change`; of another \
         form in this binary: `turn/start`; known to this binary alone: `session/title`"
    );
    assert!(other.stderr.contains(&difference), "{}", other.stderr);
}
