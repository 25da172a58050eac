//! What relocations of live sections need: GOT and PLT slots, copies, dynamic relocations.
//!
//! The loops are the machine's (`loops/*/scan.rs`), called once for each section; this file has the
//! columns that they read and write. Marking and scanning visit a live section together, once.

use super::tagged_globals::TaggedGlobals;
use super::undefined_weak::WeakFields;
use crate::args::processors::PlatformTypes;
use crate::format::elf::{Rela, SymbolId};
use crate::read::object_file::InputSection;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definition, Definitions, SectionId, attr};
use crate::resolve::dynamic::OutputShape;
use crate::resolve::referent::{PackedReferent, ValueBase};
use skald_core::ids::{IdSlice, OptionalId};
use skald_core::names::NameId;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

/// Bits of [`ScanInput::needs`]: what references to a name need.
#[allow(missing_docs)]
pub mod need {
    /// Bits of one name: twice as many as x86-64 has, as other machines have more kinds of slots.
    pub type Bits = u16;

    pub const GOT: Bits = 1;
    pub const PLT: Bits = 1 << 1;
    /// A GOT word with the offset from the thread pointer (initial exec).
    pub const GOTTP: Bits = 1 << 2;
    /// Two GOT words for `__tls_get_addr` (general dynamic).
    pub const TLSGD: Bits = 1 << 3;
    pub const TLSDESC: Bits = 1 << 4;
    /// A copy of a shared object's variable (R_COPY).
    pub const COPY: Bits = 1 << 5;
    /// Its address is taken: the PLT entry's address is the function's address in all modules.
    pub const CANONICAL: Bits = 1 << 6;
    /// A relocation of a live section refers to the name.
    pub const REFERENCED: Bits = 1 << 7;
    /// A GOT word with the negative of [`GOTTP`]'s, which code subtracts (Sun's dialect on i386).
    pub const NEGATIVE_GOTTP: Bits = 1 << 8;
    /// A GOT word with the signed address.
    pub const SIGNED_GOT: Bits = 1 << 9;
    /// A TLS descriptor whose words are signed.
    pub const SIGNED_TLSDESC: Bits = 1 << 10;
    /// A GOT word with the offset in the module's TLS block.
    pub const GOTDTP: Bits = 1 << 11;
}

/// By name, bits of [`need`].
pub type Needs = IdSlice<NameId, AtomicU16>;

/// The tables that scan loops read, and columns that they write.
pub struct ScanInput<'a> {
    /// The objects that are linked.
    pub objects: &'a Objects,
    /// Section records, what each symbol refers to, and the definition of each name.
    pub definitions: &'a Definitions,
    /// By symbol, laid out like [`Definitions::target`]: a symbol whose name has a plain definition
    /// refers to the definition's section instead of the name. Symbols that refer to no section
    /// must be looked up.
    pub direct: &'a [PackedReferent],
    /// By name, bits of [`need`].
    pub needs: &'a Needs,
    /// By section, how many relative dynamic relocations it needs.
    pub relative: &'a IdSlice<SectionId, AtomicU32>,
    /// Executable, PIE or shared, and whether there is a dynamic linker.
    pub shape: OutputShape,
    /// Instructions may be rewritten: `--no-relax` is not given, and the output is small enough
    /// for every distance to fit 31 bits.
    pub relax: bool,
    /// Variables in tagged memory.
    pub tagged: &'a TaggedGlobals,
    /// What types mean whose meaning the platform decides.
    pub platform_types: PlatformTypes,
    /// No `-z text`: dynamic relocations in read-only sections are allowed.
    pub allow_text_relocations: bool,
    /// `-z nocopyreloc`: references that need a copy are errors.
    pub no_copy_relocations: bool,
    /// `--ignore-data-address-equality`: protected variables of libraries may be copied.
    pub copy_protected: bool,
    /// `--ignore-function-address-equality`: protected functions of libraries may have a second
    /// address, that of a PLT entry.
    pub define_protected: bool,
    /// Undefined names are not reported.
    pub ignore_undefined: bool,
    /// Undefined names are reported even where they could be imported
    /// (`--warn-unresolved-symbols`).
    pub report_undefined: bool,
    /// Every dynamic relocation in a read-only section is reported as a warning.
    pub warn_text_relocations: bool,
    /// `-z noreloc-overflow`: 32-bit fields may get dynamic relocations.
    pub narrow_dynamic: bool,
    /// The loader finds symbols in words of the GOT: `Machine::listed_got`.
    pub has_listed_got: bool,
}

