//! The default order of output sections, as a table.
//!
//! Read-only data, code, RELRO, data, zero-filled memory, then what is not loaded, as GNU ld's
//! built-in script and lld. A linker script is another way to fill the same order.

use crate::read::section_names::known;
use object::elf::*;

/// Coarse place of a section in memory. Sections of one region share a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Region {
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
                self.name,
                b".dynamic"
                    | b".got"
                    | b".data.rel.ro"
                    | b".data.rel.ro.hot"
                    | b".data.rel.ro.unlikely"
                    | b".bss.rel.ro"
                    | b".ctors"
                    | b".dtors"
                    | b".jcr"
                    | b".eh_frame"
                    | b".openbsd.randomdata"
                    | b".toc"
                    | b".relro_padding"
            )
            || (self.name == b".got.plt" && self.now)
    }

    /// The sort key: region, then place in it.
    pub fn rank(&self) -> (Region, u32) {
        let region = self.region();
        let place = match region {
            Region::ReadOnly | Region::LateReadOnly => self.read_only_rank(),
            Region::Code => match self.name {
                b".init" => 0,
                b".plt" => 1,
                b".plt.got" => 2,
                b".plt.sec" => 3,
                b".text.unlikely" => 5,
                b".text.startup" => 6,
                b".text.hot" => 7,
                b".fini" => 20,
                _ => 10,
            },
            Region::Relro => self.relro_rank(),
            Region::Data => match self.name {
                b".got" => 0,
                b".got.plt" => 1,
                _ if self.sh_flags & SHF_X86_64_LARGE != 0 => 30,
                // The TLS template is in one piece, zeros last.
                _ if self.has(SHF_TLS) => 2 + u32::from(self.sh_type == SHT_NOBITS),
                _ if self.sh_type == SHT_NOBITS => 20,
                _ => 10,
            },
            Region::LargeData => u32::from(self.sh_type == SHT_NOBITS),
            Region::Unloaded => match self.name {
                b".comment" => 0,
                b".symtab" => 10,
                b".symtab_shndx" => 11,
                b".shstrtab" => 12,
                b".strtab" => 13,
                _ => 5,
            },
            Region::LargeCode | Region::LargeReadOnly | Region::LateLargeReadOnly => 0,
        };
        (region, place)
    }

    fn read_only_rank(&self) -> u32 {
        match self.name {
            b".interp" => 0,
            b".note.gnu.property" => 1,
            b".note.gnu.build-id" => 2,
            // Notes of one alignment stand together, so that they share a PT_NOTE.
            _ if self.sh_type == SHT_NOTE => {
                if self.align >= 8 {
                    3
                } else {
                    4
                }
            }
            b".hash" => 5,
            b".gnu.hash" => 6,
            b".dynsym" => 7,
            b".dynstr" => 8,
            b".gnu.version" => 9,
            b".gnu.version_d" => 10,
            b".gnu.version_r" => 11,
            b".rela.dyn" | b".rel.dyn" => 12,
            b".relr.dyn" => 13,
            b".rela.plt" | b".rel.plt" => 14,
            b".eh_frame_hdr" => 30,
            b".eh_frame" => 31,
            b".gcc_except_table" => 32,
            _ => RODATA_RANK,
        }
    }

    fn relro_rank(&self) -> u32 {
        if self.has(SHF_TLS) {
            return if self.sh_type == SHT_NOBITS { 1 } else { 0 };
        }
        match self.name {
            b".preinit_array" => 2,
            b".init_array" => 3,
            b".fini_array" => 4,
            b".ctors" => 5,
            b".dtors" => 6,
            b".data.rel.ro" | b".data.rel.ro.hot" | b".data.rel.ro.unlikely" => 8,
            b".dynamic" => 10,
            b".got" => 11,
            b".got.plt" => 12,
            b".relro_padding" => 21,
            _ if self.sh_type == SHT_NOBITS => 20,
            _ => 7,
        }
    }
}

/// Sections whose inputs run one after the other, so that padding must be executable.
pub fn runs_through(out: u32) -> bool {
    matches!(out, known::INIT | known::FINI)
}
