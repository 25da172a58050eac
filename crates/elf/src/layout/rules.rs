//! The default order of output sections, as a table.
//!
//! Read-only data, code, RELRO, data, zero-filled memory, then what is not loaded, as GNU ld's
//! built-in script and lld. A linker script is another way to fill the same order.

use super::output_sections::Synthetic;
use crate::read::section_names::known;
use object::elf::*;

/// Coarse place of a section in memory. Sections of one region share a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
    /// What the kernel and tools look for in the first page: the interpreter's name and notes.
    Head,
    /// Large-model code.
    LargeCode,
    /// Large-model read-only data.
    LargeReadOnly,
    /// Read-only.
    ReadOnly,
    /// Executable.
    Code,
    /// Read-only data in a segment of its own (`-Trodata-segment`).
    LateReadOnly,
    /// Writable until relocated.
    Relro,
    /// Writable.
    Data,
    /// Large-model read-only data with `-z lrodata-after-bss`.
    LateLargeReadOnly,
    /// Large-model data.
    LargeData,
    /// Not loaded.
    Unloaded,
}

/// What options say of regions.
#[derive(Debug, Clone, Copy, Default)]
pub struct RegionRules {
    /// `-z lrodata-after-bss`.
    pub large_read_only_last: bool,
    /// `-Trodata-segment`: what the program reads itself comes after code.
    pub rodata_after_code: bool,
}

/// What the order depends on.
#[derive(Debug, Clone, Copy)]
pub struct Traits<'a> {
    /// Name.
    pub name: &'a [u8],
    /// Which section of the linker it is. A section of inputs with the same name is not that.
    pub kind: Option<Synthetic>,
    /// SHT_*.
    pub sh_type: u32,
    /// SHF_*.
    pub sh_flags: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// `-z relro`.
    pub relro: bool,
    /// `-z now`: `.got.plt` is written before the program runs.
    pub now: bool,
    /// What options say of regions.
    pub regions: RegionRules,
}

const SHF_X86_64_LARGE: u64 = 1 << 28;

/// Places among read-only sections of those of [`Region::Head`].
const HEAD_RANKS: u32 = 5;

/// Place among read-only sections of those that are not for the loader.
const RODATA_RANK: u32 = 20;

