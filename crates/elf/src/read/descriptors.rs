//! Function descriptors as sections of their own.
//!
//! Where functions have descriptors ([`Descriptors`]), the symbol of a function is that of its
//! descriptor, and those of an object are in one section. Such a section is read as if the compiler
//! had made one for each descriptor, so that each stays and goes with what refers to it. No later
//! stage has to know of that: behind the section headers of the file are those of the others, and
//! symbols and relocations name them.
//!
//! A section stays whole if it is not as compilers write it: if it does not consist of descriptors
//! alone, if symbols are within one, or if a local descriptor that is referred to has no symbol.

use super::Symbols;
use super::mapped_object::MappedObject;
use super::object_file::ReadRules;
use crate::format::elf::{self, Rela, Shdr, Sym};
use crate::machine::description::Descriptors;
use object::elf::{SHF_GROUP, SHN_LORESERVE, SHT_PROGBITS, SHT_RELA, STT_SECTION};
use std::ops::Range;

/// The descriptors of an object that are sections.
#[derive(Debug, Default, Clone)]
pub struct SplitDescriptors {
    /// Section header index of the section that they are in.
    shndx: u32,
    /// Section header index of the second; those behind it follow, each with its relocations.
    second: u32,
    /// Bytes of a descriptor.
    size: u64,
    /// Index of the section's own symbol, if it has one.
    section_symbol: Option<u32>,
    /// By descriptor: the index of a local symbol for it, or 0.
    locals: Vec<u32>,
    /// By descriptor: section header index and offset of the function's code; 0 without any.
    code: Vec<(u32, u64)>,
}

impl SplitDescriptors {
    /// Section header index of a descriptor.
    fn index_of(&self, descriptor: usize) -> u32 {
        match descriptor.checked_sub(1) {
            None => self.shndx,
            Some(behind) => self.second + 2 * behind as u32,
        }
    }

    /// The descriptors' sections, each with that of the function's code.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let code = self.code.iter().enumerate().filter(|(_, code)| code.0 != 0);
        code.map(|(at, code)| (self.index_of(at), code.0))
    }

    /// Where the code of the function is whose descriptor is the section with a header index.
    pub fn code_of(&self, shndx: u32) -> Option<(u32, u64)> {
        let descriptor = match shndx.checked_sub(self.second) {
            Some(behind) => behind / 2 + 1,
            None if shndx == self.shndx => 0,
            None => return None,
        };
        self.code.get(descriptor as usize).copied().filter(|code| code.0 != 0)
    }

    /// The place in the file's own section of an offset in a section of a descriptor.
    pub fn place_in_file(&self, shndx: u32, section_offset: u64) -> (u32, u64) {
        match shndx.checked_sub(self.second) {
            Some(behind) => (self.shndx, section_offset + u64::from(behind / 2 + 1) * self.size),
            None => (shndx, section_offset),
        }
    }

    /// Makes a relocation that names the section and an offset name the descriptor there. Returns
    /// `None` if that is none, or has no symbol.
    fn turn(&self, reloc: &mut Rela) -> Option<()> {
        if Some(reloc.r_sym()) != self.section_symbol || reloc.r_addend() == 0 {
            return Some(());
        }
        let offset = u64::try_from(reloc.r_addend()).ok()?;
        let local = *self.locals.get((offset / self.size) as usize)?;
        if offset < self.size {
            return Some(());
        }
        if local == 0 {
            return None;
        }
        reloc.set_r_sym(local);
        reloc.set_r_addend((offset % self.size) as i64);
        Some(())
    }

    /// Makes the relocations of the section with a header index those of the sections as they are
    /// read.
    pub fn turn_all(&self, shndx: u32, relocs: &mut [Rela]) {
        let (own, start) = self.place_in_file(shndx, 0);
        for reloc in relocs {
            if own == self.shndx {
                reloc.set_r_offset(reloc.r_offset() - start);
            }
            // All that refer to a descriptor without a symbol are of sections that stay whole.
            let _ = self.turn(reloc);
        }
    }
}

/// Makes sections of the descriptors of an object, where the machine has descriptors.
pub fn split_for(mapped: &mut MappedObject, rules: ReadRules<'_>) {
    // The output of `-r` has one section, as its inputs have.
    if let Some(descriptors) = &rules.machine.descriptors
        && !rules.relocatable
    {
        split(mapped, descriptors);
    }
}

