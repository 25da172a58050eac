//! Relocatable objects, the record of an input section, and COMDAT groups.
//!
//! Every offset, count and index that a file contains is checked here and where sections are
//! decoded ([`super::section_records`]); afterwards it is trusted. Files are read in parallel, one
//! task a file.

use super::identify::LinkedFor;
use super::mapped_object::MappedObject;
use super::{FileId, descriptors};
use crate::format::compressed::CompressedSection;
use crate::format::elf::{self, Rela, Shdr, Sym, SymbolId};
use crate::format::encoding::{Encoding, Record};
use crate::machine::Machine;
use crate::read::{FrameId, ObjectId, RecordId};
use crate::script::name_classes::NameClasses;
use crate::script::section_names::OutputId;
use crate::script::section_names::{KeptPrefixes, LINKONCE, NameClass};
use object::elf::*;
use skald_core::column::prefetch;
use skald_core::diag::{Error, Result};
use skald_core::ids::{IdRange, OptionalId};
use skald_core::input::{InputBytes, ReleaseQueue, ReleasedParts};
use skald_core::internal_error;
use skald_core::memory_limit::{self};
use skald_core::names::NameId;
use std::ops::Range;
use std::path::Path;
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, FromZeros};

/// Bits of [`InputSection::flags`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, FromZeros)]
#[repr(transparent)]
pub struct SectionFlags(pub u32);

#[allow(missing_docs)]
impl SectionFlags {
    pub const ALLOC: u32 = 1;
    pub const WRITE: u32 = 1 << 1;
    pub const EXEC: u32 = 1 << 2;
    pub const TLS: u32 = 1 << 3;
    pub const NOBITS: u32 = 1 << 4;
    /// SHF_MERGE: pieces are merged with equal ones.
    pub const MERGE: u32 = 1 << 5;
    /// SHF_STRINGS: the pieces are NUL-terminated strings.
    pub const STRINGS: u32 = 1 << 6;
    /// SHF_LINK_ORDER: is kept with the section that `sh_link` names, and placed in its order.
    pub const LINK_ORDER: u32 = 1 << 7;
    /// SHF_GROUP: member of a section group.
    pub const GROUP: u32 = 1 << 8;
    /// Member of a group that another file owns, or dropped for another reason.
    pub const DISCARDED: u32 = 1 << 9;
    /// Kept by `--gc-sections` without a reference: by type, name, or `KEEP` of a script.
    pub const KEEP: u32 = 1 << 10;
    /// `.eh_frame`, which is split into CIEs and FDEs.
    pub const EH_FRAME: u32 = 1 << 11;
    /// `InputSection::rel_offset` is an index of `MappedObject::decoded_relocs`.
    pub const DECODED_RELOCS: u32 = 1 << 12;
    /// `InputSection::data_offset` is an index of `MappedObject::decoded_data`.
    pub const DECODED_DATA: u32 = 1 << 13;
    /// The name is a C identifier: a reference to `__start_NAME` keeps it.
    pub const C_IDENT: u32 = 1 << 14;
    /// SHT_NOTE.
    pub const NOTE: u32 = 1 << 15;
    /// The record of a common symbol, without bytes in the file.
    pub const COMMON: u32 = 1 << 16;
    /// Small-model code does not reach it ([`Machine::large_section`]).
    pub const LARGE: u32 = 1 << 17;
    /// Code without data ([`Machine::pure_code`]).
    pub const PURE_CODE: u32 = 1 << 18;
    /// SHF_GNU_RETAIN: kept by `--gc-sections`.
    pub const RETAIN: u32 = 1 << 19;
    /// Another section of the object names this one by SHF_LINK_ORDER.
    pub const HAS_DEPENDENTS: u32 = 1 << 20;
    /// Code that falls through into the section behind it, because its last jump was removed.
    pub const FALLS_THROUGH: u32 = 1 << 21;
    /// The bytes are compressed in the object and only decompressed on their way to the output: see
    /// `ObjectFile::compressed`.
    pub const COMPRESSED: u32 = 1 << 22;
    /// The header is of type SHT_PROGBITS, without an entry size or a kind of memory: it need not
    /// be read again. Not every section of this kind has the flag.
    pub const PLAIN_HEADER: u32 = 1 << 23;
    /// Code that may lose bytes when addresses are known: see `layout/deletions`.
    pub const SHRINKS: u32 = 1 << 24;
    /// `.ctors`/`.dtors` placed in `.init_array`/`.fini_array`: words and relocations were reversed
    /// when the object was read.
    pub const REVERSED: u32 = 1 << 25;
    /// The relocations are entries of SHT_REL, at `rel_offset` in the file: see `rel_in_place`.
    pub const REL_IN_PLACE: u32 = 1 << 26;
    /// How far the bits of `sh_flags` that only some machine has are above `LARGE` and `PURE_CODE`.
    pub const OF_MACHINE: u32 = 11;

