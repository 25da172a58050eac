//! Input files as byte slices that live as long as the process.
//!
//! Regular files are mapped, so that reading costs little more than page faults. Reading into
//! anonymous memory costs three to four times as much: a private page must be cleared and filled,
//! where a mapped page is shared with the page cache. Files of at most one page are read instead.
//! CPU time in microseconds per file, from open to close with all pages touched:
//!
//! | bytes | mapped | read |
//! |---|---|---|
//! | 1,000 | 3.3 | 2.5 |
//! | 4,096 | 3.2 | 3.1 |
//! | 8,192 | 3.3 | 5.2 |
//! | 16,384 | 3.7 | 8.8 |
//! | 262,144 | 11 | 500 |
//!
//! Files that cannot be mapped (FIFOs, devices, some `/proc` files, the 65,530th mapping of a
//! process) are read too. Nothing is ever unmapped: the process ends with the link, and unmapping
//! files one by one costs more than exit does.
//!
//! Access to a mapped file that another process has truncated raises SIGBUS; every mapping is
//! registered with the host, which turns the signal into an error that names the file. A file that
//! is *overwritten* meanwhile shows new bytes; decoders check what they decode, once, and must not
//! rely on reading the same value twice.

use crate::diag::{Error, Result};
use crate::out_of_memory::out_of_memory;
use crate::{alloc, column, par};
use skald_host::input::{self as host, Identity, KeptFile, Kind, OpenFile};
use skald_host::{errors, pages};
use std::io;
use std::ops::Range;
use std::path::Path;

mod recording;
mod release;

pub use recording::{CHANGED, changed, forget, opened_as, opened_since, opened_so_far};
pub(crate) use recording::{any_changed, containing};
pub use release::{ReleaseQueue, ReleasedParts};
pub(crate) use release::{Sweep, give_back, give_back_at_once, mapped};

/// Files up to this many bytes are read, larger ones mapped.
const READ_MAX: u64 = 4096;

/// Mapped files of at least this size stay open, so that [`InputFile::copy`] can read them without
/// page faults.
const KEPT_OPEN_MIN: u64 = 128 << 10;
/// Smaller parts are copied from the mapping: a system call would cost more than its pages.
const READ_PART_MIN: usize = 16 << 10;

/// Most bytes that are read from a device, as some devices have no end.
const DEVICE_MAX: usize = 16 << 20;
/// Most bytes that are read from other files that cannot be mapped, such as pipes.
const STREAM_MAX: usize = 4 << 30;

/// Least alignment of `data`, so that headers at its start can be read in place.
const ALIGN: usize = 64;

/// An open input file.
#[derive(Debug, Clone, Copy)]
pub struct InputFile {
    /// The path it was opened by.
    pub path: &'static Path,
    /// All bytes of the file, at least 64-byte aligned; valid until the process ends.
    pub data: &'static [u8],
    /// The identity of the file, to recognise a file that is named twice.
    pub identity: Identity,
    /// `data` is a mapping and not a copy.
    is_mapped: bool,
    is_cold: bool,
    /// Stays open until the process ends.
    descriptor: Option<KeptFile>,
}

/// The bytes of an input, or of a member of it.
#[derive(Debug, Clone, Copy)]
pub struct InputBytes {
    /// Contents: those of `file`, of a member of it, or made by the linker.
    pub bytes: &'static [u8],
    /// The file that contains `bytes`; `None` if the linker made them.
    pub file: Option<InputFile>,
    /// Bytes of `file` that belong to an object made by the linker, but are not in `bytes`.
    pub content: Option<&'static [u8]>,
}

/// Opens `path` and makes its bytes available.
///
/// # Errors
/// `cannot open PATH: No such file or directory`, `cannot read PATH: Is a directory` and the like.
pub fn open(path: &Path) -> Result<InputFile> {
    let file = OpenFile::open(path).map_err(|error| failure("open", path, &error))?;
    let status = *file.status();
    let path: &'static Path = Box::leak(path.to_path_buf().into_boxed_path());
    let mapped = match status.kind {
        Kind::File if status.size > READ_MAX => par::hold("addresses", || file.map(path)),
        _ => None,
    };
    let data = match mapped {
        Some(data) => data,
        None => {
            let limit = if status.kind == Kind::Device { DEVICE_MAX } else { STREAM_MAX };
            let bytes = read(&file, status.size as usize, limit);
            if status.kind == Kind::File
                && bytes.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::OutOfMemory)
            {
                out_of_memory(status.size as usize);
            }
            bytes.map_err(|error| failure("read", path, &error))?
        }
    };
    let is_mapped = mapped.is_some();
    let is_cold = is_mapped && file.is_cold();
    let descriptor = if is_mapped && status.size >= KEPT_OPEN_MIN { file.keep() } else { None };
    let file = InputFile { path, data, identity: status.identity, is_mapped, is_cold, descriptor };
    Ok(recording::opened(file, &status))
}

