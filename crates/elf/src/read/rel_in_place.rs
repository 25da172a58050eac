//! SHT_REL relocations that stay in the file as they are, with their addends in the fields.
//!
//! Records with addends would be three times as large, and be read from memory once by scanning
//! and once by applying. The loops of a machine whose objects have SHT_REL read the file's entries
//! instead ([`Entry`]). Everything else gets records, which are made when they are first asked for
//! ([`LateRelocs`]).

use super::implicit_addends;
use super::object_file::{InputSection, ObjectFile, SectionFlags};
use crate::format::elf::{Rel32, Rela, SymbolId};
use crate::machine::Machine;
use skald_core::field;
use std::ops::Range;
use std::sync::OnceLock;
use zerocopy::FromBytes;

/// Relocations as in the file, and the section whose fields have the addends.
#[derive(Clone, Copy)]
pub struct InPlace<'a> {
    /// The entries of the relocation section, or some that follow each other.
    pub entries: &'a [Rel32],
    /// The bytes of the section that they apply to, as the object has them.
    pub fields: &'a [u8],
    /// The machine, which knows where in an instruction the addend is.
    pub machine: &'static Machine,
}

impl<'a> InPlace<'a> {
    /// The relocation with its addend, which is 0 for a field outside of the section: whoever
    /// applies it reports that.
    #[inline(always)]
    pub fn record(&self, entry: &Rel32) -> Rela {
        let addend = implicit_addends::of_entry(self.machine, entry, self.fields);
        Rela::new(entry.r_offset(), entry.r_type(), entry.r_sym(), addend)
    }

    /// The relocations with their addends.
    pub fn records(&self) -> Vec<Rela> {
        self.entries.iter().map(|entry| self.record(entry)).collect()
    }

    /// The record of the relocation at `index`, with those before and behind it if it is
    /// `together` with them; its index among these.
    #[inline(always)]
    pub fn around<'b>(
        &self,
        index: usize,
        together: impl FnOnce(u32) -> bool,
        records: &'b mut [Rela; 3],
    ) -> (&'b [Rela], usize) {
        let entry = &self.entries[index];
        if !together(entry.r_type()) {
            records[0] = self.record(entry);
            return (&records[..1], 0);
        }
        self.with_neighbours(index, records)
    }

    #[inline(never)]
    fn with_neighbours<'b>(&self, index: usize, records: &'b mut [Rela; 3]) -> (&'b [Rela], usize) {
        let start = index.saturating_sub(1);
        let entries = &self.entries[start..self.entries.len().min(index + 2)];
        for (record, entry) in records.iter_mut().zip(entries) {
            *record = self.record(entry);
        }
        (&records[..entries.len()], index - start)
    }

    /// Those in a range of indices.
    pub fn part(self, range: Range<usize>) -> InPlace<'a> {
        InPlace { entries: &self.entries[range], ..self }
    }
}

/// What the loops read of a relocation, be it a record or an entry of the file.
pub trait Entry {
    /// The symbol.
    fn symbol(&self) -> SymbolId;

    /// The type.
    fn r_type(&self) -> u32;

    /// The place: an offset in the section.
    fn r_offset(&self) -> u64;

    /// The addend of a type whose field has 32 bits, at `at` of `out`, the output's copy of the
    /// section; 0 if the field is outside.
    fn addend(&self, out: &[u8], at: usize) -> i64;

    /// Writes the sum of `value` and that addend to the field, modulo 2^32; `false`, with nothing
    /// written, if the field is outside.
    fn put_sum(&self, out: &mut [u8], at: usize, value: u32) -> bool;
}

impl Entry for Rela {
    #[inline(always)]
    fn symbol(&self) -> SymbolId {
        Rela::symbol(self)
    }

    #[inline(always)]
    fn r_type(&self) -> u32 {
        Rela::r_type(self)
    }

    #[inline(always)]
    fn r_offset(&self) -> u64 {
        Rela::r_offset(self)
    }

    #[inline(always)]
    fn addend(&self, _: &[u8], _: usize) -> i64 {
        self.r_addend()
    }

    #[inline(always)]
    fn put_sum(&self, out: &mut [u8], at: usize, value: u32) -> bool {
        let sum = value.wrapping_add(self.r_addend() as u32);
        field::store(out, at, sum.to_le_bytes())
    }
}

impl Entry for Rel32 {
    #[inline(always)]
    fn symbol(&self) -> SymbolId {
        SymbolId::new(self.r_sym())
    }

    #[inline(always)]
    fn r_type(&self) -> u32 {
        Rel32::r_type(self)
    }

    #[inline(always)]
    fn r_offset(&self) -> u64 {
        Rel32::r_offset(self)
    }

    #[inline(always)]
    fn addend(&self, out: &[u8], at: usize) -> i64 {
        let field = out.get(at..).and_then(<[u8]>::first_chunk);
        field.map_or(0, |field| i32::from_le_bytes(*field).into())
    }

    /// Two relocations of one field are composed: both are added (gABI, "Relocation").
    #[inline(always)]
    fn put_sum(&self, out: &mut [u8], at: usize, value: u32) -> bool {
        field::update(out, at, |field| u32::from_le_bytes(field).wrapping_add(value).to_le_bytes())
    }
}

/// Records of relocations that are in place, for those who need them.
#[derive(Debug, Clone)]
pub struct LateRelocs {
    machine: &'static Machine,
    /// By section header index of the section that they apply to.
    records: OnceLock<Box<[OnceLock<&'static [Rela]>]>>,
}

impl LateRelocs {
    /// None yet.
    pub fn new(machine: &'static Machine) -> LateRelocs {
        LateRelocs { machine, records: OnceLock::new() }
    }

    /// The machine of the object.
    pub fn machine(&self) -> &'static Machine {
        self.machine
    }

    /// The records of a section of an object that has `count` section headers.
    pub fn of(
        &self,
        section: &InputSection,
        count: usize,
        in_place: &InPlace<'_>,
    ) -> &'static [Rela] {
        let none = || std::iter::repeat_with(OnceLock::new).take(count).collect();
        let records = self.records.get_or_init(none);
        let records = records.get(section.shndx as usize).expect("there is one for each header");
        records.get_or_init(|| in_place.records().leak())
    }
}

impl ObjectFile {
    /// Relocations that are not in the file as they are in memory.
    #[inline(never)]
    pub(super) fn other_relocs(&self, section: &InputSection) -> &'static [Rela] {
        if section.flags.has(SectionFlags::DECODED_RELOCS) {
            return self.mapped.decoded_relocs[section.rel_offset as usize];
        }
        let late = self.late_relocs();
        late.of(section, self.mapped.shdrs.len(), &self.rel_in_place(section))
    }

    fn late_relocs(&self) -> &LateRelocs {
        self.mapped.late_relocs.as_ref().expect("it is made for the first such section")
    }

    /// The relocations of a section with [`SectionFlags::REL_IN_PLACE`].
    #[inline(always)]
    pub fn rel_in_place(&self, section: &InputSection) -> InPlace<'static> {
        let start = section.rel_offset as usize;
        let bytes =
            &self.mapped.data[start..start + section.rel_count as usize * size_of::<Rel32>()];
        let entries = <[Rel32]>::ref_from_bytes(bytes).expect("checked when the file was read");
        let machine = self.late_relocs().machine();
        InPlace { entries, fields: self.bytes(section), machine }
    }
}