    #[inline(always)]
    pub fn has(self, bits: u32) -> bool {
        self.0 & bits != 0
    }

    #[inline(always)]
    pub fn set(&mut self, bits: u32) {
        self.0 |= bits;
    }

    #[inline(always)]
    pub fn clear(&mut self, bits: u32) {
        self.0 &= !bits;
    }
}

/// The outcome for a section header of an object: a record, nothing, or a killed section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recorded(u32);

impl Recorded {
    /// The section has no record. This is the lowest of the marks, so hot code compares once.
    pub const NOT: Recorded = Recorded(u32::MAX - 2);
    /// The section is in a group that another file owns.
    pub const KILLED: Recorded = Recorded(u32::MAX - 1);
    /// The section is meant for the linker only (SHF_EXCLUDE).
    pub const EXCLUDED: Recorded = Recorded(u32::MAX);

    /// Index of the section's record; `None` without one.
    #[inline(always)]
    pub fn record(self) -> Option<RecordId> {
        (self.0 < Recorded::NOT.0).then_some(RecordId::new(self.0))
    }

    /// Whether it is killed or excluded.
    #[inline(always)]
    fn is_no_definition(self) -> bool {
        self.0 > Recorded::NOT.0
    }
}

impl From<RecordId> for Recorded {
    #[inline(always)]
    fn from(record: RecordId) -> Recorded {
        Recorded(record.number())
    }
}

/// One input section with content: the record that all stages share.
#[derive(Debug, Clone, Copy, FromZeros)]
#[repr(C)]
pub struct InputSection {
    /// The object, by id: its index among the linked objects.
    pub object: ObjectId,
    /// Section header index in the object.
    pub shndx: u32,
    /// File offset of the bytes in the object; an index with [`SectionFlags::DECODED_DATA`].
    pub data_offset: u64,
    /// Size in bytes (decompressed).
    pub size: u64,
    /// File offset of the relocations; an index with [`SectionFlags::DECODED_RELOCS`].
    pub rel_offset: u64,
    /// How many relocations the section has.
    pub rel_count: u32,
    /// First FDE of the chain of those that describe the section.
    pub fde_head: OptionalId<FrameId>,
    /// Output section. Set when the record is made, if the default layout has one for the class,
    /// and otherwise when every name has its definition ([`InputSection::output`] from then on).
    pub out: OptionalId<OutputId>,
    /// Properties of the section: bits of [`SectionFlags`].
    pub flags: SectionFlags,
    /// Alignment as a power of two: log2 of `sh_addralign`.
    pub align_log2: u8,
    /// Which known name the section's name counts as.
    pub class: NameClass,
    /// `sh_entsize` of a mergeable section, in bytes.
    pub entsize: u16,
}

impl InputSection {
    /// The output section, once sections have theirs.
    #[inline(always)]
    pub fn output(&self) -> OutputId {
        self.out.known()
    }
}
const _: () = assert!(size_of::<InputSection>() == 56);

/// How many section headers ahead names are prefetched.
pub const NAMES_AHEAD: usize = 12;

/// An SHT_GROUP section of one object.
#[derive(Debug, Clone, Copy, Default)]
pub struct ComdatGroup {
    /// Section header index of the SHT_GROUP section.
    pub shndx: u32,
    /// Symbol table index of the signature (`sh_info`).
    pub signature: SymbolId,
    /// Name id of the signature; filled when names are interned.
    pub name: NameId,
    /// How many members become records if no other file owns the group.
    pub content_count: u32,
}

