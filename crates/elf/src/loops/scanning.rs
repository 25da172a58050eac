//! What a scanned relocation needs, in terms that all machines share: a word, a narrow field, a
//! distance, a size, an offset from the thread pointer. A machine's scan is a `match` over its
//! types that calls these; what they must know of a type is an argument.
//!
//! Sources: gABI chapters 4 and 5 for binding and dynamic relocations, Drepper, "ELF Handling For
//! Thread-Local Storage". Copies of variables, canonical PLT entries and undefined weak symbols are
//! as in GNU ld.

use super::tls_model::{TlsModel, tls_model};
use crate::format::elf::Rela;
use crate::read::ObjectId;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::{SectionId, attr};
use crate::resolve::referent::{PackedReferent, ValueBase};
use crate::script::section_names::known;
use crate::select::marker::Marker;
use crate::select::scan::{Problem, RelocId, ScanInput, ScanOutput, SymbolView, need};
use object::elf::*;
use skald_core::ids::OptionalId;
use std::sync::atomic::Ordering;

/// Relocations of a section, or of a part of one.
pub struct Range<'a> {
    /// The section.
    pub id: SectionId,
    /// Its record.
    pub section: &'a InputSection,
    /// The relocations.
    pub relocs: &'a [Rela],
    /// Index of the first of them among the section's.
    pub first: u32,
}

/// A relocation with what it refers to.
#[derive(Clone, Copy)]
pub struct Reference<'a> {
    /// The relocation.
    pub reloc: &'a Rela,
    /// Its symbol.
    pub view: SymbolView,
    /// Which it is, for messages and for the loader.
    pub place: RelocId,
}

/// A section that is scanned, and where its needs go.
pub struct Scan<'a, 'b> {
    /// What scanning reads, and columns that it writes.
    pub input: &'a ScanInput<'a>,
    /// Lists that scanning writes.
    pub out: &'b mut ScanOutput,
    /// The object of the section.
    pub object: ObjectId,
    /// The section.
    pub section: SectionId,
    /// Its flags.
    pub flags: SectionFlags,
    /// Its bytes as the object has them.
    pub bytes: &'static [u8],
    /// How many relative relocations it needs, of those that were scanned by this.
    pub relative: u32,
}

