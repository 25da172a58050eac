//! Errata 843419 and 835769 of Cortex-A53 ("ARM Processor Cortex-A53 MPCore, Software Developers
//! Errata Notice", ARM-EPM-048406).
//!
//! - **843419**: an ADRP in one of the last two words of a page of 4 KiB, and behind it a load or
//!   store that leaves its register alone. Next is a load or store with an unsigned offset from
//!   that register, or one other instruction that is no branch, and then such a load or store. The
//!   address may be wrong. The ADRP becomes ADR if that reaches, as with GNU ld; or else the last
//!   instruction is moved away.
//! - **835769**: a load, store or prefetch, and behind it a multiply-accumulate of 64 bits that
//!   does not need what is loaded. The result may be wrong. The multiplication is moved away.
//!
//! What is between `$d` and `$x` is data. Relaxing may have made something else of a sequence, so
//! it is looked at again with its relocations applied.

use super::instruction::{self, Form, page, rd, rm, rn, with_adr, with_imm26};
use crate::args::Options;
use crate::args::processors::Repair843419;
use crate::format::elf::SymbolId;
use crate::layout::islands::PatchSite;
use crate::loops::errata::{Errata, Moved, Repair, Suspect, SuspectSection};
use crate::read::object_file::ObjectFile;
use crate::resolve::definitions::SectionId;
use crate::synth::image::Image;
use crate::synth::patch::Patch;
use object::elf::STT_NOTYPE;
use skald_core::perturb::shuffled;
use std::ops::Range;

/// The errata that options name.
pub static ERRATA: Errata = Errata {
    are_repaired: |options| options.repairs.of_843419.is_some() || options.repairs.of_835769,
    suspect,
    confirm,
    in_place,
    moved,
    // B reaches 128 MiB; less the room that code between may still need.
    reach: (1 << 27) - (1 << 20),
    page: PAGE,
    names: &["843419", "835769"],
};

const ADRP_AT_PAGE_END: u8 = 0;
const MULTIPLY: u8 = 1;

const PAGE: u64 = 0x1000;
/// `b .`
const B: u32 = 0x1400_0000;

fn suspect(options: &Options, code: &[u8], address: u64, found: &mut Vec<Suspect>) {
    if options.repairs.of_843419.is_some() && address & 3 == 0 {
        let first = 0xff8u64.wrapping_sub(address) & (PAGE - 1);
        // The section may begin in the last word of a page.
        let early = (first == PAGE - 4).then_some(0);
        let pages = (first..code.len() as u64).step_by(PAGE as usize);
        for offset in early.into_iter().chain(pages.flat_map(|at| [at, at + 4])) {
            let word = |index: u64| instruction::read(code, (offset + 4 * index) as usize);
            if word(0).is_some_and(|word| Form::ADRP.is(word)) && adrp_sequence(word).is_some() {
                found.push(Suspect { offset, erratum: ADRP_AT_PAGE_END });
            }
        }
    }
    if options.repairs.of_835769 {
        find_multiplications(code, found);
    }
}

/// Bytes in which multiplications are looked for at once.
const BLOCK: usize = 64;

/// Adds the sequences of 835769. Hardly any block has an instruction of their class, so a loop that
/// the compiler makes vector instructions of sorts them out.
fn find_multiplications(code: &[u8], found: &mut Vec<Suspect>) {
    let (blocks, _) = code.as_chunks::<BLOCK>();
    for (start, block) in (0..).step_by(BLOCK).zip(blocks) {
        if has_multiply_class(block) {
            find_in_block(code, start, found);
        }
    }
    find_in_block(code, blocks.len() * BLOCK, found);
}

/// Whether a block has an instruction of the class of MADD with 64 bits.
#[inline(always)]
fn has_multiply_class(block: &[u8; BLOCK]) -> bool {
    let (words, _) = block.as_chunks::<4>();
    let is_of_class = |&word: &[u8; 4]| u32::from_le_bytes(word) >> 24 == 0x9b;
    words.iter().fold(false, |any, word| any | is_of_class(word))
}

#[inline(never)]
fn find_in_block(code: &[u8], start: usize, found: &mut Vec<Suspect>) {
    for at in (start.max(4)..start + BLOCK).step_by(4) {
        let (access, word) = (instruction::read(code, at - 4), instruction::read(code, at));
        let (Some(access), Some(word)) = (access, word) else { return };
        if is_multiply(word) && is_hidden_by(access, word) {
            found.push(Suspect { offset: at as u64 - 4, erratum: MULTIPLY });
        }
    }
}

