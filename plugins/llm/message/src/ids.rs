//! Identifiers that cross a boundary.

use std::fmt;

use dsh_json::JsString;
use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, out)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }
    };
}

id! {
    /// A session: any non-empty string, chosen by whoever creates it.
    SessionId(std::sync::Arc<str>)
}
id! {
    /// A message: a UUID, or what crash repair makes of a call's id.
    MessageId(std::sync::Arc<str>)
}
id! {
    /// A tool call, as the model's provider named it.
    CallId(JsString)
}
