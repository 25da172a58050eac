//! One zstd frame from shards that are compressed independently of each other.
//!
//! libzstd's own threads do this for an input that is in memory as a whole; here any thread may
//! build a shard, compress it and free it. A block depends on those before it in two ways (RFC
//! 8878, 3.1.1.3 and 3.1.1.5): repeated entropy tables, which the first block of a context never
//! uses, and the three repeat offsets. A new context assumes that these are 1, 4 and 8. libzstd's
//! threads invalidate them by a function that is not in its public header, and so does this module.

use std::ffi::CStr;
use std::fmt;
use std::ptr::{self, NonNull};
use zstd_sys::{
    ZSTD_CCtx, ZSTD_compressBegin_advanced, ZSTD_compressBound, ZSTD_compressContinue,
    ZSTD_compressEnd, ZSTD_createCCtx, ZSTD_freeCCtx, ZSTD_getErrorName, ZSTD_getParams,
    ZSTD_isError,
};

// SAFETY: the declaration is that of libzstd's `common/zstd_internal.h`.
unsafe extern "C" {
    /// Invalidates the repeat offsets. Every static libzstd contains this function.
    fn ZSTD_invalidateRepCodes(context: *mut ZSTD_CCtx);
}

/// First bytes of a frame (RFC 8878, 3.1.1).
const MAGIC: u32 = 0xfd2f_b528;
/// The largest window that libzstd's readers take without being told
/// (`ZSTD_WINDOWLOG_LIMIT_DEFAULT`).
const MAX_WINDOW_LOG2: u8 = 27;
/// The longest frame header (RFC 8878, 3.1.1.1).
const HEADER_MAX: usize = 18;

/// An error of libzstd, in its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure(&'static str);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// The header of a frame of `size` bytes. A single segment if possible, because some other readers
/// of debug information require it (libbacktrace, for one).
pub fn header(size: u64) -> Vec<u8> {
    let is_single = size <= 1 << MAX_WINDOW_LOG2;
    let (size_flag, width) = if size <= u64::from(u32::MAX) { (2, 4) } else { (3, 8) };
    let mut bytes = MAGIC.to_le_bytes().to_vec();
    bytes.push(size_flag << 6 | u8::from(is_single) << 5);
    if !is_single {
        // The window descriptor: an exponent above 10, and zero eighths.
        bytes.push((MAX_WINDOW_LOG2 - 10) << 3);
    }
    bytes.extend_from_slice(&size.to_le_bytes()[..width]);
    bytes
}

/// A compressor, used for one shard after the other.
#[derive(Debug)]
pub struct Compressor {
    context: NonNull<ZSTD_CCtx>,
}

// SAFETY: a context belongs to no thread; it is used by one at a time, as `&mut self` says.
unsafe impl Send for Compressor {}

impl Drop for Compressor {
    fn drop(&mut self) {
        // SAFETY: it was created by `new` and is not used any more.
        unsafe { ZSTD_freeCCtx(self.context.as_ptr()) };
    }
}

impl Compressor {
    /// A compressor with its own context of libzstd.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn new() -> Result<Self, Failure> {
        // SAFETY: no argument.
        let context = NonNull::new(unsafe { ZSTD_createCCtx() });
        context.map(|context| Self { context }).ok_or(Failure("no memory for a context"))
    }

    /// Replaces `out` by the blocks of `shard`, which follow those of the shard before it; the last
    /// shard ends the frame. The blocks depend only on the arguments, not on shards that were
    /// compressed before. A shard may be longer than the frame's window ([`header`]): at no level
    /// does libzstd look back farther than that.
    ///
    /// # Errors
    /// When libzstd has no memory.
    pub fn compress(
        &mut self,
        level: i32,
        shard: &[u8],
        is_last: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let context = self.context.as_ptr();
        let len = shard.len() as u64;
        // SAFETY: the context is alive, and there is no dictionary.
        checked(unsafe {
            let parameters = ZSTD_getParams(level, len, 0);
            ZSTD_compressBegin_advanced(context, ptr::null(), 0, parameters, len)
        })?;
        out.clear();
        // SAFETY: no pointer.
        out.reserve(HEADER_MAX + unsafe { ZSTD_compressBound(shard.len()) });
        let (room, start) = (out.capacity(), out.as_mut_ptr());
        let from = shard.as_ptr();
        // SAFETY: `start` is valid for writes of `room` bytes, which is what libzstd asks for, and
        // `from` for reads of `shard.len()`. Nothing comes yet but a header, which is not wanted.
        checked(unsafe { ZSTD_compressContinue(context, start.cast(), room, from.cast(), 0) })?;
        // SAFETY: as above; the context has begun a frame without a dictionary.
        let written = checked(unsafe {
            ZSTD_invalidateRepCodes(context);
            let compress = if is_last { ZSTD_compressEnd } else { ZSTD_compressContinue };
            compress(context, start.cast(), room, from.cast(), shard.len())
        })?;
        // SAFETY: libzstd has written that much.
        unsafe { out.set_len(written) };
        Ok(())
    }
}

