//! Which bytes of an output have been claimed by a span.
//!
//! It guarantees two things. No two spans overlap, so that concurrent writers of a mapped output
//! hold disjoint slices. And every byte is claimed before the output is committed: where an old
//! file is overwritten in place, an unwritten byte would keep its old value, and the output would
//! depend on the link before.

use std::collections::BTreeMap;

/// Which ranges of the file `[0, size)` have been claimed.
#[derive(Debug)]
pub(super) struct Coverage {
    size: u64,
    /// End of each claimed range by its start.
    ends: BTreeMap<u64, u64>,
    claimed: u64,
}

impl Coverage {
    pub(super) fn new(size: u64) -> Coverage {
        Coverage { size, ends: BTreeMap::new(), claimed: 0 }
    }

    /// The file has `size` bytes now, more than before.
    pub(super) fn extend(&mut self, size: u64) {
        self.size = size;
    }

    /// Claims `[start, start + len)`.
    ///
    /// # Panics
    /// If the range leaves the file or overlaps an earlier one: a broken invariant of the caller.
    pub(super) fn claim(&mut self, start: u64, len: u64) {
        let end = start.checked_add(len).filter(|&end| end <= self.size);
        let Some(end) = end else {
            panic!("span of {len} bytes at {start:#x} leaves the file of {} bytes", self.size);
        };
        if len == 0 {
            return;
        }
        let before = self.ends.range(..end).next_back();
        if let Some((&other, &other_end)) = before.filter(|&(_, &other_end)| other_end > start) {
            panic!("span {start:#x}..{end:#x} overlaps span {other:#x}..{other_end:#x}");
        }
        self.ends.insert(start, end);
        self.claimed += len;
    }

    /// Checks that every byte was claimed.
    ///
    /// # Panics
    /// If one was not.
    pub(super) fn assert_complete(&self) {
        if self.claimed == self.size {
            return;
        }
        let mut gap = 0;
        for (&start, &end) in &self.ends {
            if start != gap {
                break;
            }
            gap = end;
        }
        panic!("no span wrote the output at {gap:#x}, of {:#x} bytes", self.size);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disjoint_ranges_in_any_order_cover_the_file() {
        let mut coverage = Coverage::new(30);
        coverage.claim(20, 10);
        coverage.claim(0, 10);
        coverage.claim(5, 0);
        coverage.claim(10, 10);
        coverage.assert_complete();
        Coverage::new(0).assert_complete();
    }

    #[test]
    #[should_panic(expected = "span 0x5..0xf overlaps span 0xa..0x14")]
    fn an_overlap_is_a_bug() {
        let mut coverage = Coverage::new(30);
        coverage.claim(10, 10);
        coverage.claim(5, 10);
    }

    #[test]
    #[should_panic(expected = "overlaps")]
    fn an_overlap_from_inside_is_a_bug() {
        let mut coverage = Coverage::new(30);
        coverage.claim(0, 20);
        coverage.claim(5, 1);
    }

    #[test]
    #[should_panic(expected = "leaves the file")]
    fn a_span_beyond_the_end_is_a_bug() {
        Coverage::new(30).claim(u64::MAX, 2);
    }

    #[test]
    #[should_panic(expected = "no span wrote the output at 0xa, of 0x1e bytes")]
    fn a_gap_is_a_bug() {
        let mut coverage = Coverage::new(30);
        coverage.claim(0, 10);
        coverage.claim(11, 19);
        coverage.assert_complete();
    }
}
