//! A counter in memory that two processes share. Its value is known even if one process ends in the
//! middle of its work.

use memmap2::MmapMut;
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// A counter in memory that both processes share.
#[derive(Debug)]
pub struct Counter(MmapMut);

impl Counter {
    /// Makes a counter, and the file by which the other process maps it.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new() -> io::Result<(Counter, File)> {
        let file = rustix::fs::memfd_create("skald-counter", rustix::fs::MemfdFlags::CLOEXEC)?;
        let file = File::from(file);
        file.set_len(size_of::<AtomicU64>() as u64)?;
        Ok((Counter::of(&file)?, file))
    }

    /// Maps the counter in a file that [`Counter::new`] made.
    ///
    /// # Errors
    /// If the file is not such a file.
    pub fn of(file: &File) -> io::Result<Counter> {
        if file.metadata()?.len() != size_of::<AtomicU64>() as u64 {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        // SAFETY: the file is memory that the two processes have for this number alone.
        Ok(Counter(unsafe { MmapMut::map_mut(file) }?))
    }

    fn number(&self) -> &AtomicU64 {
        // SAFETY: the mapping begins at a page and is as large as the number; both sides use it as
        // an atomic.
        unsafe { &*self.0.as_ptr().cast::<AtomicU64>() }
    }

    /// Adds one.
    pub fn step(&self) {
        self.number().fetch_add(1, Ordering::Release);
    }

    /// The number.
    pub fn count(&self) -> u64 {
        self.number().load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::Counter;

    #[test]
    fn both_sides_see_the_same() {
        let (ours, file) = Counter::new().expect("memory");
        let theirs = Counter::of(&file).expect("the same memory");
        theirs.step();
        theirs.step();
        assert_eq!(ours.count(), 2);
        assert!(Counter::of(&std::fs::File::open("/dev/null").expect("a file")).is_err());
    }
}
