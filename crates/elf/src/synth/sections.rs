//! Decides which synthetic sections there are, and how large they are.
//!
//! One row for each section: header, condition, size. Sizes that depend on addresses (`.relr.dyn`)
//! are corrected by the layout loop.

use super::attributes::LoadedPart;
use super::build_id::BuildIdNote;
use super::dynamic_relocs::DynamicRelocs;
use super::dynamic_symbols::DynamicSymbols;
use super::eh_frame::EhFrameOutput;
use super::eh_frame_hdr::EhFrameHdr;
use super::emitted_relocs::EmittedRelocs;
use super::memtag::MemtagNote;
use super::package_note::PackageNote;
use super::plt::Plt;
use super::property_note::PropertyNote;
use super::reloc_form::RelocForm;
use super::sframe::SFrameOutput;
use super::slots::{GotWord, Slots};
use super::symtab::SymTab;
use super::{got_plt, symtab_shndx};
use crate::args::Options;
use crate::format::elf::Sym;
use crate::format::encoding::Encoding;
use crate::layout::output_sections::SectionHeader;
use crate::layout::{OutputSection, OutputSections, Synthetic};
use crate::machine::Machine;
use crate::machine::loaded_attributes::LoadedAttributes;
use crate::read::object_file::SHT_LLVM_ADDRSIG;
use crate::resolve::dynamic::OutputShape;
use object::elf::*;

/// The plans of all sections that the linker adds.
#[derive(Default)]
pub struct Plan {
    /// `.interp`: path of the dynamic linker, with its NUL; `None` for a program without one.
    pub interp: Option<Vec<u8>>,
    /// `.note.gnu.build-id`; `None` without `--build-id`.
    pub build_id: Option<BuildIdNote>,
    /// `.note.gnu.property`; `None` if no property is left.
    pub property: Option<PropertyNote>,
    /// `.note.android.memtag`; `None` without options for it.
    pub memtag: Option<MemtagNote>,
    /// Variables are in tagged memory: there is `.memtag.globals.dynamic`.
    pub has_tagged: bool,
    /// What all objects were compiled for; `None` if none says it.
    pub attributes: Option<Vec<u8>>,
    /// The same for sections of [`Machine::loaded_attributes`].
    pub loaded_attributes: Vec<LoadedPart>,
    /// `.note.package`; `None` without `--package-metadata`.
    pub package: Option<PackageNote>,
    /// `.dynsym`, `.dynstr`, hash tables and versions.
    pub symbols: DynamicSymbols,
    /// `.rela.dyn`, `.rela.plt` and `.relr.dyn`.
    pub relocs: DynamicRelocs,
    /// `.eh_frame`: records of inputs and of the PLT.
    pub eh_frame: EhFrameOutput,
    /// `.sframe`; `None` if no input has one.
    pub sframe: Option<SFrameOutput>,
    /// Relocation sections of `--emit-relocs`; empty without it.
    pub emitted: EmittedRelocs,
    /// `.symtab` and `.strtab`; `None` with `-s`.
    pub symtab: Option<SymTab>,
    /// DT_RELA, DT_REL or Android's packed form.
    pub reloc_form: RelocForm,
    /// `.got.plt` is there even without PLT entries.
    pub needs_got_base: bool,
    /// A script ends RELRO among the reserved words of `.got.plt`: `.got.plt` is there with `.got`,
    /// also where nothing else needs it.
    pub ends_relro: bool,
}

