//! `.dynamic` (gABI chapter 5, "Dynamic Section"; GNU extensions as glibc's `elf.h` has them).
//!
//! The entries are a list made twice by the same function: once for the size, when addresses are
//! still zero, and once to be written. An entry's presence never depends on an address.

use super::dynamic_relocs::DynamicRelocs;
use super::dynamic_symbols::DynamicSymbols;
use super::memtag;
use super::plt::Plt;
use super::reloc_form::RelocForm;
use crate::args::{Bsymbolic, Options};
use crate::format::elf::{Dyn, Sym};
use crate::format::encoding::Encoding;
use crate::layout::output_sections::SectionHeader;
use crate::layout::{OutputSections, Synthetic};
use crate::machine::description::LazyPlace;
use crate::machine::listed_got::ListedTags;
use crate::read::LibraryId;
use crate::read::candidates::Candidates;
use crate::resolve::dynamic::OutputShape;
use crate::script::section_names::known;
use object::elf::*;

/// Strings that `.dynamic` refers to, as offsets in `.dynstr`.
#[derive(Debug, Default)]
pub struct DynamicStrings {
    needed: Vec<u32>,
    soname: Option<u32>,
    rpath: Option<u32>,
    auxiliary: Vec<u32>,
    filter: Vec<u32>,
    audit: Option<u32>,
    depaudit: Option<u32>,
}

/// Adds the strings to `.dynstr`.
pub fn add_strings(
    options: &Options,
    candidates: &Candidates,
    symbols: &mut DynamicSymbols,
) -> DynamicStrings {
    let needed = symbols
        .needed
        .clone()
        .iter()
        .map(|&at| symbols.strings.add(&candidates.shared[at].soname))
        .collect();
    let depaudit = dependencies_audit(options, candidates, &symbols.needed);
    let strings = &mut symbols.strings;
    let mut add = |text: &str| strings.add(text.as_bytes());
    DynamicStrings {
        needed,
        soname: options.soname.as_deref().map(&mut add),
        rpath: (!options.rpath.is_empty()).then(|| add(&options.rpath)),
        auxiliary: options.auxiliary.iter().map(|t| add(t)).collect(),
        filter: options.filter.iter().map(|t| add(t)).collect(),
        audit: (!options.audit.is_empty()).then(|| add(&options.audit)),
        depaudit: (!depaudit.is_empty()).then(|| strings.add(&depaudit)),
    }
}

/// Value of DT_DEPAUDIT: `--depaudit` and the DT_AUDIT of needed libraries, joined with `:`, each
/// name once.
fn dependencies_audit(options: &Options, candidates: &Candidates, needed: &[LibraryId]) -> Vec<u8> {
    let mut names: Vec<&[u8]> = options.depaudit.as_bytes().split(|&b| b == b':').collect();
    for &at in needed {
        let audit = candidates.shared[at].audit.unwrap_or_default();
        names.extend(audit.split(|&b| b == b':'));
    }
    let mut seen = skald_core::unordered::UnorderedSet::new();
    names.retain(|name| !name.is_empty() && seen.insert(*name));
    names.join(&b':')
}

/// The tables that the entries of `.dynamic` are made from.
pub struct DynamicEntries<'a> {
    /// `-z` words, `-rpath`, `-soname` and the like are read.
    pub options: &'a Options,
    /// Executable, PIE or shared, and whether there is a dynamic linker.
    pub shape: OutputShape,
    /// Offsets in `.dynstr` of DT_NEEDED, DT_SONAME and other strings.
    pub strings: &'a DynamicStrings,
    /// `.dynsym` and its hash tables and versions.
    pub symbols: &'a DynamicSymbols,
    /// Counts of dynamic relocations of each kind.
    pub relocs: &'a DynamicRelocs,
    /// DT_RELA, DT_REL or Android's packed form.
    pub reloc_form: RelocForm,
    /// The code of the PLT, for which the machine may have tags.
    pub plt: &'static Plt,
    /// Words of `.got` that the loader adds the base address to.
    pub local_words: u32,
    /// How many of the last symbols have a word of `.got` that the loader fills.
    pub listed_symbols: usize,
    /// DF_STATIC_TLS: some access is initial-exec.
    pub has_static_tls: bool,
    /// DT_TEXTREL: some dynamic relocation is in a read-only section.
    pub has_text_relocations: bool,
    /// DT_INIT: address of the function of `-init`, if it is defined.
    pub init: Option<u64>,
    /// DT_FINI: address of the function of `-fini`, if it is defined.
    pub fini: Option<u64>,
}

