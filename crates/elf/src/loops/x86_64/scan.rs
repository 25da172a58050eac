//! The scan loop: one visit of a live section marks what it refers to and notes what its
//! relocations need (x86-64 psABI, "Relocation Types" and "Dynamic Linking").
//!
//! Whatever this loop decides to relax, `apply.rs` relaxes by the same functions of
//! [`super::decide`]; a decision depends on the symbol, the output's kind and the original bytes
//! only.

use super::decide::{self, TlsModel};
use super::relax::{self, ShortForm};
use super::tls;
use crate::format::elf::{Rela, SymbolId};
use crate::machine::x86_64::howto::*;
use crate::read::ObjectId;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{Definition, SectionId, attr};
use crate::resolve::referent::{PackedReferent, ValueBase};
use crate::script::section_names::known;
use crate::select::marker::{Follow, Marker};
use crate::select::scan::{Problem, RelocId, ScanInput, ScanOutput, SymbolView, need};
use object::elf::*;
use skald_core::column::prefetch;
use skald_core::ids::IdSlice;
use std::sync::atomic::Ordering;

/// Relocation types below 64, as bits.
struct Types(u64);

impl Types {
    /// Types that need nothing from the scan if the symbol is defined in this output and not
    /// preemptible: the field is computed when it is written.
    const COMPUTED: u64 = 1 << R_X86_64_NONE
        | 1 << R_X86_64_PC64
        | 1 << R_X86_64_PC32
        | 1 << R_X86_64_PC16
        | 1 << R_X86_64_PC8
        | 1 << R_X86_64_PC32_BND
        | 1 << R_X86_64_PLT32
        | 1 << R_X86_64_PLT32_BND
        | 1 << R_X86_64_SIZE32
        | 1 << R_X86_64_SIZE64;
    /// Likewise, if the output is at fixed addresses.
    const ABSOLUTE: u64 = 1 << R_X86_64_64
        | 1 << R_X86_64_32
        | 1 << R_X86_64_32S
        | 1 << R_X86_64_16
        | 1 << R_X86_64_8;

    fn computed(is_pic: bool) -> Types {
        Types(if is_pic { Types::COMPUTED } else { Types::COMPUTED | Types::ABSOLUTE })
    }

    #[inline(always)]
    fn has(&self, r_type: u32) -> bool {
        r_type < u64::BITS && self.0 >> r_type & 1 != 0
    }
}

/// [`scan_range`] where references are followed.
pub fn follow(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: &[Rela],
    first: u32,
    out: &mut ScanOutput,
    marker: &mut Follow<'_>,
) {
    scan_range(input, id, section, relocs, first, out, marker);
}

/// Scans `relocs`, which are those of `section` from index `first` on.
///
/// Nine of ten refer to a plain definition, and are done after one load from
/// [`ScanInput::direct`]; calls of imports are next; [`scan_other`] takes the others.
#[inline(always)]
pub fn scan_range(
    input: &ScanInput<'_>,
    id: SectionId,
    section: &InputSection,
    relocs: &[Rela],
    first: u32,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
) {
    let is_pic = input.shape.is_pic;
    let plain = Plain {
        direct: input.direct(section.object),
        computed: Types::computed(is_pic),
        has_relative: is_pic && section.flags.has(SectionFlags::WRITE),
    };
    let mut relative = 0;
    let rest = plain.scan(relocs, &mut relative, marker);
    if !rest.is_empty() {
        let range = Range { id, section, relocs, first };
        relative += plain.scan_rest(input, &range, rest, out, marker);
    }
    if relative != 0 {
        // `.eh_frame` is scanned record by record; other sections are visited once.
        input.relative[id].fetch_add(relative, Ordering::Relaxed);
    }
}

/// Relocations ahead whose instructions are prefetched, for a look at those that may be rewritten.
const INSTRUCTION_DISTANCE: usize = 4;

/// Relocations of a section, or of a part of one.
struct Range<'a> {
    id: SectionId,
    section: &'a InputSection,
    relocs: &'a [Rela],
    /// Index of the first of them among the section's.
    first: u32,
}

/// Handles references that need no GOT or PLT entry, no message and no dynamic relocation.
struct Plain<'a> {
    direct: &'a IdSlice<SymbolId, PackedReferent>,
    computed: Types,
    /// Words with an address get a relative relocation: the output is position-independent.
    has_relative: bool,
}