/// A global or weak symbol: index, entry and name id.
pub type GlobalSymbol = (SymbolId, &'static Sym, NameId);

/// A global symbol whose name has an `@`.
#[derive(Debug, Clone, Copy)]
pub struct VersionedName {
    /// Index in the object's symbol table.
    pub index: SymbolId,
    /// Length of the name in bytes.
    pub len: u32,
    /// Length of the part before the first `@`.
    pub base_len: u32,
    /// How many `@` follow each other: 1 for `foo@V`, 2 for the default version `foo@@V`.
    pub marks: u32,
}

impl VersionedName {
    /// Splits `text`, the name of symbol `index`, whose first `@` is at `base_len`.
    pub fn new(index: SymbolId, text: &[u8], base_len: usize) -> VersionedName {
        // `@@@` in an object of another assembler is a default version, as `@@` is.
        let marks = text[base_len..].iter().take_while(|&&byte| byte == b'@').count();
        VersionedName {
            index,
            len: text.len() as u32,
            base_len: base_len as u32,
            marks: marks as u32,
        }
    }
}

/// A relocatable object that is linked: mapped tables, ids, and offsets, which stay valid wherever
/// the file is mapped. Decoded and compressed sections are at addresses of their own.
#[derive(Debug, Default, Clone)]
pub struct ObjectFile {
    /// Its position on the command line; `None` until it is taken.
    pub file: Option<FileId>,
    /// Its tables that are mapped from the file, and its decoded parts: everything that holds
    /// bytes.
    pub mapped: MappedObject,
    /// `sh_info` of the symbol table: index of the first global symbol.
    pub first_global: SymbolId,
    /// Name id of each global symbol, from `first_global` on; filled when names are interned.
    pub globals: Vec<NameId>,
    /// How many sections have content: as many records as the object has at most.
    pub content_count: u32,
    /// By section header index: the section's record, or why it has none.
    pub recorded: Vec<Recorded>,
    /// Groups with GRP_COMDAT.
    pub groups: Vec<ComdatGroup>,
    /// Groups without GRP_COMDAT: their members live and die together.
    pub plain_groups: Vec<ComdatGroup>,
    /// Section header indices of `.note.gnu.property` sections.
    pub properties: Vec<u32>,
    /// Section header indices of build attributes
    /// ([`BuildAttributes`](crate::machine::property::BuildAttributes)).
    pub attributes: Vec<u32>,
    /// Section header indices of `.sframe` sections, which have no records, because the output's
    /// one replaces them.
    pub sframes: Vec<u32>,
    /// Section header indices of `.debug_sup` and `.gnu_debugaltlink`.
    pub supplementary: Vec<u32>,
    /// `.gnu.linkonce.` sections: section header index, and name id, which is filled when names are
    /// interned. One section of each name is kept.
    pub linkonce: Vec<(u32, NameId)>,
    /// `(section, dependent)`: SHF_LINK_ORDER of `dependent` names `section`; sorted.
    pub dependents: Vec<(RecordId, RecordId)>,
    /// Section header indices of SHT_LLVM_DEPENDENT_LIBRARIES (`.deplibs`).
    pub dependent_libraries: Vec<u32>,
    /// How many common symbols the object defines.
    pub common_count: u32,
    /// SHN_* of large common symbols: [`Machine::large_common`].
    pub large_common: u16,
    /// Whether there is a `.note.GNU-stack`, and whether it is executable.
    pub stack_note: StackNote,
    /// Section header index of SHT_LLVM_ADDRSIG, 0 for none.
    pub addrsig: u32,
    /// Section header index of SHT_LLVM_CALL_GRAPH_PROFILE, 0 for none.
    pub call_graph_profile: u32,
    /// Section header indices of lists of variables in tagged memory.
    pub memtag_globals: Vec<u32>,
    /// Some global symbol's name has an `@`.
    pub has_versioned_names: bool,
    /// The global symbols whose names have an `@`.
    pub versioned: Vec<VersionedName>,
    /// Section header indices of `.gnu.warning` and `.gnu.warning.SYMBOL` sections.
    pub warnings: Vec<u32>,
    /// Some section's name is not in [`KNOWN`](crate::script::section_names::KNOWN).
    pub has_custom_sections: bool,
    /// Some section has SHF_EXCLUDE, as intermediate code has.
    pub has_excluded: bool,
    /// Sections with SHF_EXCLUDE are dropped, and their symbols are not definitions.
    pub drops_excluded: bool,
    /// Other files own some of its sections that are not loaded.
    pub loses_unloaded: bool,
}

/// What an object's `.note.GNU-stack` says about the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StackNote {
    /// The object has no such section.
    #[default]
    Missing,
    /// The section is without SHF_EXECINSTR.
    NoExec,
    /// The section has SHF_EXECINSTR: the stack must be executable.
    Exec,
}