impl Plan {
    /// Sets `sh_info` of sections that need it, except the relocations of `--emit-relocs`.
    pub fn set_infos(&self, outputs: &mut OutputSections) {
        let verdefs = self.symbols.verdef.as_ref().map_or(0, |v| v.count());
        let verneeds = self.symbols.verneed.as_ref().map_or(0, |v| v.count());
        let first_global = self.symtab.as_ref().map_or(0, |symtab| symtab.first_global);
        let is_in_place = outputs.machine.plt_in_place.is_some();
        let bound = if is_in_place { Synthetic::Plt } else { Synthetic::GotPlt };
        let bound = outputs.index_of(bound);
        for section in &mut outputs.sections {
            // A script may put these relocations into one section with relocations of other
            // sections.
            let is_of_one = section.sh_flags & u64::from(SHF_INFO_LINK) != 0;
            match section.kind() {
                Some(Synthetic::RelaPlt) if is_of_one => section.info = bound,
                Some(Synthetic::SymTab) => section.info = first_global,
                Some(Synthetic::DynSym) => section.info = 1,
                Some(Synthetic::Verdef) => section.info = verdefs,
                Some(Synthetic::Verneed) => section.info = verneeds,
                _ => {}
            }
        }
    }
}

const R: u32 = SHF_ALLOC;
const RW: u32 = SHF_ALLOC | SHF_WRITE;
const RX: u32 = SHF_ALLOC | SHF_EXECINSTR;

const fn header(
    name: &'static [u8],
    sh_type: u32,
    sh_flags: u32,
    align: u64,
    entsize: u64,
    link: Option<Synthetic>,
) -> SectionHeader {
    SectionHeader { name, sh_type, sh_flags, align, entsize, link }
}

const DYNSTR: Option<Synthetic> = Some(Synthetic::DynStr);
const DYNSYM: Option<Synthetic> = Some(Synthetic::DynSym);

const SYM: Option<Synthetic> = Some(Synthetic::SymTab);
const STR: Option<Synthetic> = Some(Synthetic::StrTab);

/// The header of `.note.gnu.property`.
pub const fn property(encoding: Encoding) -> SectionHeader {
    header(b".note.gnu.property", SHT_NOTE, R, encoding.word_size() as u64, 0, None)
}

/// The header of the section with what all objects were compiled for, and its bytes; `None` if they
/// say nothing.
pub fn attributes(outputs: &OutputSections, plan: &Plan) -> Option<(SectionHeader, u64)> {
    let section = outputs.machine.attribute_section?;
    let bytes = plan.attributes.as_ref()?.len() as u64;
    Some((header(section.name.as_bytes(), section.sh_type, 0, 1, 0, None), bytes))
}

/// The header of a section of [`Machine::loaded_attributes`].
pub const fn loaded(section: &'static LoadedAttributes) -> SectionHeader {
    let LoadedAttributes { name, sh_type, sh_flags, align, entsize, .. } = *section;
    header(name.as_bytes(), sh_type, sh_flags, align, entsize, None)
}

/// The header of `.note.gnu.build-id`.
pub const BUILD_ID: SectionHeader = header(b".note.gnu.build-id", SHT_NOTE, R, 4, 0, None);
/// The header of `.eh_frame`.
pub const fn eh_frame(encoding: Encoding) -> SectionHeader {
    header(b".eh_frame", SHT_PROGBITS, R, encoding.word_size() as u64, 0, None)
}

/// The header of `.symtab`.
pub const fn symtab(encoding: Encoding) -> SectionHeader {
    let (align, entsize) = (encoding.word_size() as u64, encoding.size::<Sym>() as u64);
    header(b".symtab", SHT_SYMTAB, 0, align, entsize, STR)
}

/// The header of `.symtab_shndx`.
pub const SYMTAB_SHNDX: SectionHeader = header(b".symtab_shndx", SHT_SYMTAB_SHNDX, 0, 4, 4, SYM);
/// The header of `.strtab`.
pub const STRTAB: SectionHeader = header(b".strtab", SHT_STRTAB, 0, 1, 0, None);
/// The header of `.note.GNU-stack`.
pub const STACK_NOTE: SectionHeader = header(b".note.GNU-stack", SHT_PROGBITS, 0, 1, 0, None);
/// The header of `.llvm_addrsig`.
pub const ADDRESS_TABLE: SectionHeader =
    header(b".llvm_addrsig", SHT_LLVM_ADDRSIG, SHF_EXCLUDE, 1, 0, SYM);
