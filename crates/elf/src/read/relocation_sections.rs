//! Connects relocation sections with the sections that they apply to (gABI, "Relocation").

use super::implicit_addends;
use super::mapped_object::MappedObject;
use super::object_file::{InputSection, SectionFlags, bad};
use super::rel_in_place::LateRelocs;
use super::section_records::{Decoder, words_reversed};
use crate::format::crel::Crel;
use crate::format::elf::{self, Rel32, Rela, Shdr};
use crate::machine::RelocKind;
use crate::read::RecordId;
use object::elf::{SHT_CREL, SHT_GROUP, SHT_REL, SHT_RELA, SHT_STRTAB, SHT_SYMTAB};
use skald_core::diag::Result;
use skald_linking::cursor::Malformed;
use std::borrow::Cow;

impl Decoder<'_> {
    /// Connects an SHT_RELA, SHT_REL or SHT_CREL section with the section that it applies to.
    pub(super) fn attach_relocations(&mut self, shndx: usize) -> Result<()> {
        let header = &self.object.mapped.shdrs[shndx];
        let target = header.sh_info() as usize;
        let has_no_fields = |section: &Shdr| {
            matches!(section.sh_type(), SHT_SYMTAB | SHT_STRTAB | SHT_RELA | SHT_REL | SHT_GROUP)
        };
        let Some(recorded) = self.object.recorded.get(target) else {
            return Err(bad(invalid_target(shndx, target)));
        };
        let Some(index) = recorded.record() else {
            return if self.object.mapped.shdrs.get(target).is_some_and(has_no_fields) {
                Err(bad(invalid_target(shndx, target)))
            } else {
                Ok(())
            };
        };
        let file_offset = header.sh_offset();
        let size = header.sh_size();
        let section = &mut self.records[index];
        if section.rel_count != 0 {
            return Err(bad(format!("section {target} has two relocation sections")));
        }
        if section.flags.has(SectionFlags::NOBITS) && size != 0 {
            return Err(bad(format!("section {target} has relocations but no bytes")));
        }
        // A link has very many of these, so native relocations are only checked.
        const ENTRY: u64 = size_of::<Rela>() as u64;
        let is_as_mapped = header.sh_type() == SHT_RELA
            && self.object.mapped.encoding.is_native()
            && size.is_multiple_of(ENTRY)
            && elf::range(self.object.mapped.data, file_offset, size).is_some();
        let section = if is_as_mapped {
            section.rel_offset = file_offset;
            section.rel_count = u32::try_from(size / ENTRY)
                .map_err(|_| bad(format!("relocation section {shndx} is too large")))?;
            section
        } else {
            self.decode_relocations(shndx, index)?;
            &mut self.records[index]
        };
        if section.rel_count != 0 {
            // Pieces with equal bytes may differ after relocation, so the section is not merged.
            section.flags.0 &= !SectionFlags::MERGE;
        }
        if section.flags.has(SectionFlags::REVERSED) {
            self.reverse_relocations(index);
        }
        Ok(())
    }

    /// Decodes SHT_REL, SHT_CREL, and SHT_RELA of another encoding, to records of SHT_RELA. Apart,
    /// so that attaching what is native needs few registers.
    #[cold]
    #[inline(never)]
    fn decode_relocations(&mut self, shndx: usize, index: RecordId) -> Result<()> {
        let header = &self.object.mapped.shdrs[shndx];
        let malformed = |e: &dyn std::fmt::Display| bad(format!("relocation section {shndx}: {e}"));
        let outside = || bad(format!("relocation section {shndx} lies outside the file"));
        let size = header.sh_size();
        let bytes =
            elf::range(self.object.mapped.data, header.sh_offset(), size).ok_or_else(outside)?;
        let encoding = self.object.mapped.encoding;
        let relocs = if header.sh_type() == SHT_CREL {
            let (mut relocs, has_addends) = decode_crel(bytes).map_err(|e| malformed(&e))?;
            if !has_addends {
                let content = self.fields_of(index)?;
                implicit_addends::fill(self.rules.machine, &mut relocs, &content)
                    .map_err(|e| malformed(&e))?;
            }
            relocs
        } else if header.sh_type() == SHT_RELA {
            let entry = encoding.size::<Rela>();
            let uneven = || {
                let what = format!("has {size:#x} bytes, not a multiple of {entry}");
                bad(format!("relocation section {shndx} {what}"))
            };
            let mut relocs = encoding.records(bytes).ok_or_else(uneven)?.into_owned();
            let machine = self.rules.machine;
            if machine.reloc_kind == RelocKind::RelaInFields
                && !implicit_addends::take(machine, &mut relocs, &self.fields_of(index)?)
            {
                return Err(malformed(&"relocation lies outside its section"));
            }
            if let Some(descriptors) = &self.object.mapped.descriptors {
                descriptors.turn_all(header.sh_info(), &mut relocs);
            }
            relocs
        } else {
            if self.keep_in_place(header, index) {
                return Ok(());
            }
            let content = self.fields_of(index)?;
            implicit_addends::decode(self.rules.machine, bytes, &content)
                .map_err(|e| malformed(&e))?
        };
        u32::try_from(relocs.len()).map_err(|_| malformed(&"is too large"))?;
        self.records[index].set_relocs(&mut self.object.mapped, relocs.leak());
        Ok(())
    }

    /// The bytes of a section as the file has them, in which relocations without addends find
    /// these.
    fn fields_of(&mut self, index: RecordId) -> Result<Cow<'static, [u8]>> {
        let mut section = self.records[index];
        self.decompress(&mut section)?;
        self.records[index] = section;
        let content = self.object.bytes(&section);
        Ok(if section.flags.has(SectionFlags::REVERSED) {
            words_reversed(content, self.object.mapped.encoding.word_size()).into()
        } else {
            content.into()
        })
    }

    /// Leaves SHT_REL in the file for the loops, if they read it there; returns whether it is left.
    fn keep_in_place(&mut self, header: &Shdr, index: RecordId) -> bool {
        const ENTRY: u64 = size_of::<Rel32>() as u64;
        // Frames are compared and written by their records; the others have no mapped fields.
        const UNFIT: u32 =
            SectionFlags::EH_FRAME | SectionFlags::COMPRESSED | SectionFlags::REVERSED;
        let section = &mut self.records[index];
        let size = header.sh_size();
        if !self.rules.machine.has_rel_in_place()
            || section.flags.has(UNFIT)
            || !size.is_multiple_of(ENTRY)
            || size / ENTRY > u32::MAX.into()
        {
            return false;
        }
        section.rel_offset = header.sh_offset();
        section.rel_count = (size / ENTRY) as u32;
        section.flags.set(SectionFlags::REL_IN_PLACE);
        let late = &mut self.object.mapped.late_relocs;
        late.get_or_insert_with(|| Box::new(LateRelocs::new(self.rules.machine)));
        true
    }
}

impl InputSection {
    /// Gives the section `relocs` instead of those that it has.
    pub fn set_relocs(&mut self, mapped: &mut MappedObject, relocs: &'static [Rela]) {
        self.rel_offset = mapped.decoded_relocs.len() as u64;
        self.rel_count = relocs.len() as u32;
        self.flags.clear(SectionFlags::REL_IN_PLACE);
        self.flags.set(SectionFlags::DECODED_RELOCS);
        mapped.decoded_relocs.push(relocs);
    }
}

fn invalid_target(shndx: usize, target: usize) -> String {
    format!("relocation section {shndx} has an invalid target: section {target} (sh_info)")
}

/// The relocations, and whether they have their addends.
fn decode_crel(bytes: &[u8]) -> std::result::Result<(Vec<Rela>, bool), Malformed> {
    let crel = Crel::parse(bytes)?;
    let has_addends = crel.has_addends();
    let relocs: std::result::Result<Vec<Rela>, Malformed> = crel
        .into_iter()
        .map(|entry| {
            let entry = entry?;
            Ok(Rela::new(entry.r_offset, entry.r_type, entry.r_sym, entry.r_addend))
        })
        .collect();
    Ok((relocs?, has_addends))
}
