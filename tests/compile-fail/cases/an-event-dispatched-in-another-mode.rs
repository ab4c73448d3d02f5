//! The mode of an event is part of its type: it is dispatched in that mode and in no other.

use dsh_runtime::{BoxFuture, Dispatcher, ListenerError, event};

#[event(name = "light/switched", mode = emit, payload = u32)]
pub struct LightSwitched;

#[event(name = "light/saving", mode = parallel, payload = u32)]
pub struct LightSaving;

#[event(name = "light/leaving", mode = serial, payload = u32)]
pub struct LightLeaving;

#[event(name = "light/dimming", mode = waterfall, payload = u32, out = u32)]
pub struct LightDimming;

fn emit_as_parallel(event: &Dispatcher<LightSwitched>) {
    drop(event.parallel(&1));
}

fn parallel_as_serial(event: &Dispatcher<LightSaving>) {
    drop(event.serial(&1));
}

fn serial_as_waterfall(event: &Dispatcher<LightLeaving>) {
    drop(event.waterfall(&mut 1, &keep));
}

fn waterfall_as_emit(event: &Dispatcher<LightDimming>) -> Result<(), ListenerError> {
    event.emit(&1)
}

fn keep(level: &mut u32) -> BoxFuture<'_, u32> {
    Box::pin(async move { *level })
}

fn main() {}
