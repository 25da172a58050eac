//! The scan loop: one visit of a live section marks what it refers to and notes what its
//! relocations need (x86-64 psABI, "Relocation Types" and "Dynamic Linking").
//!
//! Whatever this loop decides to relax, `apply.rs` relaxes by the same functions of
//! [`super::decide`]; a decision depends on the symbol, the output's kind and the original bytes
//! only.

use super::decide::{self, TlsModel};
use super::howto::*;
use super::tls;
use crate::format::elf::Rela;
use crate::read::object_file::SectionFlags;
use crate::resolve::definitions::{NOWHERE, SectionId, attr};
use crate::select::scan::{Problem, RelocId, ScanInput, ScanOutput, SymbolView, need};
use object::elf::*;
use skald_core::column::prefetch;
use std::sync::atomic::Ordering;

/// Relocations ahead whose definition is prefetched. The targets of one object are few and near.
const DEFINITION_DISTANCE: usize = 12;

/// Scans all relocations of `id`. `mark` is called with each section they refer to.
pub fn scan_section(
    input: &ScanInput<'_>,
    id: SectionId,
    out: &mut ScanOutput,
    mark: impl FnMut(SectionId),
) {
    let section = input.section(id);
    let object = &input.objects[section.object as usize];
    let relocs = object.relocs(section);
    scan_range(input, id, relocs, 0, out, mark);
}

/// Scans `relocs`, which are those of `id` from index `first` on.
pub fn scan_range(
    input: &ScanInput<'_>,
    id: SectionId,
    relocs: &[Rela],
    first: u32,
    out: &mut ScanOutput,
    mut mark: impl FnMut(SectionId),
) {
    let section = input.section(id);
    let object = &input.objects[section.object as usize];
    let targets = input.targets(section.object);
    let globals = &input.definitions.globals;
    let mut scan = Scan {
        input,
        out,
        object: section.object,
        section: id,
        flags: section.flags,
        bytes: object.bytes(section),
        relative: 0,
    };
    let mut index = 0;
    while index < relocs.len() {
        if let Some(ahead) = relocs.get(index + DEFINITION_DISTANCE)
            && let Some(&target) = targets.get(ahead.r_sym.get() as usize)
        {
            prefetch(globals, (target & !crate::resolve::definitions::GLOBAL) as usize);
        }
        let reloc = &relocs[index];
        let place = RelocId { section: id, index: first + index as u32 };
        let r_type = reloc.r_type.get();
        let Some(view) = input.symbol(targets, reloc.r_sym.get()) else {
            scan.out.problems.push((place, Problem::BadSymbol));
            index += 1;
            continue;
        };
        if view.section < NOWHERE {
            mark(view.section);
        }
        if r_type == R_X86_64_NONE {
            index += 1;
            continue;
        }
        index += 1 + scan.relocation(reloc, r_type, view, place, relocs.get(index + 1));
    }
    let relative = scan.relative;
    if relative != 0 {
        // `.eh_frame` is scanned record by record; other sections are visited once.
        input.relative[id as usize].fetch_add(relative, Ordering::Relaxed);
    }
}

struct Scan<'a, 'b> {
    input: &'a ScanInput<'a>,
    out: &'b mut ScanOutput,
    object: u32,
    section: SectionId,
    flags: SectionFlags,
    bytes: &'static [u8],
    relative: u32,
}