/// Makes sections of the descriptors of an object. Leaves the object as it is if it has none, or
/// others than compilers write.
fn split(mapped: &mut MappedObject, descriptors: &Descriptors) {
    let Some(split) = find(mapped, descriptors) else { return };
    let Some((split, relocs, ranges)) = check(mapped, descriptors, split) else { return };
    let entry = mapped.encoding.size::<Rela>() as u64;
    let mut shdrs = mapped.shdrs.to_vec();
    let places = (split.shndx as usize, relocs);
    let (own, own_relocs) = (shdrs[places.0], shdrs[places.1]);
    let part = |header: &mut Shdr, first: u64, count: u64| {
        header.set_sh_offset(header.sh_offset() + first);
        header.set_sh_size(count);
    };
    for (at, range) in ranges.iter().enumerate() {
        let (mut descriptor, mut relocs_of) = (own, own_relocs);
        part(&mut descriptor, at as u64 * split.size, split.size);
        part(&mut relocs_of, range.start as u64 * entry, range.len() as u64 * entry);
        relocs_of.set_sh_info(split.index_of(at));
        match shdrs.get_disjoint_mut(places.into()) {
            Ok([first, relocs]) if at == 0 => (*first, *relocs) = (descriptor, relocs_of),
            _ => shdrs.extend([descriptor, relocs_of]),
        }
    }
    let mut symbols = mapped.symbols.items().to_vec();
    for symbol in &mut symbols {
        if u32::from(symbol.st_shndx()) == split.shndx {
            let at = symbol.st_value() / split.size;
            // The index of a section is below SHN_LORESERVE.
            symbol.set_st_shndx(split.index_of(at as usize) as u16);
            symbol.set_st_value(0);
        }
    }
    mapped.shdrs = shdrs.leak();
    mapped.symbols = Symbols::new(symbols.leak());
    mapped.descriptors = Some(Box::new(split));
}

/// The section of an object with descriptors, if it has any and nothing in it is unusual.
fn find(mapped: &MappedObject, descriptors: &Descriptors) -> Option<SplitDescriptors> {
    let is_named = |header: &Shdr| {
        elf::string(mapped.shstrtab, header.sh_name()) == Some(descriptors.section.as_bytes())
    };
    let mut named = mapped.shdrs.iter().enumerate().skip(1).filter(|(_, header)| is_named(header));
    let (shndx, header) = named.next()?;
    let count = header.sh_size() / descriptors.size;
    let is_usual = header.sh_type() == SHT_PROGBITS
        && header.sh_flags() & u64::from(SHF_GROUP) == 0
        && header.sh_size().is_multiple_of(descriptors.size)
        && count > 0
        && named.next().is_none()
        && mapped.symtab_shndx.is_empty()
        && mapped.shdrs.len() as u64 + 2 * count < u64::from(SHN_LORESERVE);
    is_usual.then(|| SplitDescriptors {
        shndx: shndx as u32,
        second: mapped.shdrs.len() as u32,
        size: descriptors.size,
        section_symbol: None,
        locals: (0..count).map(|_| 0).collect(),
        code: (0..count).map(|_| (0, 0)).collect(),
    })
}

/// Fills what is known of each descriptor. Returns it with the header index of the relocations of
/// the section, and the relocations of each descriptor; `None` if the section cannot be split.
fn check(
    mapped: &MappedObject,
    descriptors: &Descriptors,
    mut split: SplitDescriptors,
) -> Option<(SplitDescriptors, usize, Vec<Range<usize>>)> {
    for (at, symbol) in (0u32..).zip(mapped.symbols.items()) {
        if u32::from(symbol.st_shndx()) != split.shndx {
            continue;
        }
        let value = symbol.st_value();
        if symbol.kind() == STT_SECTION {
            if value != 0 || split.section_symbol.replace(at).is_some() {
                return None;
            }
            continue;
        }
        if !value.is_multiple_of(split.size) {
            return None;
        }
        let local = split.locals.get_mut((value / split.size) as usize)?;
        if is_local(symbol) && *local == 0 {
            *local = at;
        }
    }
    let is_of_relocs = |header: &Shdr| header.sh_type() == SHT_RELA;
    let mut own = None;
    for (index, header) in mapped.shdrs.iter().enumerate() {
        if !is_of_relocs(header) {
            continue;
        }
        let bytes = elf::range(mapped.data, header.sh_offset(), header.sh_size())?;
        let relocs = mapped.encoding.records::<Rela>(bytes)?;
        if header.sh_info() == split.shndx {
            own = Some((index, relocs));
        } else {
            relocs.iter().try_for_each(|reloc| split.turn(&mut reloc.clone()))?;
        }
    }
    let (index, relocs) = own?;
    let mut ranges = Vec::new();
    let mut from = 0;
    for at in 0..split.locals.len() {
        let start = at as u64 * split.size;
        let behind = relocs[from..]
            .iter()
            .take_while(|reloc| (start..start + split.size).contains(&reloc.r_offset()));
        let range = from..from + behind.count();
        let first = relocs.get(range.clone())?.first()?;
        if first.r_offset() != start || first.r_type() != descriptors.code {
            return None;
        }
        let code = mapped.symbols.get(first.symbol())?;
        if code.st_shndx() < SHN_LORESERVE {
            let offset = code.st_value().wrapping_add_signed(first.r_addend());
            split.code[at] = (code.st_shndx().into(), offset);
        }
        from = range.end;
        ranges.push(range);
    }
    (from == relocs.len()).then_some((split, index, ranges))
}

fn is_local(symbol: &Sym) -> bool {
    symbol.bind() == object::elf::STB_LOCAL
}
