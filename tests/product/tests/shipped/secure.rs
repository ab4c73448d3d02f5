//! TLS before a model server.

use std::sync::Arc;

use dsh_testkit::MockServer;
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

const CERTIFICATE: &str = include_str!("certificates/server.pem");
const KEY: &str = include_str!("certificates/server.key");

/// What listens; it ends when it is dropped.
pub struct Secure {
    port: u16,
    accepting: JoinHandle<()>,
}

impl Secure {
    /// Hands on what comes over secure connections.
    pub async fn before(server: &MockServer) -> Self {
        let certificate = CertificateDer::from_pem_slice(CERTIFICATE.as_bytes()).unwrap();
        let key = PrivateKeyDer::from_pem_slice(KEY.as_bytes()).unwrap();
        let versions = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()));
        let config = versions.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let acceptor = TlsAcceptor::from(Arc::new(config.with_single_cert(vec![certificate], key).unwrap()));
        let behind = server.url().trim_start_matches("http://").to_owned();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let accepting = tokio::spawn(async move {
            while let Ok((outer, _)) = listener.accept().await {
                // Whoever does not trust the certificate breaks off.
                let Ok(mut outer) = acceptor.accept(outer).await else { continue };
                let behind = behind.clone();
                tokio::spawn(async move {
                    let mut inner = TcpStream::connect(behind).await.unwrap();
                    let _ = tokio::io::copy_bidirectional(&mut outer, &mut inner).await;
                });
            }
        });
        Self { port, accepting }
    }

    /// Where it is, by a name of this machine.
    pub fn url(&self, host: &str) -> String {
        format!("https://{host}:{}", self.port)
    }
}

impl Drop for Secure {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}
