//! The facts of a machine, for every stage: names, numbers and tables, and no code that knows a
//! stage.
//!
//! A plain struct and not a trait: it needs no type parameter, so there is one copy of the stages:
//! docs/decisions/0026-target.md.

use super::attribute_section::AttributeSection;
use super::class::{Class, data_ident};
use super::fold::FoldTypes;
use super::howto::{Howto, RelocationName};
use super::info_layout::InfoLayout;
use super::listed_got::ListedGot;
use super::loaded_attributes::LoadedAttributes;
use super::loader::LoaderTypes;
use super::padding::Padding;
use super::property::MachineProperties;
use super::reloc_kind::RelocKind;
use super::sums::SumPart;
use object::elf::{SHN_COMMON, STT_FUNC, STT_GNU_IFUNC};
use skald_linking::byte_order::ByteOrder;
use std::fmt;

/// Where addends are in instructions.
#[derive(Clone, Copy)]
pub struct CodeAddend {
    /// Finds the addend of a relocation type in an instruction; `None` if the type's field is data.
    pub get: fn(u32, [u8; 4]) -> Option<i64>,
    /// Changes the addend of the instruction at an offset of code; `None` if the type's field is
    /// data.
    pub put: fn(u32, &mut [u8], usize, i64) -> Option<PutAddend>,
}

/// What has become of an addend that an instruction was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PutAddend {
    /// The instruction has it.
    Done,
    /// The instruction has no room for it.
    OutOfRange,
    /// The instruction is not within the section.
    BadPlace,
}

/// Joins the `e_flags` of the objects before with those of another; or says what they disagree on.
pub type JoinFlags = fn(u32, u32) -> Result<u32, FlagConflict>;

/// What two objects disagree on, by their `e_flags`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlagConflict {
    /// What it is, after "has" in a message: that of the objects before.
    pub before: &'static str,
    /// That of the other object.
    pub other: &'static str,
}

