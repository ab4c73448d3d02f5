//! A secret cannot be part of what a session records.

use dsh_runtime::{SecretValue, session_event};
use serde::{Deserialize, Serialize};

#[session_event(name = "door/opened")]
#[derive(Serialize, Deserialize)]
pub struct DoorOpened {
    pub key: SecretValue,
}

fn main() {}
