//! Measures ways to write an output file: `output_strategy MIB THREADS DIR...`.
//!
//! A file of MIB MiB is written into each DIR in spans of 1 MiB, in pieces of 256 KiB, each of
//! which is first built in a buffer, from a source that stays in cache. Prints medians of five
//! runs: wall and CPU time of the process, and the time for which calls held the inode's lock, for
//! which further threads would wait. The last figure is the throughput limit in GB/s that this lock
//! imposes on any number of threads. The figures in `docs/decisions/0002-output-strategy.md` come
//! from here.

use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

const SPAN: usize = 1 << 20;
const PIECE: usize = 1 << 18;
const RUNS: usize = 5;
/// The alignment of buffers that O_DIRECT requires.
const ALIGN: usize = 4096;

/// How threads bring their pieces into the file.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// Each thread writes its own pieces.
    Write,
    /// One thread at a time writes; others queue their pieces for it.
    OneWriter,
    /// Pieces are built in a shared mapping.
    Mapping,
    /// Pieces are built in a shared mapping whose pages were populated before.
    Populated,
    /// Pieces are copied into a shared mapping whose pages were populated before.
    Copied,
    /// One thread at a time writes; others copy pieces that they cannot queue into a mapping.
    WriterAndMapping,
    /// As `Copied`, with a file whose blocks are allocated before (`fallocate`).
    Allocated,
    /// Pieces are written with O_DIRECT.
    Direct,
    /// Each thread writes a file of its own, whose blocks the output then shares (FICLONERANGE).
    Cloned,
}

const WAYS: [(Way, &str); 9] = [
    (Way::Write, "each writes"),
    (Way::OneWriter, "one writes"),
    (Way::Mapping, "built in a mapping"),
    (Way::Populated, "built in a mapping, populated"),
    (Way::Copied, "copied into a mapping, populated"),
    (Way::WriterAndMapping, "one writes, others copy into a mapping"),
    (Way::Allocated, "allocated, copied into a mapping, populated"),
    (Way::Direct, "O_DIRECT"),
    (Way::Cloned, "files of their own, cloned"),
];

/// Times in milliseconds.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    user: f64,
    system: f64,
    held: f64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, mib, threads, dirs @ ..] = arguments.as_slice() else {
        eprintln!("usage: output_strategy MIB THREADS DIR...");
        std::process::exit(2);
    };
    let mib: usize = mib.parse().expect("MIB is a number");
    let threads: usize = threads.parse().expect("THREADS is a number");
    for dir in dirs {
        println!(
            "\n| {mib} MiB in {dir}, threads: {threads} | wall ms | CPU ms | system ms | lock \
             held ms | at most GB/s |"
        );
        println!("|---|--:|--:|--:|--:|--:|");
        for (is_new, kind) in [(true, "new"), (false, "old")] {
            for (way, name) in WAYS {
                let mut costs = Vec::new();
                for _ in 0..RUNS {
                    match run(Path::new(dir), mib, threads, way, is_new) {
                        Ok(cost) => costs.push(cost),
                        Err(error) => {
                            println!("| {name}, {kind} file | {error} | | | | |");
                            break;
                        }
                    }
                }
                if costs.len() < RUNS {
                    continue;
                }
                let median = |of: fn(&Cost) -> f64| {
                    let mut all: Vec<f64> = costs.iter().map(of).collect();
                    all.sort_by(f64::total_cmp);
                    all[RUNS / 2]
                };
                let held = median(|cost| cost.held);
                let most = match held {
                    held if held > 0.0 => format!("{:.1}", mib as f64 * 1.048576 / held),
                    _ => "-".into(),
                };
                println!(
                    "| {name}, {kind} file | {:.0} | {:.0} | {:.0} | {held:.0} | {most} |",
                    median(|cost| cost.wall),
                    median(|cost| cost.user + cost.system),
                    median(|cost| cost.system),
                );
            }
        }
        let _ = std::fs::remove_file(Path::new(dir).join("output"));
    }
}

/// The state that all threads share.
struct Sink<'a> {
    file: &'a File,
    way: Way,
    map: usize,
    queue: Mutex<Queue>,
    threads: usize,
    held: AtomicU64,
    clones: Vec<File>,
}