/// A machine with class and byte order, and everything that follows from these.
pub struct Machine {
    /// The name of the machine as `-m` spells it.
    pub emulation: &'static str,
    /// BFD's name of its files, as in `OUTPUT_FORMAT`.
    pub format: &'static str,
    /// Suffixes of `format` in names for other systems, and `EI_OSABI` if all their files have one.
    pub format_variants: &'static [(&'static str, Option<u8>)],
    /// Other names of `-m`, mostly for other systems, and `EI_OSABI` of their files if it is set.
    pub emulation_variants: &'static [(&'static str, Option<u8>)],
    /// The script that lays programs out if no other does, by the name of the emulation; `None` for
    /// the default layout, which is one of programs that a system loads.
    pub own_layout: Option<fn(&str) -> String>,
    /// The prefix of BFD's names of the machine, as in `OUTPUT_ARCH`.
    pub architecture: &'static str,
    /// Those of BFD's names that mean this machine and no relative of it.
    pub own_architectures: &'static [&'static str],
    /// `e_machine`: EM_*.
    pub e_machine: u16,
    /// `EI_CLASS`.
    pub class: Class,
    /// `EI_DATA`.
    pub byte_order: ByteOrder,
    /// Where addends are: the kind of relocation tables of objects and outputs.
    pub reloc_kind: RelocKind,
    /// How `r_info` is divided.
    pub info_layout: InfoLayout,
    /// Bytes of a word of `.hash`; the gABI has 4, and few machines 8.
    pub hash_word: u64,
    /// Bits of `e_flags` by which its files differ from those of a machine with the same class,
    /// byte order and `e_machine`, and their values.
    pub own_flags: Option<(u32, u32)>,
    /// How `e_flags` of objects are joined; `None` if the machine has none.
    pub header_flags: Option<JoinFlags>,
    /// Bits of `e_flags` that say how an object may be linked, which no image has.
    pub linking_flags: u32,
    /// For files of related machines: class, `e_machine`, and the hint in a message.
    pub foreign_hints: &'static [(Class, u16, &'static str)],
    /// The prefix of names of cross tools, like `x86_64-`.
    pub tool_prefix: &'static str,
    /// Whether compilers with a target triple generate code for the machine.
    pub is_target: fn(&str) -> bool,
    /// Directories that are searched for libraries after all `-L`; `=` stands for the sysroot.
    pub library_paths: &'static [&'static str],
    /// The entry symbol without `-e`.
    pub entry: &'static str,
    /// Other names of the start of `.bss`, besides `__bss_start`.
    pub bss_start_names: &'static [&'static str],
    /// Other names of the end of the program, besides `_end`.
    pub end_names: &'static [&'static str],
    /// Other names of `_GLOBAL_OFFSET_TABLE_`.
    pub got_names: &'static [&'static str],
    /// What the machine has for data that code reaches from a register; `None` without it.
    pub small_data: Option<SmallData>,
    /// Symbols for addresses from which code reaches small data, as those who keep them in
    /// registers say.
    pub small_bases: &'static [SmallBase],
    /// Compiler options for code that reaches farther than a relocation type, for messages.
    pub far_code_models: fn(u32) -> Option<&'static str>,
    /// Start of the first segment of a program with fixed addresses, if there is no `--image-base`.
    pub image_base: u64,
    /// If the loaded bytes of inputs are fewer than this, distances fit rewritten instructions,
    /// including the sections that the linker adds.
    pub near_span: u64,
    /// `-z separate-code` is the default, as in GNU ld.
    pub separate_code: bool,
    /// Nobody is warned of executable stacks: compilers for the machine ask for them.
    pub usual_executable_stacks: bool,
    /// Compilers write absolute addresses in `.eh_frame`, which become distances in
    /// position-independent output.
    pub relative_frames: bool,
    /// `-X` is the default, as in GNU ld: relocations need a label for most lower halves.
    pub drops_labels: bool,
    /// The largest page that the kernel may use, in bytes: addresses and file offsets of segments
    /// are congruent modulo this.
    pub max_page_size: u64,
    /// The page that the kernel usually uses, in bytes.
    pub common_page_size: u64,
    /// Words of `-z` that not every machine has, spelled as in their row in `args`; also options
    /// that have an effect for this machine alone.
    pub keywords: &'static [&'static str],
    /// Options that would have an effect for this machine and have none yet: an error.
    pub unmade_options: &'static [&'static str],
    /// How files speak of tagged memory; `None` if memory has no tags.
    pub memory_tags: Option<MemoryTags>,
    /// Marks of data that small-model code does not reach.
    pub large: Option<Large>,
    /// Section flag, SHF_*: the section is code without data, which need not be readable. 0 if
    /// there is none.
    pub pure_code: u32,
    /// `sh_type` of `.eh_frame` that assemblers may use besides SHT_PROGBITS.
    pub unwind_type: Option<u32>,
    /// Where the thread pointer is relative to the TLS block.
    pub tls: TlsVariant,
    /// How much less than the offset in a TLS block the second word for `__tls_get_addr` is, so
    /// that signed offsets of few bits reach more of the block.
    pub dtv_offset: u64,
    /// Bytes of a word of `.got`.
    pub got_word: u64,
    /// Words at the start of `.got`: the address of `.dynamic`, and others for the loader. Where
    /// there are any, `.got` is what `_GLOBAL_OFFSET_TABLE_` means; elsewhere it is `.got.plt`,
    /// which begins with that address.
    pub got_header: u64,
    /// How far behind the start of `.got` the address is that code counts from, so that signed
    /// offsets of few bits reach more of it. If this is not 0, the header of `.got` has that
    /// address, and sections named `.toc` are reached like `.got`, and stand behind it.
    pub got_bias: u64,
    /// Words of `.got.plt` that a PLT entry has.
    pub got_plt_words: u64,
    /// Words at the start of `.got.plt` that belong to the loader. If there are none, those of
    /// `.got` do, and are what the code that binds functions reads.
    pub got_plt_reserved: u64,
    /// How the loader binds entries of `.plt`, if it writes into them and not into `.got.plt`,
    /// which is not there; `.plt` is then writable, and stands behind `.got`.
    pub plt_in_place: Option<PltInPlace>,
    /// The function that types of thread-local storage call, besides naming the variable.
    pub implied_call: Option<&'static str>,
    /// STT_*: type of symbols that say how code uses a register, and name nothing.
    pub register_symbols: Option<u8>,
    /// The loader fills `.got` by the order of its words and of `.dynsym`.
    pub listed_got: Option<&'static ListedGot>,
    /// Entries of a position-independent PLT expect the address of the GOT in a register, which
    /// only calls from the same module have: no other module can call them.
    pub pic_plt_is_own: bool,
    /// Entries of `.plt` are only for the loader: unbound words of `.got.plt` lead to them. Calls
    /// go through thunks, and the address of an imported function is an entry of `.plt.got`.
    pub lazy_entries: Option<LazyEntries>,
    /// Where functions have descriptors, of which they are the symbols, how those are stored.
    pub descriptors: Option<Descriptors>,
    /// Functions that compilers call and that the linker makes, unless an input defines them.
    pub own_functions: Option<fn(ByteOrder) -> OwnFunctions>,
    /// How functions with a calling convention of their own are marked.
    pub variant_calls: Option<VariantCalls>,
    /// What the machine defines in `.note.gnu.property`.
    pub properties: &'static MachineProperties,
    /// The section of the output with the joined attributes of all objects, if it has one.
    pub attribute_section: Option<&'static AttributeSection>,
    /// The bit of a function's value that says which kind of instructions it has, and is no part of
    /// its address; 0 if there is none.
    pub function_bit: u64,
    /// The table by which the stack is unwound, if it has a section type of its own.
    pub unwind_index: Option<UnwindIndex>,
    /// Sections with joined content that are loaded, or that only tools read.
    pub loaded_attributes: &'static [LoadedAttributes],
    /// Names and fields of relocation types; the index is the number of the type.
    pub howtos: &'static [Howto],
    /// Names and fields of relocation types whose numbers are too high for `howtos`, or whose
    /// addends are in instructions; ascending.
    pub more_howtos: &'static [(u32, Howto)],
    /// The bits of a type in `r_info` that say which one it is.
    pub type_bits: u32,
    /// What the value of a type's field must be a multiple of.
    pub field_align: fn(u32) -> u64,
    /// The addend of an SHT_REL relocation in an instruction. `None` for a machine whose
    /// instructions hold addends as data does.
    pub code_addend: Option<CodeAddend>,
    /// For SHT_REL: the type of the field with the lower half of the addend of which a type's
    /// field has the upper half. It belongs to the next relocation of that type and symbol.
    pub low_part: Option<fn(u32) -> Option<u32>>,
    /// Whether the addend of a relocation, by type and addend, is an offset in the `.got2` of its
    /// object, and no part of a sum.
    pub is_got2_offset: fn(u32, i64) -> bool,
    /// What a type does to a number that data holds, where distances are sums of several
    /// relocations; `None` for other types.
    pub sum_part: fn(u32) -> Option<SumPart>,
    /// Whether a type is one of thread-local storage that an object may contain.
    pub is_thread_local: fn(u32) -> bool,
    /// The instructions that a TLS type must be used in, for a message.
    pub required_tls_sequence: fn(u32) -> &'static str,
    /// The values from which the field of each type is computed, for `--icf`.
    pub fold: &'static FoldTypes,
    /// Relocation types for the dynamic linker.
    pub loader: &'static LoaderTypes,
    /// Padding between pieces of code that fall through (`.init`).
    pub nop: Padding,
    /// Padding between functions.
    pub trap: Padding,
}

