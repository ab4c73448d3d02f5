//! Whom a TLS connection trusts.

use std::path::Path;

use dsh_message::LlmFailure;
use dsh_runtime::Environment;
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// Names a file of root certificates, as for other programs.
const VARIABLE: &str = "SSL_CERT_FILE";

/// The roots of the public web, which are built in, or those of the file that the environment names in their place.
pub(crate) fn roots(environment: &Environment) -> Result<RootCertStore, LlmFailure> {
    let Some(named) = environment.var_os(VARIABLE) else {
        return Ok(RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()));
    };
    let path = environment.cwd().join(named);
    read(&path).map_err(|why| {
        let message = format!("the variable {VARIABLE} names {}, which {why}; it takes root certificates in PEM form", path.display());
        LlmFailure::new("ENVIRONMENT", message)
    })
}

fn read(path: &Path) -> Result<RootCertStore, String> {
    let certificates = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut roots = RootCertStore::empty();
    let (taken, _) = roots.add_parsable_certificates(certificates.map_err(|error| format!("cannot be read: {error}"))?);
    if taken == 0 { Err("holds no certificate".to_owned()) } else { Ok(roots) }
}
