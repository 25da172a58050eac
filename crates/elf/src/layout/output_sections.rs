//! Output sections, the inputs or synthetic content they consist of, and their section headers.

use super::islands::Island;
use super::nature::Traits;
use super::table_headers::{self, TableHeader};
use crate::format::encoding::Encoding;
use crate::machine::Machine;
use crate::machine::description::SmallBase;
use crate::read::ObjectId;
use crate::resolve::definitions::SectionId;
use crate::script::section_names::{KNOWN, OutputId, known};
use crate::script::statements::Zone;
use crate::select::merge::GroupId;
use object::elf::{PT_NULL, SHF_ALLOC, SHF_EXECINSTR};
use skald_core::id;
use skald_core::ids::{Column, OptionalId};
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use std::ops::Range;

/// An output section, or, under a script, one of several parts of an output section.
#[derive(Debug, Clone)]
pub struct OutputSection {
    /// Name in the section header; may be no UTF-8.
    pub name: Vec<u8>,
    /// `sh_type`: SHT_*.
    pub sh_type: u32,
    /// `sh_flags`: SHF_*.
    pub sh_flags: u64,
    /// Small-model code does not reach it; `sh_flags` has the machine's flag for that, too.
    pub is_large: bool,
    /// `sh_addralign`: bytes, a power of two.
    pub align: u64,
    /// `sh_entsize`; 0 if entries have no fixed size.
    pub entsize: u64,
    /// The synthetic section that `sh_link` refers to. It is given by kind, because inputs may have
    /// sections of the same name.
    pub link: Option<Synthetic>,
    /// Output id of the section that SHF_LINK_ORDER puts into `sh_link`, instead of `link`.
    pub linked_to: Option<OutputId>,
    /// `sh_info`.
    pub info: u32,
    /// Size in memory, in bytes.
    pub size: u64,
    /// Type and entry size of a table for the loader, for the case that a script moves it; `None`
    /// for all other sections.
    pub table: Option<TableHeader>,
    /// `sh_addr`; 0 for sections that are not loaded.
    pub address: u64,
    /// `sh_offset`: where its bytes begin in the file.
    pub file_offset: u64,
    /// Its zone in an automatic layout; set when sections are sorted.
    pub zone: Zone,
    /// An option places it apart from all others, so that `_end` and the like are not behind it.
    pub is_apart: bool,
    /// Its size, where a table that is made of the inputs is written in their place.
    pub rewritten: Option<u64>,
    /// The pattern that fills gaps, repeated; empty for the machine's own padding.
    pub fill: Vec<u8>,
    /// Where its bytes come from.
    pub content: Content,
    /// Properties of its first input, in layouts of scripts; `None` for synthetic sections.
    pub first: Option<FirstInput>,
}

/// Output ids whose inputs have no bytes. Assemblers make `.text`, `.data` and `.bss` in every
/// object.
#[derive(Debug, Default)]
pub struct EmptyOutputs {
    /// Output ids without a symbol in any input.
    pub unused: UnorderedSet<OutputId>,
    /// All output ids whose inputs have no bytes.
    pub all: UnorderedSet<OutputId>,
}

/// The first input of an output section in the order of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstInput {
    /// Its id, which gives the order in which orphans are placed.
    pub id: SectionId,
    /// The object that it comes from.
    pub object: ObjectId,
    /// It comes from the first object of the link.
    pub is_in_first_object: bool,
    /// It is in an object that the linker made, such as that with the version string.
    pub is_of_linker: bool,
    /// The input is a common symbol.
    pub is_common: bool,
    /// `sh_type`; SHT_NULL for a common symbol.
    pub sh_type: u32,
    /// `sh_flags`.
    pub sh_flags: u64,
    /// Alignment in bytes.
    pub align: u64,
}

