//! Output sections and the input sections that make them.

use super::islands::Island;
use crate::read::section_names::{OutputId, known};
use crate::resolve::definitions::SectionId;
use crate::select::merge::GroupId;
use object::elf::SHF_ALLOC;
use skald_core::id;
use skald_core::ids::{Column, OptionalId};
use skald_core::unordered::UnorderedMap;

/// A section of the output.
#[derive(Debug, Clone)]
pub struct OutputSection {
    /// Name.
    pub name: Vec<u8>,
    /// SHT_*.
    pub sh_type: u32,
    /// SHF_*.
    pub sh_flags: u64,
    /// Small code does not reach it. The machine's flag for that is in `sh_flags`, too.
    pub is_large: bool,
    /// Alignment in bytes, a power of two.
    pub align: u64,
    /// `sh_entsize`.
    pub entsize: u64,
    /// The section that `sh_link` refers to. Inputs may have sections of the same name, so it is
    /// known by what it is.
    pub link: Option<Synthetic>,
    /// Output id of the section that SHF_LINK_ORDER names, in place of `link`.
    pub linked_to: Option<OutputId>,
    /// `sh_info`.
    pub info: u32,
    /// Bytes in memory.
    pub size: u64,
    /// Virtual address, 0 for sections that are not loaded.
    pub address: u64,
    /// Where the bytes are in the file.
    pub file_offset: u64,
    /// What it is made of.
    pub content: Content,
}

/// What an output section is made of.
#[derive(Debug, Clone)]
pub enum Content {
    /// Input sections with this output id: merged groups first, then the sections in order.
    Inputs {
        /// Output id: position in [`OutputSections::by_id`].
        out: OutputId,
        /// Merged groups and their offset in the section.
        groups: Vec<(GroupId, u64)>,
        /// Sections.
        sections: Vec<SectionId>,
        /// Room for thunks among them, in order; none where all code is near.
        islands: Vec<Island>,
    },
    /// Made by the linker.
    Synthetic(Synthetic),
}