#[derive(Default)]
struct Queue {
    is_writing: bool,
    waiting: Vec<(Buffer, usize)>,
    free: Vec<Buffer>,
}

/// Memory for a piece, aligned as O_DIRECT asks.
struct Buffer {
    memory: Vec<u8>,
    start: usize,
}

impl Buffer {
    fn new() -> Buffer {
        let memory = vec![1u8; PIECE + ALIGN];
        let start = memory.as_ptr().align_offset(ALIGN);
        Buffer { memory, start }
    }

    fn bytes(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..self.start + PIECE]
    }
}

fn run(dir: &Path, mib: usize, threads: usize, way: Way, is_new: bool) -> std::io::Result<Cost> {
    let path = dir.join("output");
    let size = mib * SPAN;
    prepare(&path, mib, is_new)?;
    let before = usage();
    let start = Instant::now();
    let mut open = OpenOptions::new();
    open.read(true).write(true).create(true).truncate(false);
    if way == Way::Direct {
        open.custom_flags(libc::O_DIRECT);
    }
    let file = open.open(&path)?;
    file.set_len(size as u64)?;
    let maps = [Way::Mapping, Way::Populated, Way::Copied, Way::WriterAndMapping, Way::Allocated];
    if way == Way::Allocated {
        // SAFETY: plain numbers.
        let refused = unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, size as i64) };
        if refused != 0 {
            return Err(std::io::Error::from_raw_os_error(refused));
        }
    }
    let allocated = start.elapsed();
    let map = if maps.contains(&way) { map(&file, size)? } else { 0 };
    let clones: Vec<PathBuf> = (0..threads).map(|at| dir.join(format!("clone{at}"))).collect();
    let sink = Sink {
        file: &file,
        way,
        map,
        queue: Mutex::default(),
        threads,
        held: AtomicU64::new(if way == Way::Allocated { allocated.as_nanos() as u64 } else { 0 }),
        clones: match way {
            Way::Cloned => {
                clones.iter().map(|path| own_file(path, size)).collect::<Result<_, _>>()?
            }
            _ => Vec::new(),
        },
    };
    let next = AtomicUsize::new(0);
    let worked: Result<Vec<()>, std::io::Error> = std::thread::scope(|scope| {
        let work = |thread| sink.work(thread, &next, mib);
        let started: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        started.into_iter().map(|thread| thread.join().expect("no thread panics")).collect()
    });
    if sink.map != 0 {
        // SAFETY: mapped above, and no thread is left.
        unsafe { libc::munmap(sink.map as *mut _, size) };
    }
    let held = sink.held.load(Ordering::Relaxed) as f64 / 1e6;
    let has_clones = !sink.clones.is_empty();
    drop(file);
    let wall = start.elapsed().as_secs_f64() * 1e3;
    if has_clones {
        clones.iter().for_each(|path| {
            let _ = std::fs::remove_file(path);
        });
    }
    worked?;
    let after = usage();
    Ok(Cost { wall, user: after.0 - before.0, system: after.1 - before.1, held })
}

/// Creates the old output, or removes it if `is_new`.
fn prepare(path: &Path, mib: usize, is_new: bool) -> std::io::Result<()> {
    if is_new {
        let _ = std::fs::remove_file(path);
        return Ok(());
    }
    let file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
    (0..mib).try_for_each(|at| file.write_all_at(&[2; SPAN], (at * SPAN) as u64))
}

