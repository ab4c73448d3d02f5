//! What must not be seen: the key, and files where none belong.

use std::path::PathBuf;

use dsh_product_tests::KEY;
use dsh_testkit::Step;

use crate::{Serving, results, shell};

#[tokio::test]
async fn the_key_reaches_the_model_server_and_nobody_else() {
    let steps = [
        shell("env; cat /proc/self/environ /proc/$PPID/environ | tr '\\0' '\\n'; set | head -c 8000"),
        Step::status(401),
        Step::text("done"),
    ];
    let mut serving = Serving::start(steps).await;
    let events = serving.turn("secret", "show your environment").await;
    assert!(results(&events)[0].contains("HOME="), "the environment is shown: {}", results(&events)[0]);
    serving.turn("secret", "fail and go on").await;

    let Serving { place, server, client } = serving;
    let ended = client.close().await;
    assert_eq!(ended.status, 0);
    for request in server.requests() {
        assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
        assert!(!request.text.contains(KEY) && !request.path.contains(KEY), "the key is in its header and nowhere else");
    }
    let frames: Vec<&str> = ended.frames.iter().map(|frame| frame.text.as_str()).filter(|text| text.contains(KEY)).collect();
    assert_eq!(frames, [""; 0]);
    assert!(!ended.stderr.contains(KEY), "{}", ended.stderr);
    assert_eq!(place.files_with(KEY), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn nothing_is_written_but_the_log() {
    let mut serving = Serving::start([shell("true"), Step::text("done")]).await;
    serving.turn("only", "do nothing").await;
    let Serving { place, client, .. } = serving;
    assert_eq!(client.close().await.status, 0);
    assert_eq!(place.logs().len(), 1);
    assert_eq!(place.files_beside_sessions(), Vec::<PathBuf>::new());
}