impl Scan<'_, '_> {
    /// Handles one relocation; returns how many of the following ones belong to it.
    #[inline(always)]
    fn relocation(
        &mut self,
        reloc: &Rela,
        r_type: u32,
        view: SymbolView,
        place: RelocId,
        next: Option<&Rela>,
    ) -> usize {
        const PLAIN: u32 =
            attr::IMPORTED | attr::IFUNC | attr::UNDEFINED | attr::UNDEF_WEAK | attr::SYNTHETIC;
        if view.attributes & PLAIN == 0 && view.section < NOWHERE {
            // Nine of ten: a PC-relative reference to a definition of this output.
            if matches!(r_type, R_X86_64_PC32 | R_X86_64_PLT32) {
                return 0;
            }
        } else if !self.admit(r_type, view, place) {
            return 0;
        }
        match r_type {
            R_X86_64_64 => self.absolute_word(reloc, view, place),
            R_X86_64_32 | R_X86_64_32S | R_X86_64_16 | R_X86_64_8 => {
                self.absolute_narrow(reloc, view, place);
            }
            R_X86_64_PC32 | R_X86_64_PC16 | R_X86_64_PC8 | R_X86_64_PC64 | R_X86_64_PC32_BND => {
                self.pc_relative(reloc, view, place);
            }
            R_X86_64_PLT32 | R_X86_64_PLT32_BND => {
                if view.is_imported() || view.is_local_ifunc() {
                    self.need(reloc, view, need::PLT);
                }
            }
            R_X86_64_PLTOFF64 => {
                self.out.needs_got_base = true;
                if view.is_imported() || view.is_local_ifunc() {
                    self.need(reloc, view, need::PLT);
                }
            }
            R_X86_64_GOTPCREL
            | R_X86_64_GOTPCRELX
            | R_X86_64_REX_GOTPCRELX
            | R_X86_64_CODE_4_GOTPCRELX
            | R_X86_64_CODE_5_GOTPCRELX
            | R_X86_64_CODE_6_GOTPCRELX => {
                let relaxed =
                    decide::got_form(self.input.relax, self.input.shape, view, self.bytes, reloc);
                if relaxed.is_none() {
                    self.need(reloc, view, need::GOT);
                }
            }
            R_X86_64_GOT32 | R_X86_64_GOT64 | R_X86_64_GOTPCREL64 | R_X86_64_GOTPLT64 => {
                self.out.needs_got_base = true;
                self.need(reloc, view, need::GOT);
            }
            R_X86_64_GOTOFF64 => {
                self.out.needs_got_base = true;
                if view.is_imported() || view.is_local_ifunc() {
                    self.pc_relative(reloc, view, place);
                }
            }
            R_X86_64_GOTPC32 | R_X86_64_GOTPC64 => self.out.needs_got_base = true,
            R_X86_64_SIZE32 | R_X86_64_SIZE64 => self.size(view, place),
            R_X86_64_GNU_VTINHERIT | R_X86_64_GNU_VTENTRY => {}
            _ => return self.thread_local(reloc, r_type, view, place, next),
        }
        0
    }

    /// Looks at symbols that are not plainly defined here; `false` if the relocation is reported.
    fn admit(&mut self, r_type: u32, view: SymbolView, place: RelocId) -> bool {
        if matches!(r_type, R_X86_64_GNU_VTINHERIT | R_X86_64_GNU_VTENTRY) {
            // The root of a hierarchy names a parent that nothing defines.
            return false;
        }
        if let Some(name) = view.name() {
            self.input.need_name(name, need::REFERENCED);
            if view.attributes & attr::START_STOP != 0 {
                self.out.started.push(name);
            }
            if view.attributes & attr::UNDEFINED != 0 {
                let tolerated = view.is_imported() || self.input.ignore_undefined;
                if !tolerated || self.input.report_undefined {
                    self.out.problems.push((place, Problem::Undefined));
                }
                return tolerated;
            }
        } else if view.section == NOWHERE
            && self.input.definitions.sections[self.section as usize].out
                != crate::read::section_names::known::GCC_EXCEPT_TABLE
            && !self.flags.has(SectionFlags::EH_FRAME)
        {
            self.out.problems.push((place, Problem::Discarded));
            return false;
        }
        true
    }

    #[inline(always)]
    fn need(&mut self, reloc: &Rela, view: SymbolView, bits: u8) {
        self.input.need(self.out, self.object, reloc, view, bits);
    }

    /// Whether the loader may write at `place`.
    fn is_writable(&mut self, place: RelocId) -> bool {
        if self.flags.has(SectionFlags::WRITE) {
            return true;
        }
        if self.input.allow_text_relocations {
            self.out.has_text_relocations = true;
            if self.input.warn_text_relocations {
                self.out.problems.push((place, Problem::AllowedTextRelocation));
            }
            return true;
        }
        false
    }