/// Where the bytes of an output section come from.
#[derive(Debug, Clone)]
pub enum Content {
    /// Input sections with this output id: merged groups and the other sections, in order.
    Inputs {
        /// Output id: position in [`OutputSections::by_id`].
        out: OutputId,
        /// Merged groups, in order.
        groups: Vec<MergedPart>,
        /// Input sections in order, without those in merged groups.
        sections: Vec<SectionId>,
        /// Room for thunks between the inputs, in order; empty if all calls reach.
        islands: Vec<Island>,
        /// The start for which the inputs' offsets were computed.
        start: InputsStart,
    },
    /// Bytes that the linker makes.
    Synthetic(Synthetic),
}

/// The merged content of one kind in an output section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MergedPart {
    /// The merged group.
    pub group: GroupId,
    /// Offset in the output section.
    pub offset: u64,
    /// How many of the inputs that are not merged stand before it: in a script's layout those
    /// before its first member, otherwise none.
    pub before: usize,
}

/// The start of an output section for which the offsets of its inputs were computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InputsStart {
    /// Base of the inputs' addresses so far; 0 while they are offsets.
    pub base: u64,
    /// The start modulo the section's alignment: inputs are aligned by address.
    pub remainder: u64,
    /// SUBALIGN: the alignment that all inputs are given instead of their own.
    pub align: Option<u64>,
}