/// The options that matter when an object is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadRules<'a> {
    /// The machine, for section and symbol indices of its own.
    pub machine: &'static Machine,
    /// The file that determined the machine, for messages.
    pub machine_from: Option<&'a Path>,
    /// `--discard-section`: patterns of names of dropped sections.
    pub discard: &'a [String],
    /// `--strip-debug` and stronger: debug sections are dropped.
    pub strip_debug: bool,
    /// `--strip-debug-non-line`: only the debug information that line numbers need.
    pub only_lines: bool,
    /// Prefixes of section names that keep sections apart (`-z keep-text-section-prefix`).
    pub kept_prefixes: KeptPrefixes,
    /// Gives section names their class; `None` with `-r`, where sections keep their names.
    pub names: Option<&'a NameClasses>,
    /// `-r`: sections keep their names, and SHF_EXCLUDE is kept.
    pub relocatable: bool,
    /// `.gnu.warning.SYMBOL` sections are copied to the output, for links that read it.
    pub keep_warnings: bool,
    /// SHF_MERGE is ignored (`-O0`, or an option says so).
    pub no_merge: bool,
    /// `.ctors` and `.dtors` are not made part of `.init_array` and `.fini_array`.
    pub keep_ctors: bool,
}

impl<'a> ReadRules<'a> {
    /// The machine of the link, and the file that determined it.
    pub fn linked_for(&self) -> LinkedFor<'a> {
        LinkedFor { machine: self.machine, decided_by: self.machine_from }
    }
}

impl ObjectFile {
    /// Notes, for crash reports, that this thread works on the object, but reads no mapped parts.
    #[inline(always)]
    pub fn at_work_apart(&self) {
        internal_error::at_work_on(self.mapped.data);
    }

    /// Notes that this thread reads the object, for crash reports and the memory limit.
    #[inline(always)]
    pub fn at_work(&self) {
        self.at_work_apart();
        if let Some(resident) = self.mapped.resident {
            memory_limit::read(resident);
        }
    }

    /// Reads what must be known before the file can be linked: symbols, and the signatures and
    /// names under which its sections compete with those of other files. The message of an error
    /// lacks the file name.
    pub fn parse(input: InputBytes, rules: ReadRules<'_>) -> Result<ObjectFile> {
        internal_error::at_work_on(input.bytes);
        let encoding = Encoding::of(rules.machine);
        let (mut mapped, first_global) = MappedObject::map(encoding, input)?;
        descriptors::split_for(&mut mapped, rules);
        let large_common = rules.machine.large_common();
        let mut object = ObjectFile { mapped, first_global, large_common, ..ObjectFile::default() };
        object.outline(rules)?;
        if let Some(file) = &object.mapped.input {
            let (data, symbols) = (object.mapped.data, object.mapped.symbol_bytes);
            object.mapped.resident = memory_limit::watch(file, data, symbols);
            object.at_work();
        }
        Ok(object)
    }

    /// Counts the sections with content, and reads groups.
    fn outline(&mut self, rules: ReadRules<'_>) -> Result<()> {
        let grouped = u64::from(SHF_GROUP);
        let mut all_flags = 0;
        let shdrs = self.mapped.shdrs;
        let mut ahead = shdrs.get(1 + NAMES_AHEAD..).unwrap_or_default().iter();
        for (shndx, header) in shdrs.iter().enumerate().skip(1) {
            if let Some(ahead) = ahead.next()
                && ahead.sh_flags() & grouped == 0
            {
                self.prefetch_name(ahead);
            }
            if header.sh_type() == SHT_GROUP {
                self.read_group(shndx as u32, rules)?;
            }
            if !has_content(header.sh_type(), rules) {
                if header.sh_type() == SHT_LLVM_DEPENDENT_LIBRARIES {
                    self.dependent_libraries.push(shndx as u32);
                }
                continue;
            }
            self.content_count += 1;
            all_flags |= header.sh_flags();
            if header.sh_flags() & grouped == 0 && self.name_starts_with(header, LINKONCE) {
                self.linkonce.push((shndx as u32, NameId::default()));
            }
        }
        self.has_excluded = all_flags & u64::from(SHF_EXCLUDE) != 0;
        self.drops_excluded = self.has_excluded && !rules.relocatable;
        Ok(())
    }

