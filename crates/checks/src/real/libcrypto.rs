//! OpenSSL's libcrypto: five thousand exported names under a version script, assembly, and
//! programs that use them.

use super::{Done, Place, is_installed, output, skip_if_offline};
use crate::Result;
use std::path::Path;
use std::process::Command;
use xtask::root;

const MANIFEST: &str = r#"[package]
name = "libcrypto"
version = "0.0.0"
edition = "2021"

[workspace]

[dependencies]
openssl-src = "=300.5.2"
"#;

const CONFIGURE: &str =
    "./Configure linux-x86_64 shared no-tests no-docs no-legacy no-engine CFLAGS=-O1 LDFLAGS=";

/// Digests, verification of a signature, and encryption with decryption.
const CHECK: &str = r#"set -e
export LD_LIBRARY_PATH=.
openssl=apps/openssl
printf abc > work.txt
$openssl dgst -sha256 work.txt
$openssl genpkey -algorithm ed25519 -out work.pem
$openssl pkeyutl -sign -rawin -inkey work.pem -in work.txt -out work.sig
$openssl pkeyutl -verify -rawin -inkey work.pem -in work.txt -sigfile work.sig
$openssl enc -aes-256-ctr -pbkdf2 -k word -in work.txt -out work.enc
$openssl enc -d -aes-256-ctr -pbkdf2 -k word -in work.enc
"#;

const EXPECTED: [&str; 3] = [
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "Signature Verified Successfully",
    "abc",
];

/// The library, as the linker and as GNU ld make it, offers the same names with the same versions.
pub(super) fn libcrypto(place: &Place) -> Result<Done> {
    for program in ["make", "perl"] {
        if !is_installed(program, "--version") {
            return Ok(Done::Skipped(format!("there is no {program}")));
        }
    }
    let files = [("Cargo.toml", MANIFEST), ("src/main.rs", "fn main() {}\n")];
    let project = place.project("libcrypto", &files)?;
    let mut vendor = root::cargo();
    if let Err(message) = output(vendor.args(["vendor", "--quiet"]).current_dir(&project)) {
        return skip_if_offline(message);
    }
    let source = project.join("vendor/openssl-src/openssl");
    let configure = format!("{CONFIGURE}{}", place.driver_option());
    shell(&source, &configure)?;
    shell(&source, "make -s build_generated && make -s -j2 libcrypto.so libssl.so apps/openssl")?;
    let said = shell(&source, CHECK)?;
    if let Some(missing) = EXPECTED.iter().find(|text| !said.contains(**text)) {
        return Err(format!("openssl says {said:?}, without {missing:?}"));
    }
    let ours = exported_names(&source)?;
    shell(&source, "rm -f libcrypto.so* && make -s LDFLAGS= libcrypto.so")?;
    let theirs = exported_names(&source)?;
    if ours == theirs {
        return Ok(Done::Right);
    }
    let differing = ours.iter().find(|name| !theirs.contains(name));
    let differing = differing.or_else(|| theirs.iter().find(|name| !ours.contains(name)));
    Err(format!("other names than GNU ld's: {differing:?}"))
}

fn shell(directory: &Path, script: &str) -> Result<String> {
    output(Command::new("sh").args(["-c", script]).current_dir(directory))
}

/// Kind, name and version of every dynamic symbol, sorted; without the absolute symbols that GNU
/// ld alone adds for the versions themselves.
fn exported_names(source: &Path) -> Result<Vec<String>> {
    let text = shell(source, "nm -D --with-symbol-versions libcrypto.so")?;
    let mut names: Vec<String> =
        text.lines().map(without_address).filter(|name| !name.starts_with("A ")).collect();
    names.sort();
    Ok(names)
}

/// A line of `nm` from its kind on.
fn without_address(line: &str) -> String {
    line.get(17..).unwrap_or_default().to_owned()
}
