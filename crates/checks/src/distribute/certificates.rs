//! Certificates for connections with TLS, made by `openssl`.

use super::succeed;
use crate::Result;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Makes a certificate authority (`ca.pem`), and certificates signed by it for the server
/// `localhost` and for a client, with their keys; and an unrelated authority (`stranger.pem`).
pub fn make(directory: &Path) -> Result<()> {
    for name in ["ca", "stranger"] {
        let subject = format!("/CN={name}");
        let mut make = openssl(directory, &["req", "-x509", "-nodes", "-days", "2", "-subj"]);
        make.arg(subject).args(NEW_KEY);
        make.args(["-keyout", &format!("{name}.key"), "-out", &format!("{name}.pem")]);
        succeed(&mut make)?;
    }
    fs::write(directory.join("names"), "subjectAltName=DNS:localhost\n")
        .map_err(|e| e.to_string())?;
    for name in ["server", "client"] {
        let mut ask = openssl(directory, &["req", "-nodes", "-subj", &format!("/CN={name}")]);
        ask.args(NEW_KEY);
        ask.args(["-keyout", &format!("{name}.key"), "-out", &format!("{name}.csr")]);
        succeed(&mut ask)?;
        let mut sign = openssl(directory, &["x509", "-req", "-days", "2", "-CA", "ca.pem"]);
        sign.args(["-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"]);
        sign.args(["-in", &format!("{name}.csr"), "-out", &format!("{name}.pem")]);
        succeed(&mut sign)?;
    }
    Ok(())
}

const NEW_KEY: [&str; 4] = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"];

fn openssl(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("openssl");
    command.current_dir(directory).args(arguments);
    command
}
