//! The layout without a script, as the statements of one: read-only data, code, RELRO data, data,
//! zeros, then sections that are not loaded, in the order of GNU ld's built-in script and lld.
//!
//! It is an *automatic* layout: segments follow from the order and the flags of sections, and each
//! statement says in which [`Zone`] it stands. `*` stands for the sections that no statement names,
//! so that sections with unknown names are placed with others of their kind. `--verbose` prints it
//! ([`super::print`]), and a script that says the same with `-T` gives the same output.
//!
//! Which input sections an output section takes depends on options only for prefixes that are to be
//! kept; the order of output sections does depend on options.

use super::LayoutScript;
use super::matcher::RuleId;
use super::section_names::{KNOWN, KeptPrefixes, NameClass, OutputId, known};
use super::statements::{
    BodyStatement, Condition, FilePattern, INTERNAL, InputStatement, OTHER_TURN, OutputStatement,
    Place, SectionPattern, Sort, Statement, Zone, section_types,
};
use crate::args::{Options, OutputKind, SortSection};
use crate::machine::RelocKind;
use crate::machine::loaded_attributes::LoadedAttributes;
use skald_core::ids::Column;
use std::borrow::Cow;
use std::sync::Arc;

/// The options that the default layout depends on.
#[derive(Debug, Clone, Copy, Default)]
pub struct LayoutOptions {
    /// Input section prefixes that make output sections of their own.
    pub kept_prefixes: KeptPrefixes,
    /// Data that is read-only after relocation is grouped (`-z relro` without `-N`).
    pub relro: bool,
    /// How tables of relocations are called.
    pub reloc_kind: RelocKind,
    /// Sections with joined attributes, which kernels look for in the first page.
    pub loaded_attributes: &'static [LoadedAttributes],
    /// `.got` stands before small data, since code reaches both from the same pointer.
    pub got_is_small_data: bool,
    /// The loader binds all calls before the program runs (`-z now`).
    pub now: bool,
    /// `.toc` is reached as `.got` is, and stands behind it.
    pub has_toc: bool,
    /// Read-only data stands behind code: options give it an address there, and sections that
    /// follow code in GNU ld's script have to move with it (`-Ttext`, `-Trodata-segment`).
    pub is_rodata_late: bool,
    /// Read-only data of the large model stands behind zeros (`-z lrodata-after-bss`).
    pub is_large_rodata_late: bool,
    /// `--sort-section` sorts statements that give no order of their own.
    pub sorts_by_option: bool,
    /// GNU ld's own script has a section of relocations for each other section
    /// (`-z nocombreloc`).
    pub has_relocations_apart: bool,
    /// The loader writes into `.plt`.
    pub has_writable_plt: bool,
    /// Scripts insert into the layout of `-r`.
    pub is_relocatable: bool,
}

impl LayoutOptions {
    /// The parts of all options on which the layout depends.
    pub fn new(options: &Options) -> LayoutOptions {
        let kept_prefixes = KeptPrefixes::new(
            options.z.keep_text_section_prefix,
            options.z.keep_data_section_prefix,
        )
        .with_small_data(options.machine.has_small_data())
        .with_unwind_index(options.machine.unwind_index.is_some());
        let moves_code = options.section_start.iter().any(|(name, _)| !is_data(name.as_bytes()));
        let is_asked = options.z.lrodata_after_bss && options.machine.large.is_some();
        LayoutOptions {
            reloc_kind: options.machine.reloc_kind,
            loaded_attributes: options.machine.loaded_attributes,
            got_is_small_data: options.machine.listed_got.is_some(),
            kept_prefixes,
            relro: options.z.relro && !options.omagic,
            now: options.z.now,
            has_toc: options.machine.got_bias != 0,
            is_rodata_late: options.arrangement.rodata_segment.is_some() || moves_code,
            is_large_rodata_late: is_asked || moves_code,
            sorts_by_option: options.arrangement.sort_section != SortSection::None,
            has_relocations_apart: options.z.no_combreloc,
            has_writable_plt: options.machine.plt_in_place.is_some(),
            is_relocatable: options.kind == OutputKind::Relocatable,
        }
    }
}