impl Traits<'_> {
    fn has(&self, flag: u32) -> bool {
        self.sh_flags & u64::from(flag) != 0
    }

    /// Where the section goes.
    pub fn region(&self) -> Region {
        if !self.has(SHF_ALLOC) {
            return Region::Unloaded;
        }
        let is_large = self.sh_flags & SHF_X86_64_LARGE != 0;
        if !self.has(SHF_WRITE) {
            return match (self.has(SHF_EXECINSTR), is_large) {
                (true, true) => Region::LargeCode,
                (true, false) => Region::Code,
                (false, true) if self.regions.large_read_only_last => Region::LateLargeReadOnly,
                (false, true) => Region::LargeReadOnly,
                (false, false) if self.read_only_rank() < HEAD_RANKS => Region::Head,
                (false, false) if self.regions.rodata_after_code && self.is_rodata() => {
                    Region::LateReadOnly
                }
                (false, false) => Region::ReadOnly,
            };
        }
        if self.relro && self.is_relro() {
            return Region::Relro;
        }
        let joins_bss = self.regions.large_read_only_last && self.sh_type == SHT_NOBITS;
        if is_large && !joins_bss { Region::LargeData } else { Region::Data }
    }

    /// Whether the program and not the loader reads it.
    fn is_rodata(&self) -> bool {
        self.read_only_rank() >= RODATA_RANK
    }

    /// Sections that the loader makes read-only after relocation.
    pub fn is_relro(&self) -> bool {
        self.has(SHF_TLS)
            || matches!(self.sh_type, SHT_INIT_ARRAY | SHT_FINI_ARRAY | SHT_PREINIT_ARRAY)
            || matches!(
                self.kind,
                Some(Synthetic::Dynamic | Synthetic::Got | Synthetic::RelroPadding)
            )
            || matches!(
                self.name,
                b".data.rel.ro"
                    | b".data.rel.ro.hot"
                    | b".data.rel.ro.unlikely"
                    | b".bss.rel.ro"
                    | b".ctors"
                    | b".dtors"
                    | b".jcr"
                    | b".eh_frame"
                    | b".openbsd.randomdata"
                    | b".toc"
            )
            || (self.kind == Some(Synthetic::GotPlt) && self.now)
    }

    /// The sort key: region, then place in it.
    pub fn rank(&self) -> (Region, u32) {
        let region = self.region();
        let place = match region {
            Region::Head | Region::ReadOnly | Region::LateReadOnly => self.read_only_rank(),
            Region::Code => match (self.kind, self.name) {
                (Some(Synthetic::Plt), _) => 1,
                (Some(Synthetic::PltGot), _) => 2,
                (_, b".init") => 0,
                (_, b".text.unlikely") => 5,
                (_, b".text.startup") => 6,
                (_, b".text.hot") => 7,
                (_, b".fini") => 20,
                _ => 10,
            },
            Region::Relro => self.relro_rank(),
            Region::Data => match self.kind {
                Some(Synthetic::Got) => 0,
                Some(Synthetic::GotPlt) => 1,
                _ if self.sh_flags & SHF_X86_64_LARGE != 0 => 30,
                // The TLS template is in one piece, zeros last.
                _ if self.has(SHF_TLS) => 2 + u32::from(self.sh_type == SHT_NOBITS),
                _ if self.sh_type == SHT_NOBITS => 20,
                _ => 10,
            },
            Region::LargeData => u32::from(self.sh_type == SHT_NOBITS),
            Region::Unloaded => match self.kind {
                Some(Synthetic::SymTab) => 10,
                Some(Synthetic::SymTabShndx) => 11,
                Some(Synthetic::ShStrTab) => 12,
                Some(Synthetic::StrTab) => 13,
                None if self.name == b".comment" => 0,
                _ => 5,
            },
            Region::LargeCode | Region::LargeReadOnly | Region::LateLargeReadOnly => 0,
        };
        (region, place)
    }

    fn read_only_rank(&self) -> u32 {
        match self.kind {
            Some(Synthetic::Interp) => 0,
            Some(Synthetic::Property) => 1,
            Some(Synthetic::BuildId) => 2,
            // Notes of one alignment stand together, so that they share a PT_NOTE.
            _ if self.sh_type == SHT_NOTE => {
                if self.align >= 8 {
                    3
                } else {
                    4
                }
            }
            Some(Synthetic::Hash) => 5,
            Some(Synthetic::GnuHash) => 6,
            Some(Synthetic::DynSym) => 7,
            Some(Synthetic::DynStr) => 8,
            Some(Synthetic::Versym) => 9,
            Some(Synthetic::Verdef) => 10,
            Some(Synthetic::Verneed) => 11,
            Some(Synthetic::RelaDyn) => 12,
            Some(Synthetic::RelrDyn) => 13,
            Some(Synthetic::RelaPlt) => 14,
            Some(Synthetic::EhFrameHdr) => 30,
            Some(Synthetic::EhFrame) => 31,
            // A library that is also a program has it from an object.
            None if self.name == b".interp" => 0,
            None if self.name == b".gcc_except_table" => 32,
            _ => RODATA_RANK,
        }
    }

    fn relro_rank(&self) -> u32 {
        if self.has(SHF_TLS) {
            return if self.sh_type == SHT_NOBITS { 1 } else { 0 };
        }
        match (self.kind, self.name) {
            (Some(Synthetic::Dynamic), _) => 10,
            (Some(Synthetic::Got), _) => 11,
            (Some(Synthetic::GotPlt), _) => 12,
            (Some(Synthetic::RelroPadding), _) => 21,
            (_, b".preinit_array") => 2,
            (_, b".init_array") => 3,
            (_, b".fini_array") => 4,
            (_, b".ctors") => 5,
            (_, b".dtors") => 6,
            (_, b".data.rel.ro" | b".data.rel.ro.hot" | b".data.rel.ro.unlikely") => 8,
            _ if self.sh_type == SHT_NOBITS => 20,
            _ => 7,
        }
    }
}

/// Sections whose inputs run one after the other, so that padding must be executable.
pub fn runs_through(out: u32) -> bool {
    matches!(out, known::INIT | known::FINI)
}
