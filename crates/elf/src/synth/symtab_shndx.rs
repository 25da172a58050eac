//! `.symtab_shndx`: section header indices that `st_shndx` is too small for (gABI chapter 4,
//! "Symbol Table").
//!
//! Only outputs with that many sections have it. It is written in one piece: a word for each symbol
//! of [`SymTab`], in the same order. The section of each symbol is looked up again for it.

use super::image::{Image, SymbolPlace};
use super::symtab::{self, SymTab};
use crate::format::encoding::Encoding;
use zerocopy::little_endian::U32;

/// Bytes of `.symtab_shndx`: a 32-bit word for each symbol.
pub fn size(symtab: &SymTab) -> u64 {
    4 * u64::from(symtab.count)
}

/// Fills `out`, the whole section.
pub fn write(symtab: &SymTab, image: &Image<'_>, out: &mut [u8]) {
    let mut places = vec![None];
    places.extend(symtab.section_symbols.iter().map(|&out| Some(image.header_index_of(out))));
    places
        .extend(symtab.extra_locals.iter().map(|extra| symtab::place_of_extra(image, extra.name)));
    places.extend(symtab.veneers.symbols.iter().map(|veneer| Some(veneer.place(image.outputs))));
    let objects = || symtab.objects.with_ids();
    let place = |at, symbol| Some(symtab::place_of_symbol(image, at, symbol));
    for (at, own) in objects() {
        places.extend(own.locals.iter().map(|kept| place(at, kept.symbol)));
    }
    for (at, own) in objects() {
        places.extend(own.globals.iter().map(|kept| place(at, kept.symbol)));
    }
    places.extend(symtab.extra_globals.iter().map(|e| symtab::place_of_extra(image, e.name)));
    debug_assert_eq!(places.len(), symtab.count as usize);
    write_places(symtab.encoding, places.into_iter(), out);
}

/// Fills `out` with the section of each symbol; `None` for a symbol in no section.
pub fn write_places(
    encoding: Encoding,
    places: impl Iterator<Item = Option<SymbolPlace>>,
    out: &mut [u8],
) {
    encoding.fill(out, |words: &mut [U32]| {
        for (word, place) in words.iter_mut().zip(places) {
            *word = place.map_or(0, SymbolPlace::extended).into();
        }
    });
}