/// Whether words are the sequence of 843419 where the first is at the end of a page: the index of
/// the last one.
fn adrp_sequence(word: impl Fn(u64) -> Option<u32>) -> Option<u64> {
    let (adrp, access, third) = (word(0)?, word(1)?, word(2)?);
    let base = rd(adrp);
    if !Form::ADRP.is(adrp) || !is_plain_access(access) || writes(access, base) {
        return None;
    }
    let is_last = |word: u32| Form::ACCESS_UNSIGNED.is(word) && rn(word) == base;
    if is_last(third) {
        return Some(2);
    }
    (!is_branch(third) && is_last(word(3)?)).then_some(3)
}

/// Whether `word` is a load or store.
const fn is_access(word: u32) -> bool {
    word & 0x0a00_0000 == 0x0800_0000
}

/// Whether `word` is one of the loads and stores of 843419: of one register, exclusive, literal, a
/// store of a pair, or a store of vector structures.
fn is_plain_access(word: u32) -> bool {
    let is_load = word & 1 << 22 != 0;
    let is_pair = word & 0x3a00_0000 == 0x2800_0000;
    let is_structure = word & 0xbe00_0000 == 0x0c00_0000;
    is_access(word) && !((is_pair || is_structure) && is_load)
}

/// Whether a load or store changes the general register: it loads it, or moves it as a base.
fn writes(word: u32, register: u32) -> bool {
    let is_vector = word & 1 << 26 != 0;
    let is_single = word & 0x3a00_0000 == 0x3800_0000;
    let is_literal = word & 0x3b00_0000 == 0x1800_0000;
    let is_exclusive = word & 0x3f00_0000 == 0x0800_0000;
    // Bits 22 and 23 of a load of one register are not both zero; PRFM loads nothing.
    let is_prefetch = word & 0xfec0_0000 == 0xf880_0000 || word & 0xff00_0000 == 0xd800_0000;
    let loads =
        is_literal || (is_single && word & 3 << 22 != 0) || (is_exclusive && word & 1 << 22 != 0);
    let is_structure_with_step = word & 0xbe80_0000 == 0x0c80_0000;
    let moves_base = (is_single && word & 0x0120_0400 == 0x0000_0400)
        || (word & 0x3a80_0000 == 0x2880_0000)
        || is_structure_with_step;
    (loads && !is_vector && !is_prefetch && rd(word) == register)
        || (moves_base && rn(word) == register)
}

/// Whether `word` goes on elsewhere.
const fn is_branch(word: u32) -> bool {
    word & 0x7c00_0000 == 0x1400_0000
        || word & 0xfe00_0000 == 0x5400_0000
        || word & 0x7c00_0000 == 0x3400_0000
        || word & 0xfe00_0000 == 0xd600_0000
}

/// Whether `word` is MADD, MSUB, SMADDL, SMSUBL, UMADDL or UMSUBL of 64 bits that adds a register.
const fn is_multiply(word: u32) -> bool {
    word & 0xff00_0000 == 0x9b00_0000
        && matches!(word >> 21 & 7, 0 | 1 | 5)
        && accumulated(word) != 31
}

/// The register that is added.
const fn accumulated(word: u32) -> u32 {
    word >> 10 & 31
}

/// Whether a multiplication behind `access` does not wait for what that loads.
fn is_hidden_by(access: u32, multiply: u32) -> bool {
    if !is_access(access) {
        return false;
    }
    if access & 1 << 26 != 0 {
        return true;
    }
    let is_single = access & 0x3a00_0000 == 0x3800_0000;
    let is_literal = access & 0x3b00_0000 == 0x1800_0000;
    let is_load = if is_single { access & 3 << 22 != 0 } else { access & 1 << 22 != 0 };
    let is_pair = access & 0x3a00_0000 == 0x2800_0000 || access & 0x3f20_0000 == 0x0820_0000;
    let needs = |register| [rn(multiply), rm(multiply), accumulated(multiply)].contains(&register);
    let waits = needs(rd(access)) || (is_pair && needs(accumulated(access)));
    !((is_load || is_literal) && waits)
}

