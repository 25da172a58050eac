//! Splits `.eh_frame`: FDEs belong to the section that they describe and are kept or dropped with
//! it; equal CIEs become one.
//!
//! Input `.eh_frame` sections are split once, in parallel per object, into flat tables. FDEs are
//! chained to their section, so that a visit of a section finds them. The record format is that of
//! the LSB core specification, "Exception Frames".

use super::fault::SectionFault;
use crate::format::eh_frame::{Cie as CieFields, EhFrame, Record, RecordKind, encoding};
use crate::format::elf::{Rela, SymbolId};
use crate::format::encoding::Encoding;
use crate::read::lending::SectionBuffer;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::read::{FrameId, ObjectFile, ObjectId, Objects};
use crate::resolve::definitions::{Definitions, SectionId, Sections};
use crate::resolve::referent::PackedReferent;
use skald_core::column::{populate, split_mut, zeroed};
use skald_core::hash::HashKey;
use skald_core::id;
use skald_core::ids::{Column, IdRange, IdSlice, OptionalId};
use skald_core::par::prelude::*;
use std::ops::Range;
use zerocopy::FromZeros;

id! {
    /// A common information entry, in the order of the inputs.
    CieId
}

/// A frame description entry, and the section that it describes.
#[derive(Debug, Clone, Copy, FromZeros)]
pub struct Fde {
    /// The input `.eh_frame` section that it is in.
    pub input: SectionId,
    /// Offset in that section, in bytes.
    pub section_offset: u32,
    /// Size in bytes, with the length field.
    pub size: u32,
    /// Index of its first relocation in the input section, that of the initial location.
    pub first_reloc: u32,
    /// How many relocations it has.
    pub reloc_count: u32,
    /// The section of the function that it describes.
    pub section: SectionId,
    /// Its CIE, by id in [`EhFrames::cies`].
    pub cie: CieId,
    /// Next FDE in the chain of those that describe the same section.
    pub next: OptionalId<FrameId>,
}
const _: () = assert!(size_of::<Fde>() == 32);

impl Fde {
    /// Its relocations, as indices among those of its input section.
    pub fn relocs(&self) -> std::ops::Range<usize> {
        self.first_reloc as usize..(self.first_reloc + self.reloc_count) as usize
    }

    /// Whether `next` follows it in the input without a gap.
    pub fn precedes(&self, next: &Fde) -> bool {
        self.input == next.input
            && self.section_offset + self.size == next.section_offset
            && self.first_reloc + self.reloc_count == next.first_reloc
    }
}

/// A common information entry, with the CIE it is equal to.
#[derive(Debug, Clone, Copy)]
pub struct Cie {
    /// The input `.eh_frame` section that it is in.
    pub input: SectionId,
    /// Offset in that section, in bytes.
    pub section_offset: u32,
    /// Size in bytes, with the length field.
    pub size: u32,
    /// Index of its first relocation in the input section.
    pub first_reloc: u32,
    /// How many relocations it has.
    pub reloc_count: u32,
    /// The first CIE of the link that is equal to it; itself if none is before it.
    pub leader: CieId,
    /// DW_EH_PE_* encoding of its FDEs' initial locations (`R` augmentation).
    pub fde_encoding: u8,
    /// Bytes of such a location.
    pub fde_width: u8,
}

impl Cie {
    /// Byte range in its input section.
    pub fn bytes(&self) -> std::ops::Range<usize> {
        self.section_offset as usize..(self.section_offset + self.size) as usize
    }

    /// Its relocations, as indices among those of its input section.
    pub fn relocs(&self) -> std::ops::Range<usize> {
        self.first_reloc as usize..(self.first_reloc + self.reloc_count) as usize
    }
}

/// All CIEs and FDEs of all objects.
#[derive(Debug, Default)]
pub struct EhFrames {
    /// FDEs by object, in file order.
    pub fdes: Column<FrameId, Fde>,
    /// CIEs by object, in file order.
    pub cies: Column<CieId, Cie>,
    /// By object, the id of its first FDE; then the total.
    pub fde_base: Column<ObjectId, FrameId>,
    /// By object, the id of its first CIE; then the total.
    pub cie_base: Column<ObjectId, CieId>,
    /// Sections that cannot be split, and why.
    pub faults: Vec<SectionFault>,
    /// An input section ends with a record of length zero, so the output has one too.
    pub has_terminator: bool,
    /// The input sections that have a record of length zero, by id, and its offset in them.
    pub terminators: Vec<(SectionId, u32)>,
}

