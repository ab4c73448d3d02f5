//! The binary of the profile `minimal` with bad input and in bad surroundings, one file a family. Each test looks at the world: exit
//! status, streams, log, files, processes. That the key is in none of them is seen by the places and clients themselves.

mod calls;
mod clock;
mod commands;
mod credentials;
mod disk;
mod folders;
mod frames;
mod logs;
mod model_server;
mod readers;
mod scene;
mod signals;
mod unprivileged;
mod usage;
mod variables;
mod wire_server;