/// Small data, which code reaches from the global pointer: `.sdata` ends what is initialized, and
/// `.sbss` begins what is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmallData {
    /// The symbol with the value of the global pointer.
    pub pointer: &'static str,
    /// Symbols for the starts of sections, and the sections.
    pub starts: &'static [(&'static str, &'static str)],
    /// Bytes that code reaches on either side of the pointer.
    pub reach: u64,
    /// Loaders set the register before a program with fixed addresses runs, by the symbol.
    pub is_for_loader: bool,
}

/// An address from which code reaches small data: [`SmallBase::OFFSET`] bytes behind the start of
/// the first of these sections that the output has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SmallBase {
    /// The symbol.
    pub symbol: &'static str,
    /// What is initialized, and zeros.
    pub sections: [&'static str; 2],
}

impl SmallBase {
    /// So that signed offsets of 16 bits reach 64 KiB.
    pub const OFFSET: u64 = 0x8000;
}

/// Functions that the linker makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnFunctions {
    /// Their code, which refers to nothing.
    pub code: Vec<u8>,
    /// The name of each, and its offset in the code.
    pub entries: Vec<(String, u64)>,
}

/// Entries of `.plt` that only the loader uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LazyEntries {
    /// DT_*: an address from which the loader finds them.
    pub tag: u32,
    /// Which address that is.
    pub place: LazyPlace,
    /// The address of an imported function is an entry of `.plt.got`. Without that an address can
    /// only be loaded.
    pub have_addresses: bool,
}