/// Whether sections of this name are writable, so that they stand behind code and read-only data,
/// whatever the order of these two.
fn is_data(name: &[u8]) -> bool {
    let starts: [&[u8]; 8] =
        [b".data", b".bss", b".tdata", b".tbss", b".got", b".ldata", b".lbss", b".dynamic"];
    let arrays: [&[u8]; 5] =
        [b".init_array", b".fini_array", b".preinit_array", b".ctors", b".dtors"];
    starts.iter().chain(&arrays).any(|known| {
        let rest = name.strip_prefix(*known);
        rest.is_some_and(|rest| rest.is_empty() || rest[0] == b'.')
    })
}

/// The content of an output section in the list, and its name.
#[derive(Debug, Clone, Copy)]
enum Contents {
    /// The synthetic section of this name.
    Own(&'static str),
    /// Input sections of one of the [`KNOWN`] names, and the synthetic section of that name.
    Known(OutputId),
    /// No inputs: the output section stands here if its flags fit, and a later line of the same
    /// name takes the inputs.
    Nothing(OutputId),
    /// `*`: sections that no line names.
    Rest,
}

/// An output section in the list, and the condition under which it stands here.
#[derive(Debug, Clone, Copy)]
struct Line(Contents, Condition);

use Contents::{Known, Nothing, Own, Rest};

/// The condition for any flags.
const ANY: Condition = Condition::ANY;
const NOTE: Condition = Condition { types: section_types::NOTE, ..ANY };
const FILLED: Condition = Condition { without_types: section_types::NOBITS, ..ANY };
const ZEROS: Condition = Condition { types: section_types::NOBITS, ..ANY };
const TLS: Condition = Condition { with_flags: object::elf::SHF_TLS as u64, ..ANY };
const TLS_FILLED: Condition = Condition { without_types: section_types::NOBITS, ..TLS };
const NEAR: Condition = Condition { is_large: Some(false), ..ANY };
const NEAR_FILLED: Condition = Condition { without_types: section_types::NOBITS, ..NEAR };
const NEAR_TLS: Condition = Condition { is_large: Some(false), ..TLS };
const NEAR_TLS_FILLED: Condition = Condition { without_types: section_types::NOBITS, ..NEAR_TLS };
const ARRAYS: Condition = Condition { types: section_types::ARRAYS, ..ANY };

/// Sections that the kernel and tools look for in the first page.
const HEAD: &[Line] = &[
    // The object of a library that is also a program has an `.interp`.
    Line(Known(known::INTERP), ANY),
    Line(Own(".note.gnu.property"), ANY),
    Line(Own(".note.gnu.build-id"), ANY),
    // Notes of the same alignment are grouped, so that they share a PT_NOTE.
    Line(Rest, Condition { least_align: 8, ..NOTE }),
    Line(Rest, NOTE),
];

/// Tables that the dynamic linker reads.
const LOADER: &[Line] = &[
    Line(Own(".hash"), ANY),
    Line(Own(".gnu.hash"), ANY),
    Line(Own(".dynsym"), ANY),
    Line(Own(".dynstr"), ANY),
    Line(Own(".gnu.version"), ANY),
    Line(Own(".gnu.version_d"), ANY),
    Line(Own(".gnu.version_r"), ANY),
    Line(Own(".rela.dyn"), ANY),
    Line(Own(".relr.dyn"), ANY),
    Line(Own(".rela.plt"), ANY),
];

/// Read-only data that the program reads.
const RODATA: &[Line] = &[
    Line(Nothing(known::RODATA), ANY),
    Line(Known(known::RODATA_HOT), ANY),
    Line(Known(known::RODATA_UNLIKELY), ANY),
    Line(Known(known::RODATA), ANY),
    Line(Known(known::SDATA2), ANY),
    Line(Known(known::SBSS2), ANY),
    Line(Rest, ANY),
    Line(Known(known::UNWIND_TABLE), ANY),
    Line(Known(known::UNWIND_INDEX), ANY),
    Line(Own(".eh_frame_hdr"), ANY),
    Line(Known(known::EH_FRAME), ANY),
    Line(Known(known::GCC_EXCEPT_TABLE), ANY),
];

const CODE: &[Line] = &[
    Line(Known(known::INIT), ANY),
    Line(Own(".plt"), ANY),
    Line(Own(".plt.got"), ANY),
    Line(Known(known::TEXT_UNLIKELY), ANY),
    Line(Known(known::TEXT_STARTUP), ANY),
    Line(Known(known::TEXT_HOT), ANY),
    Line(Nothing(known::TEXT), ANY),
    Line(Known(known::TEXT_EXIT), ANY),
    Line(Known(known::TEXT_UNKNOWN), ANY),
    Line(Known(known::TEXT_SPLIT), ANY),
    Line(Known(known::TEXT), ANY),
    Line(Rest, ANY),
    Line(Known(known::FINI), ANY),
];

/// Data that the dynamic linker makes read-only after relocation.
const RELRO: &[Line] = &[
    // The TLS template is contiguous, with zeros last.
    Line(Known(known::TDATA), TLS_FILLED),
    Line(Rest, TLS_FILLED),
    Line(Known(known::TBSS), TLS),
    Line(Rest, TLS),
    Line(Known(known::PREINIT_ARRAY), ANY),
    Line(Known(known::INIT_ARRAY), ANY),
    Line(Known(known::FINI_ARRAY), ANY),
    Line(Known(known::CTORS), ANY),
    Line(Known(known::DTORS), ANY),
    Line(Known(known::BSS_REL_RO), FILLED),
    Line(Known(known::JCR), FILLED),
    Line(Known(known::EH_FRAME), FILLED),
    Line(Known(known::RANDOM_DATA), FILLED),
    Line(Known(known::TOC), FILLED),
    Line(Rest, ARRAYS),
    Line(Nothing(known::DATA_REL_RO), ANY),
    Line(Known(known::DATA_REL_RO_HOT), ANY),
    Line(Known(known::DATA_REL_RO_UNLIKELY), ANY),
    Line(Known(known::DATA_REL_RO), ANY),
    Line(Known(known::GOT2), ANY),
    Line(Own(".dynamic"), ANY),
    Line(Own(".got"), ANY),
];

/// With `-z now` the dynamic linker fills `.got.plt` before the program runs.
const RELRO_NOW: &[Line] = &[Line(Own(".got.plt"), ANY)];

const RELRO_ZEROS: &[Line] = &[
    Line(Known(known::BSS_REL_RO), ANY),
    Line(Known(known::JCR), ANY),
    Line(Known(known::EH_FRAME), ANY),
    Line(Known(known::RANDOM_DATA), ANY),
    Line(Known(known::TOC), ANY),
    Line(Own(".relro_padding"), ANY),
];

/// Data that is always writable, in a layout with RELRO.
const DATA: &[Line] = &[
    Line(Own(".got"), ANY),
    Line(Own(".got.plt"), ANY),
    Line(Own(".plt"), ANY),
    Line(Nothing(known::DATA), NEAR_FILLED),
    Line(Known(known::DATA_HOT), NEAR_FILLED),
    Line(Known(known::DATA_UNLIKELY), NEAR_FILLED),
    Line(Known(known::DATA), NEAR_FILLED),
    Line(Rest, NEAR_FILLED),
    Line(Known(known::SDATA), NEAR_FILLED),
    Line(Known(known::SBSS), NEAR),
    Line(Nothing(known::BSS), NEAR),
    Line(Known(known::BSS_HOT), NEAR),
    Line(Known(known::BSS_UNLIKELY), NEAR),
    Line(Known(known::BSS), NEAR),
    Line(Rest, NEAR),
];

/// All writable data, in a layout without RELRO.
const ALL_DATA: &[Line] = &[
    Line(Own(".got"), ANY),
    Line(Own(".got.plt"), ANY),
    Line(Own(".plt"), ANY),
    Line(Known(known::TDATA), NEAR_TLS_FILLED),
    Line(Rest, NEAR_TLS_FILLED),
    Line(Known(known::TBSS), NEAR_TLS),
    Line(Rest, NEAR_TLS),
    Line(Nothing(known::DATA_REL_RO), NEAR_FILLED),
    Line(Nothing(known::DATA), NEAR_FILLED),
    Line(Known(known::BSS_REL_RO), NEAR_FILLED),
    Line(Known(known::INIT_ARRAY), NEAR_FILLED),
    Line(Known(known::FINI_ARRAY), NEAR_FILLED),
    Line(Known(known::PREINIT_ARRAY), NEAR_FILLED),
    Line(Known(known::CTORS), NEAR_FILLED),
    Line(Known(known::DTORS), NEAR_FILLED),
    Line(Known(known::DATA_REL_RO_HOT), NEAR_FILLED),
    Line(Known(known::DATA_REL_RO_UNLIKELY), NEAR_FILLED),
    Line(Known(known::DATA_REL_RO), NEAR_FILLED),
    Line(Known(known::DATA_HOT), NEAR_FILLED),
    Line(Known(known::DATA_UNLIKELY), NEAR_FILLED),
    Line(Known(known::DATA), NEAR_FILLED),
    Line(Known(known::JCR), NEAR_FILLED),
    Line(Known(known::RANDOM_DATA), NEAR_FILLED),
    Line(Known(known::TOC), NEAR_FILLED),
    Line(Known(known::GOT2), NEAR_FILLED),
    Line(Rest, NEAR_FILLED),
    Line(Known(known::SDATA), NEAR_FILLED),
    Line(Known(known::SBSS), NEAR),
    Line(Nothing(known::BSS), NEAR),
    Line(Known(known::BSS_REL_RO), NEAR),
    Line(Known(known::BSS_HOT), NEAR),
    Line(Known(known::BSS_UNLIKELY), NEAR),
    Line(Known(known::BSS), NEAR),
    Line(Rest, NEAR),
];

const LARGE_DATA: &[Line] = &[
    Line(Known(known::LDATA), FILLED),
    Line(Rest, FILLED),
    Line(Known(known::LBSS), ANY),
    Line(Rest, ANY),
];

const LARGE_RODATA: &[Line] = &[Line(Known(known::LRODATA), ANY), Line(Rest, ANY)];

/// Sections that are not loaded.
const UNLOADED: &[Line] = &[Line(Known(known::COMMENT), ANY)];

const UNLOADED_END: &[Line] = &[
    Line(Rest, ANY),
    Line(Own(".gdb_index"), ANY),
    Line(Own(".debug_names"), ANY),
    Line(Own(".symtab"), ANY),
    Line(Own(".symtab_shndx"), ANY),
    Line(Own(".shstrtab"), ANY),
    Line(Own(".strtab"), ANY),
];

/// The patterns of input section names for the output sections with [`KNOWN`] names.
#[rustfmt::skip]
const PATTERNS: [&[&str]; KNOWN.len()] = [
    &[".text", ".text.*", ".gnu.linkonce.t.*"],
    &[".rodata", ".rodata.*", ".gnu.linkonce.r.*"],
    &[".data.rel.ro", ".data.rel.ro.*", ".gnu.linkonce.d.rel.ro.*"],
    &[".data", ".data.*", ".gnu.linkonce.d.*"],
    &[".bss", ".bss.*", ".gnu.linkonce.b.*", "COMMON"],
    &[".bss.rel.ro", ".bss.rel.ro.*"],
    &[".tdata", ".tdata.*", ".gnu.linkonce.td.*"],
    &[".tbss", ".tbss.*", ".gnu.linkonce.tb.*", ".tcommon"],
    &[".init_array", ".init_array.*"],
    &[".fini_array", ".fini_array.*"],
    &[".preinit_array", ".preinit_array.*"],
    &[".init"],
    &[".fini"],
    &[".gcc_except_table", ".gcc_except_table.*"],
    &[".eh_frame"],
    &[".ctors", ".ctors.*"],
    &[".dtors", ".dtors.*"],
    &[".comment"],
    &[".ldata", ".ldata.*", ".gnu.linkonce.l.*"],
    &[".lrodata", ".lrodata.*", ".gnu.linkonce.lr.*"],
    &[".lbss", ".lbss.*", ".gnu.linkonce.lb.*", "LARGE_COMMON"],
    &[".debug_info", ".gnu.linkonce.wi.*"],
    &[".debug_abbrev"],
    &[".debug_line"],
    &[".debug_str"],
    &[".debug_line_str"],
    &[".debug_ranges"],
    &[".debug_rnglists"],
    &[".debug_loc"],
    &[".debug_loclists"],
    &[".debug_aranges"],
    &[".debug_str_offsets"],
    &[".debug_addr"],
    &[".debug_frame"],
    &[".debug_gdb_scripts"],
    &[".text.hot", ".text.hot.*"],
    &[".text.unlikely", ".text.unlikely.*"],
    &[".text.startup", ".text.startup.*"],
    &[".text.exit", ".text.exit.*"],
    &[".text.unknown", ".text.unknown.*"],
    &[".text.split", ".text.split.*"],
    &[".rodata.hot", ".rodata.hot.*", ".rodata.*.hot."],
    &[".rodata.unlikely", ".rodata.unlikely.*", ".rodata.*.unlikely."],
    &[".data.rel.ro.hot", ".data.rel.ro.hot.*", ".data.rel.ro.*.hot."],
    &[".data.rel.ro.unlikely", ".data.rel.ro.unlikely.*", ".data.rel.ro.*.unlikely."],
    &[".data.hot", ".data.hot.*", ".data.*.hot."],
    &[".data.unlikely", ".data.unlikely.*", ".data.*.unlikely."],
    &[".bss.hot", ".bss.hot.*", ".bss.*.hot."],
    &[".bss.unlikely", ".bss.unlikely.*", ".bss.*.unlikely."],
    &[".interp"],
    &[".jcr"],
    &[".openbsd.randomdata"],
    &[".toc"],
    &[".srodata", ".srodata.*", ".sdata", ".sdata.*", ".gnu.linkonce.s.*"],
    &[".dynsbss", ".sbss", ".sbss.*", ".gnu.linkonce.sb.*", ".scommon"],
    &[".ARM.extab*", ".gnu.linkonce.armextab.*"],
    &[".ARM.exidx*", ".gnu.linkonce.armexidx.*"],
    &[".sdata2", ".sdata2.*", ".gnu.linkonce.s2.*"],
    &[".sbss2", ".sbss2.*", ".gnu.linkonce.sb2.*"],
    &[".got2"],
];

/// The statements of the layout while the list is made.
struct List<'a> {
    options: &'a LayoutOptions,
    /// By statement of input sections, the known output section that its inputs count as.
    classes: Column<RuleId, NameClass>,
    statements: Vec<Statement>,
    place: Place,
}

