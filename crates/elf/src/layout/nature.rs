//! Type and flags of a script's output section before it has an address, as its statements give
//! them one after another. GNU ld uses these when it places orphans and when it writes the
//! section's header (`lang_add_section`, `map_input_to_output_sections` in `ldlang.c`).

use super::output_sections::{OutputSection, Synthetic};
use crate::script::statements::SectionKind;
use object::elf::*;

/// Properties of a section, as a set of the constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traits(u8);

impl Traits {
    /// The section takes memory when the program runs.
    pub const ALLOCATED: Traits = Traits(1);
    /// Its bytes come from the file into memory.
    pub const LOADED: Traits = Traits(2);
    /// The section has bytes in the file.
    pub const CONTENTS: Traits = Traits(4);
    /// The program does not write to it.
    pub const READ_ONLY: Traits = Traits(8);
    /// The section has instructions.
    pub const CODE: Traits = Traits(16);
    /// It is in the template of thread-local storage.
    pub const THREAD_LOCAL: Traits = Traits(32);
    /// The section is for debuggers, by its name.
    pub const DEBUG: Traits = Traits(64);
    /// It has data of inputs that is not code.
    pub const VALUES: Traits = Traits(128);
    /// The traits that bytes given by a script add to a section.
    pub const DATA: Traits =
        Traits(Traits::ALLOCATED.0 | Traits::LOADED.0 | Traits::CONTENTS.0 | Traits::READ_ONLY.0);

    /// The traits that follow from type, flags and name in a section header.
    pub fn of_header(sh_type: u32, sh_flags: u64, name: &[u8]) -> Traits {
        let has = |flag: u32| sh_flags & u64::from(flag) != 0;
        let is_nobits = matches!(sh_type, SHT_NOBITS | SHT_NULL);
        let is_allocated = has(SHF_ALLOC);
        let of = |holds: bool, traits: Traits| if holds { traits } else { Traits(0) };
        of(is_allocated, Traits::ALLOCATED)
            | of(is_allocated && !is_nobits, Traits::LOADED)
            | of(!is_nobits, Traits::CONTENTS)
            | of(!has(SHF_WRITE), Traits::READ_ONLY)
            | of(has(SHF_EXECINSTR), Traits::CODE)
            | of(is_allocated && !is_nobits && !has(SHF_EXECINSTR), Traits::VALUES)
            | of(has(SHF_TLS), Traits::THREAD_LOCAL)
            | of(!is_allocated && is_debug_name(name), Traits::DEBUG)
    }

    /// Whether any of these holds.
    pub fn has(self, any: Traits) -> bool {
        self.0 & any.0 != 0
    }

    /// The traits that are in `mask`, too.
    pub fn only(self, mask: Traits) -> Traits {
        Traits(self.0 & mask.0)
    }

    /// The traits that are not in `others`.
    pub fn without(self, others: Traits) -> Traits {
        Traits(self.0 & !others.0)
    }
}

impl std::ops::BitOr for Traits {
    type Output = Traits;

    fn bitor(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }
}

/// Names of sections for debuggers, as BFD knows them.
fn is_debug_name(name: &[u8]) -> bool {
    let starts: [&[u8]; 5] = [b".debug", b".zdebug", b".gnu.debuglto_.debug_", b".line", b".stab"];
    starts.iter().any(|start| name.starts_with(start))
        || name.starts_with(b".gnu.linkonce.wi.")
        || name == b".gdb_index"
}

/// Type and traits of an output section, from the statements read so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nature {
    /// The traits known so far; `None` before an input, data or an assignment makes the section.
    traits: Option<Traits>,
    has_inputs: bool,
    /// `sh_type`; SHT_NULL where it follows from the properties.
    sh_type: u32,
    /// The type that `TYPE` gives to bytes of the script; SHT_NULL without.
    stated_type: u32,
    /// Flags that follow from the name alone, before there is an input.
    usual_flags: u64,
    /// Flags of the first input, from which those specific to machine and system are taken.
    first_flags: u64,
    /// Alignment of all inputs, in bytes.
    align: u64,
    /// A statement with `KEEP` takes inputs, even if they are empty: the section stays.
    is_kept: bool,
}