/// Function descriptors: a few words, the first of which has the address of the function's code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Descriptors {
    /// The section of an object that has them.
    pub section: &'static str,
    /// Bytes of each.
    pub size: u64,
    /// The type of the relocation of the first word.
    pub code: u32,
}

/// How the loader finds entries of `.plt` that only it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LazyPlace {
    /// It is told an address this many bytes before the first entry.
    Before(u64),
    /// It is told the address of the GOT, whose header has words for it, and DT_PLTGOT is that of
    /// the words that lead to the entries.
    Got,
}

impl LazyPlace {
    /// What the loader is told, by the addresses of the first entry and of the GOT.
    pub fn address(self, first: u64, got: u64) -> u64 {
        match self {
            LazyPlace::Before(bytes) => first.wrapping_sub(bytes),
            LazyPlace::Got => got,
        }
    }
}

/// A `.plt` that the loader writes into: code in place of an entry, or for those from which a
/// branch does not reach the header, a word behind the code of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PltInPlace {
    /// As many entries begin within a branch of the header, those counted that it has room for.
    pub near: u64,
    /// Entries behind these are in blocks of as many: the code of each, then the word of each.
    pub block: u64,
    /// Bytes of the code of such an entry. With its word it has as many as any other entry.
    pub far_code: u64,
}

impl PltInPlace {
    /// Offsets in `.plt` of an entry and of what the loader writes, of `count` entries that have
    /// `size` bytes each; entries in the header are counted.
    pub fn place(self, size: u64, entry: u64, count: u64) -> (u64, u64) {
        let Some(far) = entry.checked_sub(self.near) else {
            return (entry * size, entry * size);
        };
        let block = self.near + far / self.block * self.block;
        let in_block = self.block.min(count - block);
        let start = block * size;
        let at = far % self.block;
        let word = start + in_block * self.far_code + at * (size - self.far_code);
        (start + at * self.far_code, word)
    }
}

/// A table of functions by address, with how to unwind each; its parts are linked to the code that
/// they describe (SHF_LINK_ORDER).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnwindIndex {
    /// Its name in the output.
    pub name: &'static str,
    /// SHT_*
    pub sh_type: u32,
    /// PT_* of the segment by which it is found.
    pub p_type: u32,
    /// Symbols for its start and its end.
    pub bounds: [&'static str; 2],
}

/// Marks of data that small-model code does not reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Large {
    /// Section flag: SHF_*.
    pub section: u32,
    /// Section index of common symbols: SHN_*.
    pub common: u16,
}