/// The records of one object, with indices counted from its first.
#[derive(Default)]
struct Split {
    fdes: Vec<Fde>,
    cies: Vec<Cie>,
    faults: Vec<SectionFault>,
    has_terminator: bool,
    terminators: Vec<(SectionId, u32)>,
}

/// Splits all `.eh_frame` sections and chains FDEs to sections. Records behind a terminator are of
/// no use to a program. They are kept where relocations are kept (`with_all`), as by other linkers.
pub fn split(objects: &Objects, definitions: &mut Definitions, with_all: bool) -> EhFrames {
    let mut sections = std::mem::take(&mut definitions.sections);
    let shared: &Definitions = definitions;
    let mut splits: Vec<Split> = objects
        .par_ids()
        .with_max_len(2)
        .map(|at| split_object(at, objects, shared, &sections, with_all))
        .collect();
    let mut frames = EhFrames {
        fde_base: vec![FrameId::default()].into(),
        cie_base: vec![CieId::default()].into(),
        ..EhFrames::default()
    };
    for split in &splits {
        frames.fde_base.push(*frames.fde_base.last().expect("not empty") + split.fdes.len() as u32);
        frames.cie_base.push(*frames.cie_base.last().expect("not empty") + split.cies.len() as u32);
    }
    let parts = split_mut(&mut sections, shared.section_base.ranges().map(IdRange::indices));
    let fde_base = &frames.fde_base;
    let cie_base = &frames.cie_base;
    let total = fde_base.last().expect("ends with the total").index();
    frames.fdes = match splits.iter_mut().find(|split| split.fdes.len() == total) {
        // All records are of one object, whose vector is taken as it is.
        Some(only) => std::mem::take(&mut only.fdes).into(),
        None => Fde::new_vec_zeroed(total).expect("memory for FDEs").into(),
    };
    let fdes = split_mut(&mut frames.fdes, fde_base.ranges().map(IdRange::indices));
    splits.par_iter().with_max_len(4).zip(parts).zip(fdes).enumerate().for_each(
        |(at, ((split, sections), fdes))| {
            if !split.fdes.is_empty() {
                fdes.copy_from_slice(&split.fdes);
            }
            let at = ObjectId::from_index(at);
            chain(fdes, fde_base[at], cie_base[at], shared.section_base[at], sections);
        },
    );
    for split in splits {
        if frames.cies.is_empty() {
            frames.cies = split.cies.into()
        } else {
            frames.cies.extend(split.cies)
        }
        frames.faults.extend(split.faults);
        frames.has_terminator |= split.has_terminator;
        frames.terminators.extend(split.terminators);
    }
    definitions.sections = sections;
    frames.unite_cies(objects, definitions);
    frames
}

fn split_object(
    at: ObjectId,
    objects: &Objects,
    definitions: &Definitions,
    sections: &Sections,
    with_all: bool,
) -> Split {
    let mut split = Split::default();
    let mut buffer = SectionBuffer::default();
    for (id, section) in sections.part(definitions.sections_of(at)) {
        if !section.flags.has(SectionFlags::EH_FRAME) || section.flags.has(SectionFlags::DISCARDED)
        {
            continue;
        }
        let (bytes, relocs) = objects[at].lend(section, &mut buffer);
        let splitter = Splitter {
            encoding: objects[at].mapped.encoding,
            id,
            bytes,
            relocs,
            targets: definitions.targets_of(at),
            definitions,
            sections,
            own: definitions.sections_of(at),
            with_all,
        };
        if let Err((section_offset, what)) = splitter.run(&mut split) {
            let (object, section_offset) = (at, section_offset as u64);
            let shndx = section.shndx;
            split.faults.push(SectionFault { object, shndx, section_offset, what });
        }
    }
    split
}

