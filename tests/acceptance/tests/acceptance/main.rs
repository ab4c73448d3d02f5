//! The acceptance rows: what must hold of a harness whose every part is a plugin. Each test's name begins with its row; `README.md`
//! lists them, with the rows that hold because their violation does not compile.

mod delegation;
mod effects;
mod guards;
mod inbox;
mod log;
mod logged;
mod modes;
mod order;
mod patches;
mod prompt;
mod readme;
mod rejection;
mod results;
mod services;
mod specs;
mod turns;
mod world;
