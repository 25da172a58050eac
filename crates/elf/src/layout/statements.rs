//! A layout as a list of statements: each takes some of the output sections, and the order of the
//! list is their order in memory and in the file.
//!
//! The default one ([`default`]) is made from the options: read-only data, code, RELRO, data,
//! zero-filled memory, then what is not loaded, as GNU ld's built-in script and lld have it. A
//! section goes to the first statement that names it, or else to the first for what is like it; so
//! sections of names that nobody has thought of find their place among their equals. The statement
//! also says to which region of memory the section belongs, which decides about segments.

use super::output_sections::{OutputSection, Synthetic};
use crate::args::Options;
use crate::read::section_names::{OutputId, known};
use object::elf::*;

/// Coarse place of a section in memory. Sections of one region share a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// Large-model data.
    LargeData,
    /// Not loaded.
    Unloaded,
}

/// What the flags of a section alone say of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Unloaded,
    ReadOnly,
    LargeReadOnly,
    Code,
    LargeCode,
    Writable,
}

/// What a statement takes.
#[derive(Debug, Clone, Copy)]
enum Pick {
    /// The section that the linker makes. A section of inputs with the same name is not that.
    Made(Synthetic),
    /// Sections of these names, notes and TLS sections excepted.
    Named(&'static [&'static [u8]]),
    /// The same with bytes in the file.
    Filled(&'static [&'static [u8]]),
    /// What is like this, whatever its name is.
    Like(fn(&OutputSection) -> bool),
}

/// A line of the layout.
#[derive(Debug, Clone, Copy)]
struct Statement {
    region: Region,
    kind: Kind,
    picks: &'static [Pick],
}

/// The whole list.
#[derive(Debug, Clone)]
pub struct Statements(Vec<Statement>);

/// Read-only until the program runs, whatever is in them.
const RELRO_NAMES: &[&[u8]] =
    &[b".bss.rel.ro", b".jcr", b".eh_frame", b".openbsd.randomdata", b".toc"];

fn has(section: &OutputSection, flag: u32) -> bool {
    section.sh_flags & u64::from(flag) != 0
}

fn is_note(section: &OutputSection) -> bool {
    section.sh_type == SHT_NOTE
}

fn is_nobits(section: &OutputSection) -> bool {
    section.sh_type == SHT_NOBITS
}

fn is_tls(section: &OutputSection) -> bool {
    has(section, SHF_TLS)
}

fn any(_: &OutputSection) -> bool {
    true
}

impl Kind {
    fn of(section: &OutputSection) -> Kind {
        let is_writable = has(section, SHF_WRITE);
        match (has(section, SHF_EXECINSTR), section.is_large) {
            _ if !has(section, SHF_ALLOC) => Kind::Unloaded,
            _ if is_writable => Kind::Writable,
            (true, true) => Kind::LargeCode,
            (true, false) => Kind::Code,
            (false, true) => Kind::LargeReadOnly,
            (false, false) => Kind::ReadOnly,
        }
    }
}

impl Pick {
    /// Whether it says which sections it means, and means this one.
    fn names(&self, section: &OutputSection) -> bool {
        let is_among = |names: &[&[u8]]| {
            names.contains(&&section.name[..]) && !is_note(section) && !is_tls(section)
        };
        match self {
            Pick::Made(which) => section.is_synthetic(*which),
            Pick::Named(names) => is_among(names),
            Pick::Filled(names) => is_among(names) && !is_nobits(section),
            Pick::Like(_) => false,
        }
    }

    fn is_like(&self, section: &OutputSection) -> bool {
        matches!(self, Pick::Like(is_like) if is_like(section))
    }
}

impl Statements {
    /// Position and region of the statement that takes `section`.
    fn of(&self, section: &OutputSection) -> (usize, Region) {
        let kind = Kind::of(section);
        let find = |takes: fn(&Pick, &OutputSection) -> bool| {
            let takes = |s: &Statement| s.kind == kind && s.picks.iter().any(|p| takes(p, section));
            self.0.iter().position(takes)
        };
        let at = find(Pick::names).or_else(|| find(Pick::is_like));
        let at = at.expect("each kind of section has a statement for any");
        (at, self.0[at].region)
    }

    /// The place of a section in the list.
    pub fn rank(&self, section: &OutputSection) -> usize {
        self.of(section).0
    }

    /// Where the section goes.
    pub fn region(&self, section: &OutputSection) -> Region {
        self.of(section).1
    }

