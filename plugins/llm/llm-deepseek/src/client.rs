//! The HTTP client, built when it is first needed.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dsh_message::LlmFailure;
use dsh_runtime::Environment;
use reqwest::{Client, NoProxy, Proxy, redirect};
use rustls::{ClientConfig, RootCertStore};

/// Longest time to reach the provider's machine.
const CONNECT_LIMIT: Duration = Duration::from_secs(30);

/// One client for all calls, so that connections are used again.
#[derive(Default)]
pub(crate) struct HttpClient {
    built: Mutex<Option<Client>>,
}

impl HttpClient {
    /// The client. Its proxies are those of the environment: `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`, in lower or
    /// upper case.
    pub(crate) fn get(&self, environment: &Environment) -> Result<Client, LlmFailure> {
        let mut built = self.built.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = &*built {
            return Ok(client.clone());
        }
        let client = build(environment).map_err(|words| LlmFailure::new("UNKNOWN", format!("cannot set the HTTP client up: {words}")))?;
        Ok(built.insert(client).clone())
    }
}

fn build(environment: &Environment) -> Result<Client, String> {
    let tls = tls().map_err(|error| error.to_string())?;
    // A redirect would carry the conversation to an address that the profile does not name.
    let mut builder = Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(redirect::Policy::none())
        .connect_timeout(CONNECT_LIMIT)
        .no_proxy();
    for proxy in proxies(environment)? {
        builder = builder.proxy(proxy);
    }
    builder.build().map_err(|error| error.without_url().to_string())
}

fn tls() -> Result<ClientConfig, rustls::Error> {
    let roots = RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let mut config = versions.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

fn proxies(environment: &Environment) -> Result<Vec<Proxy>, String> {
    let variable = |name: &str| {
        let value = environment.var(name).or_else(|| environment.var(name.to_uppercase()));
        value.map(str::trim).filter(|value| !value.is_empty())
    };
    let exempt = variable("no_proxy").and_then(NoProxy::from_string);
    let kinds: [(&str, fn(String) -> reqwest::Result<Proxy>); 3] =
        [("http_proxy", Proxy::http), ("https_proxy", Proxy::https), ("all_proxy", Proxy::all)];
    let mut proxies = Vec::new();
    for (name, make) in kinds {
        let Some(address) = variable(name) else { continue };
        // The address may hold a password, so it is not repeated.
        let proxy = make(address.to_owned()).map_err(|_| format!("the variable {name} holds no proxy address that can be used"))?;
        proxies.push(proxy.no_proxy(exempt.clone()));
    }
    Ok(proxies)
}
