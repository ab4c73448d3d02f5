//! Names of machines, looked up as the system does it.

use std::io;
use std::path::Path;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// The file that names the servers which know names.
const SERVERS: &str = "/etc/resolv.conf";

/// The system's own way.
pub(crate) struct SystemNames;

/// A name of which no address was found.
#[derive(Debug, thiserror::Error)]
#[error("the name {name} was not found")]
pub(crate) struct NameError {
    name: String,
    source: io::Error,
    /// Whether the machine names servers that could know it.
    has_servers: bool,
}

impl Resolve for SystemNames {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            match tokio::net::lookup_host((name.as_str(), 0)).await {
                Ok(found) => Ok(Box::new(found.collect::<Vec<_>>().into_iter()) as Addrs),
                Err(source) => {
                    let error = NameError { name: name.as_str().to_owned(), source, has_servers: Path::new(SERVERS).exists() };
                    Err(error.into())
                }
            }
        })
    }
}

impl NameError {
    /// What the machine lacks, where the name was not found for lack of it.
    pub(crate) fn lack(&self) -> Option<String> {
        let words = "lists the servers that know names; an address, or a line in /etc/hosts, needs none";
        (!self.has_servers).then(|| format!("the name {} cannot be looked up: there is no {SERVERS}, which {words}", self.name))
    }
}
