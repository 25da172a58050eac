//! Writable memory with the size of an output: a shared mapping of the file, or a buffer for a
//! stream.

use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::NonNull;

use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags};

use crate::pages::page_size;
use crate::system::faults::mappings;

/// Anonymous or file-backed memory, unmapped when dropped. With length 0 there is no mapping.
pub struct Mapping {
    start: NonNull<u8>,
    len: usize,
    /// The entry by which the SIGBUS handler detects that the disk is full.
    registered: Option<&'static mappings::Mapping>,
}

// SAFETY: the memory is plain bytes; who may touch which of them is decided by `slice_mut`.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps the first `len` bytes of `file`, which is at least as large, and open for reading and
    /// writing.
    pub(super) fn shared(file: BorrowedFd<'_>, len: usize, path: &Path) -> Result<Mapping, Errno> {
        if len == 0 {
            return Ok(Mapping::empty());
        }
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new mapping at an address of the kernel's choice aliases nothing of ours.
        let start = unsafe {
            rustix::mm::mmap(std::ptr::null_mut(), len, access, MapFlags::SHARED, file, 0)
        }?;
        let path = path.as_os_str().as_bytes().to_vec().leak();
        let registered = mappings::register(start as usize, len, path, true);
        Ok(Mapping { start: non_null(start), len, registered: Some(registered) })
    }

    /// Anonymous memory, zero, without pages until it is written.
    ///
    /// # Errors
    /// Those of the system.
    pub fn anonymous(len: usize) -> io::Result<Mapping> {
        if len == 0 {
            return Ok(Mapping::empty());
        }
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: as above.
        let start = unsafe {
            rustix::mm::mmap_anonymous(std::ptr::null_mut(), len, access, MapFlags::PRIVATE)
        }?;
        Ok(Mapping { start: non_null(start), len, registered: None })
    }

    fn empty() -> Mapping {
        Mapping { start: NonNull::dangling(), len: 0, registered: None }
    }

    /// The whole mapping.
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: the memory is ours, initialised, and `&mut self` excludes every other access.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }

    /// Populates the pages of `[offset, offset + len)`, which lies inside. Then the file has blocks
    /// for these pages, and a write raises no signal.
    ///
    /// # Errors
    /// On a full disk, and on kernels before 5.14.
    pub fn populate(&self, offset: usize, len: usize) -> io::Result<()> {
        let first = offset / page_size() * page_size();
        Ok(self.advise(first, offset + len, Advice::LinuxPopulateWrite)?)
    }

    /// Drops whole pages of `[offset, offset + len)` from the mapping: the file keeps what was
    /// written.
    pub fn forget(&self, offset: usize, len: usize) {
        let first = offset.next_multiple_of(page_size());
        let end = (offset + len) / page_size() * page_size();
        if first < end {
            // If this fails, the pages only use memory.
            let _ = self.advise(first, end, Advice::LinuxDontNeed);
        }
    }

    /// Gives advice about the bytes `[first, end)`, which begin at a page and lie inside.
    fn advise(&self, first: usize, end: usize, advice: Advice) -> Result<(), Errno> {
        assert!(first < end && end <= self.len);
        // SAFETY: pages of a mapping of ours, of a file if they are forgotten: no advice changes
        // what can be read there.
        unsafe { rustix::mm::madvise(self.start.as_ptr().add(first).cast(), end - first, advice) }
    }

    /// The bytes `[offset, offset + len)`, which lie inside.
    ///
    /// # Safety
    /// No other live slice may overlap the range.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn slice_mut(&self, offset: usize, len: usize) -> &mut [u8] {
        assert!(offset <= self.len && len <= self.len - offset);
        // SAFETY: inside the mapping; the caller promises that nobody else holds the range.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr().add(offset), len) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        if let Some(registered) = self.registered {
            registered.retire();
        }
        if self.len != 0 {
            // SAFETY: the mapping is ours and slices of it cannot outlive it.
            let _ = unsafe { rustix::mm::munmap(self.start.as_ptr().cast(), self.len) };
        }
    }
}

fn non_null(start: *mut std::ffi::c_void) -> NonNull<u8> {
    NonNull::new(start.cast()).expect("mmap does not return page 0")
}
