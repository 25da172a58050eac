//! What the stages need to know of the machine that is linked for: constants and functions, taken
//! once a link or once a section and never once a relocation.
//!
//! A plain struct and no trait: it needs no type parameter, so that there is one copy of the
//! stages, and the loops behind it stay separate for each machine: docs/decisions/0026-target.md.

use super::code::{Branches, LandingPads, LastJumps, Thunks};
use super::fold::FoldTypes;
use super::howto::{Howto, RelocationName};
use super::loader::LoaderTypes;
use super::padding::Padding;
use super::patch::{Failure, Patch};
use super::plt::{Plt, PltStyle};
use super::property::MachineProperties;
use super::{TARGETS, x86_64};
use crate::format::elf::{Ehdr, Rela};
use crate::read::ObjectId;
use crate::read::object_file::InputSection;
use crate::resolve::definitions::SectionId;
use crate::select::marker::{AllLive, Follow, ScanLoop};
use crate::select::scan::{ScanInput, ScanOutput};
use crate::synth::image::Image;
use object::elf::{ELFMAG, EV_CURRENT};
use std::fmt;

/// A machine, class and byte order, and what follows from them.
pub struct Target {
    /// What `-m` calls it.
    pub emulation: &'static str,
    /// BFD's name of its files, as in `OUTPUT_FORMAT`.
    pub format: &'static str,
    /// What such a name may have behind it for other systems.
    pub format_variants: &'static [&'static str],
    /// What BFD's names of the machine begin with, as in `OUTPUT_ARCH`.
    pub architecture: &'static str,
    /// `e_machine`.
    pub machine: u16,
    /// ELFCLASS*.
    pub class: u8,
    /// ELFDATA*.
    pub byte_order: u8,
    /// What `e_flags` of an output holds.
    pub header_flags: u32,
    /// Said of files that are for a machine like this one: class, machine, hint.
    pub foreign_hints: &'static [(u8, u16, &'static str)],
    /// What cross tools' names begin with (`x86_64-`).
    pub tool_prefix: &'static str,
    /// Where libraries are looked for after all `-L`; `=` is the sysroot.
    pub library_paths: &'static [&'static str],
    /// Where a program starts without `-e`.
    pub entry: &'static str,
    /// The largest page that the machine may have: segments are congruent modulo this.
    pub max_page_size: u64,
    /// The page that it usually has.
    pub common_page_size: u64,
    /// SHF_* of sections that small code does not reach; 0 if there is none.
    pub large_section: u32,
    /// SHN_* of common symbols that small code does not reach; SHN_COMMON if there are none.
    pub large_common: u16,
    /// Section type of `.eh_frame` other than SHT_PROGBITS, or that.
    pub unwind_type: u32,
    /// Where the thread pointer is.
    pub tls: TlsVariant,
    /// Bytes of a word of `.got`.
    pub got_word: u64,
    /// Words at the start of `.got.plt` that belong to the loader.
    pub got_plt_reserved: u64,
    /// What the section header of `.plt` says of its alignment and entries.
    pub plt_align: u64,
    /// What the section headers of `.plt` and `.plt.got` say of their entries.
    pub plt_entsize: [u64; 2],
    /// The code of PLTs.
    pub plt: fn(PltStyle) -> &'static Plt,
    /// CIE of the frames of PLTs: augmentation `zR`, PC-relative 4-byte addresses.
    pub plt_cie: &'static [u8],
    /// Tables of `.sframe` that PLTs can be entered into: ABI, and offset of the return address.
    pub sframe_abi: (u8, u8),
    /// Properties of `.note.gnu.property`.
    pub properties: &'static MachineProperties,
    /// Rows of relocation types, by number.
    pub howtos: &'static [Howto],
    /// Rows with numbers far above those.
    pub more_howtos: &'static [(u32, Howto)],
    /// Whether a type is one of thread-local storage that an object may contain.
    pub is_thread_local: fn(u32) -> bool,
    /// What code a type of thread-local storage must stand in, for messages.
    pub required_tls_sequence: fn(u32) -> &'static str,
    /// What fields depend on, for folding.
    pub fold: &'static FoldTypes,
    /// The scan loop where references are followed: relocations of a section from an index on.
    pub scan: for<'f> fn(
        &ScanInput<'_>,
        SectionId,
        &InputSection,
        &[Rela],
        u32,
        &mut ScanOutput,
        &mut Follow<'f>,
    ),
    /// The scan loop where everything lives.
    pub scan_all: ScanLoop<AllLive>,
    /// The apply loop: relocations of a section, or of a part of one, to the output's copy.
    pub apply: fn(&Image<'_>, &Patch<'_>, &mut [u8], &mut Vec<Failure>),
    /// Makes a relocation that is kept the one of the instruction that it is rewritten to; of an
    /// object, whose section has these bytes.
    pub follow_rewrite: fn(&Image<'_>, ObjectId, &[u8], &mut Rela),
    /// Thunks for calls that do not reach.
    pub thunks: &'static Thunks,
    /// Direct branches.
    pub branches: &'static Branches,
    /// Landing pads.
    pub landing_pads: &'static LandingPads,
    /// Jumps at the end of sections.
    pub last_jumps: &'static LastJumps,
    /// The bytes of a prologue with a split stack that asks for so many bytes more than the code
    /// does; `None` for code that begins in another way.
    pub larger_prologue: fn(&[u8], u32) -> Option<Vec<u8>>,
    /// Relocations that the loader applies.
    pub loader: &'static LoaderTypes,
    /// Between pieces of code that control may run through.
    pub nop: Padding,
    /// Between functions.
    pub trap: Padding,
}

