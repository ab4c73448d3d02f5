//! A secret has no serialized form, so it cannot be part of the session log, of a message or of a request.

use dsh_runtime::SecretValue;
use serde::Serialize;

#[derive(Serialize)]
struct DoorOpened {
    key: SecretValue,
}

fn main() {}
