//! Decodes section headers, once, into the records that all later stages share.
//!
//! This happens when it is known which files are linked and which groups each of them owns. The
//! records go straight to their part of one flat column, and sections that another file owns are
//! not decoded. Later stages read section headers again only in rare cases.

use super::line_units;
use super::object_file::{
    InputSection, NAMES_AHEAD, ObjectFile, ReadRules, Recorded, SHT_LLVM_ADDRSIG,
    SHT_LLVM_CALL_GRAPH_PROFILE, SectionFlags, StackNote, bad, has_content, is_memtag_list,
};
use super::symbol_checks::{MAX_ALIGN, MAX_MEMORY};
use crate::format::elf::{self, Shdr};
use crate::read::{ObjectId, RecordId};
use crate::script::section_names::{self, NameClass, known};
use object::elf::*;
use skald_core::diag::{Error, Result};
use skald_core::ids::{IdSlice, OptionalId};
use skald_core::perturb::shuffled;

/// Decodes the sections of `object`, whose id is `number`, into `records`: one for each section
/// with content. Records that no section needs are marked as discarded. The message of an error
/// lacks the file name.
pub fn decode(
    object: &mut ObjectFile,
    number: ObjectId,
    records: &mut IdSlice<RecordId, InputSection>,
    rules: ReadRules<'_>,
) -> Result<()> {
    let are_names_plain =
        !rules.relocatable && rules.kept_prefixes.is_empty() && rules.discard.is_empty();
    let own_flags = rules.machine.own_section_flags();
    let mut decoder = Decoder {
        object,
        number,
        records,
        used: RecordId::default(),
        rules,
        are_names_plain,
        own_flags,
        dropped: Vec::new(),
    };
    let outcome = decoder.sections();
    let used = if outcome.is_ok() { decoder.used } else { RecordId::default() };
    let end = decoder.records.end();
    for unused in &mut decoder.records[used..end] {
        unused.object = number;
        unused.flags = SectionFlags(SectionFlags::DISCARDED);
    }
    if outcome.is_err() {
        decoder.object.recorded.fill(Recorded::NOT);
    }
    outcome
}

/// The sections of one object while they are decoded.
pub(super) struct Decoder<'a> {
    pub(super) object: &'a mut ObjectFile,
    number: ObjectId,
    pub(super) records: &'a mut IdSlice<RecordId, InputSection>,
    /// How many records are filled.
    used: RecordId,
    pub(super) rules: ReadRules<'a>,
    /// No option concerns the most frequent names, so sections with these take a short path.
    are_names_plain: bool,
    /// SHF_* that only the machine has.
    own_flags: u32,
    /// Header indexes of sections that an option or SHF_EXCLUDE drops.
    dropped: Vec<u32>,
}