/// From this many records on it pays to map memory for them beforehand.
const MANY: usize = 1 << 11;

struct Splitter<'a> {
    encoding: Encoding,
    id: SectionId,
    bytes: &'a [u8],
    relocs: &'a [Rela],
    targets: &'a IdSlice<SymbolId, PackedReferent>,
    definitions: &'a Definitions,
    sections: &'a Sections,
    /// The sections of the object.
    own: Range<SectionId>,
    with_all: bool,
}

impl Splitter<'_> {
    fn run(&self, split: &mut Split) -> Result<(), (usize, &'static str)> {
        if self.bytes.len() > u32::MAX as usize {
            return Err((0, "section exceeds 4 GiB"));
        }
        split.fdes.reserve(self.relocs.len());
        if self.relocs.len() >= MANY {
            // Some FDEs have a second relocation, for the language-specific data (LSDA).
            let likely = self.relocs.len() / 4 * 3;
            populate(&split.fdes.spare_capacity_mut()[..likely]);
        }
        let first_cie = split.cies.len();
        let mut last_cie = (usize::MAX, CieId::default());
        let mut next_reloc = 0usize;
        let mut last_place = 0;
        let order = self.encoding.order;
        let records = if self.with_all {
            EhFrame::with_all(order, self.bytes)
        } else {
            EhFrame::new(order, self.bytes)
        };
        for record in records {
            let record = record.map_err(|e| (e.offset, e.what))?;
            let first = next_reloc;
            while let Some(reloc) = self.relocs.get(next_reloc) {
                let place = reloc.r_offset() as usize;
                if place >= record.end() {
                    break;
                }
                if place < last_place {
                    return Err((0, "relocations are not in order"));
                }
                last_place = place;
                next_reloc += 1;
            }
            match record.kind {
                RecordKind::Terminator => self.note_terminator(split, record.offset),
                RecordKind::Cie => {
                    if split.cies.len() >= MANY && split.cies.len() == split.cies.capacity() {
                        self.make_room(&mut split.cies, first_cie, record.offset);
                    }
                    split.cies.push(self.cie(&record, first, next_reloc)?);
                }
                RecordKind::Fde { cie_offset } => {
                    if cie_offset != last_cie.0 {
                        let what = "FDE's CIE pointer does not point to a CIE";
                        let found = find_cie(&split.cies[first_cie..], cie_offset);
                        let found = found.ok_or((record.offset, what))?;
                        last_cie = (cie_offset, CieId::from_index(first_cie + found));
                    }
                    if let Some(fde) = self.fde(&record, last_cie.1, first, next_reloc)? {
                        split.fdes.push(fde);
                    }
                }
            }
        }
        match self.relocs.get(next_reloc) {
            Some(reloc) if reloc.r_offset() >= self.bytes.len() as u64 => {
                Err((reloc.r_offset() as usize, "relocation lies outside its section"))
            }
            _ => Ok(()),
        }
    }

    /// Not inlined into the loop over records: one file of a link has a terminator.
    #[cold]
    #[inline(never)]
    fn note_terminator(&self, split: &mut Split, offset: usize) {
        split.has_terminator |= self.bytes.ends_with(&[0; 4]);
        split.terminators.push((self.id, offset as u32));
    }

    /// Reserves room for CIEs, in proportion to their number up to `offset`.
    #[cold]
    fn make_room(&self, cies: &mut Vec<Cie>, first: usize, offset: usize) {
        let expected = (cies.len() - first) as u64 * self.bytes.len() as u64 / offset.max(1) as u64;
        let more = expected as usize - (cies.len() - first);
        cies.reserve_exact(more + more / 16 + MANY);
        populate(&cies.spare_capacity_mut()[..more]);
    }

    fn cie(&self, record: &Record, first: usize, end: usize) -> Result<Cie, (usize, &'static str)> {
        let fields = CieFields::parse(self.bytes, record, self.encoding.word_size())
            .map_err(|e| (e.offset, e.what))?;
        let width = encoding::size(fields.fde_encoding, self.encoding.word_size());
        Ok(Cie {
            input: self.id,
            section_offset: record.offset as u32,
            size: record.size as u32,
            first_reloc: first as u32,
            reloc_count: (end - first) as u32,
            leader: CieId::default(),
            fde_encoding: fields.fde_encoding,
            fde_width: width.unwrap_or(0) as u8,
        })
    }

    /// Reads an FDE; `None` if it describes no section that is kept.
    #[inline(always)]
    fn fde(
        &self,
        record: &Record,
        cie: CieId,
        first: usize,
        end: usize,
    ) -> Result<Option<Fde>, (usize, &'static str)> {
        let [reloc, ..] = &self.relocs[first..end] else { return Ok(None) };
        if reloc.r_offset() as usize != record.body_offset() {
            return Ok(None);
        }
        let Some(&target) = self.targets.get(reloc.symbol()) else {
            return Err((record.offset, "FDE's symbol is not in the symbol table"));
        };
        let Some(section) = self.definitions.section_of(target) else { return Ok(None) };
        // If another file's definition of the function won, that file's FDE describes it. What is
        // not loaded does not run, whichever file's copy is kept.
        let is_loaded = || self.sections[section].flags.has(SectionFlags::ALLOC);
        if !self.own.contains(&section) || !is_loaded() {
            return Ok(None);
        }
        Ok(Some(Fde {
            input: self.id,
            section_offset: record.offset as u32,
            size: record.size as u32,
            first_reloc: first as u32,
            reloc_count: (end - first) as u32,
            section,
            cie,
            next: OptionalId::NONE,
        }))
    }
}

