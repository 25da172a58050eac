//! The allocator of the process: size classes cut from large segments.
//!
//! A link allocates much and frees little, on few threads, and exits without tearing down. So a
//! thread cuts small blocks off its own chunk without locking. A block that a thread frees goes to
//! that thread's free list of its size class, whichever thread allocated it. Large blocks are cut
//! from the segments directly. Chunks grow up to the size of a huge page, where huge pages are
//! wanted; large blocks are backed by huge pages if their owner asks for them (see
//! [`crate::column`]).

use crate::huge_pages::{self, HUGE_PAGE};
use crate::{out_of_memory, par, shares};
use skald_host::pages::{self, PAGE};
use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::ops::RangeInclusive;
use std::ptr::{NonNull, null_mut};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The allocator; a program installs it with `#[global_allocator]`.
#[derive(Debug)]
pub struct SegmentAllocator;

/// Blocks up to this size are cut from a thread's chunk.
const SMALL_LIMIT: usize = 256 << 10;
/// Alignment of every block; an allocation with a larger alignment is part of a longer block (see
/// [`outer`]).
const GRAIN: usize = 16;
const SEGMENT: usize = 32 << 20;
/// Free blocks of at least this size give their pages back to the kernel.
const RETURNED_SIZE: usize = 4 << 20;
const FIRST_CHUNK: usize = 64 << 10;
/// Chunks grow to this size, or to a huge page where these are wanted.
const LAST_CHUNK: usize = 256 << 10;
/// A block of at least this size for which the chunk has no room gets a chunk of its own.
const OWN_CHUNK: usize = 64 << 10;
/// Sizes of blocks whose pages [`SegmentAllocator`] has already populated, or which were in use
/// before. (The first blocks of a thread may be populated only in part.)
pub(crate) const WITH_PAGES: RangeInclusive<usize> = OWN_CHUNK..=SMALL_LIMIT;
/// [`take_free`] skips smaller free blocks.
const LEAST_TAKEN: usize = 4 * PAGE;
/// Number of size classes of small blocks: steps of 16 up to 128 bytes, then four classes per
/// doubling.
const SMALL_CLASSES: usize = 8 + 4 * 11;
/// Number of size classes of large blocks: eight per doubling.
const LARGE_CLASSES: usize = 8 * 30;

/// The header of a free small block.
struct SmallFree {
    next: *mut SmallFree,
}
const _: () = assert!(size_of::<SmallFree>() <= GRAIN);

/// The header of a free large block.
struct LargeFree {
    next: *mut LargeFree,
    /// Bytes of the block, with this header.
    size: usize,
    /// The bytes behind this header are zero: their pages went back to the kernel.
    is_zero: bool,
}

/// A thread's free blocks and the rest of its chunk.
struct Cache {
    free: [Cell<*mut SmallFree>; SMALL_CLASSES],
    at: Cell<*mut u8>,
    left: Cell<usize>,
    next_chunk: Cell<usize>,
}

thread_local! {
    static CACHE: Cache = const {
        Cache {
            free: [const { Cell::new(null_mut()) }; SMALL_CLASSES],
            at: Cell::new(null_mut()),
            left: Cell::new(0),
            next_chunk: Cell::new(FIRST_CHUNK),
        }
    };
}

/// The unused rest of a range of address space.
struct Segment {
    at: *mut u8,
    left: usize,
}

/// The state that all threads share.
struct Segments {
    /// For blocks smaller than a huge page.
    small: Segment,
    /// For other blocks, which are aligned to a huge page if there is enough address space.
    large: Segment,
    free: [*mut LargeFree; LARGE_CLASSES],
}

// SAFETY: the pointers are to memory that no thread uses until it is handed out.
unsafe impl Send for Segments {}

static SEGMENTS: Mutex<Segments> = Mutex::new(Segments {
    small: Segment { at: null_mut(), left: 0 },
    large: Segment { at: null_mut(), left: 0 },
    free: [null_mut(); LARGE_CLASSES],
});