/// A larger file is not a text that a person wrote, and the parsed form of a text is larger than
/// the text.
const TEXT_MAX: usize = 256 << 20;

/// [`open`] for a text: a script, a list.
///
/// # Errors
/// Those of [`open`], and for files of more than 256 MiB.
pub fn open_text(path: &Path) -> Result<InputFile> {
    let file = open(path)?;
    file.check_text().map(|()| file)
}

impl InputFile {
    /// Fails if the file is too large for a text.
    ///
    /// # Errors
    /// `cannot read PATH: File too large`.
    pub fn check_text(&self) -> Result<()> {
        if self.data.len() > TEXT_MAX {
            Err(failure("read", self.path, &errors::too_large()))
        } else {
            Ok(())
        }
    }

    /// Copies `part`, a part of `data`, to `out`, which is as long.
    ///
    /// A large part is read through the descriptor if there is one: pages that are only copied once
    /// need not be faulted in, and then do not count as memory of the process.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn copy(&self, part: &'static [u8], out: &mut [u8]) {
        if part.len() < READ_PART_MIN || !self.read(part, out) {
            out.copy_from_slice(part);
        }
    }

    /// Reads `part` into `out` through the descriptor, if there is one. Returns whether all of it
    /// was read.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn read(&self, part: &'static [u8], out: &mut [u8]) -> bool {
        assert_eq!(part.len(), out.len(), "a part is copied whole");
        let Some(descriptor) = self.descriptor else { return false };
        let (all, part) = (self.data.as_ptr_range(), part.as_ptr_range());
        if part.start < all.start || part.end > all.end {
            return false;
        }
        let start = part.start as usize - all.start as usize;
        let mut filled = 0;
        while filled < out.len() {
            let offset = (start + filled) as u64;
            match descriptor.read_at(&mut out[filled..], offset) {
                // A truncated file is reported by the caller's read of the mapping.
                Ok(0) | Err(_) => return false,
                Ok(count) => filled += count,
            }
        }
        true
    }

    /// Whether the beginning of the file was not in the page cache when the file was opened; the
    /// rest is then likely not to be either.
    pub fn is_cold(&self) -> bool {
        self.is_cold
    }

    /// Starts reading `range` of the file from its disk, without waiting. Advice only.
    pub fn advise_willneed(&self, range: Range<usize>) {
        let len = self.data.len();
        let start = range.start.min(len) / pages::page_size() * pages::page_size();
        let end = range.end.min(len);
        if self.is_mapped && start < end {
            host::read_ahead(&self.data[start..end]);
        }
    }
}

/// Reads until the end of the file, which must come within `limit` bytes; `expected` bytes are
/// allocated at once.
fn read(file: &OpenFile, expected: usize, limit: usize) -> io::Result<&'static [u8]> {
    let first = allocate(expected.min(READ_MAX as usize).max(512) + 1);
    let mut filled = 0;
    while filled < first.len() {
        match file.read(&mut first[filled..])? {
            0 => return Ok(&first[..filled]),
            count => filled += count,
        }
        // Saves the read that would return 0 at the end; a size of 0 means nothing (FIFOs,
        // `/proc`).
        if filled == expected {
            return Ok(&first[..filled]);
        }
    }
    let mut bytes = first.to_vec();
    loop {
        let more = bytes.len().max(64 << 10);
        alloc::or_error(|| bytes.try_reserve(more)).map_err(|_| errors::no_memory())?;
        if file.append(&mut bytes)? == 0 {
            break;
        }
        if bytes.len() > limit {
            return Err(errors::too_large());
        }
    }
    let all = allocate(bytes.len());
    all.copy_from_slice(&bytes);
    Ok(all)
}

/// `len` zero bytes that are never freed, aligned to [`ALIGN`].
fn allocate(len: usize) -> &'static mut [u8] {
    // A vector of bytes has no alignment of its own: room for the rounding is reserved as well.
    let bytes = Vec::leak(column::reserved::<u8>(len.saturating_add(ALIGN - 1)));
    let start = bytes.as_ptr().align_offset(ALIGN);
    &mut bytes[start..start + len]
}