fn confirm(
    image: &Image<'_>,
    options: &Options,
    sections: &[SuspectSection],
) -> Vec<(u32, Repair)> {
    let Some(first) = sections.first() else { return Vec::new() };
    let object = &image.objects[image.definitions.sections[first.section].object];
    let marks = Marks::of(object);
    let mut repairs = Vec::new();
    for &SuspectSection { position, section, ref found } in sections {
        let of_section =
            found.iter().filter_map(|&suspect| repair(image, options, &marks, section, suspect));
        repairs.extend(of_section.map(|repair| (position, repair)));
    }
    repairs
}

/// How a suspect in code is repaired, if it is one once relocations are applied.
fn repair(
    image: &Image<'_>,
    options: &Options,
    marks: &Marks,
    id: SectionId,
    Suspect { offset, erratum }: Suspect,
) -> Option<Repair> {
    let site = |index: u64| PatchSite { section: id, offset: offset + 4 * index, erratum };
    let shndx = image.definitions.sections[id].shndx;
    let is_code_to = |index: u64| marks.are_code(shndx, offset, offset + 4 * index);
    if erratum == MULTIPLY {
        return is_code_to(1).then_some(Repair::Moved(site(1)));
    }
    if !is_code_to(2) {
        return None;
    }
    let words = relocated(image, id, offset..offset + 16);
    let last = adrp_sequence(|index| instruction::read(&words, 4 * index as usize))?;
    let repair = options.repairs.of_843419?;
    if !is_code_to(last) {
        return None;
    }
    let is_near = adr(instruction::read(&words, 0)?, image.address(id) + offset).is_some();
    Some(match repair {
        Repair843419::Full | Repair843419::Adr if is_near => Repair::InPlace(site(0)),
        Repair843419::Full | Repair843419::Adrp => Repair::Moved(site(last)),
        Repair843419::Adr => Repair::Refused(site(last)),
    })
}

/// The ADR that has the value of an ADRP at `place`, if it reaches.
fn adr(adrp: u32, place: u64) -> Option<u32> {
    let pages = (adrp >> 5 & 0x7_ffff) << 2 | adrp >> 29 & 3;
    // The number has 21 bits, with a sign.
    let pages = i64::from((pages << 11) as i32 >> 11);
    let distance = page(place).wrapping_add_signed(pages << 12).wrapping_sub(place);
    let reaches = distance.wrapping_add(1 << 20) < 1 << 21;
    reaches.then(|| with_adr(Form::ADR.to(rd(adrp)), distance))
}

/// Where an object has code, and where data.
struct Marks(Vec<Mark>);

/// A mapping symbol: `$x` or `$d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Mark {
    shndx: u32,
    offset: u64,
    /// Of two at one place the later symbol counts.
    index: u32,
    is_code: bool,
}

impl Marks {
    fn of(object: &ObjectFile) -> Marks {
        let locals = object.mapped.symbols.items().get(..object.first_global.index());
        let mut marks = Vec::new();
        for (index, symbol) in (0..).zip(locals.unwrap_or_default()) {
            if symbol.kind() != STT_NOTYPE {
                continue;
            }
            let name = object.mapped.strtab.get(symbol.st_name() as usize..).unwrap_or_default();
            if let [b'$', mark @ (b'x' | b'd'), 0 | b'.', ..] = name
                && let Some(shndx) = object.symbol_section(SymbolId::new(index))
            {
                let is_code = *mark == b'x';
                marks.push(Mark { shndx, offset: symbol.st_value(), index, is_code });
            }
        }
        shuffled(&mut marks).sort_unstable();
        Marks(marks)
    }

    /// Whether the words of a section at offsets from `first` to `last` are all behind `$x`, and
    /// none behind `$d`.
    fn are_code(&self, shndx: u32, first: u64, last: u64) -> bool {
        let behind = |offset: u64| {
            self.0.partition_point(|mark| (mark.shndx, mark.offset) <= (shndx, offset))
        };
        let (start, end) = (behind(first), behind(last));
        let before = start.checked_sub(1).filter(|&at| self.0[at].shndx == shndx);
        before.is_some_and(|at| self.0[at..end].iter().all(|mark| mark.is_code))
    }
}