/// A block, and whether it is zero because it comes from the kernel.
type Block = Option<(NonNull<u8>, bool)>;

/// The class of a small block and the size of its blocks.
#[inline(always)]
fn small_class(size: usize) -> (usize, usize) {
    if size <= 128 {
        let class = size.saturating_sub(1) / GRAIN;
        return (class, (class + 1) * GRAIN);
    }
    let last = size - 1;
    let shift = last.ilog2() as usize;
    let step = (last >> (shift - 2)) & 3;
    (8 + (shift - 7) * 4 + step, (5 + step) << (shift - 2))
}

/// The size of the blocks of a small class.
fn small_capacity(class: usize) -> usize {
    match class.checked_sub(8) {
        None => (class + 1) * GRAIN,
        Some(above) => (5 + above % 4) << (5 + above / 4),
    }
}

/// The class that a block of `size` bytes belongs to: the greatest whose least size is at most
/// `size`.
fn large_class_below(size: usize) -> usize {
    let shift = size.ilog2() as usize;
    (shift - 12) * 8 + ((size >> (shift - 3)) & 7)
}

/// The class whose blocks all have at least `size` bytes.
fn large_class_above(size: usize) -> usize {
    let class = large_class_below(size);
    let low_bits = size.ilog2() - 3;
    if size.trailing_zeros() >= low_bits { class } else { class + 1 }
}

fn page_rounded(size: usize) -> usize {
    size.next_multiple_of(PAGE)
}

impl Cache {
    #[inline(always)]
    fn take(&self, size: usize) -> Block {
        let (class, capacity) = small_class(size);
        let first = self.free[class].get();
        if let Some(block) = NonNull::new(first) {
            // SAFETY: blocks in the list are free, and were given their link when freed.
            self.free[class].set(unsafe { block.as_ref().next });
            return Some((block.cast(), false));
        }
        if self.left.get() < capacity {
            if capacity >= OWN_CHUNK {
                return Self::own_chunk(capacity);
            }
            self.refill(capacity)?;
        }
        #[cfg(feature = "perturb")]
        self.leave_gap(capacity);
        let at = NonNull::new(self.at.get())?;
        self.left.set(self.left.get() - capacity);
        // SAFETY: `capacity` bytes are left in the chunk.
        self.at.set(unsafe { at.as_ptr().add(capacity) });
        Some((at, true))
    }

    /// Skips some memory before a block of `capacity` bytes, so that addresses differ from run to
    /// run.
    #[cfg(feature = "perturb")]
    fn leave_gap(&self, capacity: usize) {
        let gap = (crate::perturb::gap(16) * GRAIN).min(self.left.get() - capacity);
        self.left.set(self.left.get() - gap);
        self.at.set(self.at.get().wrapping_add(gap));
    }

    /// A chunk for this block alone. Few blocks of its size fit into a chunk, so the rest of the
    /// current chunk is kept.
    #[cold]
    fn own_chunk(capacity: usize) -> Block {
        let size = page_rounded(capacity);
        let chunk = SEGMENTS.lock().ok()?.cut(size)?;
        bring(chunk, size);
        Some((chunk, true))
    }

    #[cold]
    fn refill(&self, least: usize) -> Option<()> {
        let size = self.next_chunk.get().max(page_rounded(least));
        let chunk = SEGMENTS.lock().ok()?.cut(size)?;
        if size == HUGE_PAGE {
            // SAFETY: the block is as large as a huge page and aligned like one, unless address
            // space is scarce; then the kernel does not make it a huge page.
            unsafe { huge_pages::bring(chunk.as_ptr()) };
        }
        if size >= LAST_CHUNK {
            // A thread that has come this far will use all of the chunk.
            bring(chunk, size);
        }
        let last = if huge_pages::are_wanted() { HUGE_PAGE } else { LAST_CHUNK };
        self.next_chunk.set((self.next_chunk.get() * 2).min(last));
        self.at.set(chunk.as_ptr());
        self.left.set(size);
        Some(())
    }

