//! A binary that is static and sealed, as somebody would ship it: alone in an empty root, without root rights.

mod empty_root;
mod name_server;
mod secure;

use std::fs;

use dsh_product_tests::{Ended, binary};
use dsh_testkit::{MockServer, Script, Step};
use empty_root::{EmptyRoot, shipped};
use name_server::NameServer;
use secure::Secure;
use serde_json::{Value, json};

/// Certificate of the root that the one of `model.test` and 127.0.0.1 leads to.
const ROOT_CERTIFICATE: &str = include_str!("certificates/root.pem");

async fn model() -> MockServer {
    MockServer::start(Script::new([Step::text("done")])).await
}

/// Where a model server is found under a name.
fn named(server: &MockServer) -> String {
    server.url().replace("127.0.0.1", "model.test")
}

fn assert_done(ended: &Ended) {
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "done\n"), "{}", ended.stderr);
}

#[tokio::test]
async fn it_needs_nothing_where_an_address_is_given_and_keeps_what_was_set() {
    let (root, server) = (EmptyRoot::new(), model().await);
    let mut command = root.command(&server.url());
    command.args(["run", "hello"]).env("DSH_SYSTEM_PROMPT", "Of the environment.").env("DSH_MODEL", "of-the-environment");
    assert_done(&root.run(command).await);
    let body = server.requests()[0].body();
    assert_eq!(body["messages"][0]["content"], "You are sealed.");
    assert_eq!(body["model"], "deepseek-v4-flash", "set to nothing, so the profile's own holds");
    assert_eq!(tools(&body), ["bash"], "the editor is out for good");
    assert!(root.log().contains("You are sealed."), "{}", root.log());
}

#[tokio::test]
async fn what_was_not_set_still_decides_at_start() {
    for (variables, words, persona, expected) in [
        (&[("NO_SHELL", "1"), ("WITHOUT_EDITOR", "0")][..], &["run", "hello"][..], "You are sealed.", &[][..]),
        (&[("TERSE", "1")], &["run", "--preset", "edit", "hello"], "Be terse.", &["bash", "str_replace_editor"]),
    ] {
        let (root, server) = (EmptyRoot::new(), model().await);
        let mut command = root.command(&server.url());
        command.args(words).envs(variables.iter().copied());
        assert_done(&root.run(command).await);
        let body = server.requests()[0].body();
        assert_eq!((body["messages"][0]["content"].as_str().unwrap(), tools(&body)), (persona, expected.to_vec()), "{variables:?}");
    }
}

fn tools(body: &Value) -> Vec<&str> {
    let tools = body["tools"].as_array().map(Vec::as_slice).unwrap_or_default();
    tools.iter().filter_map(|tool| tool["function"]["name"].as_str()).collect()
}

#[tokio::test]
async fn a_name_is_found_in_the_list_of_hosts() {
    let (root, server) = (EmptyRoot::new(), model().await);
    root.write("etc/hosts", "127.0.0.1 model.test\n");
    // What other programs ask here are libraries that the binary does not have.
    root.write("etc/nsswitch.conf", "hosts: mymachines resolve [!UNAVAIL=return] myhostname\n");
    let mut command = root.command(&named(&server));
    command.args(["run", "hello"]);
    assert_done(&root.run(command).await);
}

#[tokio::test]
async fn a_name_is_asked_of_a_server() {
    let (root, server, names) = (EmptyRoot::new(), model().await, NameServer::start("model.test").await);
    root.write("etc/resolv.conf", &format!("nameserver {}\n", names.address()));
    let mut command = root.command(&named(&server));
    command.args(["run", "hello"]);
    assert_done(&root.run(command).await);
    assert!(names.asked().contains(&"model.test".to_owned()), "{:?}", names.asked());
}

#[tokio::test]
async fn a_name_without_servers_is_told_with_what_is_missing() {
    let (root, server) = (EmptyRoot::new(), model().await);
    let mut command = root.command(&named(&server));
    command.args(["run", "hello"]);
    let ended = root.run(command).await;
    assert_eq!((ended.status, ended.stdout.as_str(), server.requests().len()), (5, "", 0), "{}", ended.stderr);
    for told in ["ENVIRONMENT", "model.test", "there is no /etc/resolv.conf"] {
        assert!(ended.stderr.contains(told), "`{told}`: {}", ended.stderr);
    }
}