impl Sink<'_> {
    fn work(&self, thread: usize, next: &AtomicUsize, spans: usize) -> std::io::Result<()> {
        let source = vec![3u8; PIECE];
        let mut buffer = Buffer::new();
        loop {
            let span = next.fetch_add(1, Ordering::Relaxed);
            if span >= spans {
                return Ok(());
            }
            for piece in 0..SPAN / PIECE {
                let offset = span * SPAN + piece * PIECE;
                match self.way {
                    Way::Mapping => self.mapped(offset).copy_from_slice(&source),
                    Way::Populated => {
                        self.populate(offset)?;
                        self.mapped(offset).copy_from_slice(&source);
                    }
                    _ => {
                        buffer.bytes().copy_from_slice(&source);
                        buffer = self.put(thread, buffer, offset)?;
                    }
                }
            }
            if self.way == Way::Cloned {
                self.clone_range(thread, span * SPAN)?;
            }
        }
    }

    fn put(&self, thread: usize, mut buffer: Buffer, offset: usize) -> std::io::Result<Buffer> {
        match self.way {
            Way::Copied | Way::Allocated => {
                self.populate(offset)?;
                self.mapped(offset).copy_from_slice(buffer.bytes());
            }
            Way::Cloned => self.clones[thread].write_all_at(buffer.bytes(), offset as u64)?,
            Way::OneWriter | Way::WriterAndMapping => return self.queue(buffer, offset),
            _ => self.write(&mut buffer, offset)?,
        }
        Ok(buffer)
    }

    fn write(&self, buffer: &mut Buffer, offset: usize) -> std::io::Result<()> {
        let start = Instant::now();
        self.file.write_all_at(buffer.bytes(), offset as u64)?;
        // With several threads this counts waiting as well.
        self.held.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        Ok(())
    }

    fn queue(&self, mut buffer: Buffer, offset: usize) -> std::io::Result<Buffer> {
        let mut state = self.state();
        if state.is_writing {
            if state.waiting.len() + 1 < self.threads {
                state.waiting.push((buffer, offset));
                return Ok(state.free.pop().unwrap_or_else(Buffer::new));
            }
            drop(state);
            if self.way == Way::OneWriter {
                self.write(&mut buffer, offset)?;
            } else {
                self.populate(offset)?;
                self.mapped(offset).copy_from_slice(buffer.bytes());
            }
            return Ok(buffer);
        }
        state.is_writing = true;
        drop(state);
        self.write(&mut buffer, offset)?;
        loop {
            let mut state = self.state();
            let Some((mut left, offset)) = state.waiting.pop() else {
                state.is_writing = false;
                return Ok(buffer);
            };
            drop(state);
            self.write(&mut left, offset)?;
            self.state().free.push(left);
        }
    }

    fn state(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("no thread panics")
    }

    #[allow(clippy::mut_from_ref)]
    fn mapped(&self, offset: usize) -> &mut [u8] {
        // SAFETY: inside the mapping, and each piece is one thread's.
        unsafe { std::slice::from_raw_parts_mut((self.map + offset) as *mut u8, PIECE) }
    }

    fn populate(&self, offset: usize) -> std::io::Result<()> {
        // SAFETY: pages of the mapping.
        let outcome = unsafe {
            libc::madvise((self.map + offset) as *mut _, PIECE, libc::MADV_POPULATE_WRITE)
        };
        if outcome == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
    }

    fn clone_range(&self, thread: usize, offset: usize) -> std::io::Result<()> {
        // FICLONERANGE of linux/fs.h: descriptor, source offset, length, offset.
        let range =
            [self.clones[thread].as_raw_fd() as u64, offset as u64, SPAN as u64, offset as u64];
        const FICLONERANGE: libc::c_ulong = 0x4020_940d;
        let start = Instant::now();
        // SAFETY: a structure of four words, as the call wants it.
        let outcome = unsafe { libc::ioctl(self.file.as_raw_fd(), FICLONERANGE, range.as_ptr()) };
        self.held.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        if outcome == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
    }
}

fn own_file(path: &Path, size: usize) -> std::io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(path)?;
    file.set_len(size as u64)?;
    Ok(file)
}

fn map(file: &File, size: usize) -> std::io::Result<usize> {
    // SAFETY: a new mapping at an address of the kernel's choice.
    let start = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            size,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED,
            file.as_raw_fd(),
            0,
        )
    };
    if start == libc::MAP_FAILED {
        Err(std::io::Error::last_os_error())
    } else {
        Ok(start as usize)
    }
}

/// User and system time of the process, milliseconds.
fn usage() -> (f64, f64) {
    // SAFETY: a structure of numbers, which the call fills.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let ms = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
    (ms(usage.ru_utime), ms(usage.ru_stime))
}
