//! How many files a plugin has been offered so far: a number in memory that linker and helper
//! share. Answers are sent many at a time; if the plugin ends its process, it is known which file
//! it was at.

use memmap2::MmapMut;
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number.
#[derive(Debug)]
pub struct Progress(MmapMut);

impl Progress {
    /// Makes it, with the file that the helper finds it in.
    ///
    /// # Errors
    /// Those of the system.
    pub fn new() -> io::Result<(Progress, File)> {
        let file = rustix::fs::memfd_create("skald-progress", rustix::fs::MemfdFlags::CLOEXEC)?;
        let file = File::from(file);
        file.set_len(size_of::<AtomicU64>() as u64)?;
        Ok((Progress::of(&file)?, file))
    }

    /// The number in a file of the linker's.
    ///
    /// # Errors
    /// If the file is no such file.
    pub fn of(file: &File) -> io::Result<Progress> {
        if file.metadata()?.len() != size_of::<AtomicU64>() as u64 {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        // SAFETY: the file is memory that the two processes have for this number alone.
        Ok(Progress(unsafe { MmapMut::map_mut(file) }?))
    }

    fn number(&self) -> &AtomicU64 {
        // SAFETY: the mapping begins at a page and is as large as the number; both sides use it as
        // an atomic.
        unsafe { &*self.0.as_ptr().cast::<AtomicU64>() }
    }

    /// One file more is offered.
    pub fn step(&self) {
        self.number().fetch_add(1, Ordering::Release);
    }

    /// How many files have been offered.
    pub fn count(&self) -> u64 {
        self.number().load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::Progress;

    #[test]
    fn both_sides_see_the_same() {
        let (ours, file) = Progress::new().expect("memory");
        let theirs = Progress::of(&file).expect("the same memory");
        theirs.step();
        theirs.step();
        assert_eq!(ours.count(), 2);
        assert!(Progress::of(&std::fs::File::open("/dev/null").expect("a file")).is_err());
    }
}