/// Index of the CIE at `section_offset`; as a rule it is the last.
fn find_cie(cies: &[Cie], section_offset: usize) -> Option<usize> {
    let offset_of = |cie: &Cie| cie.section_offset as usize;
    match cies.last() {
        Some(last) if offset_of(last) == section_offset => Some(cies.len() - 1),
        _ => cies.binary_search_by_key(&section_offset, offset_of).ok(),
    }
}

/// Chains the FDEs of one object to their sections.
fn chain(
    fdes: &mut [Fde],
    fde_base: FrameId,
    cie_base: CieId,
    section_base: SectionId,
    sections: &mut [InputSection],
) {
    for (index, fde) in fdes.iter_mut().enumerate().rev() {
        let head = &mut sections[(fde.section - section_base) as usize].fde_head;
        fde.next = *head;
        *head = (fde_base + index as u32).into();
        fde.cie = cie_base + fde.cie.number();
    }
}

/// A relocation of a CIE, independent of where the CIE is: offset within it, type, target and
/// addend.
fn meaning(
    definitions: &Definitions,
    object: ObjectId,
    cie: &Cie,
    reloc: &Rela,
) -> (u64, u32, PackedReferent, i64) {
    let place = reloc.r_offset() - u64::from(cie.section_offset);
    let target = definitions.target_of(object, reloc.symbol());
    (place, reloc.r_type(), target, reloc.r_addend())
}

impl EhFrames {
    /// Offset in an input section of its first record of length zero, if it has one.
    pub fn terminator_of(&self, input: SectionId) -> Option<u64> {
        let at = self.terminators.partition_point(|&(section, _)| section < input);
        let &(section, offset) = self.terminators.get(at)?;
        (section == input).then_some(u64::from(offset))
    }

    /// Finds equal CIEs: the same bytes, and relocations with the same targets.
    fn unite_cies(&mut self, objects: &Objects, definitions: &Definitions) {
        let key = HashKey::random();
        // Some bits of the hash are stored in the field that will hold the leader.
        let mut cies = std::mem::take(&mut self.cies);
        cies.par_iter_mut().with_min_len(64).for_each_init(Vec::new, |text, cie| {
            let hash = key.hash(self.cie_text(objects, definitions, cie, text));
            cie.leader = CieId::new(hash as u32);
        });
        // A slot holds these bits and a leader's index plus one. Programs have either a few leaders
        // or one for each FDE. The table is nearly full only if no two CIEs are equal.
        let mut slots: Vec<u64> = zeroed((cies.len() + cies.len() / 4).next_power_of_two());
        let mask = slots.len() - 1;
        for at in cies.ids() {
            let hash = cies[at].leader.number();
            let mut slot = hash as usize & mask;
            cies[at].leader = loop {
                let leader = CieId::new((slots[slot] as u32).wrapping_sub(1));
                if slots[slot] == 0 {
                    slots[slot] = u64::from(hash) << 32 | (u64::from(at) + 1);
                    break at;
                }
                if (slots[slot] >> 32) as u32 == hash
                    && self.are_equal(objects, definitions, [&cies[leader], &cies[at]])
                {
                    break leader;
                }
                slot = (slot + 1) & mask;
            };
        }
        self.cies = cies;
    }

