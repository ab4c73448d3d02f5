//! Logs that are long enough to tell; `cargo run -p dsh-long-tests --bin long-log` takes much longer ones.

use dsh_long_tests::long_log::{Shape, take_up};
use dsh_product_tests::binary;

/// Memory that a log fifteen times as long may take beside that of a short one with the same conversation.
const MOST_MORE_BYTES: u64 = 6 * 1024 * 1024;

#[tokio::test]
async fn a_long_log_takes_the_memory_of_its_conversation() {
    let binary = binary("minimal");
    for (shape, compression) in [(Shape::Calls, "none"), (Shape::Streams, "zstd")] {
        let grown = async |events| {
            let figures = take_up(&binary, compression, shape, events).await.unwrap_or_else(|problem| panic!("{problem}"));
            figures.after.most_resident_bytes - figures.before.resident_bytes
        };
        let (short, long) = (grown(2_000).await, grown(30_000).await);
        assert!(long <= short + MOST_MORE_BYTES, "{shape:?}, {compression}: {short} bytes, then {long}");
    }
}