/// The layout that options ask for.
pub fn default(options: &LayoutOptions) -> LayoutScript {
    with_classes(options).0
}

/// The default layout, with the name class of the inputs of each statement.
pub fn with_classes(options: &LayoutOptions) -> (LayoutScript, Column<RuleId, NameClass>) {
    let place = Place { script: Arc::from("default layout"), line: 0 };
    let statements = Vec::with_capacity(96);
    let mut list = List { options, classes: Column::new(), statements, place };
    let is_loaded = |section: &&LoadedAttributes| section.sh_flags & object::elf::SHF_ALLOC != 0;
    for section in options.loaded_attributes.iter().filter(is_loaded) {
        list.add(Zone::Head, &[Line(Own(section.name), ANY)]);
    }
    list.add(Zone::Head, HEAD);
    list.add(Zone::LargeCode, &[Line(Rest, ANY)]);
    if !options.is_large_rodata_late {
        list.add(Zone::LargeReadOnly, LARGE_RODATA);
    }
    list.add(Zone::ReadOnly, LOADER);
    if !options.is_rodata_late {
        list.add(Zone::ReadOnly, RODATA);
    }
    list.add(Zone::Code, CODE);
    if options.is_rodata_late {
        list.add(Zone::LateReadOnly, RODATA);
    }
    if options.relro {
        list.add(Zone::Relro, RELRO);
        if options.now {
            list.add(Zone::Relro, RELRO_NOW);
        }
        list.add(Zone::Relro, RELRO_ZEROS);
    }
    let data = if options.relro { DATA } else { ALL_DATA };
    let is_small = |line: &Line| matches!(line.0, Known(known::SDATA));
    let small = data.iter().position(is_small).unwrap_or(data.len());
    list.add(Zone::Data, &data[..small]);
    if options.got_is_small_data {
        list.line(Zone::Data, &Line(Own(".got"), ANY));
    }
    list.add(Zone::Data, &data[small..]);
    if options.is_large_rodata_late {
        // Zeros of the large model can join the others if only large read-only data follows.
        list.add(Zone::Data, &[Line(Known(known::LBSS), ZEROS), Line(Rest, ZEROS)]);
        list.add(Zone::LargeReadOnly, LARGE_RODATA);
    }
    list.add(Zone::LargeData, LARGE_DATA);
    list.add(Zone::Unloaded, UNLOADED);
    let debug = (0..).map(|number| known::DEBUG_FIRST + number);
    for out in debug.take_while(|&out| out <= known::DEBUG_LAST) {
        list.add(Zone::Unloaded, &[Line(Known(out), ANY)]);
    }
    list.add(Zone::Unloaded, UNLOADED_END);
    let List { statements, classes, .. } = list;
    (LayoutScript { statements, is_automatic: true, ..LayoutScript::default() }, classes)
}

