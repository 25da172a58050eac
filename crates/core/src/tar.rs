//! Writing tar files: directories and files with nothing but name and contents, so that equal
//! contents make equal files. Names that do not fit are given by an extended header (POSIX.1-2001,
//! "pax").

use skald_host::paths::OsStrBytes;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

const BLOCK: usize = 512;
/// Bytes of the name field; a longer name needs an extended header.
const NAME_MAX: usize = 100;
/// The largest size that eleven octal digits can say.
const SIZE_MAX: u64 = (1 << 33) - 1;

/// Writes a tar file (POSIX.1-2001, pax).
pub struct Tar<W: Write>(BufWriter<W>);

impl<W: Write> Tar<W> {
    /// A tar file without entries so far, written to `file`.
    pub fn new(file: W) -> Tar<W> {
        Tar(BufWriter::with_capacity(1 << 16, file))
    }

    /// Adds a regular file with these `bytes`.
    pub fn file(&mut self, name: &Path, bytes: &[u8]) -> Result<()> {
        self.entry(name.as_os_str().as_bytes(), b'0', 0o644, bytes)
    }

    /// Adds a directory, which need not be empty.
    pub fn directory(&mut self, name: &Path) -> Result<()> {
        let name = [name.as_os_str().as_bytes(), b"/"].concat();
        self.entry(&name, b'5', 0o755, &[])
    }

    /// Writes the two empty blocks at the end.
    pub fn finish(mut self) -> Result<()> {
        self.0.write_all(&[0; 2 * BLOCK])?;
        self.0.flush()
    }

    fn entry(&mut self, name: &[u8], kind: u8, mode: u32, bytes: &[u8]) -> Result<()> {
        let size = bytes.len() as u64;
        if name.len() > NAME_MAX || size > SIZE_MAX {
            let mut records = record(b"path", name);
            records.extend_from_slice(&record(b"size", size.to_string().as_bytes()));
            self.block(b"././@PaxHeader", b'x', 0o644, &records)?;
        }
        self.block(&name[..name.len().min(NAME_MAX)], kind, mode, bytes)
    }

    fn block(&mut self, name: &[u8], kind: u8, mode: u32, bytes: &[u8]) -> Result<()> {
        let size = (bytes.len() as u64).min(SIZE_MAX);
        self.0.write_all(&header(name, kind, mode, size))?;
        self.0.write_all(bytes)?;
        let padding = bytes.len().next_multiple_of(BLOCK) - bytes.len();
        self.0.write_all(&[0; BLOCK][..padding])
    }
}

fn header(name: &[u8], kind: u8, mode: u32, size: u64) -> [u8; BLOCK] {
    let mut header = [0; BLOCK];
    let mut put = |at: usize, text: &[u8]| header[at..at + text.len()].copy_from_slice(text);
    put(0, name);
    put(100, format!("{mode:07o}").as_bytes());
    // Owner, group and time are zero, so that equal inputs give equal files.
    put(108, b"0000000");
    put(116, b"0000000");
    put(124, format!("{size:011o}").as_bytes());
    put(136, b"00000000000");
    // The checksum is computed with blanks in its own field.
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    header
}

/// A record of an extended header: `LENGTH KEY=VALUE`, where LENGTH counts itself.
fn record(key: &[u8], value: &[u8]) -> Vec<u8> {
    let rest = key.len() + value.len() + 3;
    let mut length = rest + 1;
    while rest + length.to_string().len() != length {
        length += 1;
    }
    [length.to_string().as_bytes(), b" ", key, b"=", value, b"\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_count_themselves() {
        assert_eq!(record(b"path", b"a"), b"9 path=a\n");
        assert_eq!(record(b"path", b""), b"8 path=\n");
        for length in 0..2000 {
            let record = record(b"path", &vec![b'x'; length]);
            let blank = record.iter().position(|&b| b == b' ').unwrap();
            let said: usize = std::str::from_utf8(&record[..blank]).unwrap().parse().unwrap();
            assert_eq!(said, record.len());
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri starts no processes")]
    fn tar_reads_what_was_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.tar");
        let mut tar = Tar::new(std::fs::File::create(&path).unwrap());
        let long = "d".repeat(90) + "/" + &"f".repeat(90);
        tar.directory(Path::new("x/empty")).unwrap();
        tar.file(Path::new("x/short"), b"contents").unwrap();
        tar.file(Path::new(&long), &[7; 1000]).unwrap();
        tar.finish().unwrap();
        let mut command = std::process::Command::new("tar");
        command.arg("-xf").arg(&path).arg("-C").arg(dir.path());
        assert!(command.status().unwrap().success());
        assert_eq!(std::fs::read(dir.path().join("x/short")).unwrap(), b"contents");
        assert_eq!(std::fs::read(dir.path().join(&long)).unwrap(), [7; 1000]);
        assert!(dir.path().join("x/empty").is_dir());
    }
}