/// Where the thread pointer is (U. Drepper, "ELF Handling For Thread-Local Storage").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsVariant {
    /// So many bytes before the block of the program, aligned.
    Before(u64),
    /// Where the block ends, aligned.
    AtEnd,
}

impl TlsVariant {
    /// What the thread pointer will be, in addresses of a template at `start`.
    pub fn thread_pointer(self, start: u64, size: u64, align: u64) -> u64 {
        let aligned = |bytes: u64| bytes.checked_next_multiple_of(align.max(1)).unwrap_or(u64::MAX);
        match self {
            TlsVariant::Before(bytes) => start.wrapping_sub(aligned(bytes)),
            TlsVariant::AtEnd => start.wrapping_add(aligned(size)),
        }
    }
}

impl Target {
    /// The one that `-m` calls `emulation`.
    pub fn by_emulation(emulation: &str) -> Option<&'static Target> {
        TARGETS.iter().find(|target| target.emulation == emulation).copied()
    }

    /// Whether BFD calls its files so.
    pub fn has_format(&self, name: &[u8]) -> bool {
        let Some(rest) = name.strip_prefix(self.format.as_bytes()) else {
            return name == b"default";
        };
        rest.is_empty() || self.format_variants.iter().any(|variant| variant.as_bytes() == rest)
    }

    /// Whether BFD calls the machine so.
    pub fn has_architecture(&self, name: &[u8]) -> bool {
        name.starts_with(self.architecture.as_bytes())
    }

    /// The row of a relocation type; `None` for a number that the psABI does not define.
    pub fn howto(&self, r_type: u32) -> Option<&'static Howto> {
        let more = || self.more_howtos.iter().find(|(number, _)| *number == r_type);
        self.howtos.get(r_type as usize).or_else(|| Some(&more()?.1))
    }

    /// The name of a relocation type.
    pub fn relocation_name(&self, r_type: u32) -> RelocationName {
        RelocationName { r_type, howto: self.howto(r_type) }
    }

    /// What all file headers have in common, for a system with number `os_abi`.
    pub fn file_header(&self, e_type: u16, os_abi: u8) -> Ehdr {
        let mut header = Ehdr::default();
        let mut ident = [0; 16];
        ident[..4].copy_from_slice(&ELFMAG);
        ident[4..8].copy_from_slice(&[self.class, self.byte_order, EV_CURRENT, os_abi]);
        header.set_e_ident(ident);
        header.set_e_type(e_type);
        header.set_e_machine(self.machine);
        header.set_e_version(EV_CURRENT.into());
        header.set_e_flags(self.header_flags);
        header.set_e_ehsize(size_of::<Ehdr>() as u16);
        header
    }

    /// Whether `e_ident` and `e_machine` are those of its objects.
    #[inline]
    pub fn has_files(&self, ident: &[u8; 16], machine: u16) -> bool {
        (ident[4], ident[5], machine) == (self.class, self.byte_order, self.machine)
    }
}

/// The one that is linked for without `-m`.
impl Default for &'static Target {
    fn default() -> &'static Target {
        &x86_64::TARGET
    }
}

impl fmt::Debug for Target {
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