/// The header of `.dynamic`; it has no SHF_WRITE with `-z rodynamic`.
pub const fn header(encoding: Encoding, is_read_only: bool) -> SectionHeader {
    SectionHeader {
        name: b".dynamic",
        sh_type: SHT_DYNAMIC,
        sh_flags: if is_read_only { SHF_ALLOC } else { SHF_ALLOC | SHF_WRITE },
        align: encoding.word_size() as u64,
        entsize: encoding.size::<Dyn>() as u64,
        link: Some(Synthetic::DynStr),
    }
}

/// Writes `entries`, each a `d_tag` and its `d_un`. Entries of sections that a script discards are
/// missing; DT_NULL fills their room.
pub fn write(encoding: Encoding, entries: &[(u64, u64)], out: &mut [u8]) {
    let end = (entries.len() * encoding.size::<Dyn>()).min(out.len());
    let (table, rest) = out.split_at_mut(end);
    rest.fill(0);
    encoding.fill(table, |table: &mut [Dyn]| {
        for (entry, &(tag, value)) in table.iter_mut().zip(entries) {
            entry.set_d_tag(tag);
            entry.set_d_val(value);
        }
    });
}

impl DynamicEntries<'_> {
    /// Bytes of `.dynamic`, once `outputs` has all other sections.
    pub fn size(&self, outputs: &OutputSections) -> u64 {
        let entry = self.encoding().size::<Dyn>();
        (entry * self.list(outputs).len()) as u64
    }

    fn encoding(&self) -> Encoding {
        Encoding::of(self.options.machine)
    }

    /// All entries, DT_NULL last: `d_tag` and `d_un`.
    pub fn list(&self, outputs: &OutputSections) -> Vec<(u64, u64)> {
        let mut entries: Vec<(u64, u64)> = Vec::new();
        let mut add = |tag: u32, value: u64| entries.push((u64::from(tag), value));
        let strings = self.strings;
        strings.needed.iter().for_each(|&at| add(DT_NEEDED, u64::from(at)));
        strings.soname.iter().for_each(|&at| add(DT_SONAME, u64::from(at)));
        strings.auxiliary.iter().for_each(|&at| add(DT_AUXILIARY, u64::from(at)));
        strings.filter.iter().for_each(|&at| add(DT_FILTER, u64::from(at)));
        strings.audit.iter().for_each(|&at| add(DT_AUDIT, u64::from(at)));
        strings.depaudit.iter().for_each(|&at| add(DT_DEPAUDIT, u64::from(at)));
        let rpath_tag = if self.options.new_dtags { DT_RUNPATH } else { DT_RPATH };
        strings.rpath.iter().for_each(|&at| add(rpath_tag, u64::from(at)));
        self.init.iter().for_each(|&address| add(DT_INIT, address));
        self.fini.iter().for_each(|&address| add(DT_FINI, address));
        for (known, start, size) in [
            (known::PREINIT_ARRAY, DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ),
            (known::INIT_ARRAY, DT_INIT_ARRAY, DT_INIT_ARRAYSZ),
            (known::FINI_ARRAY, DT_FINI_ARRAY, DT_FINI_ARRAYSZ),
        ] {
            if let Some((address, bytes)) = outputs.loaded(known) {
                add(start, address);
                add(size, bytes);
            }
        }
        for (which, tag) in [
            (Synthetic::Hash, DT_HASH),
            (Synthetic::GnuHash, DT_GNU_HASH),
            (Synthetic::DynStr, DT_STRTAB),
            (Synthetic::DynSym, DT_SYMTAB),
        ] {
            if let Some(section) = outputs.synthetic(which) {
                add(tag, section.address);
            }
        }
        add(DT_STRSZ, outputs.synthetic(Synthetic::DynStr).map_or(0, |s| s.size));
        add(DT_SYMENT, self.encoding().size::<Sym>() as u64);
        // DT_DEBUG: the loader writes the address of its `r_debug` there.
        if !self.shape.is_shared && !self.options.z.rodynamic {
            add(DT_DEBUG, 0);
        }
        self.relocations(outputs, &mut add);
        self.versions(outputs, &mut add);
        self.flags(&mut add);
        memtag::dynamic_tags(self.options).iter().for_each(|&(tag, value)| add(tag, value));
        if let Some(table) = outputs.synthetic(Synthetic::MemtagGlobals)
            && let Some(tags) = self.options.machine.memory_tags
        {
            add(tags.globals[0], table.address);
            add(tags.globals[1], table.size);
        }
        if let Some(listed) = self.options.machine.listed_got {
            self.listed_got(outputs, &listed.tags, &mut entries);
        }
        for _ in 0..=self.options.spare_dynamic_tags {
            entries.push((DT_NULL.into(), 0));
        }
        entries
    }

    /// Where the loader finds what it needs to bind functions (DT_PLTGOT).
    fn loader_words(&self, outputs: &OutputSections) -> Option<u64> {
        let machine = self.options.machine;
        if machine.plt_in_place.is_some() {
            return Some(outputs.synthetic(Synthetic::Plt)?.address);
        }
        let got_plt = outputs.synthetic(Synthetic::GotPlt)?;
        let has_own_tag = machine.lazy_entries.is_some_and(|lazy| lazy.place == LazyPlace::Got);
        let is_in_got = machine.got_plt_reserved == 0 && !has_own_tag;
        let in_got = outputs.synthetic(Synthetic::Got).filter(|_| is_in_got);
        Some(in_got.unwrap_or(got_plt).address)
    }

    /// What the loader has to know of a GOT that it fills by the order of words.
    fn listed_got(
        &self,
        outputs: &OutputSections,
        tags: &ListedTags,
        entries: &mut Vec<(u64, u64)>,
    ) {
        let encoding = self.encoding();
        if let Some(word) = outputs.synthetic(Synthetic::DebugWord) {
            if !self.shape.is_pic {
                entries.push((tags.debug_word.into(), word.address));
            }
            let tag = (entries.len() * encoding.size::<Dyn>()) as u64;
            let tag = outputs.address_of(Synthetic::Dynamic).wrapping_add(tag);
            let distance = word.address.wrapping_sub(tag);
            entries.push((tags.debug_distance.into(), distance));
        }
        let loaded = outputs.sections.iter().filter(|s| s.sh_flags & u64::from(SHF_ALLOC) != 0);
        let start = loaded.map(|section| section.address).min().unwrap_or(0);
        let base = start / self.options.machine.max_page_size * self.options.machine.max_page_size;
        let symbols = 1 + self.symbols.names.len() as u64;
        let listed = self.listed_symbols as u64;
        let got = outputs.address_of(Synthetic::Got);
        // Nothing is bound by an IRIX "quickstart".
        const NOTHING_BOUND: u64 = 2;
        for (tag, value) in [
            (DT_PLTGOT, got),
            (tags.version, 1),
            (tags.flags, NOTHING_BOUND),
            (tags.base_address, base),
            (tags.local_count, outputs.got_front + u64::from(self.local_words)),
            (tags.symbol_count, symbols),
            (tags.first_symbol, symbols - listed),
        ] {
            entries.push((tag.into(), value));
        }
    }

    fn relocations(&self, outputs: &OutputSections, add: &mut impl FnMut(u32, u64)) {
        if let Some(words) = self.loader_words(outputs) {
            let listed = self.options.machine.listed_got;
            let tag = listed.map_or(DT_PLTGOT, |listed| listed.tags.plt_got);
            add(tag, words);
        }
        if let Some(plt) = outputs.synthetic(Synthetic::RelaPlt) {
            add(DT_PLTRELSZ, plt.size);
            let has_addends = self.reloc_form.has_addends();
            add(DT_PLTREL, u64::from(if has_addends { DT_RELA } else { DT_REL }));
            add(DT_JMPREL, plt.address);
        }
        if let Some(plt) = outputs.synthetic(Synthetic::Plt)
            && self.options.z.mark_plt
            && let Some([address, size, entry_size]) = self.options.machine.loader.plt_tags
        {
            add(address, plt.address);
            add(size, plt.size);
            add(entry_size, self.plt.entry_size as u64);
        }
        if let Some(lazy) = self.options.machine.lazy_entries
            && let Some(plt) = outputs.synthetic(Synthetic::Plt)
        {
            let first = plt.address + self.plt.header_size as u64;
            let got = outputs.address_of(Synthetic::Got) + self.options.machine.got_bias;
            add(lazy.tag, lazy.place.address(first, got));
        }
        let plts = [Synthetic::Plt, Synthetic::PltGot];
        if plts.into_iter().any(|plt| outputs.synthetic(plt).is_some()) {
            self.plt.tags.iter().for_each(|&tag| add(tag, 0));
            let variant = self.options.machine.variant_calls;
            if let Some(calls) = variant.filter(|_| !self.symbols.variant_calls.is_empty()) {
                add(calls.tag, 0);
            }
        }
        if let Some(rela) = outputs.synthetic(Synthetic::RelaDyn) {
            let tags = match self.reloc_form {
                RelocForm::Rela => [DT_RELA, DT_RELASZ, DT_RELAENT, DT_RELACOUNT],
                RelocForm::Rel => [DT_REL, DT_RELSZ, DT_RELENT, DT_RELCOUNT],
                RelocForm::Android => [DT_ANDROID_RELA, DT_ANDROID_RELASZ, DT_RELAENT, DT_NULL],
                RelocForm::AndroidRel => [DT_ANDROID_REL, DT_ANDROID_RELSZ, DT_RELENT, DT_NULL],
            };
            add(tags[0], rela.address);
            add(tags[1], rela.size);
            add(tags[2], self.reloc_form.plt_entry_size(self.encoding()));
            let is_sorted = tags[3] != DT_NULL && !self.options.z.no_combreloc;
            // The loader of a machine with such a GOT takes the count, and skips these relocations.
            let is_counted = is_sorted && self.options.machine.listed_got.is_none();
            if self.relocs.relative_count() != 0 && is_counted {
                add(tags[3], u64::from(self.relocs.relative_count()));
            }
        }
        if let Some(relr) = outputs.synthetic(Synthetic::RelrDyn) {
            let [address, size, entry_size] = if self.options.android_relr_tags {
                [DT_ANDROID_RELR, DT_ANDROID_RELRSZ, DT_ANDROID_RELRENT]
            } else {
                [DT_RELR, DT_RELRSZ, DT_RELRENT]
            };
            add(address, relr.address);
            add(size, relr.size);
            add(entry_size, self.encoding().word_size() as u64);
        }
        let signed = self.options.machine.loader.signed;
        if let Some((table, signed)) = outputs.synthetic(Synthetic::SignedRelrDyn).zip(signed) {
            let [address, size, entry_size] = signed.packed.tags;
            add(address, table.address);
            add(size, table.size);
            add(entry_size, self.encoding().word_size() as u64);
        }
    }

    fn versions(&self, outputs: &OutputSections, add: &mut impl FnMut(u32, u64)) {
        if let Some(versym) = outputs.synthetic(Synthetic::Versym) {
            add(DT_VERSYM, versym.address);
        }
        if let (Some(section), Some(verdef)) =
            (outputs.synthetic(Synthetic::Verdef), &self.symbols.verdef)
        {
            add(DT_VERDEF, section.address);
            add(DT_VERDEFNUM, u64::from(verdef.count()));
        }
        if let (Some(section), Some(verneed)) =
            (outputs.synthetic(Synthetic::Verneed), &self.symbols.verneed)
        {
            add(DT_VERNEED, section.address);
            add(DT_VERNEEDNUM, u64::from(verneed.count()));
        }
    }

    fn flags(&self, add: &mut impl FnMut(u32, u64)) {
        let z = &self.options.z;
        let mut flags = 0;
        let mut flags_1 = 0;
        // With DF_SYMBOLIC the loader would search this library first, even for names that
        // `--dynamic-list` leaves preemptible.
        let is_symbolic =
            self.options.bsymbolic == Bsymbolic::All && !self.options.lists_preemptible_symbols();
        if self.shape.is_shared && is_symbolic {
            flags |= DF_SYMBOLIC;
            add(DT_SYMBOLIC, 0);
        }
        if self.has_text_relocations {
            flags |= DF_TEXTREL;
            add(DT_TEXTREL, 0);
        }
        if self.has_static_tls {
            flags |= DF_STATIC_TLS;
        }
        if z.now {
            flags |= DF_BIND_NOW;
            flags_1 |= DF_1_NOW;
        }
        if z.origin {
            flags |= DF_ORIGIN;
            flags_1 |= DF_1_ORIGIN;
        }
        for (on, bit) in [
            (z.initfirst, DF_1_INITFIRST),
            (z.interpose, DF_1_INTERPOSE),
            (z.nodelete, DF_1_NODELETE),
            (z.nodlopen, DF_1_NOOPEN),
            (z.nodump, DF_1_NODUMP),
            (z.nodefaultlib, DF_1_NODEFLIB),
            (z.global, DF_1_GLOBAL),
            (z.globalaudit, DF_1_GLOBAUDIT),
            (self.options.group_lookup, DF_1_GROUP),
            (z.loadfltr, DF_1_LOADFLTR),
            (self.shape.is_pic && !self.shape.is_shared, DF_1_PIE),
        ] {
            if on {
                flags_1 |= bit;
            }
        }
        if !self.options.new_dtags {
            // The older tags DT_SYMBOLIC, DT_TEXTREL and DT_BIND_NOW repeat these flags; only
            // DF_STATIC_TLS has no such tag.
            if flags & DF_BIND_NOW != 0 {
                add(DT_BIND_NOW, 0);
            }
            flags &= DF_STATIC_TLS;
        }
        if flags != 0 {
            add(DT_FLAGS, u64::from(flags));
        }
        if flags_1 != 0 {
            add(DT_FLAGS_1, u64::from(flags_1));
        }
        if z.unique {
            add(DT_GNU_FLAGS_1, DF_GNU_1_UNIQUE);
        }
    }
}

const DT_RELRSZ: u32 = 35;
const DT_RELR: u32 = 36;
const DT_RELRENT: u32 = 37;
// Bionic's tags from before DT_RELR had a number of its own.
const DT_ANDROID_RELR: u32 = 0x6fff_e000;
const DT_ANDROID_RELRSZ: u32 = 0x6fff_e001;
const DT_ANDROID_RELRENT: u32 = 0x6fff_e003;
/// glibc: DF_GNU_1_UNIQUE asks for one copy of the library, also in other namespaces of `dlmopen`.
const DT_GNU_FLAGS_1: u32 = 0x6fff_fdf4;
const DF_GNU_1_UNIQUE: u64 = 1;
// Relocations in Android's packed form.
const DT_ANDROID_REL: u32 = 0x6000_000f;
const DT_ANDROID_RELSZ: u32 = 0x6000_0010;
const DT_ANDROID_RELA: u32 = 0x6000_0011;
const DT_ANDROID_RELASZ: u32 = 0x6000_0012;
const DT_AUDIT: u32 = 0x6fff_fefc;
const DT_DEPAUDIT: u32 = 0x6fff_fefb;
const DF_1_PIE: u32 = 0x0800_0000;
