//! The log holds everything; the history is what the model is sent of it.

use dsh_message::StreamChunk;
use dsh_session::catalogue::{AssistantChunk, AssistantMessage, UserMessage};
use dsh_testkit::Reply;

use crate::world::World;

#[tokio::test]
async fn row_06_the_history_is_a_part_of_the_log_and_a_reply_cites_its_chunks() {
    let world = World::new([Reply::text("done")]).await;
    let agent = world.agent().await;
    world.prompt(&agent, "mend it").await;

    let log = world.log();
    let messages = log.iter().filter(|event| event.surface_op.is_some());
    assert!(messages.clone().all(|event| event.is::<UserMessage>() || event.is::<AssistantMessage>()));
    assert_eq!(messages.count(), 2);
    assert_eq!(agent.session().history().messages().len(), 2);
    assert!(log.len() > 4, "boundaries and chunks are logged and not sent");
    assert_eq!(agent.session().length(), log.len() as u64);

    let reply = log.iter().find(|event| event.is::<AssistantMessage>()).expect("a reply");
    let cited = reply.source_event_seqs.as_ref().expect("a reply cites");
    let chunks: Vec<StreamChunk> = cited
        .iter()
        .map(|seq| log.iter().find(|event| event.seq == *seq).and_then(|event| event.data::<AssistantChunk>()).expect("a chunk").chunk)
        .collect();
    assert_eq!(chunks.len(), log.iter().filter(|event| event.is::<AssistantChunk>()).count());
    assert!(chunks.iter().any(|chunk| matches!(chunk, StreamChunk::TextDelta { text, .. } if *text == "done")));
    world.teardown().await;
}