    /// A word that the loader can relocate.
    fn absolute_word(&mut self, reloc: &Rela, view: SymbolView, place: RelocId) {
        let name = view.name();
        if view.is_imported() {
            // Code that is not position-independent takes the symbol's own address here, if it can
            // be had, rather than having its pages written.
            let binds = !self.input.shape.is_pic
                && !self.flags.has(SectionFlags::WRITE)
                && (view.attributes & attr::FUNC != 0 || !self.input.no_copy_relocations);
            if binds {
                self.bind_here(reloc, view, place, Problem::TextRelocation);
            } else if self.is_writable(place) {
                self.out.symbolic.push((place, name.expect("imports have names")));
            } else {
                self.out.problems.push((place, Problem::TextRelocation));
            }
            return;
        }
        if view.is_local_ifunc() {
            let is_data = self.flags.has(SectionFlags::WRITE);
            if let Some(name) = name.filter(|_| self.input.shape.is_pic && is_data) {
                // The loader can call the resolver for this word; never for one in code, which it
                // cannot run while it writes there.
                return self.out.symbolic.push((place, name));
            }
            self.need(reloc, view, need::PLT | need::CANONICAL);
        }
        if self.input.shape.is_pic && !view.is_constant() {
            if self.is_writable(place) {
                self.relative += 1;
            } else {
                self.out.problems.push((place, Problem::TextRelocation));
            }
        }
    }

    /// A field too narrow for the loader: the value must be known now.
    fn absolute_narrow(&mut self, reloc: &Rela, view: SymbolView, place: RelocId) {
        if self.input.shape.is_pic && (view.is_imported() || !view.is_constant()) {
            self.out.problems.push((place, Problem::NeedsPic));
        } else if view.is_imported() {
            self.bind_here(reloc, view, place, Problem::NeedsPic);
        } else if view.is_local_ifunc() {
            self.need(reloc, view, need::PLT | need::CANONICAL);
        }
    }

    fn pc_relative(&mut self, reloc: &Rela, view: SymbolView, place: RelocId) {
        if view.is_imported() {
            self.bind_here(reloc, view, place, Problem::NeedsPic);
        } else if view.is_local_ifunc() {
            self.need(reloc, view, need::PLT | need::CANONICAL);
        }
    }

    /// An executable gives an imported symbol an address of its own: the PLT entry of a function,
    /// a copy of a variable.
    fn bind_here(&mut self, reloc: &Rela, view: SymbolView, place: RelocId, problem: Problem) {
        if self.input.shape.is_shared {
            return self.out.problems.push((place, problem));
        }
        if view.attributes & attr::FUNC != 0 {
            return self.need(reloc, view, need::PLT | need::CANONICAL);
        }
        if view.attributes & attr::SHARED != 0 {
            if self.input.no_copy_relocations {
                return self.out.problems.push((place, Problem::NoCopy));
            }
            if view.attributes & attr::PROTECTED != 0 {
                // The library would go on using its own.
                return self.out.problems.push((place, Problem::ProtectedCopy));
            }
            self.need(reloc, view, need::COPY);
        }
        // Undefined and tolerated, or weak: zero.
    }

    /// The size of a symbol that another module may define, which only the loader knows.
    fn size(&mut self, view: SymbolView, place: RelocId) {
        if !view.is_imported() {
            return;
        }
        if self.is_writable(place) {
            self.out.symbolic.push((place, view.name().expect("imports have names")));
        } else {
            self.out.problems.push((place, Problem::TextRelocation));
        }
    }

    /// Whether a name is defined here, and not as a thread-local variable.
    fn is_not_thread_local(&self, view: SymbolView) -> bool {
        view.name().is_some()
            && view.attributes & attr::TLS == 0
            && view.section < NOWHERE
            && !self.input.section(view.section).flags.has(SectionFlags::TLS)
    }