/// A relocation of an input section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RelocId {
    /// The section whose bytes are relocated.
    pub section: SectionId,
    /// Index among the section's relocations.
    pub index: u32,
}

/// The results of one worker's scan; results of all are joined and sorted.
#[derive(Debug, Default)]
pub struct ScanOutput {
    /// Needs of local symbols: `(object, symbol, bits)`.
    pub local_needs: Vec<(ObjectId, SymbolId, need::Bits)>,
    /// Dynamic relocations with a symbol; there is no name if the relocation refers to a local
    /// symbol of this output.
    pub symbolic: Vec<(RelocId, OptionalId<NameId>)>,
    /// Relocations for the size of an imported symbol. Only after scanning is it known which
    /// variables are copied, and hence have a known size.
    pub sizes: Vec<(RelocId, NameId)>,
    /// Fields that hold addresses of undefined weak names. Their value is known only after
    /// scanning.
    pub weak_fields: WeakFields,
    /// Sections with loads of a symbol's address from the GOT that cannot be rewritten although the
    /// symbol allows it: then none of that symbol in the section is.
    pub kept_loads: Vec<(SectionId, SymbolId)>,
    /// Sections of which a word of the GOT has the page.
    pub paged: Vec<SectionId>,
    /// Symbols and addends whose sum has a word of the GOT.
    pub placed: Vec<(ObjectId, SymbolId, i64)>,
    /// Relocations that must be reported, and why.
    pub problems: Vec<(RelocId, Problem)>,
    /// A GOT pair for this module's TLS index (local dynamic) is needed.
    pub needs_tlsld: bool,
    /// A relocation uses the address of the GOT.
    pub needs_got_base: bool,
    /// Code has instructions that only newer processors have, so that the linker's own may, too.
    pub has_new_instructions: bool,
    /// A branch that may need a thunk leads to a place that is in no section.
    pub has_far_branches: bool,
    /// DF_STATIC_TLS: initial-exec references exist.
    pub has_static_tls: bool,
    /// DT_TEXTREL: read-only sections have dynamic relocations.
    pub has_text_relocations: bool,
    /// `__start_`/`__stop_` names that the section being visited refers to.
    pub started: Vec<NameId>,
}

/// Why a relocation is reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Problem {
    /// The symbol is not defined.
    Undefined,
    /// The relocation type is not known for this machine.
    UnknownType,
    /// Position-independent output cannot hold the value: the code needs -fPIC.
    NeedsPic,
    /// It needs a dynamic relocation in a read-only section.
    TextRelocation,
    /// It needs a dynamic relocation in a read-only section, which options allow.
    AllowedTextRelocation,
    /// The symbol is in a section that another file's group replaces, or that is discarded.
    Discarded,
    /// A PC-relative reference to an absolute symbol, from code whose own address is not fixed.
    FixedAddress,
    /// A TLS code sequence that must be rewritten is not one of the ABI's.
    BadTlsSequence,
    /// A GOT entry for a thread-local variable is that of a place in it, not of the variable.
    ThreadSlotAddend,
    /// It needs a copy relocation, which `-z nocopyreloc` forbids.
    NoCopy,
    /// It needs a copy of a variable that is protected in its library.
    ProtectedCopy,
    /// It needs a PLT address for a function that is protected in its library.
    ProtectedAddress,
    /// It needs a copy of a variable whose `st_size` is 0.
    EmptyCopy,
    /// A PC-relative reference to an undefined weak symbol, from code whose own address is not
    /// fixed.
    DistanceToNothing,
    /// The symbol index is outside of the symbol table.
    BadSymbol,
    /// `r_offset` is outside of the section.
    BadPlace,
    /// A TLS relocation against a symbol that is not STT_TLS, or the reverse.
    TlsMismatch,
    /// A reference without TLS relocation to a thread-local variable.
    PlainReferenceToTls,
    /// An offset in this module's TLS block, of a library's variable.
    ForeignTlsBlock,
    /// The function is chosen at run time, which the psABI has no relocation for.
    NoIfunc,
    /// The GOT is called: the code is for a PLT and a GOT that are code.
    CalledGot,
}