impl List<'_> {
    fn add(&mut self, zone: Zone, lines: &[Line]) {
        let LayoutOptions { kept_prefixes: kept, relro, has_toc, .. } = *self.options;
        let is_there = |line: &&Line| match line.0 {
            Known(known::TOC) => !has_toc,
            Known(out) => kept.has_output(out),
            // Behind this section's patterns those of `.text.hot` and the like would match nothing.
            Nothing(known::TEXT) => kept.has(KeptPrefixes::TEXT),
            Nothing(out) => kept.has(KeptPrefixes::DATA) || !relro && out != known::RODATA,
            Own(".plt") => (zone == Zone::Data) == self.options.has_writable_plt,
            Own(".got") => !self.options.got_is_small_data,
            Own(_) | Rest => true,
        };
        const TOC: Line = Line(Known(known::TOC), ANY);
        let lines = lines.iter().filter(is_there).flat_map(|&line| {
            let toc = matches!(line.0, Own(".got")) && has_toc;
            [Some(line), toc.then_some(TOC)].into_iter().flatten()
        });
        for line in lines {
            self.line(zone, &line);
        }
    }

    fn line(&mut self, zone: Zone, &Line(takes, only_if): &Line) {
        let (name, inputs) = match takes {
            Own(name) => {
                let patterns = own_names(name, self.options.reloc_kind);
                (patterns[0].as_bytes(), Some(self.inputs(INTERNAL, &patterns, Sort::Default)))
            }
            Known(out) => {
                let patterns = PATTERNS[out.index()];
                (KNOWN[out.index()], Some(self.inputs("*", patterns, sort_of(out))))
            }
            Nothing(out) => (KNOWN[out.index()], None),
            Rest => (&b"*"[..], None),
        };
        match takes {
            Known(out) => drop(self.classes.push(NameClass::of(out))),
            Own(_) => drop(self.classes.push(NameClass::CUSTOM)),
            Nothing(_) | Rest => {}
        }
        let body = inputs.into_iter().map(|inputs| BodyStatement::Inputs(Box::new(inputs)));
        self.statements.push(Statement::Output(Arc::new(OutputStatement {
            only_if,
            zone: Some(zone),
            body: body.collect(),
            ..OutputStatement::new(name.to_vec(), self.place.clone())
        })));
    }

    fn inputs(&self, file: &'static str, patterns: &[&'static str], sort: Sort) -> InputStatement {
        let section = |&name: &&'static str| SectionPattern {
            name: Cow::Borrowed(name.as_bytes()),
            excluded: Vec::new(),
            sort: [sort, Sort::Default],
            is_reversed: false,
        };
        InputStatement {
            place: self.place.clone(),
            file: FilePattern { name: Cow::Borrowed(file.as_bytes()), ..FilePattern::default() },
            keep: false,
            sections: patterns.iter().map(section).collect(),
            with_flags: 0,
            without_flags: 0,
            turn: OTHER_TURN,
            class: None,
        }
    }
}

/// The names of a synthetic section: a table of relocations without addends is called `.rel` and
/// not `.rela`.
///
/// The first is that of the machine.
fn own_names(name: &'static str, kind: RelocKind) -> Vec<&'static str> {
    let mut names = match name {
        ".rela.dyn" => vec![name, ".rel.dyn"],
        ".rela.plt" => vec![name, ".rel.plt"],
        _ => vec![name],
    };
    if kind == RelocKind::Rel {
        names.reverse();
    }
    names
}

/// How inputs are sorted: tables of functions have priorities in their section names.
fn sort_of(out: OutputId) -> Sort {
    match out {
        known::INIT_ARRAY | known::FINI_ARRAY => Sort::InitPriority,
        // These tables are called from the last word to the first, so the highest number comes
        // last.
        known::CTORS | known::DTORS => Sort::Name,
        _ => Sort::Default,
    }
}