    /// Prefetches the name of a section with content. LLVM sorts string tables by suffixes, so that
    /// names of neighbours are far from each other.
    #[inline(always)]
    pub fn prefetch_name(&self, header: &Shdr) {
        if header.sh_type() == SHT_PROGBITS {
            prefetch(self.mapped.shstrtab, header.sh_name() as usize);
        }
    }

    /// Prefetches the header of a section.
    #[inline(always)]
    pub fn prefetch_header(&self, shndx: u32) {
        prefetch(self.mapped.shdrs, shndx as usize);
    }

    #[inline]
    fn name_starts_with(&self, header: &Shdr, prefix: &[u8]) -> bool {
        self.mapped
            .shstrtab
            .get(header.sh_name() as usize..)
            .is_some_and(|name| name.starts_with(prefix))
    }

    /// Reads a group; refuses what lld refuses.
    fn read_group(&mut self, shndx: u32, rules: ReadRules<'_>) -> Result<()> {
        let header = self.header(shndx);
        if header.sh_entsize() != 4 || !header.sh_size().is_multiple_of(4) {
            return Err(bad_group_size(shndx, header));
        }
        if !U32::is_stored_as_is(self.mapped.encoding) {
            self.decode_group(shndx);
        }
        let words = self.group_words(shndx);
        let words =
            words.ok_or_else(|| bad(format!("section group {shndx} lies outside the file")))?;
        let Some((flags, members)) = words.split_first() else {
            return Err(bad(format!("section group {shndx} is empty: it has no flags")));
        };
        let mut content_count = 0;
        for member in members {
            let Some(header) = self.mapped.shdrs.get(member.get() as usize) else {
                return Err(bad(format!("section group {shndx} has an invalid member: {member}")));
            };
            content_count += u32::from(has_content(header.sh_type(), rules));
        }
        match flags.get() {
            GRP_COMDAT => {}
            0 => {
                self.plain_groups.push(ComdatGroup { shndx, ..ComdatGroup::default() });
                return Ok(());
            }
            flags => {
                return Err(bad(format!("section group {shndx} has unknown flags: {flags:#x}")));
            }
        }
        let signature = header.sh_info();
        if signature as usize >= self.mapped.symbols.len() {
            return Err(bad(format!("section group {shndx} has an invalid signature")));
        }
        if self.groups.is_empty() {
            // The usual number in objects of C++; growing to it would move the list four times.
            let left = self.mapped.shdrs.len() - shndx as usize;
            self.groups.reserve(left.div_ceil(2).min(32));
        }
        self.groups.push(ComdatGroup {
            shndx,
            signature: SymbolId::new(signature),
            name: NameId::default(),
            content_count,
        });
        Ok(())
    }