macro_rules! synthetic {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Sections that the linker makes.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Synthetic {
            $($(#[$doc])* $name,)*
            /// A section of inputs, compressed: position among the compressed ones.
            Compressed(CompressedId),
            /// `.rela.NAME` of `--emit-relocs`, by position of NAME among the output sections.
            EmitRelocs(OutputId),
        }

        /// Those of which there is one at most.
        #[derive(Clone, Copy)]
        enum Single { $($name,)* }

        /// How many there are.
        const SINGLES: usize = [$(Single::$name,)*].len();

        impl Synthetic {
            /// The number of a section of which there is one at most.
            fn single(self) -> Option<usize> {
                match self {
                    $(Synthetic::$name => Some(Single::$name as usize),)*
                    Synthetic::Compressed(_) | Synthetic::EmitRelocs(_) => None,
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
    Hash,
    GnuHash,
    DynSym,
    DynStr,
    Versym,
    Verdef,
    Verneed,
    RelaDyn,
    RelrDyn,
    RelaPlt,
    Plt,
    PltGot,
    Got,
    GotPlt,
    Dynamic,
    EhFrameHdr,
    EhFrame,
    SFrame,
    SymTab,
    SymTabShndx,
    StrTab,
    ShStrTab,
    /// Zero-filled memory up to the end of the last page that the loader makes read-only.
    RelroPadding,
}

id! {
    /// A section of inputs that is compressed.
    CompressedId
}

id! {
    /// An output section by its place in the output.
    OutputPosition
}

/// All output sections.
#[derive(Debug, Default)]
pub struct OutputSections {
    /// In output order once [`OutputSections::sort`] has run.
    pub sections: Vec<OutputSection>,
    /// Place in `sections` by output id; none for ids without content.
    pub(crate) by_id: Column<OutputId, OptionalId<OutputPosition>>,
    /// Place in `sections` of what the linker makes once, by [`Synthetic::single`].
    pub(crate) made: [OptionalId<OutputPosition>; SINGLES],
    /// Names by output id.
    pub names: Column<OutputId, Vec<u8>>,
}

impl OutputSection {
    /// Which section of the linker it is.
    pub fn kind(&self) -> Option<Synthetic> {
        match self.content {
            Content::Synthetic(kind) => Some(kind),
            Content::Inputs { .. } => None,
        }
    }

    /// Whether it is this section of the linker.
    pub fn is_synthetic(&self, which: Synthetic) -> bool {
        self.kind() == Some(which)
    }

    /// Whether it is in memory.
    pub fn is_loaded(&self) -> bool {
        self.sh_flags & u64::from(SHF_ALLOC) != 0
    }
}

impl OutputSections {
    /// The first section with a name that options, symbols or scripts give. What the linker made
    /// itself is asked for by [`Self::synthetic`].
    pub fn named(&self, name: &[u8]) -> Option<&OutputSection> {
        self.sections.iter().find(|s| s.name == name)
    }

    /// Positions by name, for who looks up many; of several sections with one name the first.
    pub fn positions_by_name(&self) -> UnorderedMap<&[u8], usize> {
        let mut positions = UnorderedMap::new();
        for (position, section) in self.sections.iter().enumerate() {
            positions.entry(section.name.as_slice()).or_insert(position);
        }
        positions
    }

    /// The section at `position`.
    pub fn at(&self, position: u32) -> &OutputSection {
        &self.sections[position as usize]
    }

    /// The section that inputs make under one of the names known before, if it is in memory.
    pub fn loaded(&self, known: OutputId) -> Option<&OutputSection> {
        let is_it =
            |s: &&OutputSection| matches!(s.content, Content::Inputs { out, .. } if out == known);
        self.sections.iter().find(is_it).filter(|s| s.is_loaded())
    }

    /// The section that the linker makes.
    pub fn synthetic(&self, which: Synthetic) -> Option<&OutputSection> {
        self.position(which).map(|position| &self.sections[position])
    }

    /// The place of a section that the linker makes once.
    fn position(&self, which: Synthetic) -> Option<usize> {
        self.made[which.single()?].get().map(OutputPosition::index)
    }

    /// The same, to be changed.
    pub fn synthetic_mut(&mut self, which: Synthetic) -> Option<&mut OutputSection> {
        self.position(which).map(|position| &mut self.sections[position])
    }

    /// Section header index of the section that the linker makes; 0 if there is none.
    pub fn index_of(&self, which: Synthetic) -> u32 {
        self.position(which).map_or(0, OutputSections::header_index)
    }

    /// Address of a synthetic section, 0 if there is none.
    pub fn address_of(&self, which: Synthetic) -> u64 {
        self.synthetic(which).map_or(0, |s| s.address)
    }

    /// Section header index of the section at `position`.
    pub fn header_index(position: usize) -> u32 {
        position as u32 + 1
    }

    /// Where the section with this output id is among `sections`, if it is in the output.
    #[inline]
    pub fn position_of(&self, out: OutputId) -> Option<usize> {
        self.by_id.get(out)?.get().map(OutputPosition::index)
    }

    /// The section with this output id, if it is in the output.
    #[inline]
    pub fn of(&self, out: OutputId) -> Option<&OutputSection> {
        self.position_of(out).map(|position| &self.sections[position])
    }

    /// Section header index of the section with this output id; 0 if it is not in the output.
    pub fn header_index_of_id(&self, out: OutputId) -> u32 {
        self.position_of(out).map_or(0, OutputSections::header_index)
    }

    /// Adds a section that the linker makes.
    pub fn add_synthetic(&mut self, which: Synthetic, header: SectionHeader, size: u64) {
        self.note(which, OutputPosition::from_index(self.sections.len()));
        self.sections.push(OutputSection {
            name: header.name.to_vec(),
            sh_type: header.sh_type,
            sh_flags: u64::from(header.sh_flags),
            is_large: false,
            align: header.align,
            entsize: header.entsize,
            link: header.link,
            linked_to: None,
            info: 0,
            size,
            address: 0,
            file_offset: 0,
            content: Content::Synthetic(which),
        });
    }

    /// Notes where a section is that the linker makes.
    fn note(&mut self, which: Synthetic, position: OutputPosition) {
        if let Some(number) = which.single() {
            self.made[number] = position.into();
        }
    }

    /// Brings the sections into output order: `key` decides, ties stay in order of appearance.
    pub fn sort<K: Ord>(&mut self, key: impl Fn(&OutputSection) -> K) {
        self.sections.sort_by_cached_key(key);
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
    }
}

/// The fixed part of a synthetic section's header.
#[derive(Debug, Clone, Copy)]
pub struct SectionHeader {
    /// Name.
    pub name: &'static [u8],
    /// SHT_*.
    pub sh_type: u32,
    /// SHF_*.
    pub sh_flags: u32,
    /// Alignment in bytes.
    pub align: u64,
    /// Entry size.
    pub entsize: u64,
    /// See [`OutputSection::link`].
    pub link: Option<Synthetic>,
}
