//! The four modes of dispatch differ in what dispatcher and listeners may expect.

use std::sync::Mutex;
use std::time::Duration;

use dsh_runtime::{BoxFuture, Flow, ListenerError, MountError, Mounted, Next, NoConfig, NoInject, PluginContext, Topic, event, plugin};
use dsh_testkit::Harness;
use tokio::sync::Barrier;

use crate::world::lock;

/// What is dispatched; it takes down who heard it.
pub struct Bell {
    heard: Mutex<Vec<String>>,
    /// Opens when two listeners stand at it.
    both: Barrier,
}

#[event(name = "bell/rung", mode = emit, payload = Bell)]
pub struct BellRung;

#[event(name = "bell/oiling", mode = parallel, payload = Bell)]
pub struct BellOiling;

#[event(name = "bell/lowering", mode = serial, payload = Bell)]
pub struct BellLowering;

#[event(name = "bell/tuning", mode = waterfall, payload = u32, out = u32)]
pub struct BellTuning;

pub struct Ringer {
    name: String,
}

#[plugin]
impl Ringer {
    pub async fn mount(cx: &PluginContext) -> Result<Self, MountError> {
        Ok(Self { name: cx.row_id().to_owned() })
    }

    #[on(BellRung)]
    pub fn rung(&self, bell: &Bell) {
        lock(&bell.heard).push(self.name.clone());
    }

    #[on(BellOiling)]
    pub async fn oiling(&self, bell: &Bell) -> Result<(), ListenerError> {
        // One after the other, nobody would get past this.
        bell.both.wait().await;
        lock(&bell.heard).push(self.name.clone());
        Ok(())
    }

    #[on(BellLowering)]
    pub async fn lowering(&self, bell: &Bell) -> Result<(), ListenerError> {
        lock(&bell.heard).push(format!("{} begins", self.name));
        tokio::task::yield_now().await;
        lock(&bell.heard).push(format!("{} ends", self.name));
        Ok(())
    }

    #[on(BellTuning)]
    pub async fn tuning(&self, hertz: &mut u32, next: Next<'_, BellTuning>) -> Flow<BellTuning> {
        *hertz += 1;
        next.run(hertz).await.map(|tuned| tuned * 2)
    }
}

fn bell() -> Bell {
    Bell { heard: Mutex::default(), both: Barrier::new(2) }
}

async fn two_ringers(harness: &mut Harness) -> [Mounted<Ringer>; 2] {
    [harness.mount("first", NoConfig {}, NoInject {}).await, harness.mount("second", NoConfig {}, NoInject {}).await]
}

#[tokio::test]
async fn row_04_emit_tells_everyone_in_row_order_and_yields_nothing() {
    let mut harness = Harness::new();
    let topic = Topic::<BellRung>::new();
    two_ringers(&mut harness).await.iter().rev().for_each(|ringer| topic.attach(ringer));
    let bell = bell();
    let () = topic.dispatcher().emit(&bell).unwrap();
    assert_eq!(*lock(&bell.heard), ["first", "second"]);
    harness.teardown().await;
}

#[tokio::test]
async fn row_04_parallel_runs_all_at_once_and_waits_for_all() {
    let mut harness = Harness::new();
    let topic = Topic::<BellOiling>::new();
    two_ringers(&mut harness).await.iter().for_each(|ringer| topic.attach(ringer));
    let bell = bell();
    let dispatcher = topic.dispatcher();
    let ran = tokio::time::timeout(Duration::from_secs(10), dispatcher.parallel(&bell)).await;
    assert_eq!(ran.expect("each waits for the other").unwrap(), 2);
    assert_eq!(lock(&bell.heard).len(), 2);
    harness.teardown().await;
}

#[tokio::test]
async fn row_04_serial_runs_one_after_the_other() {
    let mut harness = Harness::new();
    let topic = Topic::<BellLowering>::new();
    two_ringers(&mut harness).await.iter().rev().for_each(|ringer| topic.attach(ringer));
    let bell = bell();
    topic.dispatcher().serial(&bell).await.unwrap();
    assert_eq!(*lock(&bell.heard), ["first begins", "first ends", "second begins", "second ends"]);
    harness.teardown().await;
}

#[tokio::test]
async fn row_04_waterfall_rewrites_on_the_way_in_and_on_the_way_out() {
    fn keep(hertz: &mut u32) -> BoxFuture<'_, u32> {
        Box::pin(async move { *hertz })
    }
    let mut harness = Harness::new();
    let topic = Topic::<BellTuning>::new();
    two_ringers(&mut harness).await.iter().for_each(|ringer| topic.attach(ringer));
    assert_eq!(topic.dispatcher().waterfall(&mut 100, &keep).await, 102 * 4);
    harness.teardown().await;
}