    /// The flag word and the members of an SHT_GROUP section.
    #[inline]
    fn group_words(&self, shndx: u32) -> Option<&'static [U32]> {
        let header = self.header(shndx);
        let MappedObject { encoding, data, decoded_groups, .. } = &self.mapped;
        if !U32::is_stored_as_is(*encoding) {
            let at = decoded_groups.binary_search_by_key(&shndx, |group| group.0).ok()?;
            return Some(decoded_groups[at].1);
        }
        encoding.table(data, header.sh_offset(), header.sh_size() / 4)
    }

    /// Decodes the words of a group, which are not stored as they are used.
    #[cold]
    fn decode_group(&mut self, shndx: u32) {
        let header = self.header(shndx);
        let MappedObject { encoding, data, decoded_groups, .. } = &mut self.mapped;
        let words = encoding.table(data, header.sh_offset(), header.sh_size() / 4);
        decoded_groups.extend(words.map(|words| (shndx, words)));
    }

    /// Section header indices of a group's members, which were checked when the group was read.
    pub fn group_members(&self, group: &ComdatGroup) -> &'static [U32] {
        self.group_words(group.shndx).and_then(|w| w.get(1..)).unwrap_or_default()
    }

    /// The flag word of a group (GRP_*).
    pub fn group_flags(&self, group: &ComdatGroup) -> u32 {
        self.group_words(group.shndx).and_then(<[U32]>::first).map_or(0, |w| w.get())
    }

    /// Name of a section; empty if `sh_name` is out of range.
    #[inline]
    pub fn section_name(&self, shndx: u32) -> &'static [u8] {
        let at = self.header(shndx).sh_name();
        elf::string(self.mapped.shstrtab, at).unwrap_or_default()
    }

    /// Bytes of a section as in the file; empty if they are out of range.
    pub fn raw_bytes(&self, shndx: u32) -> &'static [u8] {
        let header = self.header(shndx);
        elf::range(self.mapped.data, header.sh_offset(), header.sh_size()).unwrap_or_default()
    }

    /// Contents of the `.note.gnu.property` sections.
    pub fn property_notes(&self) -> impl Iterator<Item = &'static [u8]> {
        self.properties.iter().map(|&shndx| self.raw_bytes(shndx))
    }

    /// Contents of the sections with build attributes, each with its name.
    pub fn attributes(&self) -> impl Iterator<Item = (&'static [u8], &'static [u8])> {
        self.attributes.iter().map(|&shndx| (self.section_name(shndx), self.raw_bytes(shndx)))
    }

    /// Adds `part`, mapped bytes of this object, to `released`, whose memory is given back.
    pub fn release(&self, part: &'static [u8], released: &mut ReleasedParts) {
        if let Some(file) = &self.mapped.input {
            released.add(file, part);
        }
    }

    /// Gives back the memory of what is mapped behind the symbol table.
    pub fn release_headers(&self, queue: &ReleaseQueue) {
        let mut released = ReleasedParts::default();
        self.release(self.behind_symbols(), &mut released);
        queue.push(released);
    }

    /// The bytes before the symbol table and its names: mostly contents of sections.
    pub fn before_symbols(&self) -> &'static [u8] {
        &self.mapped.data[..self.symbol_range().start]
    }

    /// The bytes behind the symbol table and its names: mostly relocations and section headers.
    pub fn behind_symbols(&self) -> &'static [u8] {
        &self.mapped.data[self.symbol_range().end..]
    }

    /// Byte range of the symbol table and its names.
    fn symbol_range(&self) -> Range<usize> {
        let base = self.mapped.data.as_ptr() as usize;
        let tables = [self.mapped.symbol_bytes, self.mapped.strtab].into_iter();
        let ranges = tables.filter(|table| !table.is_empty()).map(<[u8]>::as_ptr_range);
        let start = ranges.clone().map(|r| r.start as usize - base).min().unwrap_or(0);
        let end = ranges.map(|r| r.end as usize - base).max().unwrap_or(0);
        start..end
    }

    /// Index of a section's record among the object's records, if it has one.
    #[inline(always)]
    pub fn record_index(&self, shndx: u32) -> Option<RecordId> {
        self.recorded.get(shndx as usize)?.record()
    }

    /// Whether the section is in a group that another file provides.
    #[inline(always)]
    pub fn is_killed(&self, shndx: u32) -> bool {
        self.recorded.get(shndx as usize) == Some(&Recorded::KILLED)
    }

    /// Whether the link treats the section, and the symbols defined in it, as missing.
    #[inline(always)]
    pub fn is_no_definition(&self, shndx: u32) -> bool {
        self.recorded.get(shndx as usize).is_some_and(|recorded| recorded.is_no_definition())
    }

    /// Whether a symbol is in a section with SHF_EXCLUDE.
    #[cold]
    pub fn is_excluded(&self, index: SymbolId) -> bool {
        let header = self.symbol_section(index).and_then(|at| self.mapped.shdrs.get(at as usize));
        header.is_some_and(|header| header.sh_flags() & u64::from(SHF_EXCLUDE) != 0)
    }

    /// The section of a symbol, if another file owns it and it is not loaded.
    pub fn lost_unloaded_section(&self, index: SymbolId) -> Option<u32> {
        let is_loaded = |shndx| self.header(shndx).sh_flags() & u64::from(SHF_ALLOC) != 0;
        self.symbol_section(index).filter(|&shndx| self.is_killed(shndx) && !is_loaded(shndx))
    }

    /// The compressed form of a section with [`SectionFlags::COMPRESSED`].
    pub fn compressed(&self, section: &InputSection) -> Option<&CompressedSection<'static>> {
        let at = self
            .mapped
            .compressed
            .binary_search_by_key(&section.shndx, |&(shndx, _)| shndx)
            .ok()?;
        Some(&self.mapped.compressed[at].1).filter(|_| section.flags.has(SectionFlags::COMPRESSED))
    }

    /// The bytes of a section; empty for SHT_NOBITS and for sections that are still compressed.
    #[inline]
    pub fn bytes(&self, section: &InputSection) -> &'static [u8] {
        if section.flags.has(SectionFlags::NOBITS | SectionFlags::COMMON) {
            return &[];
        }
        if section.flags.has(SectionFlags::DECODED_DATA | SectionFlags::SHRINKS) {
            return self.other_bytes(section);
        }
        section_bytes(self.mapped.data, section)
    }

    /// Bytes that are not in the file, or more than the record's size: the record of a section that
    /// shrinks has the size in the output.
    #[inline(never)]
    fn other_bytes(&self, section: &InputSection) -> &'static [u8] {
        if section.flags.has(SectionFlags::DECODED_DATA) {
            return self.mapped.decoded_data[section.data_offset as usize];
        }
        let size = self.header(section.shndx).sh_size();
        section_bytes(self.mapped.data, &InputSection { size, ..*section })
    }

    /// Size of the object in bytes, with the content that is not copied into it.
    pub fn input_len(&self) -> u64 {
        self.mapped.data.len() as u64 + self.mapped.content.map_or(0, <[u8]>::len) as u64
    }

    /// Copies `part`, mapped bytes of this object, to `out`.
    pub fn copy(&self, part: &'static [u8], out: &mut [u8]) {
        match &self.mapped.input {
            Some(file) => file.copy(part, out),
            None => out.copy_from_slice(part),
        }
    }

    /// Reads byte `range` of the object into `out` through the descriptor of its file. Returns
    /// whether that worked.
    pub fn read(&self, range: Range<usize>, out: &mut [u8]) -> bool {
        let part = self.mapped.data.get(range);
        self.mapped.input.as_ref().zip(part).is_some_and(|(file, part)| file.read(part, out))
    }

    /// The relocations of a section.
    #[inline]
    pub fn relocs(&self, section: &InputSection) -> &'static [Rela] {
        if section.flags.has(SectionFlags::DECODED_RELOCS | SectionFlags::REL_IN_PLACE) {
            return self.other_relocs(section);
        }
        if section.rel_count == 0 {
            return &[];
        }
        let start = section.rel_offset as usize;
        let bytes =
            &self.mapped.data[start..start + section.rel_count as usize * size_of::<Rela>()];
        <[Rela]>::ref_from_bytes(bytes).expect("checked when the file was read")
    }

    /// Prefetches the first bytes of a section and of its relocations.
    pub fn prefetch(&self, section: &InputSection) {
        if section.flags.has(SectionFlags::DECODED_DATA) {
            prefetch(self.bytes(section), 0)
        } else {
            prefetch(self.mapped.data, section.data_offset as usize)
        }
        if section.flags.has(SectionFlags::DECODED_RELOCS) {
            prefetch(self.relocs(section), 0)
        } else {
            prefetch(self.mapped.data, section.rel_offset as usize)
        }
    }

    /// Section header index of a symbol; `None` for an undefined, absolute or common one.
    #[inline]
    pub fn symbol_section(&self, index: SymbolId) -> Option<u32> {
        match self.mapped.symbols[index].st_shndx() {
            SHN_UNDEF => None,
            SHN_XINDEX => self.mapped.symtab_shndx.get(index.index()).map(|x| x.get()),
            n if n >= SHN_LORESERVE => None,
            n => Some(u32::from(n)),
        }
    }

    /// The section header at an index that is known to be valid.
    #[inline(always)]
    pub fn header(&self, shndx: u32) -> &'static Shdr {
        &self.mapped.shdrs[shndx as usize]
    }

    /// The relocation at an index of a section.
    #[inline]
    pub fn reloc(&self, section: &InputSection, index: u32) -> &'static Rela {
        &self.relocs(section)[index as usize]
    }

    /// The libraries in `.deplibs` sections: NUL-terminated strings.
    pub fn dependent_library_names(&self) -> Vec<String> {
        let headers = self.dependent_libraries.iter().map(|&shndx| self.header(shndx));
        let bytes = headers
            .filter_map(|h| elf::range(self.mapped.data, h.sh_offset(), h.sh_size()))
            .flat_map(|bytes| bytes.split(|&byte| byte == 0))
            .filter(|name| !name.is_empty());
        bytes.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
    }

    /// Indices of the global and weak symbols.
    pub fn global_ids(&self) -> Range<SymbolId> {
        self.first_global..self.mapped.symbols.end()
    }

    /// The global and weak symbols with their name ids, once names are interned.
    pub fn globals(
        &self,
    ) -> impl DoubleEndedIterator<Item = GlobalSymbol> + ExactSizeIterator + Clone {
        let symbols = &self.mapped.symbols.items()[self.first_global.index()..];
        let symbols = self.global_ids().ids().zip(symbols);
        symbols.zip(&self.globals).map(|((id, symbol), &name)| (id, symbol, name))
    }

    /// Name id of a global or weak symbol.
    #[inline(always)]
    pub fn global(&self, symbol: SymbolId) -> NameId {
        self.globals[(symbol - self.first_global) as usize]
    }

    /// Name id of a symbol; `None` if it is local.
    #[inline(always)]
    pub fn name_of(&self, symbol: SymbolId) -> Option<NameId> {
        (symbol >= self.first_global).then(|| self.global(symbol))
    }

    /// Name of a symbol; empty if `st_name` is out of range.
    #[inline]
    pub fn symbol_name(&self, index: SymbolId) -> &'static [u8] {
        elf::string(self.mapped.strtab, self.mapped.symbols[index].st_name()).unwrap_or_default()
    }
}