/// How files speak of tagged memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryTags {
    /// DT_*: what the loader is told: the mode, the heap, the stack.
    pub entries: [u32; 3],
    /// DT_*: place and size of the table of variables.
    pub globals: [u32; 2],
    /// SHT_*: an object's list of variables in such memory.
    pub list: u32,
    /// SHT_*: the loader's table of them.
    pub table: u32,
    /// Bytes with one tag.
    pub granule: u64,
}

/// How functions are marked whose calling convention is not the standard one: the loader's resolver
/// would not keep their registers, so it binds them at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariantCalls {
    /// STO_*: bit of `st_other`.
    pub mark: u8,
    /// DT_*: the PLT calls such functions.
    pub tag: u32,
}

/// Where the thread pointer is relative to the TLS block (U. Drepper, "ELF Handling For
/// Thread-Local Storage").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsVariant {
    /// This many bytes before the program's TLS block, with alignment.
    Before(u64),
    /// This many bytes behind the start of the program's TLS block.
    Behind(u64),
    /// At the end of the program's TLS block, with alignment.
    AtEnd,
}

impl TlsVariant {
    /// The thread pointer that would result if the image of PT_TLS at `start` were the TLS block.
    ///
    /// A block starts where a multiple of the alignment has the same distance as before `start`.
    /// Without a loader, glibc takes that to be zero, and GNU ld always does.
    pub fn thread_pointer(self, start: u64, size: u64, align: u64, has_loader: bool) -> u64 {
        let align = align.max(1);
        let aligned = |bytes: u64| bytes.checked_next_multiple_of(align).unwrap_or(u64::MAX);
        let ahead = if has_loader { start % align } else { 0 };
        match self {
            TlsVariant::Before(bytes) => {
                start.wrapping_sub(aligned(bytes.saturating_sub(ahead))).wrapping_sub(ahead)
            }
            TlsVariant::Behind(bytes) => start.wrapping_sub(ahead).wrapping_add(bytes),
            TlsVariant::AtEnd => {
                start.wrapping_add(aligned(size.saturating_add(ahead))).wrapping_sub(ahead)
            }
        }
    }
}

impl Machine {
    /// The place that the value of a symbol means, if its type is STT_*.
    pub fn place_of(&self, kind: u8, value: u64) -> u64 {
        if matches!(kind, STT_FUNC | STT_GNU_IFUNC) { value & !self.function_bit } else { value }
    }

    /// Whether a system loads the machine's programs: it has relocations for that. All output of a
    /// machine without one is at fixed addresses.
    pub fn has_loader(&self) -> bool {
        self.loader.relative != 0
    }

    /// Whether `_GLOBAL_OFFSET_TABLE_` and the address of `.dynamic` are those of `.got`.
    pub fn has_got_header(&self) -> bool {
        self.got_header != 0 || self.listed_got.is_some()
    }

    /// Whether the default layout has places for small data.
    pub fn has_small_data(&self) -> bool {
        self.small_data.is_some() || !self.small_bases.is_empty()
    }

    /// `EI_OSABI` of the machine's files that BFD calls `name`, if they have one; `None` if the
    /// machine has no files of that name.
    pub fn format_of(&self, name: &[u8]) -> Option<Option<u8>> {
        let Some(rest) = name.strip_prefix(self.format.as_bytes()) else {
            return (name == b"default").then_some(None);
        };
        let mut variants = self.format_variants.iter();
        let variant = variants.find(|(variant, _)| variant.as_bytes() == rest);
        variant.map(|&(_, os_abi)| os_abi).or_else(|| rest.is_empty().then_some(None))
    }

    /// Whether the machine's loops read SHT_REL in the form of its files: those of a machine whose
    /// psABI has nothing else do.
    pub fn has_rel_in_place(&self) -> bool {
        self.reloc_kind == RelocKind::Rel
            && self.class == Class::Elf32
            && self.byte_order == ByteOrder::Little
            && self.low_part.is_none()
    }

    /// The kind of tables that the loader is given.
    pub fn loader_reloc_kind(&self) -> RelocKind {
        match self.listed_got {
            Some(_) => RelocKind::Rel,
            None => self.reloc_kind,
        }
    }