macro_rules! synthetic {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Sections whose bytes the linker makes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Synthetic {
            $($(#[$doc])* $name,)*
            /// The compressed bytes of a section of inputs: position among the compressed ones.
            Compressed(CompressedId),
            /// `.rela.NAME` of `--emit-relocs`, by position of NAME among the output sections.
            EmitRelocs(OutputId),
            /// Bytes that a script gives (numbers, texts), or a gap.
            Stated(StatedId),
            /// An SHT_GROUP section of a relocatable output.
            Group(OutputGroupId),
        }

        /// Kinds of which an output has at most one section.
        #[derive(Clone, Copy)]
        enum Single { $($name,)* }

        /// How many kinds [`Single`] has.
        const SINGLES: usize = [$(Single::$name,)*].len();

        impl Synthetic {
            /// The number of its kind in [`Single`]; `None` if there may be several such sections.
            fn single(self) -> Option<usize> {
                match self {
                    $(Synthetic::$name => Some(Single::$name as usize),)*
                    Synthetic::Compressed(_) | Synthetic::EmitRelocs(_) => None,
                    Synthetic::Stated(_) | Synthetic::Group(_) => None,
                }
            }
        }
    };
}

synthetic! {
    Interp,
    BuildId,
    Property,
    Package,
    Memtag,
    MemtagGlobals,
    Attributes,
    /// The first of [`Machine::loaded_attributes`].
    Loaded0,
    Loaded1,
    Loaded2,
    Hash,
    GnuHash,
    DynSym,
    DynStr,
    Versym,
    Verdef,
    Verneed,
    RelaDyn,
    RelrDyn,
    SignedRelrDyn,
    RelaPlt,
    Plt,
    PltGot,
    Got,
    GotPlt,
    Dynamic,
    /// The word for debuggers where `.dynamic` cannot be written.
    DebugWord,
    EhFrameHdr,
    EhFrame,
    SFrame,
    SymTab,
    SymTabShndx,
    StrTab,
    ShStrTab,
    GdbIndex,
    DebugNames,
    /// Zero-filled memory up to the end of the last page that the loader makes read-only.
    RelroPadding,
    /// `.note.GNU-stack` of a relocatable output.
    StackNote,
    /// `.llvm_addrsig` of a relocatable output.
    AddressTable,
}

/// The kinds of sections with attributes that are loaded, in the order of
/// [`Machine::loaded_attributes`].
pub const LOADED: [Synthetic; 3] = [Synthetic::Loaded0, Synthetic::Loaded1, Synthetic::Loaded2];

id! {
    /// A section group of a relocatable output, in command-line order.
    OutputGroupId
}

id! {
    /// An output section of inputs that is compressed.
    CompressedId
}

id! {
    /// Bytes that a script gives.
    StatedId
}

id! {
    /// An output section by its position in [`OutputSections::sections`].
    OutputPosition
}

id! {
    /// A section header by its index.
    HeaderId
}

/// Positions by [`Synthetic::single`].
#[derive(Debug)]
pub(crate) struct Made([OptionalId<OutputPosition>; SINGLES]);

impl Default for Made {
    fn default() -> Made {
        Made([OptionalId::NONE; SINGLES])
    }
}

/// All output sections.
#[derive(Debug, Default)]
pub struct OutputSections {
    /// The machine that is linked for: how tables are stored.
    pub machine: &'static Machine,
    /// In output order once [`OutputSections::sort`] has run.
    pub sections: Vec<OutputSection>,
    /// Position in `sections` by output id; none for ids without content.
    pub(crate) by_id: Column<OutputId, OptionalId<OutputPosition>>,
    /// Position in `sections` of each synthetic kind, by [`Synthetic::single`].
    pub(crate) made: Made,
    /// Words of `.got` in front of those of symbols.
    pub got_front: u64,
    /// Names by output id.
    pub names: Column<OutputId, Vec<u8>>,
    /// Output ids with inputs that have SHF_LINK_ORDER.
    pub linked: Vec<OutputId>,
    /// A script decides what stands between inputs: symbols, numbers, fills.
    pub is_scripted: bool,
    /// All words of `.got` are addresses that IFUNC resolvers return.
    pub got_is_of_ifuncs: bool,
    /// A script lays out the output: code may fall through from any piece into the next, as the
    /// script's author arranged them.
    pub runs_through: bool,
    /// Output ids whose inputs have no bytes.
    pub empty: EmptyOutputs,
    /// The first object with a note on the stack.
    pub stack_note: Option<ObjectId>,
    /// Section headers in output order, made after sorting: each of one section, or of several
    /// parts that a script puts under one header.
    pub heads: Vec<Head>,
    /// Section header index by position in `sections`.
    pub head_of: Vec<u32>,
    /// Header by output id, which is looked up for each symbol; none without content.
    pub(crate) header_of_id: Column<OutputId, OptionalId<HeaderId>>,
}

/// A section header, and the parts under it.
#[derive(Debug, Clone)]
pub struct Head {
    /// Positions in [`OutputSections::sections`] of its parts, which share name, type and flags.
    pub parts: Range<usize>,
    /// `sh_addr`.
    pub address: u64,
    /// `sh_size`: bytes in memory.
    pub size: u64,
    /// `sh_offset`: where the bytes begin in the file.
    pub file_offset: u64,
    /// `sh_addralign`: bytes, a power of two.
    pub align: u64,
    /// Physical address (LMA): where a loader puts the bytes.
    pub load_address: u64,
    /// It has no bytes, and the location counter does not count it: it is in no segment.
    pub is_passed: bool,
    /// The traits by which segments are made in layouts of scripts.
    pub(super) traits: Traits,
}

impl Head {
    /// Whether it takes memory in a layout of a script: its contents have bytes in memory or would
    /// have them. A name alone can also mark a section as allocated.
    pub(super) fn is_in_memory(&self) -> bool {
        self.size != 0 || self.traits.has(Traits::ALLOCATED)
    }

    /// The header of `parts`, which has no address yet.
    fn of(parts: Range<usize>) -> Head {
        Head {
            parts,
            address: 0,
            size: 0,
            file_offset: 0,
            align: 1,
            load_address: 0,
            is_passed: false,
            traits: Traits::default(),
        }
    }
}

impl OutputSection {
    /// A synthetic section of `size` bytes.
    #[inline]
    pub fn made(which: Synthetic, header: SectionHeader, size: u64) -> OutputSection {
        OutputSection {
            name: header.name.to_vec(),
            sh_type: header.sh_type,
            sh_flags: u64::from(header.sh_flags),
            is_large: false,
            align: header.align,
            entsize: header.entsize,
            link: header.link,
            linked_to: None,
            info: 0,
            table: table_headers::is_table(which)
                .then_some(TableHeader { sh_type: header.sh_type, entsize: header.entsize }),
            size,
            address: 0,
            file_offset: 0,
            zone: Zone::Unloaded,
            is_apart: false,
            rewritten: None,
            fill: Vec::new(),
            content: Content::Synthetic(which),
            first: None,
        }
    }

    /// A section made of inputs, which has none yet.
    pub fn of_inputs(out: OutputId, name: Vec<u8>, sh_type: u32, sh_flags: u64) -> OutputSection {
        OutputSection {
            name,
            sh_type,
            sh_flags,
            is_large: false,
            align: 1,
            entsize: 0,
            link: None,
            linked_to: None,
            info: 0,
            table: None,
            size: 0,
            address: 0,
            file_offset: 0,
            zone: Zone::Unloaded,
            is_apart: false,
            rewritten: None,
            fill: Vec::new(),
            content: Content::Inputs {
                out,
                groups: Vec::new(),
                sections: Vec::new(),
                islands: Vec::new(),
                start: InputsStart::default(),
            },
            first: None,
        }
    }

    /// Which synthetic section it is; `None` if it consists of inputs.
    pub fn kind(&self) -> Option<Synthetic> {
        match self.content {
            Content::Synthetic(kind) => Some(kind),
            Content::Inputs { .. } => None,
        }
    }

    /// Whether it is this synthetic section.
    pub fn is_synthetic(&self, which: Synthetic) -> bool {
        self.kind() == Some(which)
    }

    /// The base of its inputs' addresses so far.
    pub fn inputs_base(&self) -> u64 {
        match &self.content {
            Content::Inputs { start, .. } => start.base,
            Content::Synthetic(_) => self.address,
        }
    }

    /// Whether it has SHF_ALLOC.
    pub fn is_loaded(&self) -> bool {
        self.sh_flags & u64::from(SHF_ALLOC) != 0
    }
}

impl OutputSections {
    /// How the output stores its tables.
    #[inline(always)]
    pub fn encoding(&self) -> Encoding {
        Encoding::of(self.machine)
    }

    /// The first section with a name that options, symbols or scripts give. Synthetic sections are
    /// asked for by [`Self::synthetic`].
    pub fn named(&self, name: &[u8]) -> Option<&OutputSection> {
        self.sections.iter().find(|s| s.name == name)
    }

    /// The address from which code reaches small data; 0 if there is none.
    pub fn small_base(&self, base: &SmallBase) -> u64 {
        let start = base.sections.iter().find_map(|name| self.named(name.as_bytes()));
        start.map_or(0, |section| section.address + SmallBase::OFFSET)
    }

    /// Positions by name, for callers with many look-ups. Of several sections with one name it is
    /// the first, but sections that only have bytes of the script come last.
    pub fn positions_by_name(&self) -> UnorderedMap<&[u8], usize> {
        let mut positions = UnorderedMap::new();
        let mut add = |is_stated: bool| {
            for (position, section) in self.sections.iter().enumerate() {
                if matches!(section.kind(), Some(Synthetic::Stated(_))) == is_stated {
                    positions.entry(section.name.as_slice()).or_insert(position);
                }
            }
        };
        add(false);
        add(true);
        positions
    }

    /// The input sections of each output section of code, in order.
    pub fn code_order(&self) -> Vec<&[SectionId]> {
        let wanted = u64::from(SHF_ALLOC | SHF_EXECINSTR);
        let code = self.sections.iter().filter(|output| output.sh_flags & wanted == wanted);
        code.filter_map(|output| match &output.content {
            Content::Inputs { sections, .. } => Some(&sections[..]),
            Content::Synthetic(_) => None,
        })
        .collect()
    }

    /// The section at `position` of the output.
    pub fn at(&self, position: u32) -> &OutputSection {
        &self.sections[position as usize]
    }

    /// Address and size of the output section with this known name, if it is in memory.
    pub fn loaded(&self, known: OutputId) -> Option<(u64, u64)> {
        let is_it = |s: &OutputSection| {
            matches!(s.content, Content::Inputs { out, .. } if out == known)
                || self.is_scripted && s.name == KNOWN[known.index()]
        };
        let position = self.sections.iter().position(is_it)?;
        self.sections[position].is_loaded().then(|| self.extent(position))
    }

    /// The sections with attributes that have a program header, and its `p_type`, whether the
    /// output has them or not.
    pub fn attribute_segments(&self) -> impl Iterator<Item = (Synthetic, u32)> {
        let alone = self.machine.attribute_section.map(|section| section.p_type);
        let alone = alone.filter(|&p_type| p_type != PT_NULL);
        let loaded = self.machine.loaded_attributes.iter().zip(LOADED);
        let loaded = loaded.filter_map(|(section, which)| Some((which, section.p_type?)));
        alone.map(|p_type| (Synthetic::Attributes, p_type)).into_iter().chain(loaded)
    }

    /// The synthetic section `which`, if the output has it.
    pub fn synthetic(&self, which: Synthetic) -> Option<&OutputSection> {
        self.position(which).map(|position| &self.sections[position])
    }

    /// Address, size and alignment of the template of thread-local storage; `None` without one.
    pub fn thread_local(&self) -> Option<(u64, u64, u64)> {
        let is_thread_local = |section: &&OutputSection| {
            section.is_loaded() && section.sh_flags & u64::from(object::elf::SHF_TLS) != 0
        };
        let all = || self.sections.iter().filter(is_thread_local);
        let start = all().map(|section| section.address).min()?;
        let end = all().map(|section| section.address.saturating_add(section.size)).max()?;
        Some((start, end - start, all().map(|section| section.align).max()?))
    }

    /// Whether the output has this synthetic section.
    pub fn made(&self, which: Synthetic) -> bool {
        self.position(which).is_some()
    }

    /// Position of a synthetic section of which there is one at most.
    fn position(&self, which: Synthetic) -> Option<usize> {
        self.made.0[which.single()?].get().map(OutputPosition::index)
    }

    /// The synthetic section `which`, to be changed.
    pub fn synthetic_mut(&mut self, which: Synthetic) -> Option<&mut OutputSection> {
        self.position(which).map(|position| &mut self.sections[position])
    }

    /// Section header index of a synthetic section; 0 if there is none.
    pub fn index_of(&self, which: Synthetic) -> u32 {
        self.position(which).map_or(0, |position| self.header_index(position))
    }

    /// Address of a synthetic section, 0 if there is none.
    pub fn address_of(&self, which: Synthetic) -> u64 {
        self.synthetic(which).map_or(0, |s| s.address)
    }

    /// Section header index of the section at `position`.
    pub fn header_index(&self, position: usize) -> u32 {
        self.head_of[position]
    }

    /// The section header of the section at `position`.
    pub fn head(&self, position: usize) -> &Head {
        &self.heads[self.head_of[position] as usize - 1]
    }

    /// Whether the section at `position` is the only one under its header.
    pub fn is_whole(&self, position: usize) -> bool {
        self.head(position).parts.len() == 1
    }

    /// Copies address, size and alignment into the headers of single sections.
    pub fn measure_single_heads(&mut self) {
        for head in self.heads.iter_mut().filter(|head| head.parts.len() == 1) {
            let section = &self.sections[head.parts.start];
            (head.size, head.align) = (section.size, head.align.max(section.align));
        }
    }

    /// One section for each header, in order: its only one, or the first of its parts.
    pub fn headed(&self) -> impl Iterator<Item = &OutputSection> {
        self.heads.iter().map(|head| &self.sections[head.parts.start])
    }

    /// How many section headers there are, without the null one.
    pub fn header_count(&self) -> usize {
        self.heads.len()
    }

    /// Address and size of the header that the section at `position` is under.
    pub fn extent(&self, position: usize) -> (u64, u64) {
        if self.heads.is_empty() {
            // Headers are not made yet.
            (self.sections[position].address, self.sections[position].size)
        } else {
            (self.head(position).address, self.head(position).size)
        }
    }

    /// Position of the section with this output id, if it is in the output.
    #[inline]
    pub fn position_of(&self, out: OutputId) -> Option<usize> {
        self.by_id.get(out)?.get().map(OutputPosition::index)
    }

    /// The section with this output id, if it is in the output.
    #[inline]
    pub fn of(&self, out: OutputId) -> Option<&OutputSection> {
        self.position_of(out).map(|position| &self.sections[position])
    }

    /// The output section that the inputs with this output id are in.
    pub fn head_of(&self, out: OutputId) -> Option<&Head> {
        let header = self.symbol_header(out).get()?;
        self.heads.get(header.index().checked_sub(1)?)
    }

    /// The header of the section with this output id, for symbols; none if it is not in the output.
    #[inline]
    pub fn symbol_header(&self, out: OutputId) -> OptionalId<HeaderId> {
        self.header_of_id.get(out).copied().unwrap_or_default()
    }

    /// Section header index of the section with this output id; 0 if it is not in the output.
    pub fn header_index_of_id(&self, out: OutputId) -> u32 {
        self.position_of(out).map_or(0, |position| self.header_index(position))
    }

    /// Adds a synthetic section.
    pub fn add_synthetic(&mut self, which: Synthetic, header: SectionHeader, size: u64) {
        self.note(which, OutputPosition::from_index(self.sections.len()));
        self.sections.push(OutputSection::made(which, header, size));
    }

    /// Notes the position of a synthetic section.
    fn note(&mut self, which: Synthetic, position: OutputPosition) {
        if let Some(number) = which.single() {
            self.made.0[number] = position.into();
        }
    }

    /// Sorts the sections into output order by `key`; ties stay in order of appearance.
    pub fn sort<K: Ord>(&mut self, key: impl Fn(&OutputSection) -> K) {
        self.sections.sort_by_cached_key(key);
        self.number();
    }

    /// Gives each section a header of its own, in the order in which they are.
    pub fn number(&mut self) {
        self.set_single_heads();
        self.note_positions();
    }

    /// Makes a section header of each section.
    pub fn set_single_heads(&mut self) {
        self.heads.clear();
        self.head_of.clear();
        self.add_single_heads();
    }

    /// Makes a section header of each section behind those that are under one.
    pub fn add_single_heads(&mut self) {
        let added = self.head_of.len()..self.sections.len();
        let first = self.heads.len() as u32 + 1;
        self.heads.extend(added.clone().map(|position| Head::of(position..position + 1)));
        self.head_of.extend(first..first + added.len() as u32);
    }

    /// Makes section headers, each of a range of parts; the order is that of the sections.
    pub fn set_heads(&mut self, parts: impl Iterator<Item = Range<usize>>) {
        self.heads = parts.map(Head::of).collect();
        self.head_of = vec![0; self.sections.len()];
        for (number, head) in (1..).zip(&self.heads) {
            self.head_of[head.parts.clone()].fill(number);
        }
    }

    /// Fills the tables that find sections by id and kind, after positions have changed.
    pub fn note_positions(&mut self) {
        self.by_id = Column::filled(OptionalId::NONE, self.names.len());
        for position in (0..self.sections.len()).map(OutputPosition::from_index) {
            match self.sections[position.index()].content {
                Content::Inputs { out, .. } => self.by_id[out] = position.into(),
                Content::Synthetic(which) => {
                    self.note(which, position);
                    if which == Synthetic::EhFrame {
                        self.by_id[known::EH_FRAME] = position.into();
                    }
                }
            }
        }
        let header = |position: OptionalId<OutputPosition>| {
            let position = position.get();
            position.map(|position| HeaderId::new(self.header_index(position.index()))).into()
        };
        self.header_of_id = self.by_id.iter().map(|&position| header(position)).collect();
    }
}

/// The fields of a synthetic section's header that do not depend on the link.
#[derive(Debug, Clone, Copy)]
pub struct SectionHeader {
    /// Name in the section header.
    pub name: &'static [u8],
    /// `sh_type`: SHT_*.
    pub sh_type: u32,
    /// `sh_flags`: SHF_*.
    pub sh_flags: u32,
    /// `sh_addralign`, in bytes.
    pub align: u64,
    /// `sh_entsize`.
    pub entsize: u64,
    /// The section that `sh_link` refers to: [`OutputSection::link`].
    pub link: Option<Synthetic>,
}