impl Nature {
    /// The properties; `None` if nothing has made the section.
    pub fn traits(&self) -> Option<Traits> {
        self.traits
    }

    /// `sh_type`; SHT_NULL before anything determines it.
    pub fn known_type(&self) -> u32 {
        self.sh_type
    }

    /// Whether any input or synthetic section is in it.
    pub fn has_inputs(&self) -> bool {
        self.has_inputs
    }

    /// Flags specific to machine or system, as the first input has them.
    pub fn special_flags(&self) -> u64 {
        self.first_flags
    }

    /// Alignment of its inputs in bytes; 0 without inputs.
    pub fn align(&self) -> u64 {
        self.align
    }

    /// Notes that a statement takes inputs, with `KEEP` if `is_kept`.
    pub fn keep(&mut self, is_kept: bool) {
        self.is_kept |= is_kept;
    }

    /// Whether the section is in the output even if it is empty.
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    fn make(&mut self, name: &[u8], traits: Traits) {
        if self.traits.is_none() {
            self.traits = Some(traits);
            (self.sh_type, self.usual_flags) = usual(name);
        }
    }

    /// Notes an assignment or assertion in the section.
    pub fn add_assignment(&mut self, name: &[u8]) {
        self.make(name, Traits::default());
    }

    /// Notes bytes that the script gives in the section.
    pub fn add_data(&mut self, name: &[u8], kind: SectionKind, stated_type: Option<u32>) {
        self.stated_type = stated_type.unwrap_or(SHT_NULL);
        let (data, made) = match kind {
            SectionKind::Plain => (Traits::DATA.without(Traits::READ_ONLY), Traits::DATA),
            SectionKind::ReadOnly => (Traits::DATA, Traits::DATA),
            SectionKind::Unallocated => (Traits::CONTENTS, Traits::CONTENTS | Traits::READ_ONLY),
            SectionKind::NoLoad => (Traits::ALLOCATED, Traits::ALLOCATED | Traits::READ_ONLY),
        };
        match self.traits {
            None => self.make(name, made),
            Some(traits) => self.traits = Some(traits | data),
        }
    }

    /// Notes a part of inputs, or one that the linker makes.
    pub fn add_part(&mut self, name: &[u8], kind: SectionKind, part: &OutputSection) {
        let all = Traits::of_header(part.sh_type, part.sh_flags, &part.name);
        self.align = self.align.max(part.align);
        if !self.has_inputs {
            self.first_flags = part.sh_flags;
        }
        if let Some(first) = &part.first {
            let traits = Traits::of_header(first.sh_type, first.sh_flags, &part.name);
            self.add_input(name, kind, traits, first.sh_type);
        }
        self.add_input(name, kind, all, part.sh_type);
    }

    fn add_input(&mut self, name: &[u8], kind: SectionKind, input: Traits, sh_type: u32) {
        let mut traits = match kind {
            SectionKind::Plain => input,
            SectionKind::ReadOnly => input | Traits::READ_ONLY,
            SectionKind::Unallocated => input.without(Traits::ALLOCATED),
            SectionKind::NoLoad => input.without(Traits::LOADED | Traits::CONTENTS),
        };
        self.make(name, traits);
        let own = self.traits.unwrap_or_default();
        let kept = if traits.has(Traits::READ_ONLY) { own } else { own.without(Traits::READ_ONLY) };
        if self.has_inputs {
            traits = traits.without(Traits::READ_ONLY);
        }
        self.traits = Some(kept | traits);
        if !self.has_inputs {
            (self.has_inputs, self.usual_flags) = (true, 0);
            if matches!(self.sh_type, SHT_PROGBITS | SHT_NOTE | SHT_NOBITS) {
                self.sh_type = SHT_NULL;
            }
            let is_like = self.traits == Some(input) && kind != SectionKind::NoLoad;
            if self.sh_type == SHT_NULL && is_like {
                self.sh_type = sh_type;
            }
        }
    }