/// The header of `.shstrtab`.
pub const SHSTRTAB: SectionHeader = header(b".shstrtab", SHT_STRTAB, 0, 1, 0, None);

/// Adds all sections that `plan` requires.
pub fn add(
    outputs: &mut OutputSections,
    plan: &Plan,
    slots: &Slots,
    plt: &Plt,
    shape: OutputShape,
    options: &Options,
) {
    let encoding = outputs.encoding();
    let word = encoding.word_size() as u64;
    let (is_dynamic, has_debug_word) = (shape.is_dynamic, shape.is_dynamic && !shape.is_shared);
    let mut adder = Adder { outputs, plan, encoding, word, is_dynamic, has_debug_word };
    adder.notes();
    adder.dynamic_symbols(shape);
    adder.dynamic_relocations(shape, options);
    adder.got_and_plt(options.machine, slots, plt);
    adder.exception_frames(options);
    adder.stack_traces();
    adder.debug_indexes(options);
    adder.symbol_table();
    mark_plt(outputs, options.machine.pure_code);
}

/// Marks the PLT as code without data, which it is, in outputs that have such code.
fn mark_plt(outputs: &mut OutputSections, pure_code: u32) {
    let pure_code = u64::from(pure_code);
    if outputs.sections.iter().any(|section| section.sh_flags & pure_code != 0) {
        let is_plt = |kind| matches!(kind, Synthetic::Plt | Synthetic::PltGot);
        let plt = outputs.sections.iter_mut().filter(|section| section.kind().is_some_and(is_plt));
        plt.for_each(|section| section.sh_flags |= pure_code);
    }
}

fn nonzero(size: u64) -> Option<u64> {
    (size != 0).then_some(size)
}

struct Adder<'a> {
    outputs: &'a mut OutputSections,
    plan: &'a Plan,
    encoding: Encoding,
    /// Bytes of a word, to which tables are aligned.
    word: u64,
    /// There is `.dynamic`.
    is_dynamic: bool,
    /// Debuggers look for what the loader has loaded.
    has_debug_word: bool,
}