fn failure(verb: &str, path: &Path, error: &io::Error) -> Error {
    Error(format!("cannot {verb} {}: {}", path.display(), errors::text(error)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    fn pattern(len: usize) -> Vec<u8> {
        (0..len).map(|i| (i * 7 + i / 251) as u8).collect()
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn files_of_every_size_class_are_read_whole_and_aligned() {
        let dir = tempfile::tempdir().unwrap();
        for len in [0, 1, 511, 512, 513, 4095, 4096, 4097, 8192, 100_000] {
            let path = dir.path().join(len.to_string());
            fs::write(&path, pattern(len)).unwrap();
            let file = open(&path).unwrap();
            assert_eq!(file.data, pattern(len), "{len} bytes");
            assert_eq!(file.data.as_ptr() as usize % ALIGN, 0);
            assert_eq!(file.is_mapped, len > 4096, "{len} bytes");
            assert_eq!(file.path, path);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri opens no files with such flags")]
    fn names_what_cannot_be_opened() {
        let dir = tempfile::tempdir().unwrap();
        let missing = dir.path().join("missing.o");
        let Error(text) = open(&missing).unwrap_err();
        assert_eq!(text, format!("cannot open {}: No such file or directory", missing.display()));
        let Error(text) = open(dir.path()).unwrap_err();
        assert_eq!(text, format!("cannot open {}: Is a directory", dir.path().display()));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn fifos_and_proc_files_are_read_to_their_end() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("fifo");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, mode).unwrap();
        for len in [0, 10, 513, 300_000] {
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    let mut fifo = fs::OpenOptions::new().write(true).open(&path).unwrap();
                    fifo.write_all(&pattern(len)).unwrap();
                });
                assert_eq!(open(&path).unwrap().data, pattern(len));
            });
        }
        assert!(!open(Path::new("/proc/self/maps")).unwrap().data.is_empty());
        assert!(open(Path::new("/dev/null")).unwrap().data.is_empty());
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri opens no files with such flags")]
    fn one_file_under_two_names_has_one_identity() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b, c) = (dir.path().join("a"), dir.path().join("b"), dir.path().join("c"));
        fs::write(&a, "x").unwrap();
        fs::write(&c, "x").unwrap();
        std::os::unix::fs::symlink(&a, &b).unwrap();
        assert_eq!(open(&a).unwrap().identity, open(&b).unwrap().identity);
        assert_ne!(open(&a).unwrap().identity, open(&c).unwrap().identity);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn released_ranges_leave_memory_and_come_back_unchanged() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("big");
        let bytes = pattern(1_000_001);
        write_long_ago(&path, &bytes);
        let file = open(&path).unwrap();
        file.advise_willneed(5..900_000);
        assert_eq!(file.data, bytes);
        let before = resident_kib(file.data);
        assert_eq!(before, 245 * 4);
        let mut released = ReleasedParts::default();
        released.add(&file, &file.data[1..300_000]);
        released.add(&file, &file.data[300_000..300_005]);
        released.add(&file, b"elsewhere");
        released.give_back();
        let after = resident_kib(file.data);
        // Whole pages of 1..300,000: 1 to 72; nothing where the kernel cannot do it.
        assert!(after == before || after == before - 72 * 4, "{before} {after}");
        assert_eq!(file.data, bytes);
        // A range beyond the file has no effect.
        file.advise_willneed(usize::MAX - 1..usize::MAX);
        assert_eq!(file.data, bytes);
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri maps no files")]
    fn parts_are_copied_whole_by_either_way() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("big");
        let bytes = pattern(300_001);
        write_long_ago(&path, &bytes);
        let file = open(&path).unwrap();
        assert!(file.descriptor.is_some());
        for range in [0..0, 0..100, 5..20_000, 1..300_001, 299_000..300_001] {
            let mut out = vec![0; range.len()];
            file.copy(&file.data[range.clone()], &mut out);
            assert_eq!(out, bytes[range]);
        }
        // What was read through the descriptor is not mapped.
        let file = open(&path).unwrap();
        file.copy(&file.data[65_536..300_001], &mut vec![0; 300_001 - 65_536]);
        assert_eq!(resident_kib(file.data), 0);
        // Bytes that are not of this file, or of a file that was cut short, come from memory.
        let elsewhere: &'static [u8] = pattern(50_000).leak();
        let mut out = vec![0; 50_000];
        file.copy(elsewhere, &mut out);
        assert_eq!(out, elsewhere);
        assert!(!file.read(&[7; 20_000], &mut [0; 20_000]));
    }

    /// Gives the file an old time: if it were written in the tick of its opening, opening would
    /// read all of it for a digest.
    fn write_long_ago(path: &Path, bytes: &[u8]) {
        fs::write(path, bytes).unwrap();
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    }

    /// Resident size of the mapping that begins at `data`.
    fn resident_kib(data: &[u8]) -> usize {
        let maps = fs::read_to_string("/proc/self/smaps").unwrap();
        let start = format!("{:x}-", data.as_ptr() as usize);
        let mut lines = maps.lines().skip_while(|line| !line.starts_with(&start));
        let rss = lines.find(|line| line.starts_with("Rss:")).unwrap();
        rss.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}
