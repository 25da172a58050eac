//! The symbol that a place of a section belongs to. That is a symbol whose size covers the place,
//! functions preferred, or else the nearest symbol before it if that has no size (hand-written
//! assembly). Of several the first in the symbol table wins.
//!
//! Messages may be about as many places as an object has symbols. So places and symbols are walked
//! through together, in the order of their offsets. A heap has the symbols that cover the current
//! place, the best on top. A symbol that ends before the place is removed when it comes to the top.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The symbol that a place belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Enclosing<'a> {
    /// The symbol's name, mangled.
    pub name: &'a [u8],
    /// `STT_FUNC` or `STT_GNU_IFUNC`.
    pub is_function: bool,
}

/// A symbol and the range that it covers.
#[derive(Debug, Clone, Copy)]
pub struct Extent<'a> {
    /// Index of its section.
    pub section: u32,
    /// Offset of the symbol in the section.
    pub start: u64,
    /// Size in bytes; zero if that is not known.
    pub size: u64,
    /// The symbol that encloses the place.
    pub symbol: Enclosing<'a>,
}

/// Finds the symbol that each of `places` (section and offset) belongs to. `extents` are in the
/// order of the symbol table.
pub fn find<'a>(extents: Vec<Extent<'a>>, places: &[(u32, u64)]) -> Vec<Option<Enclosing<'a>>> {
    let mut symbols: Vec<usize> = (0..extents.len()).collect();
    let extent = |at: usize| &extents[at];
    symbols.sort_by_key(|&at| (extent(at).section, extent(at).start));
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|&place| places[place]);
    let mut found = vec![None; places.len()];
    let mut symbols = symbols.into_iter().peekable();
    // Functions come first, then symbols that are earlier in the table.
    let mut covering: BinaryHeap<(bool, Reverse<usize>)> = BinaryHeap::new();
    let mut preceding: Option<usize> = None;
    let mut section = None;
    for place in order {
        let (own, offset) = places[place];
        if section != Some(own) {
            (section, preceding) = (Some(own), None);
            covering.clear();
        }
        while let Some(at) =
            symbols.next_if(|&at| (extent(at).section, extent(at).start) <= (own, offset))
        {
            let reached = extent(at);
            if reached.section != own {
                continue;
            }
            covering.push((reached.symbol.is_function, Reverse(at)));
            // Names like `.L5` and `$x` are marks of the assembler.
            let is_mark = matches!(reached.symbol.name.first(), Some(b'.' | b'$'));
            if !is_mark && preceding.is_none_or(|nearest| reached.start > extent(nearest).start) {
                preceding = Some(at);
            }
        }
        let covers = |at: usize| offset - extent(at).start < extent(at).size;
        while covering.peek().is_some_and(|&(_, Reverse(at))| !covers(at)) {
            covering.pop();
        }
        let best = covering.peek().map(|&(_, Reverse(at))| at);
        let unsized_before = preceding.filter(|&at| extent(at).size == 0);
        found[place] = best.or(unsized_before).map(|at| extent(at).symbol);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(name: &str, section: u32, start: u64, size: u64, is_function: bool) -> Extent<'_> {
        Extent { section, start, size, symbol: Enclosing { name: name.as_bytes(), is_function } }
    }

    #[test]
    fn what_covers_a_place_has_it() {
        let extents = vec![
            extent("table", 1, 0, 100, false),
            extent("f", 1, 10, 20, true),
            extent("f_again", 1, 10, 20, true),
            extent("elsewhere", 2, 0, 8, true),
            extent("label", 1, 200, 0, false),
            extent(".L1", 1, 210, 0, false),
        ];
        let places = [(1, 15), (1, 5), (1, 40), (2, 0), (1, 220), (3, 0), (1, 150), (2, 8)];
        let found: Vec<_> = find(extents, &places)
            .into_iter()
            .map(|symbol| symbol.map(|symbol| str::from_utf8(symbol.name).unwrap()))
            .collect();
        let expected =
            ["f", "table", "table", "elsewhere", "label"].map(Some).into_iter().chain([None; 3]);
        assert!(found.into_iter().eq(expected));
    }
}
