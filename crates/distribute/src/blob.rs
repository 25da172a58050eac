//! Blobs: pieces of content, their digests and their sources.

use bazel_remote_apis::build::bazel::remote::execution::v2::Digest;
use prost::Message;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the bytes of a blob are.
#[derive(Debug, Clone)]
pub enum Source {
    Memory(Arc<[u8]>),
    File(PathBuf),
}

/// A piece of content with its digest.
#[derive(Debug, Clone)]
pub struct Blob {
    pub digest: Digest,
    pub source: Source,
}

impl Blob {
    /// A message in its canonical form.
    pub fn of_message(message: &impl Message) -> Blob {
        let bytes = message.encode_to_vec();
        let digest = digest(&Sha256::digest(&bytes), bytes.len() as u64);
        Blob { digest, source: Source::Memory(bytes.into()) }
    }

    /// All bytes of the blob.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        match &self.source {
            Source::Memory(bytes) => Ok(bytes.to_vec()),
            Source::File(path) => std::fs::read(path),
        }
    }
}

/// Digests of files; each file is read once.
#[derive(Debug, Default)]
pub struct Files(BTreeMap<PathBuf, Blob>);

impl Files {
    /// The blob of a file.
    ///
    /// # Errors
    /// A message with the file.
    pub fn blob(&mut self, path: &Path) -> Result<Blob, String> {
        if let Some(blob) = self.0.get(path) {
            return Ok(blob.clone());
        }
        let failed = |error| format!("cannot read {}: {error}", path.display());
        let mut file = File::open(path).map_err(failed)?;
        let (mut hash, mut size) = (Sha256::new(), 0);
        let mut buffer = vec![0; 256 << 10];
        loop {
            let read = file.read(&mut buffer).map_err(failed)?;
            if read == 0 {
                break;
            }
            hash.update(&buffer[..read]);
            size += read as u64;
        }
        let blob =
            Blob { digest: digest(&hash.finalize(), size), source: Source::File(path.to_owned()) };
        self.0.insert(path.to_owned(), blob.clone());
        Ok(blob)
    }
}

fn digest(hash: &[u8], size: u64) -> Digest {
    let hash = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    Digest { hash, size_bytes: size as i64 }
}

/// Whether `bytes` have the digest `wanted`.
pub fn is_of(bytes: &[u8], wanted: &Digest) -> bool {
    digest(&Sha256::digest(bytes), bytes.len() as u64) == *wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_content() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a");
        std::fs::write(&path, "abc").expect("a file");
        let blob = Files::default().blob(&path).expect("a blob");
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!((&*blob.digest.hash, blob.digest.size_bytes), (hash, 3));
        assert!(is_of(b"abc", &blob.digest) && !is_of(b"abd", &blob.digest));
        assert_eq!(blob.read().expect("bytes"), b"abc");
    }
}