    fn add(&mut self, region: Region, kind: Kind, lines: &[&'static [Pick]]) {
        self.0.extend(lines.iter().map(|picks| Statement { region, kind, picks }));
    }
}

/// The layout without a script.
pub fn default(options: &Options) -> Statements {
    let mut list = Statements(Vec::new());
    let is_rodata_late = options.arrangement.rodata_segment.is_some();
    let is_large_late = options.z.lrodata_after_bss;
    head(&mut list);
    list.add(Region::LargeCode, Kind::LargeCode, &[&[Pick::Like(any)]]);
    if !is_large_late {
        list.add(Region::LargeReadOnly, Kind::LargeReadOnly, &[&[Pick::Like(any)]]);
    }
    for_the_loader(&mut list);
    if !is_rodata_late {
        rodata(&mut list, Region::ReadOnly);
    }
    code(&mut list);
    if is_rodata_late {
        rodata(&mut list, Region::LateReadOnly);
    }
    if options.z.relro && !options.omagic {
        relro(&mut list, options.z.now);
    }
    data(&mut list, is_large_late);
    list.add(
        Region::Unloaded,
        Kind::Unloaded,
        &[
            &[Pick::Named(&[b".comment"])],
            &[Pick::Like(any)],
            &[Pick::Made(Synthetic::SymTab)],
            &[Pick::Made(Synthetic::SymTabShndx)],
            &[Pick::Made(Synthetic::ShStrTab)],
            &[Pick::Made(Synthetic::StrTab)],
        ],
    );
    list
}

fn head(list: &mut Statements) {
    list.add(
        Region::Head,
        Kind::ReadOnly,
        &[
            // A library that is also a program has it from an object.
            &[Pick::Made(Synthetic::Interp), Pick::Named(&[b".interp"])],
            &[Pick::Made(Synthetic::Property)],
            &[Pick::Made(Synthetic::BuildId)],
            // Notes of one alignment stand together, so that they share a PT_NOTE.
            &[Pick::Like(|section| is_note(section) && section.align >= 8)],
            &[Pick::Like(is_note)],
        ],
    );
}

fn for_the_loader(list: &mut Statements) {
    list.add(
        Region::ReadOnly,
        Kind::ReadOnly,
        &[
            &[Pick::Made(Synthetic::Hash)],
            &[Pick::Made(Synthetic::GnuHash)],
            &[Pick::Made(Synthetic::DynSym)],
            &[Pick::Made(Synthetic::DynStr)],
            &[Pick::Made(Synthetic::Versym)],
            &[Pick::Made(Synthetic::Verdef)],
            &[Pick::Made(Synthetic::Verneed)],
            &[Pick::Made(Synthetic::RelaDyn)],
            &[Pick::Made(Synthetic::RelrDyn)],
            &[Pick::Made(Synthetic::RelaPlt)],
        ],
    );
}

/// What the program and not the loader reads.
fn rodata(list: &mut Statements, region: Region) {
    list.add(
        region,
        Kind::ReadOnly,
        &[
            &[Pick::Like(any)],
            &[Pick::Made(Synthetic::EhFrameHdr)],
            &[Pick::Made(Synthetic::EhFrame)],
            &[Pick::Named(&[b".gcc_except_table"])],
        ],
    );
}

fn code(list: &mut Statements) {
    list.add(
        Region::Code,
        Kind::Code,
        &[
            &[Pick::Named(&[b".init"])],
            &[Pick::Made(Synthetic::Plt)],
            &[Pick::Made(Synthetic::PltGot)],
            &[Pick::Named(&[b".text.unlikely"])],
            &[Pick::Named(&[b".text.startup"])],
            &[Pick::Named(&[b".text.hot"])],
            &[Pick::Like(any)],
            &[Pick::Named(&[b".fini"])],
        ],
    );
}

/// What the loader makes read-only after relocation; with `-z now` it writes `.got.plt` before the
/// program runs.
fn relro(list: &mut Statements, now: bool) {
    list.add(
        Region::Relro,
        Kind::Writable,
        &[
            // The TLS template is in one piece, zeros last.
            &[Pick::Like(|section| is_tls(section) && !is_nobits(section))],
            &[Pick::Like(is_tls)],
            &[Pick::Named(&[b".preinit_array"])],
            &[Pick::Named(&[b".init_array"])],
            &[Pick::Named(&[b".fini_array"])],
            &[Pick::Named(&[b".ctors"])],
            &[Pick::Named(&[b".dtors"])],
            &[Pick::Filled(RELRO_NAMES), Pick::Like(is_array)],
            &[Pick::Named(&[b".data.rel.ro", b".data.rel.ro.hot", b".data.rel.ro.unlikely"])],
            &[Pick::Made(Synthetic::Dynamic)],
            &[Pick::Made(Synthetic::Got)],
        ],
    );
    if now {
        list.add(Region::Relro, Kind::Writable, &[&[Pick::Made(Synthetic::GotPlt)]]);
    }
    list.add(
        Region::Relro,
        Kind::Writable,
        &[&[Pick::Named(RELRO_NAMES)], &[Pick::Made(Synthetic::RelroPadding)]],
    );
}

fn is_array(section: &OutputSection) -> bool {
    matches!(section.sh_type, SHT_INIT_ARRAY | SHT_FINI_ARRAY | SHT_PREINIT_ARRAY)
}

/// What is written at any time. Zeros of the large model can stand with the others if nothing but
/// large read-only data follows.
fn data(list: &mut Statements, is_large_read_only_late: bool) {
    list.add(
        Region::Data,
        Kind::Writable,
        &[
            &[Pick::Made(Synthetic::Got)],
            &[Pick::Made(Synthetic::GotPlt)],
            &[Pick::Like(|section| is_tls(section) && !is_nobits(section) && !section.is_large)],
            &[Pick::Like(|section| is_tls(section) && !section.is_large)],
            &[Pick::Like(|section| !is_nobits(section) && !section.is_large)],
            &[Pick::Like(|section| !section.is_large)],
        ],
    );
    if is_large_read_only_late {
        list.add(Region::Data, Kind::Writable, &[&[Pick::Like(is_nobits)]]);
        list.add(Region::LargeReadOnly, Kind::LargeReadOnly, &[&[Pick::Like(any)]]);
    }
    list.add(
        Region::LargeData,
        Kind::Writable,
        &[&[Pick::Like(|section| !is_nobits(section))], &[Pick::Like(any)]],
    );
}

/// Sections whose inputs run one after the other, so that padding must be executable.
pub fn runs_through(out: OutputId) -> bool {
    matches!(out, known::INIT | known::FINI)
}

#[cfg(test)]
mod tests {
    use super::super::output_sections::Content;
    use super::*;