    /// Takes free small blocks that contain whole pages out of the lists, and appends address and
    /// size of these pages.
    fn take_free(&self, blocks: &mut Vec<(usize, usize)>) {
        for class in small_class(LEAST_TAKEN).0..SMALL_CLASSES {
            let mut first = self.free[class].take();
            let capacity = small_capacity(class);
            while let Some(block) = NonNull::new(first) {
                let at = first.expose_provenance();
                let (start, end) = (at.next_multiple_of(PAGE), (at + capacity) & !(PAGE - 1));
                // SAFETY: blocks in the list are free, and were given their link when freed.
                first = unsafe { block.read() }.next;
                blocks.push((start, end - start));
            }
        }
    }

    #[inline(always)]
    fn put(&self, block: *mut u8, size: usize) {
        let (class, _) = small_class(size);
        let block = block.cast::<SmallFree>();
        // SAFETY: the block is free, aligned to 16, and has at least 16 bytes.
        unsafe { block.write(SmallFree { next: self.free[class].get() }) };
        self.free[class].set(block);
    }
}

/// Populates the pages of a new chunk.
fn bring(chunk: NonNull<u8>, size: usize) {
    // SAFETY: the chunk is ours and fresh.
    unsafe { pages::populate(chunk.as_ptr(), size) };
}

impl Segment {
    /// Cuts off `size` bytes, a multiple of the page size.
    fn cut(&mut self, size: usize) -> Option<NonNull<u8>> {
        if self.left < size {
            self.map(size)?;
        }
        let block = NonNull::new(self.at)?;
        self.skip(size);
        Some(block)
    }

    fn skip(&mut self, size: usize) {
        self.at = self.at.wrapping_add(size);
        self.left -= size;
    }

    /// Maps another segment; the rest of this one stays unused and untouched.
    fn map(&mut self, wanted: usize) -> Option<()> {
        let size = wanted.checked_next_multiple_of(HUGE_PAGE)?.max(SEGMENT);
        (self.at, self.left) = match pages::reserve_aligned(size, HUGE_PAGE) {
            Some(start) => (start.as_ptr(), size),
            // Address space is scarce: no more than is needed, without the alignment.
            None => {
                let size = wanted.max(LAST_CHUNK);
                (pages::reserve(size)?.as_ptr(), size)
            }
        };
        Some(())
    }
}

impl Segments {
    /// Cuts off `size` fresh bytes, a multiple of the page size.
    fn cut(&mut self, size: usize) -> Option<NonNull<u8>> {
        if size >= HUGE_PAGE {
            let gap = self.large.at.align_offset(HUGE_PAGE).min(self.large.left);
            self.large.skip(gap);
            return self.large.cut(size);
        }
        self.small.cut(size)
    }

    fn take_large(&mut self, size: usize) -> Block {
        let size = page_rounded(size);
        for class in large_class_above(size)..LARGE_CLASSES {
            let Some(block) = NonNull::new(self.free[class]) else { continue };
            // SAFETY: blocks in the list are free, and were given their header when freed.
            let LargeFree { next, size: has, is_zero } = unsafe { block.read() };
            self.free[class] = next;
            if has - size > SMALL_LIMIT {
                // SAFETY: the block has more than `size` bytes.
                let rest = unsafe { block.as_ptr().cast::<u8>().add(size) };
                self.enlist(rest, has - size, is_zero);
            }
            if is_zero {
                // SAFETY: the header lies inside the block.
                unsafe { block.as_ptr().write_bytes(0, 1) };
            }
            return Some((block.cast(), is_zero));
        }
        #[cfg(feature = "perturb")]
        self.cut(page_rounded(1 + crate::perturb::gap(16 * PAGE)))?;
        Some((self.cut(size)?, true))
    }