    /// The traits by which segments are made: those that its statements give, whatever its name
    /// implies; `part` is the finished part.
    pub fn in_memory(&self, part: &OutputSection) -> Traits {
        self.traits.unwrap_or_else(|| Traits::of_header(part.sh_type, part.sh_flags, &part.name))
    }

    /// Notes a gap with bytes, which makes a section take memory.
    pub fn add_gap(&mut self) {
        self.traits = self.traits.map(|traits| traits | Traits::ALLOCATED);
    }

    /// SHF_ALLOC and SHF_TLS as its contents require, whatever its name implies.
    pub fn memory_flags(&self) -> u64 {
        let traits = self.traits.unwrap_or_default();
        let flag = |holds: bool, flag: u32| if holds { u64::from(flag) } else { 0 };
        flag(traits.has(Traits::ALLOCATED), SHF_ALLOC)
            | flag(traits.has(Traits::THREAD_LOCAL), SHF_TLS)
    }

    /// Type and flags in the section header: a section with bytes in the file is not SHT_NOBITS.
    /// Bytes that a script gives are never in the TLS template, whatever the name implies: only
    /// inputs are. `is_joined`: the output is that of `-r`, where a later link goes by the name.
    pub fn header(&self, is_joined: bool) -> (u32, u64) {
        let traits = self.traits.unwrap_or_default();
        let has_no_bytes =
            traits.has(Traits::ALLOCATED) && !traits.has(Traits::LOADED | Traits::CONTENTS);
        let sh_type = match self.sh_type {
            _ if has_no_bytes => SHT_NOBITS,
            // The type in `TYPE` counts if neither name nor inputs determine another.
            SHT_NULL | SHT_NOBITS if self.stated_type == SHT_NOBITS => SHT_NOBITS,
            SHT_NULL if self.stated_type != SHT_NULL => self.stated_type,
            SHT_NULL => SHT_PROGBITS,
            SHT_NOBITS if traits.has(Traits::ALLOCATED) => SHT_PROGBITS,
            known => known,
        };
        let flag = |holds: bool, flag: u32| if holds { u64::from(flag) } else { 0 };
        let named = if is_joined { u64::MAX } else { !u64::from(SHF_TLS) };
        let sh_flags = self.usual_flags & named
            | flag(traits.has(Traits::ALLOCATED), SHF_ALLOC)
            | flag(!traits.has(Traits::READ_ONLY), SHF_WRITE)
            | flag(traits.has(Traits::CODE), SHF_EXECINSTR)
            | flag(traits.has(Traits::THREAD_LOCAL), SHF_TLS);
        (sh_type, sh_flags)
    }
}

/// How a name of [`USUAL`] is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compared {
    Whole,
    /// The name, alone or with a suffix behind a dot.
    Suffixed,
    Prefix,
}

const A: u32 = SHF_ALLOC;
const WA: u32 = SHF_WRITE | SHF_ALLOC;
const AX: u32 = SHF_ALLOC | SHF_EXECINSTR;
const WAT: u32 = SHF_WRITE | SHF_ALLOC | SHF_TLS;