    fn are_equal(&self, objects: &Objects, definitions: &Definitions, cies: [&Cie; 2]) -> bool {
        let [a, b] = cies.map(|cie| {
            let section = &definitions.sections[cie.input];
            let object = &objects[section.object];
            (self.cie_bytes(object, section, cie), self.cie_relocs(object, section, cie))
        });
        let meanings = |at: usize| {
            let (cie, (_, relocs)) = (cies[at], [&a, &b][at]);
            let object = definitions.sections[cie.input].object;
            relocs.iter().map(move |reloc| meaning(definitions, object, cie, reloc))
        };
        a.0 == b.0 && meanings(0).eq(meanings(1))
    }

    /// Writes to `text` everything in which CIEs can differ: bytes and relocations.
    fn cie_text<'a>(
        &self,
        objects: &Objects,
        definitions: &Definitions,
        cie: &Cie,
        text: &'a mut Vec<u8>,
    ) -> &'a [u8] {
        let section = &definitions.sections[cie.input];
        let object = &objects[section.object];
        let bytes = self.cie_bytes(object, section, cie);
        let relocs = self.cie_relocs(object, section, cie);
        if relocs.is_empty() {
            return bytes;
        }
        text.clear();
        // The length field comes first, so that bytes and relocations cannot be confused.
        text.extend_from_slice(bytes);
        for reloc in relocs {
            let (place, r_type, target, addend) = meaning(definitions, section.object, cie, reloc);
            text.extend_from_slice(&place.to_le_bytes());
            text.extend_from_slice(&r_type.to_le_bytes());
            text.extend_from_slice(&target.number().to_le_bytes());
            text.extend_from_slice(&addend.to_le_bytes());
        }
        text
    }

    fn cie_bytes(&self, object: &ObjectFile, section: &InputSection, cie: &Cie) -> &'static [u8] {
        &object.bytes(section)[cie.bytes()]
    }

    /// The relocations of a CIE.
    pub fn cie_relocs(
        &self,
        object: &ObjectFile,
        section: &InputSection,
        cie: &Cie,
    ) -> &'static [Rela] {
        &object.relocs(section)[cie.relocs()]
    }

    /// The relocations of an FDE.
    pub fn fde_relocs(
        &self,
        object: &ObjectFile,
        section: &InputSection,
        fde: &Fde,
    ) -> &'static [Rela] {
        &object.relocs(section)[fde.relocs()]
    }

    /// Index, counted from the FDE's first, of the first relocation that is scanned. The relocation
    /// of the initial location refers to the section being visited and needs nothing if it is
    /// PC-relative. If it is an absolute address, the dynamic linker may have to relocate it.
    #[inline(always)]
    pub fn first_scanned(&self, fde: &Fde) -> u32 {
        let encoding = self.cies[fde.cie].fde_encoding;
        u32::from(encoding & encoding::APPLICATION != encoding::ABSPTR)
    }

    /// The FDEs of a section's functions.
    #[inline(always)]
    pub fn of_section(&self, section: &InputSection) -> impl Iterator<Item = &Fde> {
        let at = |id: OptionalId<FrameId>| id.get().map(|id| &self.fdes[id]);
        std::iter::successors(at(section.fde_head), move |fde| at(fde.next))
    }

    /// The FDEs in the sections of one object.
    pub fn fdes_of(&self, object: ObjectId) -> &[Fde] {
        &self.fdes[self.fde_base.range_of(object)]
    }
}