/// Handles the relocation at `index` of `range`, whatever it is; returns how many were handled.
/// `one` is the machine's part, which knows the types: it returns how many of the following
/// relocations belong to this one.
#[inline(always)]
pub fn scan_at(
    input: &ScanInput<'_>,
    range: &Range<'_>,
    index: usize,
    out: &mut ScanOutput,
    marker: &mut impl Marker,
    one: impl FnOnce(&mut Scan<'_, '_>, Reference<'_>, Option<&Rela>) -> usize,
) -> usize {
    let &Range { id, section, relocs, first } = range;
    let reloc = &relocs[index];
    let place = RelocId { section: id, index: first + index as u32 };
    let Some(view) = input.symbol(section.object, reloc.symbol()) else {
        out.problems.push((place, Problem::BadSymbol));
        return 1;
    };
    if let Some(section) = view.value_base.section() {
        marker.mark(section);
    }
    // R_*_NONE, whatever the machine.
    if reloc.r_type() == 0 {
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
    let following = one(&mut scan, Reference { reloc, view, place }, relocs.get(index + 1));
    if scan.relative != 0 {
        input.relative[id].fetch_add(scan.relative, Ordering::Relaxed);
    }
    1 + following
}

impl Scan<'_, '_> {
    /// Reports a relocation.
    #[inline]
    pub fn report(&mut self, place: RelocId, problem: Problem) {
        self.out.problems.push((place, problem));
    }

    /// Handles symbols that are not plainly defined here: reports undefined ones. `false` if the
    /// relocation is done with that. `is_mark`: it is a mark of vtables and no reference.
    #[inline(always)]
    pub fn admits(&mut self, view: SymbolView, place: RelocId, is_mark: bool) -> bool {
        let is_plain =
            view.attributes & attr::NOT_PLAIN == 0 && view.value_base.section().is_some();
        is_plain || self.admits_other(view, place, is_mark)
    }

    #[inline(always)]
    fn admits_other(&mut self, view: SymbolView, place: RelocId, is_mark: bool) -> bool {
        if is_mark {
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
                    self.report(place, Problem::Undefined);
                }
                return tolerated;
            }
        }
        if self.input.is_gone(view)
            && !self.flags.has(SectionFlags::EH_FRAME)
            && !self.is_common_exception_table()
        {
            self.report(place, Problem::Discarded);
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

    /// For a reference to a thread-local variable, of a type that treats it as a plain one: whether
    /// it was made where the variable was declared as such, which is reported. An object that
    /// defines the variable may ask for its first value.
    pub fn is_mistaken(&mut self, reference: Reference<'_>) -> bool {
        let Reference { reloc, view, place } = reference;
        let symbols = self.input.objects[self.object].mapped.symbols;
        let symbol = symbols.get(reloc.symbol());
        // What a script assigns is an address to whoever asks for that.
        let is_assigned = view.attributes & attr::SYNTHETIC != 0;
        let is_mistaken = !is_assigned && symbol.is_some_and(|symbol| symbol.kind() != STT_TLS);
        if is_mistaken {
            self.report(place, Problem::PlainReferenceToTls);
        }
        is_mistaken
    }

    /// Notes what a reference needs.
    #[inline(always)]
    pub fn need(&mut self, reference: Reference<'_>, bits: need::Bits) {
        self.input.need(self.out, self.object, reference.reloc, reference.view, bits);
    }

    /// Whether the loader may write at `place`; reports it if not.
    pub fn is_writable(&mut self, place: RelocId) -> bool {
        if self.flags.has(SectionFlags::WRITE) {
            return true;
        }
        if self.input.allow_text_relocations {
            self.out.has_text_relocations = true;
            if self.input.warn_text_relocations {
                self.report(place, Problem::AllowedTextRelocation);
            }
            return true;
        }
        false
    }

    /// A word that the loader can relocate.
    #[inline(always)]
    pub fn absolute_word(&mut self, reference: Reference<'_>) {
        let Reference { view, place, .. } = reference;
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
                self.bind_here(reference, Problem::TextRelocation, false);
            } else if self.is_writable(place) {
                self.out.symbolic.push((place, name.expect("imports have names").into()));
            } else {
                self.report(place, Problem::TextRelocation);
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
            self.need(reference, need::PLT | need::CANONICAL);
        }
        if self.input.shape.is_pic && view.is_relative_word(is_data) {
            if self.is_writable(place) {
                self.relative += 1;
            } else {
                self.report(place, Problem::TextRelocation);
            }
        }
    }

    /// The same for a type that means such a word by another number.
    pub fn other_word(&mut self, reference: Reference<'_>) {
        let before = self.relative;
        self.absolute_word(reference);
        if std::mem::replace(&mut self.relative, before) != before {
            self.out.symbolic.push((reference.place, OptionalId::NONE));
        }
    }

    /// A field too narrow for a word of the loader: the value must be known now. `has_dynamic`: the
    /// loader knows a relocation of this type, which options may ask for.
    pub fn absolute_narrow(&mut self, reference: Reference<'_>, has_dynamic: bool) {
        let Reference { view, place, .. } = reference;
        if self.input.shape.is_pic && (view.is_imported() || !view.is_constant()) {
            let is_for_loader = self.input.narrow_dynamic && has_dynamic && !view.is_local_ifunc();
            if is_for_loader && self.is_writable(place) {
                let name = view.name().filter(|_| view.is_imported());
                return self.out.symbolic.push((place, name.into()));
            }
            self.report(place, Problem::NeedsPic);
        } else if view.is_imported() {
            self.bind_here(reference, Problem::NeedsPic, false);
        } else if view.is_local_ifunc() {
            self.need(reference, need::PLT | need::CANONICAL);
        }
    }

    /// A field with the distance of the symbol. `has_dynamic`: the loader knows a relocation of
    /// this type.
    pub fn distance(&mut self, reference: Reference<'_>, has_dynamic: bool) {
        let Reference { view, place, .. } = reference;
        if view.attributes & attr::UNDEF_WEAK != 0 {
            self.distance_to_nothing(reference, has_dynamic);
        } else if view.is_imported() {
            self.bind_here(reference, Problem::NeedsPic, has_dynamic);
        } else if view.is_local_ifunc() {
            self.need(reference, need::PLT | need::CANONICAL);
        } else {
            self.steady_distance(view, place);
        }
    }

    /// A branch: what is bound elsewhere is reached through the PLT.
    #[inline(always)]
    pub fn branch(&mut self, reference: Reference<'_>) {
        let view = reference.view;
        if view.is_imported() || view.is_local_ifunc() {
            self.need(reference, need::PLT);
        } else {
            self.steady_distance(view, reference.place);
        }
    }

    /// A call of the function that the machine's types call without naming it.
    pub fn implied_call(&mut self, place: RelocId) {
        let Some(name) = self.input.definitions.implied_call.get() else {
            return self.report(place, Problem::Undefined);
        };
        let view = SymbolView::new(self.input.definitions, PackedReferent::global(name));
        self.input.need_name(name, need::REFERENCED);
        if view.is_imported() {
            self.input.need_name(name, need::PLT);
        } else if view.attributes & attr::UNDEFINED != 0 {
            self.report(place, Problem::Undefined);
        }
    }

    /// Whether a symbol is weak and undefined, also at run time, and its distance from code is
    /// unknown because the output is position-independent: such code gets some address, as the ABI
    /// allows. Where another module may define the symbol, it is an import like any other.
    pub fn has_no_address(&self, view: SymbolView) -> bool {
        self.input.shape.is_pic && view.attributes & attr::UNDEF_WEAK != 0 && !view.is_imported()
    }

    /// The lowest bits of an address, where another field has the distance of its page.
    pub fn place_in_page(&mut self, reference: Reference<'_>) {
        let view = reference.view;
        if view.is_imported() {
            self.bind_here(reference, Problem::NeedsPic, false);
        } else if view.is_local_ifunc() {
            self.need(reference, need::PLT | need::CANONICAL);
        }
    }

    /// The distance to a weak symbol that nothing defines, whose address is zero: it is known only
    /// where that of the field is. A definition at the image's start it must not become.
    fn distance_to_nothing(&mut self, reference: Reference<'_>, has_dynamic: bool) {
        let Reference { view, place, .. } = reference;
        // A strong reference gets here only where options let it be undefined.
        if !self.input.shape.is_pic || view.attributes & attr::UNDEFINED != 0 {
            return self.fixed_weak(view);
        }
        match (has_dynamic, view.name()) {
            (true, Some(name)) if view.is_imported() => {
                if self.is_writable(place) {
                    self.out.symbolic.push((place, name.into()));
                } else {
                    self.report(place, Problem::TextRelocation);
                }
            }
            // Other linkers accept it.
            (true, _) => {}
            (false, _) => self.report(place, Problem::DistanceToNothing),
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
    pub fn steady_distance(&mut self, view: SymbolView, place: RelocId) {
        if self.input.shape.is_pic
            && view.value_base == ValueBase::ABSOLUTE
            && view.attributes & attr::SYNTHETIC == 0
        {
            self.report(place, Problem::FixedAddress);
        }
    }

    /// An executable gives an imported symbol an address of its own: the PLT entry of a function,
    /// a copy of a variable. In a shared library that is a `problem`, unless the loader can write
    /// the field (`has_dynamic`).
    fn bind_here(&mut self, reference: Reference<'_>, problem: Problem, has_dynamic: bool) {
        let Reference { view, place, .. } = reference;
        if self.input.shape.is_shared {
            if has_dynamic && self.is_writable(place) {
                // A distance that the loader can write.
                let name = view.name().expect("imports have names");
                return self.out.symbolic.push((place, name.into()));
            }
            return self.report(place, problem);
        }
        if view.attributes & attr::FUNC != 0 {
            if view.attributes & attr::PROTECTED != 0 && !self.input.define_protected {
                // The library would go on using its own address, and pointers would differ.
                return self.report(place, Problem::ProtectedAddress);
            }
            return self.need(reference, need::PLT | need::CANONICAL);
        }
        if view.attributes & attr::SHARED != 0 {
            if self.input.no_copy_relocations {
                return self.report(place, Problem::NoCopy);
            }
            if view.attributes & attr::PROTECTED != 0 && !self.input.copy_protected {
                // The library would go on using its own.
                return self.report(place, Problem::ProtectedCopy);
            }
            if view.attributes & attr::EMPTY != 0 {
                return self.report(place, Problem::EmptyCopy);
            }
            self.need(reference, need::COPY);
        }
        // Undefined where that is allowed, or weak: zero.
        if view.attributes & attr::UNDEF_WEAK != 0 {
            self.fixed_weak(view);
        }
    }

    /// Whether a symbol of a library cannot have an address in the program, so that
    /// [`Scan::distance`] would report a problem.
    pub fn stays_in_library(&self, view: SymbolView) -> bool {
        let has = |attribute| view.attributes & attribute != 0;
        let input = self.input;
        if has(attr::FUNC) {
            return has(attr::PROTECTED) && !input.define_protected;
        }
        let is_kept = has(attr::PROTECTED) && !input.copy_protected;
        has(attr::SHARED) && (input.no_copy_relocations || is_kept || has(attr::EMPTY))
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
    pub fn size(&mut self, view: SymbolView, place: RelocId) {
        if view.is_imported() && !self.is_zero(view) {
            self.out.sizes.push((place, view.name().expect("imports have names")));
        }
    }

    /// Whether a type for thread-local variables refers to a name that is defined, and not as one;
    /// reports it.
    pub fn is_not_thread_local(&mut self, view: SymbolView, place: RelocId) -> bool {
        let is_other = view.name().is_some()
            && view.attributes & attr::TLS == 0
            && (view.attributes & attr::SHARED != 0
                || view.value_base.section().is_some_and(|section| {
                    !self.input.section(section).flags.has(SectionFlags::TLS)
                }));
        if is_other {
            self.report(place, Problem::TlsMismatch);
        }
        is_other
    }

    /// Reports an offset in this module's TLS block of a library's variable.
    pub fn own_block(&mut self, view: SymbolView, place: RelocId) {
        if view.attributes & attr::SHARED != 0 {
            self.report(place, Problem::ForeignTlsBlock);
        }
    }

    /// Whether TLS sequences are rewritten. Without a loader nothing could fill the words of
    /// others.
    pub fn relaxes_tls(&self) -> bool {
        self.input.relax || !self.input.shape.is_dynamic
    }

    /// The model for a reference to a variable by a call.
    pub fn tls_model(&self, view: SymbolView) -> TlsModel {
        tls_model(self.input.shape, self.relaxes_tls(), view)
    }

    /// Notes the slot that `model` needs; `dynamic` notes that of [`TlsModel::Dynamic`].
    pub fn need_model(&mut self, reference: Reference<'_>, model: TlsModel, dynamic: need::Bits) {
        match model {
            TlsModel::Dynamic => self.need(reference, dynamic),
            TlsModel::InitialExec => self.need(reference, need::GOTTP),
            TlsModel::LocalExec => {}
        }
    }

    /// A field with an offset from the thread pointer, which only executables know. `has_dynamic`:
    /// the loader knows a relocation of this type.
    pub fn thread_offset(&mut self, view: SymbolView, place: RelocId, has_dynamic: bool) {
        if !self.input.shape.is_shared {
            if view.is_imported() && view.attributes & attr::UNDEF_WEAK == 0 {
                self.report(place, Problem::NeedsPic);
            }
        } else if has_dynamic && self.is_writable(place) {
            self.out.has_static_tls = true;
            let name = view.name().filter(|_| view.is_imported());
            self.out.symbolic.push((place, name.into()));
        } else {
            self.report(place, Problem::NeedsPic);
        }
    }
}