#[tokio::test]
async fn a_secure_connection_is_made_with_roots_of_its_own() {
    let (root, server) = (EmptyRoot::new(), model().await);
    root.write("etc/hosts", "127.0.0.1 model.test\n");
    root.write("roots.pem", ROOT_CERTIFICATE);
    let secure = Secure::before(&server).await;
    for url in [secure.url("model.test"), secure.url("127.0.0.1")] {
        let mut command = root.command(&url);
        command.args(["run", "hello"]).env("SSL_CERT_FILE", "/roots.pem");
        assert_done(&root.run(command).await);
    }
    root.write("none.pem", "no certificate\n");
    for (file, why) in [("/absent.pem", "cannot be read"), ("none.pem", "holds no certificate")] {
        let mut command = root.command(&secure.url("model.test"));
        command.args(["run", "hello"]).env("SSL_CERT_FILE", file);
        let ended = root.run(command).await;
        assert_eq!(ended.status, 5, "{}", ended.stderr);
        assert!(ended.stderr.contains("SSL_CERT_FILE") && ended.stderr.contains(why), "{file}: {}", ended.stderr);
    }
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn overlays_are_refused_and_none_is_looked_for() {
    let (root, server) = (EmptyRoot::new(), model().await);
    root.write("home/dsh.patch.yml", "[ no list");
    let mut command = root.command(&server.url());
    command.args(["run", "hello"]).env("DSH_HOME", "/home");
    assert_done(&root.run(command).await);
    for (words, status) in [(&["--patch", "/more.yml", "run", "hello"][..], 5), (&["--patch", "/more.yml", "--dump-config"], 1)] {
        let mut command = root.command(&server.url());
        command.args(words);
        let ended = root.run(command).await;
        assert_eq!((ended.status, ended.stdout.as_str()), (status, ""), "{}", ended.stderr);
        let expected = "error[DSH0705]: this binary is sealed and takes no overlay\n |\n = help: build one with it: \
                        `dsh-build --profile shipped --patch /more.yml`\n";
        assert_eq!(ended.stderr, expected);
    }
    let mut command = root.command(&server.url());
    command.args(["--patch", "a.yml", "--patch", "b.yml", "--message-format", "json"]);
    let told: Value = serde_json::from_str(&root.run(command).await.stderr).unwrap();
    assert_eq!(
        (&told["code"], &told["helps"][0]),
        (&"DSH0705".into(), &"build one with it: `dsh-build --profile shipped --patch a.yml --patch b.yml`".into())
    );
    assert_eq!(server.requests().len(), 1);
    let mut command = root.command(&server.url());
    command.arg("--help");
    assert!(!root.run(command).await.stdout.contains("--patch"));
}

#[test]
fn it_holds_nothing_that_reads_the_language() {
    let holds = |path| String::from_utf8_lossy(&fs::read(path).unwrap()).contains("dsh_language");
    assert!(holds(binary("minimal")), "the name is found where it is");
    assert!(!holds(shipped().to_owned()));
}

#[tokio::test]
async fn it_tells_what_it_reads_of_its_surroundings() {
    let root = EmptyRoot::new();
    let mut command = root.command("http://127.0.0.1:9");
    command.args(["inspect", "surroundings", "--message-format", "json"]);
    let ended = root.run(command).await;
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let told: Value = serde_json::from_str(&ended.stdout).unwrap();
    let told = &told["surroundings"];
    assert_eq!(told["sealed"], true);
    assert_eq!(told["set"], json!({ "DSH_MODEL": "", "DSH_SYSTEM_PROMPT": "You are sealed.", "WITHOUT_EDITOR": "1" }));
    let names = |kind: &str| told[kind].as_array().unwrap().iter().map(|read| read["name"].clone()).collect::<Vec<Value>>();
    assert!(names("expressions").contains(&"cwd".into()) && names("expressions").contains(&"env.DSH_SESSION_ROOT".into()), "{told}");
    assert!(!names("expressions").contains(&"env.DSH_MODEL".into()), "{told}");
    assert_eq!(names("secrets"), ["DEEPSEEK_API_KEY"]);
}
