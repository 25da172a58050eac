//! Writable memory with the size of an output: a buffer for a stream.

use crate::none::unsupported;
use std::cell::UnsafeCell;
use std::io;
use std::ops::Deref;

/// Memory whose disjoint parts several threads fill.
pub struct Mapping(Box<[UnsafeCell<u8>]>);

// SAFETY: the memory is plain bytes; who may touch which of them is decided by `slice_mut`.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Zero bytes.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn anonymous(len: usize) -> io::Result<Mapping> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(len).map_err(|_| crate::errors::no_memory())?;
        bytes.resize_with(len, || UnsafeCell::new(0));
        Ok(Mapping(bytes.into_boxed_slice()))
    }

    /// All bytes.
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: `&mut self` excludes every other access.
        unsafe { self.slice_mut(0, self.0.len()) }
    }

    /// Fails: only mappings of files are populated, and there are none.
    ///
    /// # Errors
    /// Always.
    pub fn populate(&self, _offset: usize, _len: usize) -> io::Result<()> {
        Err(unsupported())
    }

    /// Drops pages from the mapping of a file: there is none.
    pub fn forget(&self, _offset: usize, _len: usize) {}

    /// The bytes `[offset, offset + len)`, which lie inside.
    ///
    /// # Safety
    /// No other live slice may overlap the range.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn slice_mut(&self, offset: usize, len: usize) -> &mut [u8] {
        let cells = &self.0[offset..][..len];
        // SAFETY: inside the memory; the caller promises that nobody else holds the range.
        unsafe { std::slice::from_raw_parts_mut(UnsafeCell::raw_get(cells.as_ptr()), len) }
    }
}

/// A range of a file that is mapped: there is none.
pub enum MappedRange {}

impl Deref for MappedRange {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match *self {}
    }
}