impl Decoder<'_> {
    fn sections(&mut self) -> Result<()> {
        let shdrs = self.object.mapped.shdrs;
        let mut linked = Vec::new();
        let mut early_relocations = Vec::new();
        let mut total = 0u64;
        let mut ahead = shdrs.get(1 + NAMES_AHEAD..).unwrap_or_default().iter();
        for (shndx, header) in shdrs.iter().enumerate().skip(1) {
            if let Some(ahead) = ahead.next() {
                self.object.prefetch_name(ahead);
            }
            let sh_type = header.sh_type();
            if !matches!(sh_type, SHT_NOBITS | SHT_NULL) {
                total = total.saturating_add(header.sh_size());
            }
            match sh_type {
                SHT_RELA | SHT_REL | SHT_CREL => {
                    // Relocations nearly always follow the section that they apply to, whose record
                    // is still in cache.
                    if (header.sh_info() as usize) < shndx {
                        self.attach_relocations(shndx)?;
                    } else {
                        early_relocations.push(shndx);
                    }
                }
                SHT_LLVM_ADDRSIG => self.object.addrsig = shndx as u32,
                _ if !has_content(sh_type, self.rules) => {
                    if sh_type == SHT_LLVM_CALL_GRAPH_PROFILE {
                        self.object.call_graph_profile = shndx as u32;
                    } else if is_memtag_list(sh_type, self.rules) {
                        self.object.memtag_globals.push(shndx as u32);
                    }
                }
                _ if self.object.recorded[shndx] == Recorded::KILLED => {
                    self.object.loses_unloaded |= header.sh_flags() & u64::from(SHF_ALLOC) == 0;
                }
                _ => self.section(shndx as u32)?,
            }
            if header.sh_flags() & u64::from(SHF_LINK_ORDER) != 0 {
                linked.push((header.sh_link(), shndx));
            }
        }
        for shndx in early_relocations {
            self.attach_relocations(shndx)?;
        }
        self.drop_descriptors();
        // A small file must not become a huge output.
        if total / 2 > self.object.input_len() {
            return Err(bad(format!("sections overlap: they hold {total:#x} bytes")));
        }
        if self.rules.only_lines {
            line_units::reduce(self).map_err(bad)?;
        }
        self.link_dependents(&linked)
    }

    /// Drops descriptors of functions whose code is dropped.
    fn drop_descriptors(&mut self) {
        let Some(descriptors) = &self.object.mapped.descriptors else { return };
        for (descriptor, code) in descriptors.pairs() {
            let is_dropped = self.object.is_killed(code);
            let own = self.object.recorded.get_mut(descriptor as usize);
            if is_dropped
                && let Some(own) = own
                && let Some(record) = own.record()
            {
                self.records[record].flags.set(SectionFlags::DISCARDED);
                *own = Recorded::KILLED;
            }
        }
    }

    /// `linked`: for each section with SHF_LINK_ORDER, its section header index and that of the
    /// section that it names.
    fn link_dependents(&mut self, linked: &[(u32, usize)]) -> Result<()> {
        for &(target, shndx) in linked {
            if target == 0 {
                // `sh_link` 0 means the same as no SHF_LINK_ORDER.
                if let Some(dependent) = self.object.record_index(shndx as u32) {
                    self.records[dependent].flags.0 &= !SectionFlags::LINK_ORDER;
                }
                continue;
            }
            let Some(&to) = self.object.recorded.get(target as usize) else {
                let what = "is linked to a section that is not there";
                return Err(bad(format!("section {shndx} {what}")));
            };
            let Some(dependent) = self.object.record_index(shndx as u32) else { continue };
            if let Some(record) = to.record() {
                self.records[record].flags.set(SectionFlags::HAS_DEPENDENTS);
                self.object.dependents.push((record, dependent));
            } else if to == Recorded::KILLED {
                self.dropped.push(target);
            }
        }
        shuffled(&mut self.object.dependents).sort_unstable();
        if !self.dropped.is_empty() && !linked.is_empty() {
            self.drop_linked(linked);
        }
        Ok(())
    }

    /// Drops sections linked to dropped sections, and in turn those linked to these.
    fn drop_linked(&mut self, linked: &[(u32, usize)]) {
        let mut by_target = linked.to_vec();
        by_target.sort();
        while let Some(target) = self.dropped.pop() {
            let first = by_target.partition_point(|link| link.0 < target);
            for &(_, shndx) in by_target[first..].iter().take_while(|link| link.0 == target) {
                if let Some(dependent) = self.object.record_index(shndx as u32) {
                    self.records[dependent].flags.set(SectionFlags::DISCARDED);
                    self.object.recorded[shndx] = Recorded::KILLED;
                    self.dropped.push(shndx as u32);
                }
            }
        }
    }

    #[inline]
    fn push(&mut self, shndx: u32, section: InputSection) {
        self.object.recorded[shndx as usize] = self.used.into();
        self.records[self.used] = InputSection { object: self.number, ..section };
        self.used = self.used + 1;
    }

    fn section(&mut self, shndx: u32) -> Result<()> {
        if let Some(section) = self.plain_section(shndx) {
            self.push(shndx, section);
            return Ok(());
        }
        let header = self.object.header(shndx);
        let name = elf::string(self.object.mapped.shstrtab, header.sh_name()).ok_or_else(|| {
            let at = header.sh_name();
            bad(format!("section {shndx}: name at {at:#x} lies outside the table of names"))
        })?;
        let sh_flags = header.sh_flags();
        if sh_flags & u64::from(SHF_ALLOC) == 0 && !self.wants_unloaded(shndx, name) {
            return Ok(());
        }
        // A warning text declared in C is loaded, unless the name ends in glibc's " \t#".
        let of_warning = name.strip_prefix(b".gnu.warning");
        if of_warning.is_some_and(|rest| rest.is_empty() || rest[0] == b'.') {
            self.object.warnings.push(shndx);
            if !self.rules.keep_warnings {
                return Ok(());
            }
        }
        if self.rules.discard.iter().any(|discarded| discarded.as_bytes() == name) {
            self.dropped.push(shndx);
            return Ok(());
        }
        if sh_flags & u64::from(SHF_EXCLUDE) != 0 && !self.rules.relocatable {
            self.dropped.push(shndx);
            if name.starts_with(b".gnu.lto_") {
                self.refuse_slim(header, name)?;
            }
            self.object.recorded[shndx as usize] = Recorded::EXCLUDED;
            return Ok(());
        }
        if !self.rules.relocatable
            && let Some(note) = name.strip_prefix(b".note.gnu.")
        {
            match note {
                b"property" => return self.take_property(shndx),
                // A build id of an earlier `-r`: this output has its own, or none.
                b"build-id" => return Ok(()),
                _ => {}
            }
        }
        // One test for nearly all sections.
        if header.sh_type() >= SHT_GNU_ATTRIBUTES {
            if self.rules.machine.is_attributes(header.sh_type()) {
                self.object.attributes.push(shndx);
                return Ok(());
            }
            refuse_unknown(header, name)?;
        }
        let mut section = self.decode_section(shndx, name)?;
        if section.class == NameClass::CUSTOM {
            match name {
                b".sframe" if !self.rules.relocatable => {
                    section.flags = SectionFlags(SectionFlags::DISCARDED | SectionFlags::ALLOC);
                    self.object.sframes.push(shndx);
                }
                b".debug_sup" | b".gnu_debugaltlink" => self.object.supplementary.push(shndx),
                _ => {}
            }
        }
        self.object.has_custom_sections |= section.out.is_none();
        self.push(shndx, section);
        Ok(())
    }

    fn take_property(&mut self, shndx: u32) -> Result<()> {
        let header = self.object.header(shndx);
        elf::range(self.object.mapped.data, header.sh_offset(), header.sh_size())
            .ok_or_else(|| bad("section .note.gnu.property lies outside the file"))?;
        self.object.properties.push(shndx);
        Ok(())
    }

    /// The record of a section with one of the names that most sections of large programs have.
    /// Nothing else has to be examined for it, not even the end of the name. `None` for any other
    /// section.
    #[inline]
    fn plain_section(&self, shndx: u32) -> Option<InputSection> {
        let header = self.object.header(shndx);
        let sh_flags = header.sh_flags();
        if header.sh_type() != SHT_PROGBITS || !self.are_names_plain {
            return None;
        }
        const CODE: u64 = (SHF_ALLOC | SHF_EXECINSTR) as u64;
        const CONSTANT: u64 = SHF_ALLOC as u64;
        const RELOCATED: u64 = (SHF_ALLOC | SHF_WRITE) as u64;
        let name = self.object.mapped.shstrtab.get(header.sh_name() as usize..)?;
        let out = match sh_flags & !u64::from(SHF_GROUP) {
            CODE if name.starts_with(b".text.") => known::TEXT,
            CONSTANT if name.starts_with(b".rodata.") => known::RODATA,
            CONSTANT if name.starts_with(b".gcc_except_table.") => known::GCC_EXCEPT_TABLE,
            RELOCATED if name.starts_with(b".data.rel.ro.") => known::DATA_REL_RO,
            _ => return None,
        };
        let align = header.sh_addralign().max(1);
        elf::range(self.object.mapped.data, header.sh_offset(), header.sh_size())?;
        let mut flags = section_flags(self.own_flags, SHT_PROGBITS, sh_flags);
        if header.sh_entsize() == 0 {
            flags.set(SectionFlags::PLAIN_HEADER);
        }
        (align.is_power_of_two() && align <= MAX_ALIGN).then_some(InputSection {
            object: ObjectId::default(),
            shndx,
            data_offset: header.sh_offset(),
            size: header.sh_size(),
            rel_offset: 0,
            rel_count: 0,
            fde_head: OptionalId::NONE,
            out: out.into(),
            class: NameClass::of(out),
            flags,
            align_log2: align.trailing_zeros() as u8,
            entsize: 0,
        })
    }

    /// Refuses an object with nothing but GCC's intermediate code, which would link to a program
    /// without its content. GCC marks such objects in `struct lto_section`, the content of
    /// `.gnu.lto_.lto.HASH` (`lto-streamer.h`): two 16-bit version numbers, then a byte that is not
    /// zero.
    fn refuse_slim(&self, header: &Shdr, name: &[u8]) -> Result<()> {
        let bytes = elf::range(self.object.mapped.data, header.sh_offset(), header.sh_size());
        let slim = bytes.and_then(|b| b.get(4)).is_some_and(|&b| b != 0);
        if slim && name.starts_with(b".gnu.lto_.lto.") {
            return Err(bad(
                "is GCC's intermediate code alone, which needs the plugin of the GCC that made \
                 it\n>>> link with gcc or g++ -flto, or compile with -ffat-lto-objects",
            ));
        }
        Ok(())
    }

    /// Whether a section that is not loaded is copied to the output; notes sections that only
    /// inform the linker.
    fn wants_unloaded(&mut self, shndx: u32, name: &[u8]) -> bool {
        if name == b".note.GNU-stack" {
            let exec = self.object.header(shndx).sh_flags() & u64::from(SHF_EXECINSTR) != 0;
            self.object.stack_note = if exec { StackNote::Exec } else { StackNote::NoExec };
            return self.rules.relocatable;
        }
        let is_dropped =
            self.rules.strip_debug || self.rules.only_lines && !line_units::is_kept(name);
        if is_dropped
            && (name.starts_with(b".debug")
                || name.starts_with(b".zdebug")
                || name.starts_with(b".stab")
                || name == b".gdb_index")
        {
            return false;
        }
        true
    }

    fn decode_section(&mut self, shndx: u32, name: &'static [u8]) -> Result<InputSection> {
        let header = self.object.header(shndx);
        let sh_flags = header.sh_flags();
        let sh_type = header.sh_type();
        let align = header.sh_addralign().max(1);
        if !align.is_power_of_two() || align > MAX_ALIGN {
            let what = if align > MAX_ALIGN { "too great" } else { "not a power of two" };
            return Err(bad(format!(
                "section {} has an alignment that is {what}: {align:#x}",
                String::from_utf8_lossy(name)
            )));
        }
        let class = self.rules.names.map_or(NameClass::CUSTOM, |names| names.of(name));
        let mut section = InputSection {
            object: ObjectId::default(),
            shndx,
            data_offset: header.sh_offset(),
            size: header.sh_size(),
            rel_offset: 0,
            rel_count: 0,
            fde_head: OptionalId::NONE,
            out: OptionalId::NONE,
            class,
            flags: section_flags(self.own_flags, sh_type, sh_flags),
            align_log2: align.trailing_zeros() as u8,
            entsize: 0,
        };
        if !section.flags.has(SectionFlags::NOBITS) {
            match elf::range(self.object.mapped.data, section.data_offset, section.size) {
                Some(bytes) => self.note_compressed(&mut section, name, bytes)?,
                None => self.use_content(&mut section, name)?,
            }
        } else if section.size > MAX_MEMORY {
            return Err(bad(format!(
                "section {} is absurdly large",
                String::from_utf8_lossy(name)
            )));
        }
        if matches!(
            section.class.output(),
            Some(known::INIT_ARRAY | known::FINI_ARRAY | known::PREINIT_ARRAY)
        ) {
            // The dynamic linker relocates these tables, so they are writable whatever the input's
            // flags.
            section.flags.set(SectionFlags::WRITE);
        }
        self.classify(&mut section, name);
        self.decompress_what_is_read(&mut section, name)?;
        self.reverse_old_array(&mut section);
        section.out = section.class.output().into();
        Ok(section)
    }

    /// Handles bytes of `section` that are beyond the object's end: for an object that the linker
    /// made around a file they are in `MappedObject::content`.
    #[cold]
    fn use_content(&mut self, section: &mut InputSection, name: &[u8]) -> Result<()> {
        let content = self.object.mapped.content.filter(|bytes| bytes.len() as u64 == section.size);
        let Some(bytes) = content else {
            let header = self.object.header(section.shndx);
            return Err(outside(name, header, self.object.mapped.data));
        };
        section.flags.set(SectionFlags::DECODED_DATA);
        section.data_offset = self.object.mapped.decoded_data.len() as u64;
        self.object.mapped.decoded_data.push(bytes);
        Ok(())
    }

    /// `.ctors` and `.dtors` are called from the last word to the first. As part of `.init_array`
    /// and `.fini_array` their words are reversed, as in GNU ld's default script.
    fn reverse_old_array(&mut self, section: &mut InputSection) {
        let array = match section.class.output() {
            _ if self.rules.keep_ctors => return,
            Some(known::CTORS) => known::INIT_ARRAY,
            Some(known::DTORS) => known::FINI_ARRAY,
            _ => return,
        };
        let unfit = SectionFlags::NOBITS | SectionFlags::DECODED_DATA;
        let word_size = self.object.mapped.encoding.word_size();
        if section.flags.has(unfit) || !section.size.is_multiple_of(word_size as u64) {
            return;
        }
        section.class = NameClass::of(array);
        section.flags.set(SectionFlags::REVERSED | SectionFlags::DECODED_DATA);
        let start = section.data_offset as usize;
        let bytes = &self.object.mapped.data[start..start + section.size as usize];
        let reversed = words_reversed(bytes, word_size);
        section.data_offset = self.object.mapped.decoded_data.len() as u64;
        self.object.mapped.decoded_data.push(Box::leak(reversed.into_boxed_slice()));
    }

    /// Reverses the relocations of a section whose words were reversed.
    #[cold]
    #[inline(never)]
    pub(super) fn reverse_relocations(&mut self, index: RecordId) {
        let section = self.records[index];
        let word_size = self.object.mapped.encoding.word_size() as u64;
        let mut relocs = self.object.relocs(&section).to_vec();
        for reloc in &mut relocs {
            let at = reloc.r_offset();
            // `r_offset` moves with its word; one outside of the section stays outside.
            let within = at % word_size;
            let word = section.size.wrapping_sub(word_size).wrapping_sub(at - within);
            reloc.set_r_offset(word.wrapping_add(within));
        }
        relocs.reverse();
        self.records[index].set_relocs(&mut self.object.mapped, relocs.leak());
    }

    /// Sets flags that depend on the name, and SHF_MERGE.
    fn classify(&self, section: &mut InputSection, name: &[u8]) {
        let header = self.object.header(section.shndx);
        let flags = &mut section.flags;
        // Chosen by name, as in GNU ld and lld: the output has one `.eh_frame`, which is loaded.
        if section.class.is(known::EH_FRAME) && !self.rules.relocatable {
            flags.set(SectionFlags::EH_FRAME);
        }
        let is_root = match section.class.output() {
            Some(
                known::INIT_ARRAY
                | known::FINI_ARRAY
                | known::PREINIT_ARRAY
                | known::INIT
                | known::FINI
                | known::CTORS
                | known::DTORS
                | known::JCR,
            ) => true,
            None => {
                if section_names::is_c_identifier(name) {
                    flags.set(SectionFlags::C_IDENT);
                }
                // Probe notes, which are not loaded, give their addresses relative to
                // `.stapsdt.base`.
                name == b".stapsdt.base"
            }
            _ => false,
        };
        let in_group = flags.has(SectionFlags::GROUP);
        if is_root
            || flags.has(SectionFlags::RETAIN)
            || (flags.has(SectionFlags::NOTE) && !in_group)
        {
            flags.set(SectionFlags::KEEP);
        }
        let entsize = header.sh_entsize();
        let mergeable = header.sh_flags() & u64::from(SHF_MERGE) != 0
            && !self.rules.no_merge
            && !self.rules.relocatable
            && entsize != 0
            && entsize <= 0xffff
            && section.size.is_multiple_of(entsize)
            && section.size <= u64::from(u32::MAX)
            && !flags.has(SectionFlags::WRITE | SectionFlags::NOBITS)
            && (!flags.has(SectionFlags::STRINGS) || entsize <= 4);
        if mergeable {
            flags.set(SectionFlags::MERGE);
            section.entsize = entsize as u16;
        }
    }
}