impl Plain<'_> {
    /// Handles relocations up to the first that needs a closer look; returns those from it on.
    #[inline(always)]
    fn scan<'r>(
        &self,
        mut relocs: &'r [Rela],
        relative: &mut u32,
        marker: &mut impl Marker,
    ) -> &'r [Rela] {
        while let [reloc, rest @ ..] = relocs {
            let direct = self.direct.get(reloc.symbol());
            let Some(target) = direct.and_then(|direct| direct.section()) else { break };
            let r_type = reloc.r_type();
            if r_type != R_X86_64_PC32 && r_type != R_X86_64_PLT32 {
                let is_relative = r_type == R_X86_64_64 && self.has_relative;
                if !self.computed.has(r_type) && !is_relative {
                    break;
                }
                *relative += u32::from(is_relative);
            }
            marker.mark(target);
            relocs = rest;
        }
        relocs
    }

    /// Handles `rest`, the end of `range` from the first relocation on that needs a closer look;
    /// returns how many become relative. A function of its own, so that sections with nothing else
    /// have a small loop without setup.
    #[inline(never)]
    fn scan_rest(
        &self,
        input: &ScanInput<'_>,
        range: &Range<'_>,
        mut rest: &[Rela],
        out: &mut ScanOutput,
        marker: &mut impl Marker,
    ) -> u32 {
        let mut relative = 0;
        let bytes = input.objects[range.section.object].bytes(range.section);
        while let [reloc, tail @ ..] = rest {
            if let Some(ahead) = tail.get(INSTRUCTION_DISTANCE) {
                prefetch(bytes, ahead.r_offset() as usize);
            }
            let mut next = tail;
            let is_done = self.is_known_call(input, reloc, marker)
                || self.is_common_load(input, range.section, bytes, reloc, marker);
            if !is_done {
                let index = range.relocs.len() - rest.len();
                let handled = scan_other(input, range, index, out, marker);
                next = rest.get(handled..).unwrap_or_default();
            }
            rest = self.scan(next, &mut relative, marker);
        }
        relative
    }

    /// For a call of an imported function: marks the section of its definition in this output, if
    /// there is one. Returns whether that is all, because another call was scanned before.
    #[inline(always)]
    fn is_known_call(&self, input: &ScanInput<'_>, reloc: &Rela, marker: &mut impl Marker) -> bool {
        const NOTED: need::Bits = need::PLT | need::REFERENCED;
        let Some(&target) = self.direct.get(reloc.symbol()) else { return false };
        if reloc.r_type() != R_X86_64_PLT32 {
            return false;
        }
        let Some(name) = target.name() else { return false };
        let Definition { value_base, attributes } = input.definitions.globals[name];
        let is_import =
            attributes & (attr::IMPORTED | attr::UNDEFINED | attr::START_STOP) == attr::IMPORTED;
        if !is_import || input.needs[name].load(Ordering::Relaxed) & NOTED != NOTED {
            return false;
        }
        if let Some(section) = value_base.section() {
            marker.mark(section);
        }
        true
    }

    /// Handles a GOT load of a plain symbol's address, if the instruction has a common form.
    #[inline(never)]
    fn is_common_load(
        &self,
        input: &ScanInput<'_>,
        section: &InputSection,
        bytes: &[u8],
        reloc: &Rela,
        marker: &mut impl Marker,
    ) -> bool {
        let symbol = reloc.symbol();
        let direct = self.direct.get(symbol);
        let Some(target) = direct.and_then(|direct| direct.section()) else { return false };
        match relax::short_form(bytes, reloc) {
            None => return false,
            Some(ShortForm::Slot) => match input.targets(section.object)[symbol].name() {
                Some(name) => input.need_name(name, need::GOT),
                None => return false,
            },
            Some(_) if !input.relax => return false,
            Some(_) => {}
        }
        marker.mark(target);
        true
    }
}