    fn section(name: &str, sh_type: u32, sh_flags: u64) -> OutputSection {
        OutputSection {
            name: name.into(),
            sh_type,
            sh_flags,
            is_large: sh_flags >> 28 != 0,
            align: 1,
            entsize: 0,
            link: None,
            linked_to: None,
            info: 0,
            size: 0,
            address: 0,
            file_offset: 0,
            fill: Vec::new(),
            content: Content::Inputs {
                out: OutputId::default(),
                groups: vec![],
                sections: vec![],
                islands: vec![],
                start: Default::default(),
            },
        }
    }

    fn made(which: Synthetic, sh_flags: u64) -> OutputSection {
        let section = section("", SHT_PROGBITS, sh_flags);
        OutputSection { content: Content::Synthetic(which), ..section }
    }

    /// Positions of sections in a layout, as an order among them.
    fn order(options: &Options, sections: &[OutputSection]) -> Vec<usize> {
        let list = default(options);
        let mut order: Vec<usize> = (0..sections.len()).collect();
        order.sort_by_key(|&at| list.rank(&sections[at]));
        order
    }

    fn options(relro: bool, now: bool) -> Options {
        let mut options = Options::default();
        (options.z.relro, options.z.now) = (relro, now);
        options
    }

    const READ: u64 = SHF_ALLOC as u64;
    const CODE: u64 = READ | SHF_EXECINSTR as u64;
    const WRITE: u64 = READ | SHF_WRITE as u64;

    #[test]
    fn names_come_before_likeness() {
        let sections = [
            section(".text", SHT_PROGBITS, CODE),
            section(".fini", SHT_PROGBITS, CODE),
            made(Synthetic::Plt, CODE),
            section(".init", SHT_PROGBITS, CODE),
            section(".gcc_except_table", SHT_PROGBITS, READ),
            section("mine", SHT_PROGBITS, READ),
            section(".note.mine", SHT_NOTE, READ),
            section(".comment", SHT_PROGBITS, 0),
        ];
        assert_eq!(order(&options(true, false), &sections), [6, 5, 4, 3, 2, 0, 1, 7]);
    }

    #[test]
    fn relro_ends_before_what_is_written_later() {
        let sections = [
            section(".bss", SHT_NOBITS, WRITE),
            section(".data", SHT_PROGBITS, WRITE),
            made(Synthetic::GotPlt, WRITE),
            made(Synthetic::Got, WRITE),
            section(".tbss", SHT_NOBITS, WRITE | u64::from(SHF_TLS)),
            section(".tdata", SHT_PROGBITS, WRITE | u64::from(SHF_TLS)),
            section(".init_array", SHT_INIT_ARRAY, WRITE),
        ];
        assert_eq!(order(&options(true, false), &sections), [5, 4, 6, 3, 2, 1, 0]);
        assert_eq!(order(&options(false, false), &sections), [3, 2, 5, 4, 1, 6, 0]);
        let region = |now| default(&options(true, now)).region(&sections[2]);
        assert_eq!((region(false), region(true)), (Region::Data, Region::Relro));
    }

    #[test]
    fn every_section_has_a_statement() {
        for sh_type in [SHT_PROGBITS, SHT_NOBITS, SHT_NOTE, SHT_INIT_ARRAY] {
            for bits in 0..32u64 {
                let flags = bits & 7 | (bits >> 3 & 1) << 10 | (bits >> 4) << 28;
                for (relro, late) in [(false, false), (true, false), (false, true), (true, true)] {
                    let mut options = options(relro, false);
                    options.z.lrodata_after_bss = late;
                    options.arrangement.rodata_segment = late.then_some(0);
                    default(&options).rank(&section("mine", sh_type, flags));
                }
            }
        }
    }
}