#[cold]
fn bad_group_size(shndx: u32, header: &Shdr) -> Error {
    let (size, entsize) = (header.sh_size(), header.sh_entsize());
    bad(match entsize {
        4 => format!("section group {shndx} has a size that is not a multiple of 4: {size}"),
        _ => format!(
            "section group {shndx} has entries of {entsize} bytes (sh_entsize) and not of 4"
        ),
    })
}

/// Whether sections of a type become records: they have bytes or memory in the output.
pub fn has_content(sh_type: u32, rules: ReadRules<'_>) -> bool {
    // Most sections, with one test.
    if sh_type == SHT_PROGBITS {
        return true;
    }
    match sh_type {
        SHT_NULL | SHT_SYMTAB | SHT_STRTAB | SHT_SYMTAB_SHNDX | SHT_RELA | SHT_REL | SHT_CREL
        | SHT_GROUP => false,
        // With `-r` symbol numbers change, and the output has a table of its own.
        SHT_LLVM_ADDRSIG => false,
        // Hints and annotations for linkers, which do not belong in a final output.
        SHT_LLVM_LINKER_OPTIONS | SHT_LLVM_DEPENDENT_LIBRARIES | SHT_LLVM_CALL_GRAPH_PROFILE => {
            rules.relocatable
        }
        SHT_LOPROC..=SHT_HIPROC if is_memtag_list(sh_type, rules) => rules.relocatable,
        _ => true,
    }
}

/// Whether a section lists variables in tagged memory.
#[cold]
pub(super) fn is_memtag_list(sh_type: u32, rules: ReadRules<'_>) -> bool {
    rules.machine.memory_tags.is_some_and(|tags| tags.list == sh_type)
}

fn section_bytes(data: &'static [u8], section: &InputSection) -> &'static [u8] {
    if section.flags.has(SectionFlags::NOBITS) {
        return &[];
    }
    let start = section.data_offset as usize;
    &data[start..start + section.size as usize]
}

const SHT_LLVM_LINKER_OPTIONS: u32 = 0x6fff_4c01;
/// Type of `.llvm_addrsig`: symbols whose addresses are significant.
pub const SHT_LLVM_ADDRSIG: u32 = 0x6fff_4c03;
const SHT_LLVM_DEPENDENT_LIBRARIES: u32 = 0x6fff_4c04;
pub(super) const SHT_LLVM_CALL_GRAPH_PROFILE: u32 = 0x6fff_4c09;

pub(super) fn bad(what: impl Into<String>) -> Error {
    Error(what.into())
}