/// Handles the relocation at `index` of `range`, whatever it is; returns how many were handled.
#[inline(never)]
fn scan_other(
    input: &ScanInput<'_>,
    range: &Range<'_>,
    index: usize,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
) -> usize {
    let &Range { id, section, relocs, first } = range;
    let reloc = &relocs[index];
    let r_type = reloc.r_type();
    let place = RelocId { section: id, index: first + index as u32 };
    let Some(view) = input.symbol(section.object, reloc.symbol()) else {
        out.problems.push((place, Problem::BadSymbol));
        return 1;
    };
    if let Some(section) = view.value_base.section() {
        marker.mark(section);
    }
    if r_type == R_X86_64_NONE {
        return 1;
    }
    let bytes = input.objects[section.object].bytes(section);
    let mut scan = Scan {
        input,
        out,
        object: section.object,
        section: id,
        flags: section.flags,
        bytes,
        relative: 0,
    };
    let following = scan.relocation(reloc, r_type, view, place, relocs.get(index + 1));
    if scan.relative != 0 {
        input.relative[id].fetch_add(scan.relative, Ordering::Relaxed);
    }
    1 + following
}

struct Scan<'a, 'b> {
    input: &'a ScanInput<'a>,
    out: &'b mut ScanOutput,
    object: ObjectId,
    section: SectionId,
    flags: SectionFlags,
    bytes: &'static [u8],
    relative: u32,
}

impl Scan<'_, '_> {
    /// Handles one relocation; returns how many of the following ones belong to it.
    fn relocation(
        &mut self,
        reloc: &Rela,
        r_type: u32,
        view: SymbolView,
        place: RelocId,
        next: Option<&Rela>,
    ) -> usize {
        let is_plain =
            view.attributes & attr::NOT_PLAIN == 0 && view.value_base.section().is_some();
        if !is_plain && !self.admit(r_type, view, place) {
            return 0;
        }
        if view.attributes & attr::TLS != 0 && self.is_mistaken(reloc, r_type, view) {
            self.out.problems.push((place, Problem::PlainReferenceToTls));
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
                } else {
                    self.steady_distance(view, place);
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
                let is_undefined = view.attributes & attr::UNDEF_WEAK != 0;
                if view.is_imported() || view.is_local_ifunc() || is_undefined {
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

    /// Whether a reference to a thread-local variable treats it as a plain one, and was made where
    /// it was declared as such: an object that defines the variable may ask for its first value.
    fn is_mistaken(&self, reloc: &Rela, r_type: u32, view: SymbolView) -> bool {
        let is_plain = !is_thread_local(r_type)
            && !matches!(
                r_type,
                R_X86_64_SIZE32 | R_X86_64_SIZE64 | R_X86_64_GNU_VTINHERIT | R_X86_64_GNU_VTENTRY
            );
        let symbols = self.input.objects[self.object].mapped.symbols;
        let symbol = symbols.get(reloc.symbol());
        // What a script assigns is an address to whoever asks for that.
        let is_assigned = view.attributes & attr::SYNTHETIC != 0;
        is_plain && !is_assigned && symbol.is_some_and(|symbol| symbol.kind() != STT_TLS)
    }

    /// Handles symbols that are not plainly defined here: reports undefined ones. `false` if the
    /// relocation is done with that.
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
                // A name that this output must define is an error whatever options say of undefined
                // ones.
                let is_own = view.attributes & attr::OWN != 0;
                let tolerated = view.is_imported() || (self.input.ignore_undefined && !is_own);
                if !tolerated || self.input.report_undefined {
                    self.out.problems.push((place, Problem::Undefined));
                }
                return tolerated;
            }
        }
        if self.input.is_gone(view)
            && !self.flags.has(SectionFlags::EH_FRAME)
            && !self.is_common_exception_table()
        {
            self.out.problems.push((place, Problem::Discarded));
            return false;
        }
        true
    }

    /// Whether the section is the exception table of all functions of its object, also of those in
    /// dropped groups, whose entries nothing asks for. A table of one function is dropped with it.
    #[cold]
    fn is_common_exception_table(&self) -> bool {
        let section = &self.input.definitions.sections[self.section];
        section.class.is(known::GCC_EXCEPT_TABLE)
            && self.input.objects[self.object].section_name(section.shndx) == b".gcc_except_table"
    }

    #[inline(always)]
    fn need(&mut self, reloc: &Rela, view: SymbolView, bits: need::Bits) {
        self.input.need(self.out, self.object, reloc, view, bits);
    }