/// Bytes of a section with relocations applied.
fn relocated(image: &Image<'_>, id: SectionId, range: Range<u64>) -> Vec<u8> {
    /// Instructions that relocations change together are within so many bytes.
    const MARGIN: u64 = 32;
    let section = &image.definitions.sections[id];
    let object = &image.objects[section.object];
    let (original, all) = (object.bytes(section), object.relocs(section));
    let size = original.len() as u64;
    let (mut start, mut end) = (range.start.saturating_sub(MARGIN), size.min(range.end + MARGIN));
    let mut relocs = 0..all.len();
    if all.is_sorted_by_key(|reloc| reloc.r_offset()) {
        let before = |offset: u64| all.partition_point(|reloc| reloc.r_offset() < offset);
        relocs = before(start)..before(end);
    } else {
        (start, end) = (0, size);
    }
    let copied = original.get(start as usize..end as usize);
    let mut out = copied.unwrap_or_default().to_vec();
    let patch = Patch {
        id,
        section,
        original,
        section_offset: start,
        address: image.address(id) + start,
        first: relocs.start as u32,
        relocs: &all[relocs],
    };
    (image.apply)(image, &patch, &mut out, &mut Vec::new());
    let wanted = (range.start - start) as usize..(size.min(range.end) - start) as usize;
    out.truncate(wanted.end);
    out.split_off(wanted.start.min(out.len()))
}

/// The instruction of a place with its relocation applied.
fn instruction_of(image: &Image<'_>, PatchSite { section, offset, .. }: PatchSite) -> u32 {
    let bytes = relocated(image, section, offset..offset + 4);
    instruction::read(&bytes, 0).expect("the place was found in the section")
}

fn in_place(image: &Image<'_>, site: PatchSite) -> u32 {
    let word = instruction_of(image, site);
    adr(word, image.address(site.section) + site.offset).unwrap_or(word)
}

