//! Finds the output section that holds an address.

use super::walk::Place;
use skald_core::perturb::shuffled;

/// The address ranges of output sections on the last walk, sorted for many look-ups.
#[derive(Debug, Default)]
pub struct Extents {
    /// Start, end and heading of each output section, ascending by start.
    all: Vec<(u64, u64, usize)>,
    /// By position in `all`, the greatest end up to there, because sections may overlap.
    ends: Vec<u64>,
}

impl Extents {
    /// The extents of `places`, which are by heading. Empty output sections hold no address.
    pub fn new(places: &[Place]) -> Extents {
        let filled = places.iter().enumerate().filter(|(_, place)| place.size != 0);
        let mut all: Vec<(u64, u64, usize)> = filled
            .map(|(at, place)| (place.address, place.address.saturating_add(place.size), at))
            .collect();
        shuffled(&mut all).sort_unstable();
        let greatest = |end: &mut u64, &(_, own, _): &(u64, u64, usize)| {
            *end = own.max(*end);
            Some(*end)
        };
        let ends = all.iter().scan(0, greatest).collect();
        Extents { all, ends }
    }

    /// The first heading that holds an address, and the heading's start.
    pub fn holding(&self, address: u64) -> Option<(usize, u64)> {
        let behind = self.all.partition_point(|&(start, ..)| start <= address);
        let before = (0..behind).rev().take_while(|&at| self.ends[at] > address);
        let holding = before.map(|at| self.all[at]).filter(|&(_, end, _)| end > address);
        holding.map(|(start, _, heading)| (heading, start)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_holds_an_address() {
        let place = |address, size| Place { address, size, ..Place::default() };
        let places = [place(0x30, 4), place(0x10, 0x100), place(0x20, 8), place(0x200, 0)];
        let extents = Extents::new(&places);
        for (address, holds) in [
            (0xf, None),
            (0x10, Some((1, 0x10))),
            (0x21, Some((1, 0x10))),
            (0x33, Some((0, 0x30))),
            (0x34, Some((1, 0x10))),
            (0x110, None),
            (0x200, None),
        ] {
            assert_eq!(extents.holding(address), holds, "{address:#x}");
        }
    }
}
