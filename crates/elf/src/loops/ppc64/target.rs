//! Where a call leads: to a function of this output, at one of its two entries, or through a word
//! that the loader fills.
//!
//! `st_other` of a function says how far the local entry is behind the global one. Callers whose
//! `r2` has the TOC's address of this output use the local entry. A function without one either
//! keeps `r2`, or takes no notice of it and leaves something else there ("Local Entry Point").

use super::{descriptors, has_descriptors};
use crate::format::elf::{Rela, SymbolId};
use crate::read::ObjectId;
use crate::resolve::definitions::attr;
use crate::resolve::referent::Referent;
use crate::synth::image::Image;
use crate::synth::slots::PltEntryId;
use crate::synth::values::{self, Value};
use object::elf::{STO_PPC64_LOCAL_BIT, STO_PPC64_LOCAL_MASK};

/// Where a call leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callee {
    /// Nowhere: nothing defines the weak symbol.
    Nothing,
    /// To the address in a word.
    Word(u64),
    /// To the function with this descriptor, which the loader fills.
    Descriptor(u64),
    /// To the function with the descriptor whose address is in a word.
    DescriptorAt(u64),
    /// To a function of this output.
    Code(Entries),
    /// To the global entry of a function of this output; where its local entry is, is not known.
    Global(u64),
}

/// The entries of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entries {
    /// Address of the global entry.
    pub global: u64,
    /// The three bits of `st_other`.
    bits: u8,
}

impl Entries {
    /// An address, and the `st_other` of its symbol.
    pub const fn new(global: u64, st_other: u8) -> Entries {
        Entries { global, bits: (st_other & STO_PPC64_LOCAL_MASK) >> STO_PPC64_LOCAL_BIT }
    }

    /// Address of the local entry.
    pub const fn local(self) -> u64 {
        self.global.wrapping_add(local_distance(self.bits))
    }

    /// Whether the function may leave something else in `r2` than it found there.
    pub const fn changes_toc(self) -> bool {
        self.bits == 1
    }

    /// Whether the function needs the TOC's address, which its global entry computes from `r12`.
    pub const fn needs_toc(self) -> bool {
        self.bits > 1
    }
}

/// Bytes from the global to the local entry.
const fn local_distance(bits: u8) -> u64 {
    (1u64 << bits) >> 2 << 2
}

/// Where a call with a relocation leads; `None` if its target is not in the output.
pub fn callee(image: &Image<'_>, object: ObjectId, reloc: &Rela) -> Option<Callee> {
    let symbol = reloc.symbol();
    let view = image.view(object, symbol);
    if view.is_imported() || view.is_local_ifunc() {
        let set = view.name().and_then(|name| image.slots.set_of_name(name));
        let Some(set) = set else { return Some(Callee::Nothing) };
        let of_word = match (has_descriptors(image.machine), image.slots.sets[set].jump.is_some()) {
            (false, _) => Callee::Word,
            (true, false) => Callee::Descriptor,
            (true, true) => Callee::DescriptorAt,
        };
        return Some(image.jump_word(set).map_or(Callee::Nothing, of_word));
    }
    let address = match values::decode(image.value(object, symbol)) {
        Value::Plain(0) if view.attributes & attr::UNDEF_WEAK != 0 => {
            return Some(Callee::Nothing);
        }
        Value::Plain(s) => {
            // An alias of an IFUNC has the address of an entry of `.plt.got`.
            if !has_descriptors(image.machine)
                && let Some(word) = word_of_entry(image, s)
            {
                return Some(Callee::Word(word));
            }
            s.wrapping_add_signed(reloc.r_addend())
        }
        Value::Merged(section) => image.place_in(section, reloc.r_addend() as u64)?,
        Value::Indirect | Value::Called(_) => return Some(Callee::Nothing),
        Value::Dead => return None,
    };
    if has_descriptors(image.machine) {
        // Where a descriptor is assigned, its code is not known.
        if view.attributes & attr::SYNTHETIC != 0 && view.attributes & attr::FUNC != 0 {
            return Some(Callee::Descriptor(address));
        }
        let section = view.value_base.section();
        let code = section.and_then(|section| descriptors::code(image, section, address));
        return Some(Callee::Code(Entries::new(code.unwrap_or(address), 0)));
    }
    // An assigned name has the type of what it stands for, and not its `st_other`.
    if view.attributes & attr::SYNTHETIC != 0 && view.attributes & attr::FUNC != 0 {
        return Some(Callee::Global(address));
    }
    let st_other = if reloc.r_addend() == 0 { st_other(image, object, symbol) } else { 0 };
    Some(Callee::Code(Entries::new(address, st_other)))
}

/// The local entry of the function that the object of a call defines itself, although another
/// module's definition may take its place.
pub fn own_entry(image: &Image<'_>, object: ObjectId, reloc: &Rela) -> Option<u64> {
    let view = image.view(object, reloc.symbol());
    let (name, section) = (view.name()?, view.value_base.section()?);
    let rank = image.definitions.ranks[name];
    if has_descriptors(image.machine)
        || rank.object() != object
        || view.attributes & (attr::SYNTHETIC | attr::IFUNC) != 0
    {
        return None;
    }
    let symbol = image.objects[object].mapped.symbols.get(rank.symbol())?;
    let address = image.address(section).wrapping_add(symbol.st_value());
    let address = address.wrapping_add_signed(reloc.r_addend());
    Some(Entries::new(address, symbol.st_other()).local())
}

/// The word that an entry of `.plt.got` at an address jumps through.
pub fn word_of_entry(image: &Image<'_>, address: u64) -> Option<u64> {
    let offset = address.checked_sub(image.bases.direct_plt)?;
    let size = image.plt.direct_entry_size as u64;
    let entry = PltEntryId::from_index(usize::try_from(offset / size).ok()?);
    let set = image.slots.direct_plt.get(entry)?;
    image.jump_word(*set)
}

/// `st_other` of the definition that a symbol of an object refers to.
pub fn st_other(image: &Image<'_>, object: ObjectId, symbol: SymbolId) -> u8 {
    let own = || image.objects[object].mapped.symbols.get(symbol);
    let definition = match image.definitions.target_of(object, symbol).get() {
        Referent::Global(name) => {
            let global = image.definitions.globals[name];
            let is_here = global.value_base.section().is_some() && !global.has(attr::SYNTHETIC);
            if !is_here || !global.has(attr::DEFINED) {
                return 0;
            }
            let rank = image.definitions.ranks[name];
            image.objects[rank.object()].mapped.symbols.get(rank.symbol())
        }
        _ => own(),
    };
    definition.map_or(0, |symbol| symbol.st_other())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_those_of_the_abi() {
        let locals = [0, 1, 2, 3, 4, 5, 6].map(|bits| Entries::new(0x1000, bits << 5).local());
        assert_eq!(locals, [0x1000, 0x1000, 0x1004, 0x1008, 0x1010, 0x1020, 0x1040]);
        let of = |bits: u8| {
            let entries = Entries::new(0, bits << 5 | 3);
            [entries.changes_toc(), entries.needs_toc()]
        };
        assert_eq!([of(0), of(1), of(2)], [[false; 2], [true, false], [false, true]]);
    }
}
