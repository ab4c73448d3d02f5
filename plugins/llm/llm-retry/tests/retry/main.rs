//! Failed calls of a real agent's turns: what the log says, how long is waited, what ends a pause. The time is tokio's own, which
//! stands still while anything can run.

mod bounded;
mod checks;
mod endless;
mod giving_up;
mod world;