/// Moves each SHF_* bit to its place in [`SectionFlags`], without branches: this runs for every
/// section of every object.
#[inline]
fn section_flags(own_flags: u32, sh_type: u32, sh_flags: u64) -> SectionFlags {
    let moved = |bit: u32, flag: u32| {
        ((sh_flags as u32 >> bit.trailing_zeros()) & 1) << flag.trailing_zeros()
    };
    let mut flags = SectionFlags(
        moved(SHF_ALLOC, SectionFlags::ALLOC)
            | moved(SHF_WRITE, SectionFlags::WRITE)
            | moved(SHF_EXECINSTR, SectionFlags::EXEC)
            | moved(SHF_TLS, SectionFlags::TLS)
            | moved(SHF_STRINGS, SectionFlags::STRINGS)
            | moved(SHF_LINK_ORDER, SectionFlags::LINK_ORDER)
            | moved(SHF_GROUP, SectionFlags::GROUP)
            | moved(SHF_GNU_RETAIN, SectionFlags::RETAIN)
            | (sh_flags as u32 & own_flags) >> SectionFlags::OF_MACHINE,
    );
    match sh_type {
        SHT_NOBITS => flags.set(SectionFlags::NOBITS),
        SHT_NOTE => flags.set(SectionFlags::NOTE),
        SHT_INIT_ARRAY | SHT_FINI_ARRAY | SHT_PREINIT_ARRAY => flags.set(SectionFlags::KEEP),
        _ => {}
    }
    flags
}

/// Refuses a section that is loaded and has a type of some application's own.
#[cold]
fn refuse_unknown(header: &Shdr, name: &[u8]) -> Result<()> {
    if header.sh_type() >= SHT_LOUSER && header.sh_flags() & u64::from(SHF_ALLOC) != 0 {
        return Err(bad(format!(
            "section {} has an unsupported section type: {:#x}",
            String::from_utf8_lossy(name),
            header.sh_type()
        )));
    }
    Ok(())
}

/// The words of `bytes` from the last to the first.
pub(super) fn words_reversed(bytes: &[u8], word_size: usize) -> Vec<u8> {
    bytes.chunks_exact(word_size).rev().flatten().copied().collect()
}

fn outside(name: &[u8], header: &Shdr, file: &[u8]) -> Error {
    bad(format!(
        "section {} lies outside the file\n>>> it has {:#x} bytes from offset {:#x} on and the \
         file ends \
         at {:#x}",
        String::from_utf8_lossy(name),
        header.sh_size(),
        header.sh_offset(),
        file.len()
    ))
}
