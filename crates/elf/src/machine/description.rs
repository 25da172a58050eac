//! What every stage may ask of a machine: names, numbers and tables, and no code that knows a
//! stage.
//!
//! A plain struct and no trait: it needs no type parameter, so that there is one copy of the
//! stages: docs/decisions/0026-target.md.

use super::class::{Class, data_ident};
use super::fold::FoldTypes;
use super::howto::{Howto, RelocationName};
use super::loader::LoaderTypes;
use super::padding::Padding;
use super::property::MachineProperties;
use object::elf::SHN_COMMON;
use skald_linking::byte_order::ByteOrder;
use std::fmt;

/// A machine, class and byte order, and what follows from them.
pub struct Machine {
    /// The name of the machine as `-m` spells it.
    pub emulation: &'static str,
    /// BFD's name of its files, as in `OUTPUT_FORMAT`.
    pub format: &'static str,
    /// What may follow `format` in names for other systems, and `EI_OSABI` if all their files say
    /// it.
    pub format_variants: &'static [(&'static str, Option<u8>)],
    /// What `-m` calls it on other systems, and `EI_OSABI` of their files.
    pub emulation_variants: &'static [(&'static str, u8)],
    /// What BFD's names of the machine begin with, as in `OUTPUT_ARCH`.
    pub architecture: &'static str,
    /// `e_machine`: EM_*.
    pub e_machine: u16,
    /// `EI_CLASS`.
    pub class: Class,
    /// `EI_DATA`.
    pub byte_order: ByteOrder,
    /// `e_flags` of the output.
    pub header_flags: u32,
    /// For files of related machines: class, `e_machine`, and the hint that a message gives.
    pub foreign_hints: &'static [(Class, u16, &'static str)],
    /// What the names of cross tools begin with, like `x86_64-`.
    pub tool_prefix: &'static str,
    /// Where libraries are looked for after all `-L`; `=` is the sysroot.
    pub library_paths: &'static [&'static str],
    /// The entry symbol without `-e`.
    pub entry: &'static str,
    /// Where the first segment of a program with fixed addresses starts without `--image-base`.
    pub image_base: u64,
    /// Outputs with fewer loaded bytes have distances that fit rewritten instructions, with what
    /// the linker adds.
    pub near_span: u64,
    /// The largest page that the kernel may use, in bytes: addresses and file offsets of segments
    /// are congruent modulo this.
    pub max_page_size: u64,
    /// The page that the kernel usually uses, in bytes.
    pub common_page_size: u64,
    /// Words of `-z` that not every machine has; they are spelled as their row in `args`.
    pub keywords: &'static [&'static str],
    /// How data is marked that small code does not reach.
    pub large: Option<Large>,
    /// `sh_type` of `.eh_frame` that assemblers may use besides SHT_PROGBITS.
    pub unwind_type: Option<u32>,
    /// Where the thread pointer is relative to the TLS block.
    pub tls: TlsVariant,
    /// Bytes of a word of `.got`.
    pub got_word: u64,
    /// Words at the start of `.got.plt` that belong to the loader.
    pub got_plt_reserved: u64,
    /// What the machine defines in `.note.gnu.property`.
    pub properties: &'static MachineProperties,
    /// Names and fields of relocation types; the index is the number of the type.
    pub howtos: &'static [Howto],
    /// Names and fields of relocation types whose numbers are too high for `howtos`.
    pub more_howtos: &'static [(u32, Howto)],
    /// Whether a type is one of thread-local storage that an object may contain.
    pub is_thread_local: fn(u32) -> bool,
    /// The instructions that a TLS type must stand in, as a message has it.
    pub required_tls_sequence: fn(u32) -> &'static str,
    /// What the field of a type is computed from, for `--icf`.
    pub fold: &'static FoldTypes,
    /// Relocation types that the dynamic linker is given.
    pub loader: &'static LoaderTypes,
    /// Padding between pieces of code that control runs through (`.init`).
    pub nop: Padding,
    /// Padding between functions.
    pub trap: Padding,
}

/// How data is marked that small code does not reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Large {
    /// Section flag: SHF_*.
    pub section: u32,
    /// Section index of common symbols: SHN_*.
    pub common: u16,
}

/// Where the thread pointer is relative to the TLS block (U. Drepper, "ELF Handling For
/// Thread-Local Storage").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsVariant {
    /// So many bytes before the program's TLS block, with alignment.
    Before(u64),
    /// At the end of the program's TLS block, with alignment.
    AtEnd,
}

impl TlsVariant {
    /// Where the thread pointer would be if the TLS block were its image, PT_TLS at `start`.
    pub fn thread_pointer(self, start: u64, size: u64, align: u64) -> u64 {
        let aligned = |bytes: u64| bytes.checked_next_multiple_of(align.max(1)).unwrap_or(u64::MAX);
        match self {
            TlsVariant::Before(bytes) => start.wrapping_sub(aligned(bytes)),
            TlsVariant::AtEnd => start.wrapping_add(aligned(size)),
        }
    }
}

impl Machine {
    /// `EI_OSABI` of the machine's files that BFD calls `name`, if that is said; `None` if it is no
    /// name of them.
    pub fn format_of(&self, name: &[u8]) -> Option<Option<u8>> {
        let Some(rest) = name.strip_prefix(self.format.as_bytes()) else {
            return (name == b"default").then_some(None);
        };
        let mut variants = self.format_variants.iter();
        let variant = variants.find(|(variant, _)| variant.as_bytes() == rest);
        variant.map(|&(_, os_abi)| os_abi).or_else(|| rest.is_empty().then_some(None))
    }

    /// Whether `name` is a name of BFD's for the machine.
    pub fn has_architecture(&self, name: &[u8]) -> bool {
        name.starts_with(self.architecture.as_bytes())
    }

    /// The flag of sections that small code does not reach; 0 if there is none.
    pub fn large_section(&self) -> u32 {
        self.large.map_or(0, |large| large.section)
    }

    /// SHN_* of common symbols that small code does not reach; SHN_COMMON if there are none.
    pub fn large_common(&self) -> u16 {
        self.large.map_or(SHN_COMMON, |large| large.common)
    }

    /// The row of a relocation type; `None` for a number that the psABI does not define.
    pub fn howto(&self, r_type: u32) -> Option<&'static Howto> {
        let more = || self.more_howtos.iter().find(|(number, _)| *number == r_type);
        self.howtos.get(r_type as usize).or_else(|| Some(&more()?.1))
    }

    /// Name of a relocation type, for messages.
    pub fn relocation_name(&self, r_type: u32) -> RelocationName {
        RelocationName { r_type, howto: self.howto(r_type) }
    }

    /// Whether a file with this `e_ident` and `e_machine` is for the machine.
    #[inline]
    pub fn has_files(&self, ident: &[u8; 16], e_machine: u16) -> bool {
        let own = (self.class.ident(), data_ident(self.byte_order), self.e_machine);
        (ident[4], ident[5], e_machine) == own
    }
}

/// Two machines are equal if they are the same `static`.
impl PartialEq for Machine {
    fn eq(&self, other: &Machine) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Machine {}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.emulation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_pointer_is_before_or_behind_the_block() {
        assert_eq!(TlsVariant::AtEnd.thread_pointer(0x1000, 0x11, 8), 0x1018);
        assert_eq!(TlsVariant::Before(16).thread_pointer(0x1000, 0x11, 8), 0xff0);
        assert_eq!(TlsVariant::Before(16).thread_pointer(0x1000, 0x11, 64), 0xfc0);
    }
}