    /// Whether the loader may write at `place`; reports it if not.
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
            if self.is_zero(view) {
                return self.weak_word(view, place);
            }
            // Code that is not position-independent takes the symbol's own address here, if it can
            // be had, rather than having its pages written.
            let binds = !self.input.shape.is_pic
                && !self.flags.has(SectionFlags::WRITE)
                && (view.attributes & attr::FUNC != 0 || !self.input.no_copy_relocations);
            if binds {
                self.bind_here(reloc, view, place, Problem::TextRelocation);
            } else if self.is_writable(place) {
                self.out.symbolic.push((place, name.expect("imports have names").into()));
            } else {
                self.out.problems.push((place, Problem::TextRelocation));
            }
            return;
        }
        let is_data = self.flags.has(SectionFlags::WRITE);
        if view.is_local_ifunc() {
            if let Some(name) = name.filter(|_| self.input.shape.is_pic && is_data) {
                // The loader can call the resolver for this word; never for one in code, which it
                // cannot run while it writes there.
                return self.out.symbolic.push((place, name.into()));
            }
            self.need(reloc, view, need::PLT | need::CANONICAL);
        }
        if self.input.shape.is_pic && view.is_relative_word(is_data) {
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
            let is_for_loader = self.input.narrow_dynamic
                && reloc.r_type() == R_X86_64_32
                && !view.is_local_ifunc();
            if is_for_loader && self.is_writable(place) {
                let name = view.name().filter(|_| view.is_imported());
                return self.out.symbolic.push((place, name.into()));
            }
            self.out.problems.push((place, Problem::NeedsPic));
        } else if view.is_imported() {
            self.bind_here(reloc, view, place, Problem::NeedsPic);
        } else if view.is_local_ifunc() {
            self.need(reloc, view, need::PLT | need::CANONICAL);
        }
    }

    fn pc_relative(&mut self, reloc: &Rela, view: SymbolView, place: RelocId) {
        if view.attributes & attr::UNDEF_WEAK != 0 {
            self.distance_to_nothing(reloc, view, place);
        } else if view.is_imported() {
            self.bind_here(reloc, view, place, Problem::NeedsPic);
        } else if view.is_local_ifunc() {
            self.need(reloc, view, need::PLT | need::CANONICAL);
        } else {
            self.steady_distance(view, place);
        }
    }

    /// The distance to a weak symbol that nothing defines, whose address is zero: it is known only
    /// where that of the field is. A definition at the image's start it must not become.
    fn distance_to_nothing(&mut self, reloc: &Rela, view: SymbolView, place: RelocId) {
        // A strong reference gets here only where options let it be undefined.
        if !self.input.shape.is_pic || view.attributes & attr::UNDEFINED != 0 {
            return self.fixed_weak(view);
        }
        match (reloc.r_type() == R_X86_64_PC64, view.name()) {
            (true, Some(name)) if view.is_imported() => {
                if self.is_writable(place) {
                    self.out.symbolic.push((place, name.into()));
                } else {
                    self.out.problems.push((place, Problem::TextRelocation));
                }
            }
            // Other linkers accept it.
            (true, _) => {}
            (false, _) => self.out.problems.push((place, Problem::DistanceToNothing)),
        }
    }

    /// Whether a weak reference without a definition is taken as zero in a program unless another
    /// one imports the name. It is in code, which the loader shall not write to, and in programs at
    /// fixed addresses wherever the reference is not through the GOT.
    fn is_zero(&self, view: SymbolView) -> bool {
        let shape = self.input.shape;
        view.attributes & attr::UNDEF_WEAK != 0
            && !shape.is_shared
            && (!shape.is_pic || !self.flags.has(SectionFlags::WRITE))
    }

    /// Reports the distance to an absolute symbol in position-independent output: it is unknown
    /// until the loader chooses an address. Symbols of options are accepted, as by lld: users can
    /// know.
    fn steady_distance(&mut self, view: SymbolView, place: RelocId) {
        if self.input.shape.is_pic
            && view.value_base == ValueBase::ABSOLUTE
            && view.attributes & attr::SYNTHETIC == 0
        {
            self.out.problems.push((place, Problem::FixedAddress));
        }
    }

    /// An executable gives an imported symbol an address of its own: the PLT entry of a function,
    /// a copy of a variable.
    fn bind_here(&mut self, reloc: &Rela, view: SymbolView, place: RelocId, problem: Problem) {
        if self.input.shape.is_shared {
            if reloc.r_type() == R_X86_64_PC64 && self.is_writable(place) {
                // A distance of 64 bits is one that the loader can write.
                let name = view.name().expect("imports have names");
                return self.out.symbolic.push((place, name.into()));
            }
            return self.out.problems.push((place, problem));
        }
        if view.attributes & attr::FUNC != 0 {
            if view.attributes & attr::PROTECTED != 0 && !self.input.define_protected {
                // The library would go on using its own address, and pointers would differ.
                return self.out.problems.push((place, Problem::ProtectedAddress));
            }
            return self.need(reloc, view, need::PLT | need::CANONICAL);
        }
        if view.attributes & attr::SHARED != 0 {
            if self.input.no_copy_relocations {
                return self.out.problems.push((place, Problem::NoCopy));
            }
            if view.attributes & attr::PROTECTED != 0 && !self.input.copy_protected {
                // The library would go on using its own.
                return self.out.problems.push((place, Problem::ProtectedCopy));
            }
            if view.attributes & attr::EMPTY != 0 {
                return self.out.problems.push((place, Problem::EmptyCopy));
            }
            self.need(reloc, view, need::COPY);
        }
        // Undefined where that is allowed, or weak: zero.
        if view.attributes & attr::UNDEF_WEAK != 0 {
            self.fixed_weak(view);
        }
    }

    /// A field with the address of an undefined weak name that only the linker can fill.
    fn fixed_weak(&mut self, view: SymbolView) {
        if let (true, Some(name)) = (view.is_imported(), view.name()) {
            self.out.weak_fields.fixed.push(name);
        }
    }

    /// A word with such an address, of which [`Self::is_zero`] holds. Words in read-only memory of
    /// a program at a fixed address are not worth having its pages written.
    fn weak_word(&mut self, view: SymbolView, place: RelocId) {
        if !self.input.shape.is_pic && !self.flags.has(SectionFlags::WRITE) {
            self.fixed_weak(view);
        } else if let Some(name) = view.name() {
            self.out.weak_fields.words.push((place, name));
        }
    }

    /// The size of a symbol that another module may define, which only the loader knows.
    fn size(&mut self, view: SymbolView, place: RelocId) {
        if view.is_imported() && !self.is_zero(view) {
            self.out.sizes.push((place, view.name().expect("imports have names")));
        }
    }

    /// Whether a name is defined, and not as a thread-local variable.
    fn is_not_thread_local(&self, view: SymbolView) -> bool {
        view.name().is_some()
            && view.attributes & attr::TLS == 0
            && (view.attributes & attr::SHARED != 0
                || view.value_base.section().is_some_and(|section| {
                    !self.input.section(section).flags.has(SectionFlags::TLS)
                }))
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
                let r_offset = reloc.r_offset() as usize;
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
            R_X86_64_DTPOFF32 | R_X86_64_DTPOFF64 if view.attributes & attr::SHARED != 0 => {
                self.out.problems.push((place, Problem::ForeignTlsBlock));
            }
            // Offsets in the module's TLS block need nothing.
            _ => {}
        }
        0
    }

    fn relaxes_tls(&self) -> bool {
        self.input.relax || !self.input.shape.is_dynamic
    }

    /// Notes the slot that `model` needs; `dynamic` notes that of [`TlsModel::Dynamic`].
    fn need_model(&mut self, reloc: &Rela, view: SymbolView, model: TlsModel, dynamic: need::Bits) {
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
        let r_offset = reloc.r_offset() as usize;
        let next = next.map(decide::next_relocation);
        if tls::general_dynamic(self.bytes, r_offset, reloc.r_addend(), next).is_none() {
            self.out.problems.push((place, Problem::BadTlsSequence));
        }
        tls::FOLLOWING
    }

    fn local_dynamic(&mut self, reloc: &Rela, place: RelocId, next: Option<&Rela>) -> usize {
        if self.input.shape.is_shared || !self.relaxes_tls() {
            self.out.needs_tlsld = true;
            return 0;
        }
        let r_offset = reloc.r_offset() as usize;
        let next = next.map(decide::next_relocation);
        if tls::local_dynamic(self.bytes, r_offset, reloc.r_addend(), next).is_none() {
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
            let name = view.name().filter(|_| view.is_imported());
            self.out.symbolic.push((place, name.into()));
        } else {
            self.out.problems.push((place, Problem::NeedsPic));
        }
    }
}
