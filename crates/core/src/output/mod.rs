//! The output of a link: takes spans from many threads, and gives the file its name when it is
//! complete.
//!
//! A worker builds a span in a buffer that its thread reuses, and one `pwrite` passes it to the
//! kernel while it is in cache; one thread at a time writes ([`queue`]). That costs about half as
//! much as filling a shared mapping, where every page faults. With many threads a mapping is used
//! nevertheless ([`shared_mapping`], `docs/decisions/0002-output-strategy.md`). Streams are
//! collected in memory and written in order at the end; the null device gets nothing. Callers do
//! not know which kind of output it is.
//!
//! The host's [`Destination`] decides which file is written, and which name it has until it is
//! complete, for the output and for map files and reports ([`SideFile`]).
//!
//! Every byte of the file is written exactly once by a span: an overlap or a gap is a bug of the
//! caller and panics. Patches ([`Output::write_at`]) may overwrite bytes of spans.

mod buffer;
mod coverage;
mod queue;
mod shared_mapping;
mod side_file;
mod written;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use self::coverage::Coverage;
use self::queue::Queue;
use self::shared_mapping::{SharedMapping, Use};
pub use self::side_file::SideFile;
pub use self::written::{View, Written};
use crate::diag::{Error, Result};
use crate::{par, process_exit};
use skald_host::output::{self as host, Destination, Mapping, Wanted, Way};
use skald_host::{errors, faults};

/// The properties of an output that are known before it is written.
#[derive(Debug, Clone)]
pub struct OutputPlan {
    /// The name that it gets when it is complete; `-` is standard output.
    pub path: PathBuf,
    /// Bytes of the file.
    pub size: u64,
    /// Permission bits of a new file, umask applied: see [`permission_bits`].
    pub mode: u32,
    /// An existing file may be overwritten in place: it is an executable, which only the processes
    /// that run it map.
    pub is_executable_kind: bool,
    /// The old output keeps its name until the new one is complete (`--atomic-output`).
    pub atomic: bool,
    /// Fill a shared mapping (`--mmap-output-file`) or write buffers; `None`: whichever is faster.
    pub mmap: Option<bool>,
}

impl OutputPlan {
    fn wanted(&self) -> Wanted<'_> {
        Wanted {
            path: &self.path,
            size: self.size,
            mode: self.mode,
            may_reuse: self.is_executable_kind,
            atomic: self.atomic,
        }
    }
}

/// Whether a file could be written to `path`, as far as that can be known without writing one.
///
/// # Errors
/// `No such file or directory` and the like, without the path.
pub fn check(path: &Path) -> std::result::Result<(), String> {
    host::check(path).map_err(|error| errors::text(&error))
}

/// An output that is being written. If it is dropped without [`Output::commit`], no file remains
/// that looks complete.
pub struct Output {
    path: PathBuf,
    size: u64,
    // Fields are dropped in this order: the mapping before the file.
    store: Store,
    destination: Destination,
    coverage: Mutex<Coverage>,
    queue: Queue,
    /// The first error in writing a span.
    failed: OnceLock<Error>,
    /// The first bytes of a file that is overwritten in place. They are written last, so that even
    /// a killed process leaves no file that begins like an output.
    head: Mutex<Head>,
}

enum Store {
    /// Spans are built in buffers and written at their offset, or go into a shared mapping where
    /// that is faster.
    File(SharedMapping),
    /// Spans are built in place: in a shared mapping, or in anonymous memory for a stream.
    Memory(Mapping),
    /// The null device: spans are built and dropped.
    Nowhere,
}

type Head = [u8; HEAD];

/// Number of bytes that are written last: longer than any magic number.
const HEAD: usize = 64;

impl Output {
    /// Opens the output of `plan`. From here on the old output may be gone.
    ///
    /// # Errors
    /// `cannot open output file PATH: Permission denied` and the like.
    pub fn create(plan: &OutputPlan) -> Result<Output> {
        faults::report_file_size_limit();
        let cannot_open = |error: io::Error| failure("open output file", &plan.path, &error);
        let destination = Destination::open(&plan.wanted()).map_err(cannot_open)?;
        let store = Store::new(plan, &destination).map_err(cannot_open)?;
        Ok(Output {
            path: plan.path.clone(),
            size: plan.size,
            store,
            destination,
            coverage: Mutex::new(Coverage::new(plan.size)),
            queue: Queue::default(),
            failed: OnceLock::new(),
            head: Mutex::new([0; HEAD]),
        })
    }

