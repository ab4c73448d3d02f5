use crate::world::World;
#[tokio::test] async fn zz_panic1() { let w = World::new().await; w.run("true").await; w.run("echo a; kill -9 $BASHPID | cat").await; panic!("x") }