    /// Puts a block into the list of its class; `size` is a multiple of the page size.
    fn enlist(&mut self, block: *mut u8, size: usize, is_zero: bool) {
        let class = large_class_below(size);
        let block = block.cast::<LargeFree>();
        // SAFETY: the block is free, aligned to a page, and has at least a page.
        unsafe { block.write(LargeFree { next: self.free[class], size, is_zero }) };
        self.free[class] = block;
    }

    /// Extends a large block in place, if it is the last one of its segment and the segment has
    /// room.
    fn extend(&mut self, block: *mut u8, from: usize, to: usize) -> bool {
        let (end, more) = (block.wrapping_add(from), to - from);
        let mut segments = [&mut self.small, &mut self.large].into_iter();
        let own = segments.find(|segment| segment.at == end && segment.left >= more);
        own.is_some_and(|segment| {
            segment.skip(more);
            true
        })
    }
}

/// Frees a large block. The pages of a very large one go back to the kernel, as no block of that
/// size may be needed again.
fn put_large(block: *mut u8, size: usize) {
    let size = page_rounded(size);
    // For smaller blocks that costs more time than it saves.
    let is_returned = size >= RETURNED_SIZE && !ARE_PAGES_KEPT.load(Ordering::Relaxed);
    // SAFETY: the block is free.
    let is_zero = is_returned && unsafe { pages::forget(block, size) };
    if let Ok(mut segments) = SEGMENTS.lock() {
        segments.enlist(block, size, is_zero);
    }
}

/// Populates the pages of about `size` bytes that will be allocated next; for a caller that has
/// time to spare.
pub fn foresee(size: usize) {
    let (start, size) = match SEGMENTS.lock() {
        Ok(segments) => (segments.small.at, page_rounded(size).min(segments.small.left)),
        Err(_) => return,
    };
    if !start.is_null() && size > 0 {
        // SAFETY: the pages belong to the segment; populating them changes no value, even if
        // another thread allocates them meanwhile.
        unsafe { pages::populate(start, size) };
    }
}

static ARE_PAGES_KEPT: AtomicBool = AtomicBool::new(false);

/// From now on free blocks keep their pages, until [`take_free`].
pub(crate) fn keep_pages() {
    ARE_PAGES_KEPT.store(true, Ordering::Relaxed);
}

/// The whole pages inside free blocks that will not be allocated again: address and bytes of each
/// run.
#[derive(Debug)]
pub(crate) struct FreeBlocks(Vec<(usize, usize)>);

/// Takes all free blocks that contain whole pages out of the lists.
pub(crate) fn take_free() -> FreeBlocks {
    let mut blocks = Vec::new();
    let mut of_threads = par::on_each(|| {
        let mut blocks = Vec::new();
        CACHE.with(|cache| cache.take_free(&mut blocks));
        blocks
    });
    of_threads.iter_mut().for_each(|of_thread| blocks.append(of_thread));
    let lists = match SEGMENTS.lock() {
        Ok(mut segments) => std::mem::replace(&mut segments.free, [null_mut(); LARGE_CLASSES]),
        Err(_) => return FreeBlocks(blocks),
    };
    for mut first in lists {
        while let Some(block) = NonNull::new(first) {
            // SAFETY: blocks in the list are free, and were given their header when freed.
            let LargeFree { next, size, is_zero } = unsafe { block.read() };
            if !is_zero {
                blocks.push((block.as_ptr().expose_provenance(), size));
            }
            first = next;
        }
    }
    FreeBlocks(blocks)
}

impl FreeBlocks {
    /// Divides the pages into shares of about the same size, one for each thread, none except the
    /// last of less than `least` bytes.
    pub(crate) fn shares(self, least: usize) -> Vec<FreeBlocks> {
        shares::shares(&self.0, least).into_iter().map(FreeBlocks).collect()
    }

    /// Gives the pages back to the kernel.
    pub(crate) fn give_back(self) {
        // SAFETY: the blocks were taken out of the lists, so nothing uses them any more. If the
        // kernel cannot take the pages back, they stay.
        unsafe { pages::forget_all(&self.0) };
    }
}

