//! The HTTP client, built when it is first needed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dsh_message::LlmFailure;
use dsh_runtime::Environment;
use reqwest::{Client, NoProxy, Proxy, redirect};
use rustls::{ClientConfig, RootCertStore};

use crate::names::SystemNames;
use crate::roots::roots;

/// Longest time to reach the provider's machine.
const CONNECT_LIMIT: Duration = Duration::from_secs(30);

/// One client for all calls, so that connections are used again.
#[derive(Default)]
pub(crate) struct HttpClient {
    built: Mutex<Option<Client>>,
}

impl HttpClient {
    /// The client for the provider at `url`, which does not change. Its proxy is that of the environment: `http_proxy` or
    /// `https_proxy` by the address, else `all_proxy`, unless `no_proxy` exempts it; in lower or upper case.
    pub(crate) fn get(&self, url: &str, environment: &Environment) -> Result<Client, LlmFailure> {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = &*built {
            return Ok(client.clone());
        }
        let client = build(url, roots(environment)?, environment)
            .map_err(|words| LlmFailure::new("UNKNOWN", format!("cannot set the HTTP client up: {words}")))?;
        Ok(built.insert(client).clone())
    }
}

fn build(url: &str, roots: RootCertStore, environment: &Environment) -> Result<Client, String> {
    let tls = tls(roots).map_err(|error| error.to_string())?;
    // A redirect would carry the conversation to an address that the profile does not name.
    let builder = Client::builder().tls_backend_preconfigured(tls).redirect(redirect::Policy::none());
    let builder = builder.dns_resolver(SystemNames).connect_timeout(CONNECT_LIMIT).no_proxy();
    let builder = match proxy(url, environment)? {
        Some(proxy) => builder.proxy(proxy),
        None => builder,
    };
    builder.build().map_err(|error| error.without_url().to_string())
}

fn tls(roots: RootCertStore) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let mut config = versions.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

fn proxy(url: &str, environment: &Environment) -> Result<Option<Proxy>, String> {
    let variable = |name: &'static str| {
        let value = environment.var(name).or_else(|| environment.var(name.to_uppercase()));
        value.map(|value| (name, value.trim()))
    };
    let own = if url.starts_with("https:") { "https_proxy" } else { "http_proxy" };
    let Some((name, address)) = variable(own).or_else(|| variable("all_proxy")) else { return Ok(None) };
    // The client would pass over a proxy of another kind and connect directly. The address may hold a password, so it is not
    // repeated.
    let usable = address.split_once("://").is_none_or(|(scheme, _)| matches!(scheme, "http" | "https"));
    let proxy = Proxy::all(address).ok().filter(|_| usable);
    let proxy = proxy.ok_or_else(|| format!("the variable {name} names no HTTP proxy"))?;
    Ok(Some(proxy.no_proxy(variable("no_proxy").and_then(|(_, hosts)| NoProxy::from_string(hosts)))))
}