    /// The name that the output gets.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Has `fill` build the `len` bytes at `file_offset` and writes them. Any thread may call this.
    ///
    /// `fill` must set every byte: the slice holds what an earlier span or the old output left
    /// there (0xA5 in debug builds).
    ///
    /// # Errors
    /// `cannot write PATH: No space left on device` and the like.
    ///
    /// # Panics
    /// If the span overlaps another one or leaves the file.
    pub fn write_span(
        &self,
        file_offset: u64,
        len: usize,
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<()> {
        self.coverage.lock().unwrap_or_else(|e| e.into_inner()).claim(file_offset, len as u64);
        match &self.store {
            Store::File(shared) => {
                if shared.wanted() == Use::Always
                    && let Some(span) = shared.populated(&self.destination, file_offset, len)
                {
                    span.fill(fill);
                    return Ok(());
                }
                self.queue_span(shared, file_offset, len, fill)?;
            }
            Store::Memory(mapping) => {
                // SAFETY: the range was claimed just now and `Coverage` lets nobody else claim a
                // byte of it; `write_at` and `commit` take the output exclusively.
                fill(unsafe { mapping.slice_mut(file_offset as usize, len) });
            }
            Store::Nowhere => {
                let mut buffer = buffer::take(len);
                fill(buffer.bytes_mut(len));
                buffer::keep(buffer);
            }
        }
        Ok(())
    }

    /// Builds a span and writes or queues it. A returned error may be that of another span.
    fn queue_span(
        &self,
        shared: &SharedMapping,
        file_offset: u64,
        len: usize,
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<()> {
        let failed = || self.failed.get().map_or(Ok(()), |error| Err(error.clone()));
        // After an error the span need not be built.
        failed()?;
        let mut buffer = buffer::take(len);
        fill(buffer.bytes_mut(len));
        let write = |bytes: &[u8], file_offset| {
            let lock = if shared.wanted() == Use::Never { "output" } else { "output-or-beside" };
            // An error is kept in `failed`.
            let _ = par::hold(lock, || self.write_file(file_offset, bytes));
        };
        let write_beside = |bytes: &[u8], file_offset| {
            let span = match shared.wanted() {
                Use::Never => None,
                _ => shared.populated(&self.destination, file_offset, bytes.len()),
            };
            span.map(|span| span.fill(|out| out.copy_from_slice(bytes))).is_some()
        };
        buffer::keep(self.queue.put(buffer, len, file_offset, write, write_beside));
        failed()
    }

    /// Claims `len` bytes at `file_offset` that stay zero: a hole, where files can have holes.
    ///
    /// # Errors
    /// As [`Output::write_span`].
    ///
    /// # Panics
    /// As [`Output::write_span`].
    pub fn leave_zeros(&self, file_offset: u64, len: u64) -> Result<()> {
        self.coverage.lock().unwrap_or_else(|e| e.into_inner()).claim(file_offset, len);
        // Memory and new files are zero where nothing is written.
        if !matches!(self.store, Store::File(_)) || !self.destination.holds_old_bytes() {
            return Ok(());
        }
        let zeros = vec![0; len.min(1 << 20) as usize];
        let mut start = 0;
        while start < len {
            let piece = (len - start).min(zeros.len() as u64);
            self.write_file(file_offset + start, &zeros[..piece as usize])?;
            start += piece;
        }
        Ok(())
    }

    /// Overwrites bytes of written spans: a build id, a checksum.
    ///
    /// # Panics
    /// If the bytes leave the file.
    pub fn write_at(&mut self, file_offset: u64, bytes: &[u8]) -> Result<()> {
        let end = file_offset.checked_add(bytes.len() as u64);
        assert!(
            end.is_some_and(|end| end <= self.size),
            "patch at {file_offset:#x} leaves the file"
        );
        match &mut self.store {
            Store::File(_) => self.write_file(file_offset, bytes),
            Store::Memory(mapping) => {
                let start = file_offset as usize;
                mapping.bytes()[start..start + bytes.len()].copy_from_slice(bytes);
                Ok(())
            }
            Store::Nowhere => Ok(()),
        }
    }

    /// Makes the file longer by `len` bytes, which spans have to fill like all others.
    ///
    /// # Errors
    /// `cannot write PATH: No space left on device` and the like.
    pub fn extend(&mut self, len: u64) -> Result<()> {
        let failed = |error: io::Error| failure("write", &self.path, &error);
        let size = self.size.checked_add(len).ok_or_else(|| failed(errors::too_large()))?;
        match (&mut self.store, self.destination.way()) {
            (Store::Nowhere, _) => {}
            (_, Way::AtOffsets | Way::InPlace) => {
                // The mapping has the old size, so later spans are written.
                self.store = Store::File(SharedMapping::never());
                self.destination.resize(size).map_err(failed)?;
            }
            (Store::Memory(mapping), _) => {
                let larger = usize::try_from(size).map_err(|_| failed(errors::too_large()))?;
                let mut larger = Mapping::anonymous(larger).map_err(failed)?;
                larger.bytes()[..self.size as usize].copy_from_slice(mapping.bytes());
                *mapping = larger;
            }
            (Store::File(_), _) => unreachable!("what is written has a file"),
        }
        self.size = size;
        self.coverage.get_mut().unwrap_or_else(|e| e.into_inner()).extend(size);
        Ok(())
    }

    /// The bytes written so far, to be read back; `None` for the null device.
    ///
    /// # Errors
    /// `cannot read PATH: Bad file descriptor` and the like, if the file may only be written.
    pub fn written(&mut self) -> Result<Option<Written>> {
        match (&mut self.store, self.destination.way()) {
            (Store::Nowhere, _) => Ok(None),
            (_, Way::AtOffsets | Way::InPlace) => {
                let written = self.destination.written();
                let failed = |error: io::Error| failure("read", &self.path, &error);
                Ok(Some(Written::File(written.map_err(failed)?)))
            }
            (Store::Memory(mapping), _) => {
                Ok(Some(Written::Memory(Arc::new(mapping.bytes().to_vec()))))
            }
            (Store::File(_), _) => unreachable!("what is written has a file"),
        }
    }

    /// Completes the output and gives it its name.
    ///
    /// # Errors
    /// If a span could not be written, or the file cannot be closed or renamed.
    ///
    /// # Panics
    /// If a byte of the file was written by no span.
    pub fn commit(mut self) -> Result<()> {
        if let Some(error) = self.failed.get() {
            return Err(error.clone());
        }
        self.coverage.get_mut().unwrap_or_else(|e| e.into_inner()).assert_complete();
        let cannot_write = |error: io::Error| failure("write", &self.path, &error);
        match (&mut self.store, self.destination.way()) {
            (Store::Memory(mapping), Way::InOrder) => {
                self.destination.write(mapping.bytes()).map_err(cannot_write)?;
            }
            (Store::File(_), Way::InPlace) => {
                let head = self.head.get_mut().unwrap_or_else(|e| e.into_inner());
                let len = HEAD.min(self.size as usize);
                self.destination.write_at(&head[..len], 0).map_err(cannot_write)?;
            }
            _ => {}
        }
        // The mapping is dropped first: a file that is mapped for writing cannot be executed.
        drop(self.store);
        let replaced = self.destination.finish(&self.path).map_err(cannot_write)?;
        replaced.into_iter().for_each(process_exit::close_last);
        Ok(())
    }

    /// Writes to the file; if it is overwritten in place, its first bytes are kept for
    /// [`Output::commit`].
    fn write_file(&self, mut file_offset: u64, mut bytes: &[u8]) -> Result<()> {
        if self.destination.way() == Way::InPlace && file_offset < HEAD as u64 {
            let start = file_offset as usize;
            let len = bytes.len().min(HEAD - start);
            let mut head = self.head.lock().unwrap_or_else(|e| e.into_inner());
            head[start..start + len].copy_from_slice(&bytes[..len]);
            file_offset += len as u64;
            bytes = &bytes[len..];
        }
        self.destination.write_at(bytes, file_offset).map_err(|error| {
            let error = failure("write", &self.path, &error);
            self.failed.get_or_init(|| error.clone());
            error
        })
    }
}

impl Store {
    fn new(plan: &OutputPlan, destination: &Destination) -> io::Result<Store> {
        let len = || usize::try_from(plan.size).map_err(|_| errors::too_large());
        Ok(match destination.way() {
            Way::Nowhere => Store::Nowhere,
            Way::InOrder => Store::Memory(Mapping::anonymous(len()?)?),
            Way::InPlace => Store::File(SharedMapping::never()),
            Way::AtOffsets => match plan.mmap {
                // On a file system without shared writable mappings the file is written.
                Some(true) => destination
                    .map(len()?, &plan.path)
                    .map_or(Store::File(SharedMapping::never()), Store::Memory),
                None => Store::File(SharedMapping::new(plan, destination)),
                Some(false) => Store::File(SharedMapping::never()),
            },
        })
    }
}

fn failure(verb: &str, path: &Path, error: &io::Error) -> Error {
    Error(format!("cannot {verb} {}: {}", path.display(), errors::text(error)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::par::prelude::*;

    /// An output in memory that goes nowhere.
    fn collected(size: usize) -> Output {
        let null = OutputPlan {
            path: PathBuf::from("/dev/null"),
            size: 0,
            mode: 0o644,
            is_executable_kind: false,
            atomic: false,
            mmap: None,
        };
        Output {
            path: PathBuf::new(),
            size: size as u64,
            store: Store::Memory(Mapping::anonymous(size).expect("memory")),
            destination: Destination::open(&null.wanted()).expect("the null device"),
            coverage: Mutex::new(Coverage::new(size as u64)),
            queue: Queue::default(),
            failed: OnceLock::new(),
            head: Mutex::new([0; HEAD]),
        }
    }

    #[test]
    fn what_is_written_can_be_read_and_made_longer() {
        let dir = tempfile::tempdir().expect("a directory");
        for mmap in [Some(false), Some(true), None] {
            let plan = OutputPlan {
                path: dir.path().join("out"),
                size: 3,
                mode: 0o644,
                is_executable_kind: false,
                atomic: false,
                mmap,
            };
            let mut output = Output::create(&plan).expect("it can be created");
            output.write_span(0, 3, |out| out.copy_from_slice(b"abc")).expect("it is written");
            let written = output.written().expect("it can be read").expect("there is a file");
            let mut bytes = [0; 2];
            assert!(written.read_at(1, &mut bytes) && bytes == *b"bc");
            assert!(!written.read_at(2, &mut bytes));
            assert_eq!(&*written.view(1..3).expect("it is there"), b"bc");
            output.extend(2).expect("there is room");
            output.write_span(3, 2, |out| out.copy_from_slice(b"de")).expect("it is written");
            output.commit().expect("it is whole");
            assert_eq!(std::fs::read(&plan.path).expect("it is there"), b"abcde");
        }
    }

    #[test]
    fn spans_next_to_each_other_are_built_at_the_same_time() {
        const SPAN: usize = 37;
        let count = 50;
        let mut output = collected(count * SPAN);
        (0..count).into_par_iter().with_max_len(1).for_each(|at| {
            let build = |span: &mut [u8]| {
                span.fill(at as u8);
                std::thread::yield_now();
                assert!(*span == [at as u8; SPAN]);
            };
            match at % 7 {
                0 => output.leave_zeros((at * SPAN) as u64, SPAN as u64).expect("memory"),
                _ => output.write_span((at * SPAN) as u64, SPAN, build).expect("memory"),
            }
        });
        output.write_at(SPAN as u64, &[0xff]).expect("memory");
        let Store::Memory(mapping) = &mut output.store else { unreachable!("as made") };
        for (at, span) in mapping.bytes().chunks(SPAN).enumerate() {
            let value = if at % 7 == 0 { 0 } else { at as u8 };
            assert!(span[1..] == [value; SPAN - 1]);
        }
        assert_eq!(mapping.bytes()[SPAN], 0xff);
    }
}