    fn thread_local(
        &mut self,
        reloc: &Rela,
        r_type: u32,
        view: SymbolView,
        place: RelocId,
        next: Option<&Rela>,
    ) -> usize {
        let shape = self.input.shape;
        let relax = self.relaxes_tls();
        if !is_thread_local(r_type) {
            self.out.problems.push((place, Problem::UnknownType));
            return 0;
        }
        if self.is_not_thread_local(view) {
            self.out.problems.push((place, Problem::TlsMismatch));
            return 0;
        }
        match r_type {
            R_X86_64_TLSGD => return self.general_dynamic(reloc, view, place, next),
            R_X86_64_TLSLD => return self.local_dynamic(reloc, place, next),
            R_X86_64_TLSDESC_CALL => {
                let model = decide::tls_model(shape, relax, view);
                let r_offset = reloc.r_offset.get() as usize;
                if model != TlsModel::Dynamic
                    && tls::descriptor_call(self.bytes, r_offset).is_none()
                {
                    self.out.problems.push((place, Problem::BadTlsSequence));
                }
            }
            R_X86_64_GOTTPOFF
            | R_X86_64_CODE_4_GOTTPOFF
            | R_X86_64_CODE_5_GOTTPOFF
            | R_X86_64_CODE_6_GOTTPOFF => {
                self.out.has_static_tls |= shape.is_shared;
                if decide::initial_exec(shape, relax, view, self.bytes, reloc).is_none() {
                    self.need(reloc, view, need::GOTTP);
                }
            }
            R_X86_64_TPOFF32 | R_X86_64_TPOFF64 => self.thread_offset(r_type, view, place),
            R_X86_64_GOTPC32_TLSDESC
            | R_X86_64_CODE_4_GOTPC32_TLSDESC
            | R_X86_64_CODE_5_GOTPC32_TLSDESC
            | R_X86_64_CODE_6_GOTPC32_TLSDESC => {
                let model = decide::tls_model(shape, relax, view);
                let recognized =
                    model == TlsModel::Dynamic || decide::descriptor(self.bytes, reloc).is_some();
                self.need_model(reloc, view, model, need::TLSDESC);
                if !recognized {
                    self.out.problems.push((place, Problem::BadTlsSequence));
                }
            }
            // The offset in the module's block needs nothing.
            _ => {}
        }
        0
    }

    fn relaxes_tls(&self) -> bool {
        self.input.relax || !self.input.shape.is_dynamic
    }

    /// Notes the slot that a model needs; `dynamic` is what the dynamic one does.
    fn need_model(&mut self, reloc: &Rela, view: SymbolView, model: TlsModel, dynamic: u8) {
        match model {
            TlsModel::Dynamic => self.need(reloc, view, dynamic),
            TlsModel::InitialExec => self.need(reloc, view, need::GOTTP),
            TlsModel::LocalExec => {}
        }
    }

    fn general_dynamic(
        &mut self,
        reloc: &Rela,
        view: SymbolView,
        place: RelocId,
        next: Option<&Rela>,
    ) -> usize {
        let model = decide::tls_model(self.input.shape, self.relaxes_tls(), view);
        self.need_model(reloc, view, model, need::TLSGD);
        if model == TlsModel::Dynamic {
            return 0;
        }
        let r_offset = reloc.r_offset.get() as usize;
        let next = next.map(decide::next_relocation);
        if tls::general_dynamic(self.bytes, r_offset, reloc.r_addend.get(), next).is_none() {
            self.out.problems.push((place, Problem::BadTlsSequence));
        }
        tls::FOLLOWING
    }

    fn local_dynamic(&mut self, reloc: &Rela, place: RelocId, next: Option<&Rela>) -> usize {
        if self.input.shape.is_shared || !self.relaxes_tls() {
            self.out.needs_tlsld = true;
            return 0;
        }
        let r_offset = reloc.r_offset.get() as usize;
        let next = next.map(decide::next_relocation);
        if tls::local_dynamic(self.bytes, r_offset, reloc.r_addend.get(), next).is_none() {
            self.out.problems.push((place, Problem::BadTlsSequence));
        }
        tls::FOLLOWING
    }

    /// A field with an offset from the thread pointer, which only executables know.
    fn thread_offset(&mut self, r_type: u32, view: SymbolView, place: RelocId) {
        if !self.input.shape.is_shared {
            if view.is_imported() && view.attributes & attr::UNDEF_WEAK == 0 {
                self.out.problems.push((place, Problem::NeedsPic));
            }
        } else if r_type == R_X86_64_TPOFF64 && self.is_writable(place) {
            self.out.has_static_tls = true;
            let name = view.name().filter(|_| view.is_imported()).unwrap_or(NO_NAME);
            self.out.symbolic.push((place, name));
        } else {
            self.out.problems.push((place, Problem::NeedsPic));
        }
    }
}

/// Stands for a name in [`ScanOutput::symbolic`] when the relocation refers to a symbol of this
/// output alone.
pub const NO_NAME: u32 = u32::MAX;