#[inline(always)]
fn take(size: usize) -> Block {
    #[cfg(feature = "perturb")]
    crate::perturb::pause();
    if size <= SMALL_LIMIT {
        return CACHE.with(|cache| cache.take(size));
    }
    SEGMENTS.lock().ok()?.take_large(size)
}

/// The address of a block of `size` bytes. If there is none, the process ends here: most callers
/// would panic, and printing the message of a panic needs memory too.
#[inline(always)]
fn pointer(block: Block, size: usize) -> *mut u8 {
    match block {
        Some((block, _)) => block.as_ptr(),
        None => none(size),
    }
}

/// The layout of the block that contains an allocation aligned to more than [`GRAIN`]. It is longer
/// by the alignment, so that it has an aligned address with room for the block's own address before
/// it.
fn outer(layout: Layout) -> Layout {
    // SAFETY: a layout's size and alignment are at most half of the address space each.
    unsafe { Layout::from_size_align_unchecked(layout.size() + layout.align(), GRAIN) }
}

/// The part of a block that is aligned as `layout` says; the block's own address is stored before
/// it.
///
/// # Safety
/// The block must be null, or have the size of [`outer`].
#[cold]
unsafe fn aligned_part(block: *mut u8, layout: Layout) -> *mut u8 {
    if block.is_null() {
        return block;
    }
    let at = block.wrapping_add(layout.align() - block.addr() % layout.align());
    // SAFETY: both addresses are aligned to GRAIN, so there are at least GRAIN bytes between them.
    unsafe { at.cast::<*mut u8>().sub(1).write(block) };
    at
}

/// The block that contains this aligned part.
///
/// # Safety
/// The part must come from [`aligned_part`].
#[cold]
unsafe fn block_around(part: *mut u8) -> *mut u8 {
    // SAFETY: `aligned_part` wrote the block's address there.
    unsafe { part.cast::<*mut u8>().sub(1).read() }
}

#[cold]
fn none(size: usize) -> *mut u8 {
    if !IS_TOLERANT.get() {
        out_of_memory::out_of_memory(size);
    }
    null_mut()
}

thread_local! {
    static IS_TOLERANT: Cell<bool> = const { Cell::new(false) };
}

/// Lets `reserve` return an error when there is no memory; otherwise the process would end.
pub fn or_error<T>(reserve: impl FnOnce() -> T) -> T {
    let before = IS_TOLERANT.replace(true);
    let result = reserve();
    IS_TOLERANT.set(before);
    result
}