/// A relocation's symbol as scanning sees it.
#[derive(Debug, Clone, Copy)]
pub struct SymbolView {
    /// What the symbol refers to.
    pub target: PackedReferent,
    /// What the symbol's value is relative to.
    pub value_base: ValueBase,
    /// [`attr`] bits of the name; just DEFINED for a local symbol.
    pub attributes: u32,
}

impl SymbolView {
    /// The view of a symbol that refers to `target`.
    #[inline(always)]
    pub fn new(definitions: &Definitions, target: PackedReferent) -> SymbolView {
        if let Some(value_base) = target.value_base() {
            return SymbolView { target, value_base, attributes: attr::DEFINED };
        }
        let name = target.name().expect("a symbol that is not local");
        let Definition { value_base, attributes } = definitions.globals[name];
        SymbolView { target, value_base, attributes }
    }

    /// Whether the dynamic linker binds it.
    #[inline(always)]
    pub fn is_imported(self) -> bool {
        self.attributes & attr::IMPORTED != 0
    }

    /// Whether it is an IFUNC of this output: its resolver gives the address at run time.
    #[inline(always)]
    pub fn is_local_ifunc(self) -> bool {
        self.attributes & (attr::IFUNC | attr::IMPORTED) == attr::IFUNC
    }

    /// Whether its value does not move with the output: absolute, or undefined and zero.
    #[inline(always)]
    pub fn is_constant(self) -> bool {
        self.value_base == ValueBase::ABSOLUTE
            || (self.value_base == ValueBase::NOWHERE && self.attributes & attr::SYNTHETIC == 0)
    }

    /// Whether nothing defines it, here or at run time: its address is zero.
    pub fn is_nothing(self) -> bool {
        !self.is_imported()
            && self.value_base == ValueBase::NOWHERE
            && self.attributes & attr::SYNTHETIC == 0
    }

    /// Whether a word with its address needs a relative relocation in position-independent output.
    /// Counting and writing both use this function. `is_data`: the word is in a writable section,
    /// where an IFUNC's address comes from its resolver; elsewhere the address of the PLT entry is
    /// used.
    #[inline(always)]
    pub fn is_relative_word(self, is_data: bool) -> bool {
        // Nearly all symbols: an address in a section of this output.
        if self.attributes & (attr::IMPORTED | attr::IFUNC) == 0
            && self.value_base.section().is_some()
        {
            return true;
        }
        let is_resolved = self.is_local_ifunc() && is_data;
        !self.is_imported() && !self.is_constant() && !is_resolved
    }

    /// Name id; `None` for a local symbol.
    #[inline(always)]
    pub fn name(self) -> Option<NameId> {
        self.target.name()
    }
}