    /// Whether BFD uses `name` for the machine.
    pub fn has_architecture(&self, name: &[u8]) -> bool {
        name.starts_with(self.architecture.as_bytes())
    }

    /// Whether sections of this type hold attributes of an object, which are read and not linked.
    pub fn is_attributes(&self, sh_type: u32) -> bool {
        self.attribute_section.is_some_and(|section| section.sh_type == sh_type)
            || self.properties.is_attributes(sh_type)
            || self.loaded_attributes.iter().any(|section| section.sh_type == sh_type)
    }

    /// The flag of sections that small-model code does not reach; 0 if there is none.
    pub fn large_section(&self) -> u32 {
        self.large.map_or(0, |large| large.section)
    }

    /// The flags of a section that only this machine has.
    pub fn own_section_flags(&self) -> u32 {
        self.large_section() | self.pure_code
    }

    /// SHN_* of common symbols that small-model code does not reach; SHN_COMMON if there are none.
    pub fn large_common(&self) -> u16 {
        self.large.map_or(SHN_COMMON, |large| large.common)
    }

    /// The row of a relocation type; `None` for a number that the psABI does not define.
    #[inline]
    pub fn howto(&self, r_type: u32) -> Option<&'static Howto> {
        let r_type = r_type & self.type_bits;
        let more = || {
            let found = self.more_howtos.binary_search_by_key(&r_type, |row| row.0);
            found.ok().map(|at| &self.more_howtos[at])
        };
        let row = self.howtos.get(r_type as usize).filter(|howto| howto.is_defined());
        row.or_else(|| Some(&more()?.1))
    }

    /// Name of a relocation type, for messages.
    pub fn relocation_name(&self, r_type: u32) -> RelocationName {
        RelocationName { r_type, howto: self.howto(r_type) }
    }

    /// Whether a file with these `e_flags` is for the machine, of those for which class, byte order
    /// and `e_machine` say so.
    #[inline]
    pub fn has_flags(&self, e_flags: u32) -> bool {
        self.own_flags.is_none_or(|(mask, value)| e_flags & mask == value)
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
        for has_loader in [false, true] {
            let at_end = |align| TlsVariant::AtEnd.thread_pointer(0x1000, 0x11, align, has_loader);
            assert_eq!(at_end(8), 0x1018);
            let before =
                |align| TlsVariant::Before(16).thread_pointer(0x1000, 0, align, has_loader);
            assert_eq!([before(8), before(64)], [0xff0, 0xfc0]);
        }
    }

    #[test]
    fn far_entries_are_code_and_words() {
        let plt = PltInPlace { near: 8, block: 3, far_code: 24 };
        let place = |entry| plt.place(32, entry, 13);
        assert_eq!(place(4), (128, 128));
        assert_eq!([place(8), place(10)], [(256, 328), (304, 344)]);
        // The last block has two.
        assert_eq!([place(11), place(12)], [(352, 400), (376, 408)]);
    }

    #[test]
    fn a_block_has_the_remainder_of_the_image() {
        let at_end = |start, size| TlsVariant::AtEnd.thread_pointer(start, size, 64, true);
        assert_eq!(at_end(0x1010, 4), 0x1040);
        assert_eq!(at_end(0x1010, 0x31), 0x1080);
        let before = |start| TlsVariant::Before(16).thread_pointer(start, 4, 64, true);
        assert_eq!(before(0x1010), 0x1000);
        assert_eq!(before(0x1008), 0xfc0);
        assert_eq!(before(0x1038), 0x1000);
        assert_eq!(TlsVariant::Before(16).thread_pointer(0x1010, 4, 64, false), 0xfd0);
        let behind = |start| TlsVariant::Behind(0x7000).thread_pointer(start, 4, 64, true);
        assert_eq!([behind(0x1000), behind(0x1010)], [0x8000, 0x8000]);
    }
}
