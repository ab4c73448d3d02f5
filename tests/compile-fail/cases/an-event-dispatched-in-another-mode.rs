//! The mode of an event is part of its type: it is dispatched in that mode and in no other.

use dsh_runtime::{Dispatcher, ListenerError, event};

#[event(name = "light/switched", mode = emit, payload = u32)]
pub struct LightSwitched;

#[event(name = "light/saving", mode = parallel, payload = u32)]
pub struct LightSaving;

#[event(name = "light/leaving", mode = serial, payload = u32)]
pub struct LightLeaving;

#[event(name = "light/dimming", mode = waterfall, payload = u32, out = u32)]
pub struct LightDimming;

async fn dispatch_emit_as_parallel(event: &Dispatcher<LightSwitched>) -> Result<usize, ListenerError> {
    event.parallel(&1).await
}

async fn dispatch_parallel_as_serial(event: &Dispatcher<LightSaving>) -> Result<(), ListenerError> {
    event.serial(&1).await
}

async fn dispatch_serial_as_waterfall(event: &Dispatcher<LightLeaving>) {
    event.waterfall(&mut 1, &|level: &mut u32| Box::pin(async move { *level })).await;
}

fn dispatch_waterfall_as_emit(event: &Dispatcher<LightDimming>) -> Result<(), ListenerError> {
    event.emit(&1)
}

fn main() {}