impl Adder<'_> {
    /// Adds a section, or none if `size` is `None`.
    fn add(&mut self, which: Synthetic, header: SectionHeader, size: Option<u64>) {
        if let Some(size) = size {
            self.outputs.add_synthetic(which, header, size);
        }
    }

    fn notes(&mut self) {
        let plan = self.plan;
        self.add(
            Synthetic::Interp,
            header(b".interp", SHT_PROGBITS, R, 1, 0, None),
            plan.interp.as_ref().map(|i| i.len() as u64),
        );
        self.add(
            Synthetic::Property,
            property(self.encoding),
            plan.property.as_ref().map(|p| p.size()),
        );
        self.add(Synthetic::BuildId, BUILD_ID, plan.build_id.as_ref().map(|b| b.size()));
        self.add(
            Synthetic::Package,
            header(b".note.package", SHT_NOTE, R, 4, 0, None),
            plan.package.as_ref().map(|p| p.size()),
        );
        self.add(
            Synthetic::Memtag,
            header(b".note.android.memtag", SHT_NOTE, R, 4, 0, None),
            plan.memtag.map(|_| MemtagNote::SIZE),
        );
        if let Some((header, bytes)) = attributes(self.outputs, plan) {
            self.add(Synthetic::Attributes, header, Some(bytes));
        }
        for part in &plan.loaded_attributes {
            self.add(part.kind, loaded(part.section), Some(part.bytes.len() as u64));
        }
        let tags = self.outputs.machine.memory_tags.filter(|_| plan.has_tagged);
        self.add(
            Synthetic::MemtagGlobals,
            header(b".memtag.globals.dynamic", tags.map_or(0, |t| t.table), R, 4, 0, None),
            // At least one byte for each.
            tags.map(|_| 1),
        );
    }

    fn dynamic_symbols(&mut self, shape: OutputShape) {
        let (symbols, word) = (&self.plan.symbols, self.word);
        let symbol_size = self.encoding.size::<Sym>() as u64;
        let dynamic = |size: u64| shape.is_dynamic.then_some(size);
        self.add(
            Synthetic::Hash,
            header(b".hash", SHT_HASH, R, word, self.outputs.machine.hash_word, DYNSYM),
            symbols.sysv_hash.as_ref().map(|h| h.size()),
        );
        self.add(
            Synthetic::GnuHash,
            header(b".gnu.hash", SHT_GNU_HASH, R, word, 0, DYNSYM),
            symbols.gnu_hash.as_ref().map(|h| h.size()),
        );
        self.add(
            Synthetic::DynSym,
            header(b".dynsym", SHT_DYNSYM, R, word, symbol_size, DYNSTR),
            dynamic(symbols.size()),
        );
        self.add(
            Synthetic::DynStr,
            header(b".dynstr", SHT_STRTAB, R, 1, 0, None),
            dynamic(symbols.strings.size()),
        );
        self.add(
            Synthetic::Versym,
            header(b".gnu.version", SHT_GNU_VERSYM, R, 2, 2, DYNSYM),
            symbols.versym.as_ref().map(|v| v.size()),
        );
        self.add(
            Synthetic::Verdef,
            header(b".gnu.version_d", SHT_GNU_VERDEF, R, word, 0, DYNSTR),
            symbols.verdef.as_ref().map(|v| v.size()),
        );
        self.add(
            Synthetic::Verneed,
            header(b".gnu.version_r", SHT_GNU_VERNEED, R, word, 0, DYNSTR),
            symbols.verneed.as_ref().map(|v| v.size()),
        );
    }

    fn dynamic_relocations(&mut self, shape: OutputShape, options: &Options) {
        let plan = self.plan;
        let dynsym = if shape.is_dynamic { DYNSYM } else { None };
        let (encoding, word) = (self.encoding, self.word);
        let (name, sh_type, entsize) = plan.reloc_form.header(encoding);
        let plt_entry_size = plan.reloc_form.plt_entry_size(encoding);
        let (plt_name, plt_type) = plan.reloc_form.plt_header();
        let plt_header =
            header(plt_name, plt_type, R | SHF_INFO_LINK, word, plt_entry_size, dynsym);
        self.add(
            Synthetic::RelaDyn,
            header(name, sh_type, R, word, entsize, dynsym),
            nonzero(plan.reloc_form.size(encoding, plan.relocs.rela_count())),
        );
        let relr_type = if options.android_relr_tags { SHT_ANDROID_RELR } else { SHT_RELR };
        self.add(
            Synthetic::RelrDyn,
            header(b".relr.dyn", relr_type, R, word, word, None),
            plan.relocs.has_packed().then_some(word),
        );
        if let Some(signed) = options.machine.loader.signed {
            self.add(
                Synthetic::SignedRelrDyn,
                header(b".relr.auth.dyn", signed.packed.sh_type, R, word, word, None),
                (!plan.relocs.signed_places.is_empty()).then_some(word),
            );
        }
        self.add(
            Synthetic::RelaPlt,
            plt_header,
            nonzero(plt_entry_size * u64::from(plan.relocs.plt_count)),
        );
    }

    fn got_and_plt(&mut self, machine: &Machine, slots: &Slots, plt: &Plt) {
        let word = machine.got_word;
        let [entsize, direct_entsize] = plt.entsize;
        let plt_size = got_plt::plt_size(plt, slots.plt.len(), slots.direct_plt.len());
        let listed = machine.listed_got;
        let has_front = self.is_dynamic || !slots.got.is_empty() || !slots.paged.is_empty();
        let front = if has_front { self.outputs.got_front } else { 0 };
        let got_size = got_plt::got_size(machine, front + slots.got.len() as u64);
        let is_in_place = machine.plt_in_place.is_some();
        let has_got_plt = plt_size != 0 && !is_in_place
            || (self.plan.needs_got_base && !machine.has_got_header())
            || (self.plan.ends_relro && machine.has_got_header() && got_size != 0)
                && machine.got_plt_reserved != 0;
        self.add(
            Synthetic::Plt,
            header(
                b".plt",
                SHT_PROGBITS,
                if is_in_place { RW | RX } else { RX },
                plt.align,
                entsize,
                None,
            ),
            nonzero(plt_size),
        );
        self.add(
            Synthetic::PltGot,
            header(b".plt.got", SHT_PROGBITS, RX, plt.align, direct_entsize, None),
            nonzero(got_plt::direct_plt_size(plt, slots.direct_plt.len())),
        );
        let is_resolved = |(word, _): &(GotWord, _)| *word == GotWord::Resolved;
        let mut words = slots.got.iter().filter(|(word, _)| !word.is_header());
        self.outputs.got_is_of_ifuncs = words.all(is_resolved);
        self.add(
            Synthetic::Got,
            match listed {
                Some(got) => header(b".got", SHT_PROGBITS, RW | got.section_flag, 16, word, None),
                None => header(b".got", SHT_PROGBITS, RW, word, word, None),
            },
            nonzero(got_size),
        );
        let has_debug_word = listed.is_some() && self.has_debug_word;
        self.add(
            Synthetic::DebugWord,
            header(b".rld_map", SHT_PROGBITS, RW, self.word, 0, None),
            has_debug_word.then_some(self.word),
        );
        self.add(
            Synthetic::GotPlt,
            header(b".got.plt", SHT_PROGBITS, RW, word, word, None),
            has_got_plt.then(|| got_plt::got_plt_size(machine, slots.plt.len())),
        );
    }

    fn exception_frames(&mut self, options: &Options) {
        let frames = self.plan.eh_frame.size;
        let fdes = self.plan.eh_frame.fde_count();
        self.add(Synthetic::EhFrame, eh_frame(self.encoding), nonzero(frames));
        self.add(
            Synthetic::EhFrameHdr,
            header(b".eh_frame_hdr", SHT_PROGBITS, R, 4, 0, None),
            (frames != 0 && options.eh_frame_hdr).then(|| EhFrameHdr::new(fdes as usize).size()),
        );
    }

    fn stack_traces(&mut self) {
        if let Some(sframe) = &self.plan.sframe {
            let header = header(b".sframe", sframe.sh_type, R, self.word, 0, None);
            self.add(Synthetic::SFrame, header, Some(sframe.size()));
        }
    }

    /// `.gdb_index` and `.debug_names`, whose bytes are made when all others are written.
    fn debug_indexes(&mut self, options: &Options) {
        let is_info = |section: &OutputSection| section.name == b".debug_info";
        if options.z.no_section_header || !self.outputs.sections.iter().any(is_info) {
            return;
        }
        let index = |name| header(name, SHT_PROGBITS, 0, 4, 0, None);
        self.add(Synthetic::GdbIndex, index(b".gdb_index"), options.gdb_index.then_some(0));
        self.add(Synthetic::DebugNames, index(b".debug_names"), options.debug_names.then_some(0));
    }

    fn symbol_table(&mut self) {
        if let Some(table) = &self.plan.symtab {
            self.add(Synthetic::SymTab, symtab(self.encoding), Some(table.size()));
            self.add(Synthetic::StrTab, STRTAB, Some(table.string_size));
            let count = self.outputs.sections.len() + LATER_SECTIONS;
            self.add(
                Synthetic::SymTabShndx,
                SYMTAB_SHNDX,
                (count >= usize::from(SHN_LORESERVE)).then(|| symtab_shndx::size(table)),
            );
        }
        self.add(Synthetic::ShStrTab, SHSTRTAB, Some(0));
    }
}

/// Section headers that are added after the decision whether symbols need `.symtab_shndx`: the null
/// header, `.shstrtab`, `.dynamic` and the padding of RELRO. The number is generous: if the table
/// appears a few sections too early, that does no harm.
const LATER_SECTIONS: usize = 16;

const SHT_RELR: u32 = 19;
const SHT_ANDROID_RELR: u32 = 0x6fff_ff00;