impl ScanInput<'_> {
    /// The symbol of a relocation of `object`; `None` if the index is out of range.
    #[inline(always)]
    pub fn symbol(&self, object: ObjectId, symbol: SymbolId) -> Option<SymbolView> {
        let target = *self.targets(object).get(symbol)?;
        Some(SymbolView::new(self.definitions, target))
    }

    /// Whether the symbol's only definitions are in dropped sections. A symbol in a section that is
    /// merely not loaded or copied, such as debug information, has a value.
    #[inline]
    pub fn is_gone(&self, view: SymbolView) -> bool {
        const ELSEWHERE: u32 =
            attr::SHARED | attr::IMPORTED | attr::UNDEF_WEAK | attr::UNDEFINED | attr::SYNTHETIC;
        if view.attributes & attr::DISCARDED != 0 {
            return true;
        }
        view.value_base == ValueBase::NOWHERE
            && view.attributes & ELSEWHERE == 0
            && self.is_dropped(view)
    }

    #[cold]
    fn is_dropped(&self, view: SymbolView) -> bool {
        let Some(name) = view.name() else { return true };
        if view.attributes & attr::DEFINED == 0 {
            return !self.ignore_undefined;
        }
        let rank = self.definitions.ranks[name];
        let object = &self.objects[rank.object()];
        object.symbol_section(rank.symbol()).is_some()
    }

    /// What the symbols of one object refer to.
    #[inline(always)]
    pub fn targets(&self, object: ObjectId) -> &IdSlice<SymbolId, PackedReferent> {
        self.definitions.targets_of(object)
    }

    /// One object's part of [`ScanInput::direct`].
    #[inline(always)]
    pub fn direct(&self, object: ObjectId) -> &IdSlice<SymbolId, PackedReferent> {
        self.definitions.symbols_of(self.direct, object)
    }

    /// Adds need bits of a symbol; if they are set already this only loads them.
    #[inline(always)]
    pub fn need(
        &self,
        out: &mut ScanOutput,
        object: ObjectId,
        reloc: &Rela,
        view: SymbolView,
        bits: need::Bits,
    ) {
        match view.name() {
            Some(name) => self.need_name(name, bits),
            None => out.local_needs.push((object, reloc.symbol(), bits)),
        }
    }

    /// Adds need bits of a name.
    #[inline(always)]
    pub fn need_name(&self, name: NameId, bits: need::Bits) {
        let needs = &self.needs[name];
        if needs.load(Ordering::Relaxed) & bits != bits {
            needs.fetch_or(bits, Ordering::Relaxed);
        }
    }

    /// The record of a section.
    #[inline(always)]
    pub fn section(&self, id: SectionId) -> &InputSection {
        &self.definitions.sections[id]
    }
}

impl ScanOutput {
    /// Gives names that the loader looks up for words of data a word of the GOT, if it finds them
    /// there.
    pub fn settle_listed_words(&self, input: &ScanInput<'_>) {
        if !input.has_listed_got {
            return;
        }
        for name in self.symbolic.iter().filter_map(|&(_, name)| name.get()) {
            input.need_name(name, need::GOT);
        }
    }

    /// Adds another worker's results. The order does not matter: the lists are sorted afterwards.
    pub fn absorb(&mut self, mut other: ScanOutput) {
        self.local_needs.append(&mut other.local_needs);
        self.symbolic.append(&mut other.symbolic);
        self.sizes.append(&mut other.sizes);
        self.weak_fields.append(&mut other.weak_fields);
        self.kept_loads.append(&mut other.kept_loads);
        self.paged.append(&mut other.paged);
        self.placed.append(&mut other.placed);
        self.problems.append(&mut other.problems);
        self.needs_tlsld |= other.needs_tlsld;
        self.needs_got_base |= other.needs_got_base;
        self.has_new_instructions |= other.has_new_instructions;
        self.has_far_branches |= other.has_far_branches;
        self.has_static_tls |= other.has_static_tls;
        self.has_text_relocations |= other.has_text_relocations;
    }

    /// Leaves relocations for sizes of symbols to the loader, except for copied variables. `input`
    /// has the needs of all relocations.
    pub fn settle_sizes(&mut self, input: &ScanInput<'_>) {
        let is_copied = |name: NameId| input.needs[name].load(Ordering::Relaxed) & need::COPY != 0;
        for (place, name) in std::mem::take(&mut self.sizes) {
            if !is_copied(name) {
                self.leave_to_loader(input, place, name);
            }
        }
    }
}