fn moved(image: &Image<'_>, site: PatchSite, address: u64) -> Moved {
    let place = image.address(site.section) + site.offset;
    let jump = |from: u64, to: u64| with_imm26(B, to.wrapping_sub(from));
    let word = instruction_of(image, site);
    Moved { branch: jump(place, address), code: [word, jump(address + 4, place + 4)] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::processors::Repairs;

    const ADRP_X0: u32 = 0x9000_0000;
    /// `str x2, [x1]`
    const STORE: u32 = 0xf900_0022;
    /// `ldr x3, [x0, #8]`
    const LAST: u32 = 0xf940_0403;
    const NOP: u32 = instruction::NOP;

    fn sequence(words: &[u32]) -> Option<u64> {
        adrp_sequence(|index| words.get(index as usize).copied())
    }

    #[test]
    fn the_sequence_of_843419_has_three_or_four_instructions() {
        assert_eq!(sequence(&[ADRP_X0, STORE, LAST]), Some(2));
        assert_eq!(sequence(&[ADRP_X0, STORE, NOP, LAST]), Some(3));
        assert_eq!(sequence(&[ADRP_X0, STORE, NOP, NOP]), None);
        assert_eq!(sequence(&[ADRP_X0, STORE, B, LAST]), None, "a branch between");
        assert_eq!(sequence(&[ADRP_X0, NOP, LAST]), None, "no access");
        assert_eq!(sequence(&[NOP, STORE, LAST]), None);
        assert_eq!(sequence(&[ADRP_X0, STORE, LAST | 1 << 5]), None, "another base");
        assert_eq!(sequence(&[ADRP_X0, STORE]), None, "cut off");
    }

    #[test]
    fn the_second_instruction_keeps_the_register() {
        for (word, is_one) in [
            (0xf940_0020, false), // ldr x0, [x1]
            (0xf940_0021, true),  // ldr x1, [x1]
            (0xb900_0020, true),  // str w0, [x1]
            (0xf800_8401, false), // str x1, [x0], #8
            (0xf800_8c01, false), // str x1, [x0, #8]!
            (0xf800_8001, true),  // stur x1, [x0, #8]
            (0xf822_6801, true),  // str x1, [x0, x2]
            (0x3dc0_0020, true),  // ldr q0, [x1]
            (0x5800_0000, false), // ldr x0, literal
            (0x5800_0001, true),  // ldr x1, literal
            (0xa900_0823, true),  // stp x3, x2, [x1]
            (0xa940_0823, false), // ldp x3, x2, [x1]
            (0xa8c1_0823, false), // ldp x3, x2, [x1], #16
            (0xa881_0803, false), // stp x3, x2, [x0], #16
            (0xc85f_7c20, false), // ldxr x0, [x1]
            (0xc802_7c23, true),  // stxr w2, x3, [x1]
            (0x4c00_7020, true),  // st1 {v0.16b}, [x1]
            (0x4c9f_7000, false), // st1 {v0.16b}, [x0], #16
            (0xf980_0020, true),  // prfm pldl1keep, [x1]
            (0x9100_0421, false), // add x1, x1, #1
        ] {
            assert_eq!(sequence(&[ADRP_X0, word, LAST]).is_some(), is_one, "{word:#x}");
        }
    }

    #[test]
    fn only_the_end_of_a_page_is_suspect() {
        let options = Options {
            repairs: Repairs { of_843419: Some(Repair843419::Full), of_835769: false },
            ..Options::default()
        };
        let words = [NOP, ADRP_X0, STORE, LAST, NOP].map(u32::to_le_bytes).concat();
        for (address, is_one) in
            [(0x1ff4, true), (0x1ff8, true), (0x1ffc, false), (0x2000, false), (0x1ff0, false)]
        {
            let mut found = Vec::new();
            suspect(&options, &words, address, &mut found);
            let expected = [Suspect { offset: 4, erratum: ADRP_AT_PAGE_END }];
            assert_eq!(found, &expected[..usize::from(is_one)], "{address:#x}");
        }
        let mut found = Vec::new();
        suspect(&options, &words[4..], 0x1ffc, &mut found);
        assert_eq!(found.len(), 1, "the first word is the last of a page");
    }

    #[test]
    fn a_multiplication_that_waits_is_none_of_835769() {
        // madd x4, x5, x6, x7
        const MADD: u32 = 0x9b06_1ca4;
        for (access, multiply, is_one) in [
            (0xf940_0023, MADD, true),         // ldr x3, [x1]
            (0xf940_0025, MADD, false),        // ldr x5, [x1]
            (0xf940_0026, MADD, false),        // ldr x6, [x1]
            (0xf940_0027, MADD, false),        // ldr x7, [x1]
            (0xf900_0025, MADD, true),         // str x5, [x1]
            (0xa940_1c23, MADD, false),        // ldp x3, x7, [x1]
            (0xa940_0823, MADD, true),         // ldp x3, x2, [x1]
            (0x3dc0_0025, MADD, true),         // ldr q5, [x1]
            (0xf980_0020, MADD, true),         // prfm pldl1keep, [x1]
            (0x9100_0421, MADD, false),        // add x1, x1, #1
            (0xf940_0023, 0x9b06_7ca4, false), // mul x4, x5, x6
            (0xf940_0023, 0x1b06_1ca4, false), // madd w4, w5, w6, w7
            (0xf940_0023, 0x9b26_1ca4, true),  // smaddl x4, w5, w6, x7
            (0xf940_0023, 0x9b46_7ca4, false), // smulh x4, x5, x6
        ] {
            let options = Options {
                repairs: Repairs { of_843419: None, of_835769: true },
                ..Options::default()
            };
            let mut found = Vec::new();
            let code = [access, multiply].map(u32::to_le_bytes).concat();
            suspect(&options, &code, 0, &mut found);
            assert_eq!(found.len(), usize::from(is_one), "{access:#x} {multiply:#x}");
        }
    }

    #[test]
    fn multiplications_are_found_wherever_blocks_end() {
        let pair = [0xf940_0023, 0x9b06_1ca4u32]; // ldr x3, [x1]; madd x4, x5, x6, x7
        for before in 0..40 {
            for behind in [0, 1, 15, 16] {
                let words = [vec![NOP; before], pair.to_vec(), vec![NOP; behind]].concat();
                let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                let mut found = Vec::new();
                find_multiplications(&code, &mut found);
                let expected = Suspect { offset: 4 * before as u64, erratum: MULTIPLY };
                assert_eq!(found, [expected], "{before} {behind}");
            }
        }
    }

    #[test]
    fn adr_has_the_value_of_adrp() {
        assert_eq!(adr(0xb000_0001, 0x1_1ff8), Some(0x1000_0041)); // the next page is 8 away
        assert_eq!(adr(0x9000_0001, 0x1_1ff8), Some(0x10ff_8041)); // its own
        assert_eq!(adr(0xf0ff_ffe1, 0x10_1ffc), Some(0x10ff_0021));
        assert_eq!(adr(0x9000_0a01, 0x1ff8), None, "320 pages");
    }
}