// SAFETY: blocks are disjoint, aligned as asked for and at least as large; a block's size is
// derived from its layout alone, which is the same when it is freed. Nothing here unwinds.
unsafe impl GlobalAlloc for SegmentAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > GRAIN {
            // SAFETY: the block is as large as its part needs.
            return unsafe { aligned_part(self.alloc(outer(layout)), layout) };
        }
        pointer(take(layout.size()), layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.align() > GRAIN {
            // SAFETY: the block is as large as its part needs.
            return unsafe { aligned_part(self.alloc_zeroed(outer(layout)), layout) };
        }
        let block = take(layout.size());
        if let Some((block, false)) = block {
            // SAFETY: the block has at least the layout's size.
            unsafe { block.as_ptr().write_bytes(0, layout.size()) };
        }
        pointer(block, layout.size())
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if layout.align() > GRAIN {
            // SAFETY: an allocation with this alignment is part of a block with the layout `outer`.
            return unsafe { self.dealloc(block_around(block), outer(layout)) };
        }
        if layout.size() <= SMALL_LIMIT {
            CACHE.with(|cache| cache.put(block, layout.size()));
        } else {
            put_large(block, layout.size());
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.align() <= GRAIN && stays(block, layout.size(), size) {
            return block;
        }
        // SAFETY: the caller promises that the size is one that the alignment allows.
        let new = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !new.is_null() {
            // SAFETY: both blocks have at least the bytes that are copied, and the old one is the
            // caller's.
            unsafe {
                new.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
        }
        new
    }
}

/// Whether a block of `old` bytes can be resized to `new` bytes in place; extends it if need be.
fn stays(block: *mut u8, old: usize, new: usize) -> bool {
    match (old <= SMALL_LIMIT, new <= SMALL_LIMIT) {
        (true, true) => small_class(old) == small_class(new),
        (false, false) => {
            let (from, to) = (page_rounded(old), page_rounded(new));
            from == to || from < to && SEGMENTS.lock().is_ok_and(|mut s| s.extend(block, from, to))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "arithmetic that touches no memory")]
    fn classes_hold_their_sizes() {
        let mut last = 0;
        for size in 1..=SMALL_LIMIT {
            let (class, capacity) = small_class(size);
            assert!(capacity >= size && capacity <= (size + 15).max(size * 5 / 4), "{size}");
            assert_eq!(small_class(capacity), (class, capacity));
            assert_eq!(small_capacity(class), capacity);
            assert!(class == last || class == last + 1);
            last = class;
        }
        assert_eq!(last + 1, SMALL_CLASSES);
    }

    #[test]
    #[cfg_attr(miri, ignore = "arithmetic that touches no memory")]
    fn large_blocks_go_where_they_are_large_enough() {
        for pages in 64..4096 {
            let size = pages * PAGE;
            assert!(large_class_above(size) - large_class_below(size) <= 1);
            let least =
                (64..=pages).rev().find(|p| large_class_above(p * PAGE) <= large_class_below(size));
            assert!(least.is_some_and(|p| p <= pages));
        }
        assert!(large_class_above((usize::MAX / 4 * 3) & !(PAGE - 1)) >= LARGE_CLASSES);
    }

    #[test]
    fn blocks_keep_what_is_written() {
        let allocate = |size: usize| Layout::from_size_align(size, 8).expect("valid");
        let sizes = [1, 16, 17, 200, 5000, 300 << 10, 5 << 20, 40 << 20];
        // SAFETY: every block is used inside its layout and freed with it.
        unsafe {
            for round in 0..3u8 {
                let blocks: Vec<_> =
                    sizes.iter().map(|&s| SegmentAllocator.alloc_zeroed(allocate(s))).collect();
                for (at, (&block, &size)) in blocks.iter().zip(&sizes).enumerate() {
                    assert!(!block.is_null());
                    let bytes = std::slice::from_raw_parts_mut(block, size);
                    assert!(*bytes == vec![0; size]);
                    bytes.fill(at as u8 + round + 1);
                }
                for (at, (&block, &size)) in blocks.iter().zip(&sizes).enumerate() {
                    let more = size + 100_000;
                    let block = SegmentAllocator.realloc(block, allocate(size), more);
                    let bytes = std::slice::from_raw_parts(block, size);
                    assert!(*bytes == vec![at as u8 + round + 1; size]);
                    SegmentAllocator.dealloc(block, allocate(more));
                }
            }
        }
    }

    #[test]
    fn alignments_beyond_the_grain_are_kept() {
        for (size, align) in [(1, 32), (16, 64), (100, 128), (4096, 4096), (300 << 10, 64 << 10)] {
            let layout = Layout::from_size_align(size, align).expect("valid");
            // SAFETY: every block is used inside its layout and freed with it.
            unsafe {
                let blocks: Vec<_> =
                    (0..5).map(|_| SegmentAllocator.alloc_zeroed(layout)).collect();
                for (value, &block) in (1..).zip(&blocks) {
                    assert_eq!(block.addr() % align, 0);
                    assert!(*std::slice::from_raw_parts(block, size) == vec![0; size]);
                    block.write_bytes(value, size);
                }
                for (value, block) in (1..).zip(blocks) {
                    let block = SegmentAllocator.realloc(block, layout, size + 1000);
                    assert_eq!(block.addr() % align, 0);
                    assert!(*std::slice::from_raw_parts(block, size) == vec![value; size]);
                    let longer = Layout::from_size_align(size + 1000, align).expect("valid");
                    SegmentAllocator.dealloc(block, longer);
                }
            }
        }
    }

    #[test]
    fn free_blocks_are_taken_once_and_given_back() {
        let large = Filled::new(SMALL_LIMIT + 5 * PAGE, 3);
        let (start, size) = (large.0.addr(), page_rounded(large.1));
        large.free();
        // Other tests free blocks too, or may have allocated this one again; but it is never listed
        // twice.
        let taken = take_free();
        let is_there = |blocks: &FreeBlocks| {
            blocks.0.iter().filter(|&&(at, len)| at <= start && start + size <= at + len).count()
        };
        assert!(is_there(&taken) <= 1);
        let total: usize = taken.0.iter().map(|block| block.1).sum();
        let shares = taken.shares(16 * PAGE);
        assert_eq!(
            shares.iter().flat_map(|share| &share.0).map(|part| part.1).sum::<usize>(),
            total
        );
        shares.into_iter().for_each(FreeBlocks::give_back);
        assert_eq!(is_there(&take_free()), 0);
        Filled::new(SMALL_LIMIT + 5 * PAGE, 4).free();
    }

    /// A block, its size, and the byte that it is filled with.
    struct Filled(*mut u8, usize, u8);

    // SAFETY: no other owner of the block exists.
    unsafe impl Send for Filled {}

    impl Filled {
        fn new(size: usize, value: u8) -> Filled {
            // SAFETY: the block is as long as the layout that is filled.
            unsafe {
                let block = SegmentAllocator.alloc(Filled::layout(size));
                block.write_bytes(value, size);
                Filled(block, size, value)
            }
        }

        fn layout(size: usize) -> Layout {
            Layout::from_size_align(size, 16).expect("valid")
        }

        fn check(&self) {
            // SAFETY: the block was filled.
            let bytes = unsafe { std::slice::from_raw_parts(self.0, self.1) };
            assert!(*bytes == vec![self.2; self.1]);
        }

        fn resized(self, size: usize) -> Filled {
            // SAFETY: the block is ours, and no more than the new size is filled.
            unsafe {
                let block = SegmentAllocator.realloc(self.0, Filled::layout(self.1), size);
                Filled(block, self.1.min(size), self.2).check();
                block.write_bytes(self.2, size);
                Filled(block, size, self.2)
            }
        }

        fn free(self) {
            self.check();
            // SAFETY: the block is ours, and not used again.
            unsafe { SegmentAllocator.dealloc(self.0, Filled::layout(self.1)) };
        }
    }

    #[test]
    fn blocks_are_freed_by_threads_that_did_not_take_them() {
        const SIZES: [usize; 9] =
            [16, 17, 130, 1000, 5000, 70_000, 256 << 10, (256 << 10) + 1, 5 << 20];
        let count = if cfg!(miri) { 60 } else { 3000 };
        let (sender, receiver) = std::sync::mpsc::channel::<Filled>();
        let receiver = Mutex::new(receiver);
        std::thread::scope(|scope| {
            for thread in 0..3usize {
                let sender = sender.clone();
                scope.spawn(move || {
                    for n in 0..count {
                        let size = |turn: usize| SIZES[(n * 7 + thread * 3 + turn) % SIZES.len()];
                        let mut filled = Filled::new(size(0), (n + thread * 85) as u8);
                        if n % 3 == 0 {
                            filled = filled.resized(size(1 + n / 3));
                        }
                        match n % 2 {
                            0 => filled.free(),
                            _ => sender.send(filled).expect("somebody receives"),
                        }
                    }
                });
            }
            drop(sender);
            for _ in 0..2 {
                scope.spawn(|| {
                    loop {
                        let received = receiver.lock().expect("nobody panics").recv();
                        let Ok(filled) = received else { break };
                        filled.free();
                    }
                });
            }
        });
    }
}