/// The result of a function of libzstd: a size, or an error.
fn checked(result: usize) -> Result<usize, Failure> {
    // SAFETY: any number is a valid argument.
    if unsafe { ZSTD_isError(result) } == 0 {
        return Ok(result);
    }
    // SAFETY: the function returns a constant string for any number.
    let name = unsafe { CStr::from_ptr(ZSTD_getErrorName(result)) };
    Err(Failure(name.to_str().unwrap_or("unknown error")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(shards: &[&[u8]], level: i32, compressor: &mut Compressor) -> Vec<u8> {
        let mut bytes = header(shards.iter().map(|shard| shard.len() as u64).sum());
        let mut blocks = Vec::new();
        for (at, shard) in shards.iter().enumerate() {
            compressor.compress(level, shard, at + 1 == shards.len(), &mut blocks).unwrap();
            bytes.extend_from_slice(&blocks);
        }
        bytes
    }

    /// Runs, near and far repetitions and noise, each shard beginning with another of them.
    fn shards() -> Vec<Vec<u8>> {
        let mut state = 7u32;
        let mut next = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 16
        };
        let shard = |kind: usize, next: &mut dyn FnMut() -> u32| {
            let mut bytes = Vec::new();
            let mut turn = kind;
            while bytes.len() < 300_000 {
                let period = [1, 4, 8, 3, 1000, 70_000][turn % 6];
                if bytes.len() < period || turn % 7 == 6 {
                    bytes.extend((0..200).map(|_| next() as u8));
                } else {
                    (0..next() % 90).for_each(|_| bytes.push(bytes[bytes.len() - period]));
                    bytes.push(next() as u8);
                }
                turn += 1;
            }
            bytes
        };
        let mut all: Vec<_> = (0..12).map(|kind| shard(kind, &mut next)).collect();
        all.extend([vec![0; 200_000], b"abcd".repeat(9000), vec![], vec![1], vec![9; 5]]);
        all
    }

    #[test]
    #[cfg_attr(miri, ignore = "libzstd is C")]
    fn shards_in_any_order_make_a_frame() {
        let shards = shards();
        let mut compressor = Compressor::new().unwrap();
        for level in [1, 2, 3, 5, 8, 12, 19] {
            for start in [0, 5, 12, 16] {
                let turned: Vec<&[u8]> =
                    (0..shards.len()).map(|at| &shards[(start + at * 5) % 17][..]).collect();
                let packed = frame(&turned, level, &mut compressor);
                let content = turned.concat();
                let unpacked = decompress(&packed, content.len());
                assert!(unpacked == content, "level {level}, from {start}");
                // The same shard, by a context that has compressed nothing before.
                assert!(packed == frame(&turned, level, &mut Compressor::new().unwrap()));
            }
        }
    }

    fn decompress(frame: &[u8], len: usize) -> Vec<u8> {
        let mut out = vec![0; len];
        // SAFETY: both buffers are as long as is said.
        let written = checked(unsafe {
            let (to, from) = (out.as_mut_ptr().cast(), frame.as_ptr().cast());
            zstd_sys::ZSTD_decompress(to, len, from, frame.len())
        });
        assert_eq!(written, Ok(len));
        out
    }

    #[test]
    fn headers_tell_the_size() {
        assert_eq!(header(5), [0x28, 0xb5, 0x2f, 0xfd, 0xa0, 5, 0, 0, 0]);
        assert_eq!(header(1 << 27)[4], 0xa0);
        assert_eq!(header((1 << 27) + 1)[4..6], [0x80, 17 << 3]);
        assert_eq!(header(1 << 33)[4..], [0xc0, 17 << 3, 0, 0, 0, 0, 2, 0, 0, 0]);
    }
}
