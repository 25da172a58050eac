//! Divides pages that are to be given back into shares for threads.

use crate::par;
use skald_host::pages::PAGE;

/// Cuts `ranges` into shares of about the same size, one for each thread, but none except the last
/// of less than `least` bytes. `least` is a multiple of the page size.
pub(crate) fn shares(ranges: &[(usize, usize)], least: usize) -> Vec<Vec<(usize, usize)>> {
    let total: usize = ranges.iter().map(|&(_, len)| len).sum();
    // As few calls as possible: each interrupts all other processors at its end.
    let share = (total / par::threads()).next_multiple_of(PAGE).max(least);
    let mut shares = vec![Vec::new()];
    let mut left = share;
    for &(start, len) in ranges {
        let (mut at, end) = (start, start + len);
        while at < end {
            let size = left.min(end - at);
            shares.last_mut().expect("never empty").push((at, size));
            at += size;
            left -= size;
            if left == 0 {
                shares.push(Vec::new());
                left = share;
            }
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_hold_every_page_once() {
        let ranges = [(PAGE, 3 * PAGE), (10 * PAGE, PAGE), (100 * PAGE, 40 * PAGE)];
        for least in [PAGE, 7 * PAGE, 64 * PAGE] {
            let shares = shares(&ranges, least);
            let pages = |ranges: &[(usize, usize)]| -> Vec<usize> {
                ranges.iter().flat_map(|&(at, len)| (at..at + len).step_by(PAGE)).collect()
            };
            assert_eq!(pages(&shares.concat()), pages(&ranges));
            let sizes = shares.iter().map(|share| share.iter().map(|part| part.1).sum::<usize>());
            assert!(sizes.rev().skip(1).all(|size| size >= least));
        }
    }
}