/// Type and flags of sections that only an assignment makes, by name (BFD's `special_sections`).
const USUAL: &[(&str, Compared, u32, u32)] = &[
    (".bss", Compared::Suffixed, SHT_NOBITS, WA),
    (".comment", Compared::Whole, SHT_PROGBITS, 0),
    (".data", Compared::Suffixed, SHT_PROGBITS, WA),
    (".data1", Compared::Whole, SHT_PROGBITS, WA),
    (".debug", Compared::Whole, SHT_PROGBITS, 0),
    (".debug_abbrev", Compared::Whole, SHT_PROGBITS, 0),
    (".debug_aranges", Compared::Whole, SHT_PROGBITS, 0),
    (".debug_info", Compared::Whole, SHT_PROGBITS, 0),
    (".debug_line", Compared::Whole, SHT_PROGBITS, 0),
    (".dynamic", Compared::Whole, SHT_DYNAMIC, A),
    (".dynstr", Compared::Whole, SHT_STRTAB, A),
    (".dynsym", Compared::Whole, SHT_DYNSYM, A),
    (".fini", Compared::Whole, SHT_PROGBITS, AX),
    (".fini_array", Compared::Suffixed, SHT_FINI_ARRAY, WA),
    (".gnu.hash", Compared::Whole, SHT_GNU_HASH, A),
    (".gnu.linkonce.b", Compared::Suffixed, SHT_NOBITS, WA),
    (".gnu.version", Compared::Whole, SHT_GNU_VERSYM, 0),
    (".gnu.version_d", Compared::Whole, SHT_GNU_VERDEF, 0),
    (".gnu.version_r", Compared::Whole, SHT_GNU_VERNEED, 0),
    (".got", Compared::Whole, SHT_PROGBITS, WA),
    (".hash", Compared::Whole, SHT_HASH, A),
    (".init", Compared::Whole, SHT_PROGBITS, AX),
    (".init_array", Compared::Suffixed, SHT_INIT_ARRAY, WA),
    (".interp", Compared::Whole, SHT_PROGBITS, 0),
    (".line", Compared::Whole, SHT_PROGBITS, 0),
    (".noinit", Compared::Suffixed, SHT_NOBITS, WA),
    (".note.GNU-stack", Compared::Whole, SHT_PROGBITS, 0),
    (".note", Compared::Prefix, SHT_NOTE, 0),
    (".persistent.bss", Compared::Whole, SHT_NOBITS, WA),
    (".persistent", Compared::Suffixed, SHT_PROGBITS, WA),
    (".plt", Compared::Whole, SHT_PROGBITS, AX),
    (".preinit_array", Compared::Suffixed, SHT_PREINIT_ARRAY, WA),
    (".rela", Compared::Prefix, SHT_RELA, 0),
    (".relr.dyn", Compared::Whole, SHT_RELR, A),
    (".rel", Compared::Suffixed, SHT_REL, 0),
    (".rodata", Compared::Suffixed, SHT_PROGBITS, A),
    (".rodata1", Compared::Whole, SHT_PROGBITS, A),
    (".tbss", Compared::Suffixed, SHT_NOBITS, WAT),
    (".tdata", Compared::Suffixed, SHT_PROGBITS, WAT),
    (".text", Compared::Suffixed, SHT_PROGBITS, AX),
];

/// Flags in a section header that the layout does not go by: GNU ld marks bytes that a script gives
/// as thread-local by the name alone, and leaves them out of PT_TLS all the same.
pub fn flags_by_name(parts: &[OutputSection]) -> u64 {
    let stated = |part: &OutputSection| {
        matches!(part.kind(), Some(Synthetic::Stated(_)))
            && part.sh_type == SHT_PROGBITS
            && part.is_loaded()
    };
    if parts.iter().all(stated) { usual(&parts[0].name).1 & u64::from(SHF_TLS) } else { 0 }
}

/// The type and flags that follow from a name alone; SHT_NULL if nothing does.
fn usual(name: &[u8]) -> (u32, u64) {
    let found = USUAL.iter().find(|&&(usual, compared, ..)| {
        name.strip_prefix(usual.as_bytes()).is_some_and(|rest| match compared {
            Compared::Whole => rest.is_empty(),
            Compared::Suffixed => rest.is_empty() || rest[0] == b'.',
            Compared::Prefix => true,
        })
    });
    found.map_or((SHT_NULL, 0), |&(.., sh_type, sh_flags)| (sh_type, sh_flags.into()))
}
