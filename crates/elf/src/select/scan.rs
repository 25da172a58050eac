//! What relocations of live sections need: GOT and PLT slots, copies, dynamic relocations.
//!
//! The loops are the machine's (`arch/*/scan.rs`), called once a section; here are the columns
//! they read and write. A live section is visited once, for marking and scanning together.

use crate::arch::Target;
use crate::format::elf::{Rela, SymbolId};
use crate::read::object_file::InputSection;
use crate::read::{ObjectId, Objects};
use crate::resolve::definitions::{Definition, Definitions, SectionId, attr};
use crate::resolve::dynamic::OutputShape;
use crate::resolve::referent::{Home, PackedReferent};
use skald_core::ids::{IdSlice, OptionalId};
use skald_core::names::NameId;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// Bits of [`ScanInput::needs`]: what a name's references need.
#[allow(missing_docs)]
pub mod need {
    pub const GOT: u8 = 1;
    pub const PLT: u8 = 1 << 1;
    /// GOT slot with the offset from the thread pointer.
    pub const GOTTP: u8 = 1 << 2;
    /// Two GOT slots for `__tls_get_addr`.
    pub const TLSGD: u8 = 1 << 3;
    pub const TLSDESC: u8 = 1 << 4;
    /// A copy of a shared object's variable.
    pub const COPY: u8 = 1 << 5;
    /// The address of the PLT entry is the function's address.
    pub const CANONICAL: u8 = 1 << 6;
    /// A live section refers to it.
    pub const REFERENCED: u8 = 1 << 7;
}

/// What the scan loops read.
pub struct ScanInput<'a> {
    /// The machine.
    pub target: &'static Target,
    /// Objects.
    pub objects: &'a Objects,
    /// Sections, targets, definitions.
    pub definitions: &'a Definitions,
    /// By symbol of each object, as [`Definitions::target`]: the section of a plain definition in
    /// place of its name; whatever has no section needs a closer look.
    pub direct: &'a [PackedReferent],
    /// By name: see [`need`].
    pub needs: &'a IdSlice<NameId, AtomicU8>,
    /// By section: dynamic relative relocations.
    pub relative: &'a IdSlice<SectionId, AtomicU32>,
    /// What is made.
    pub shape: OutputShape,
    /// Instructions may be rewritten: `--no-relax` is not given, and the output is small enough
    /// for every distance to fit 31 bits.
    pub relax: bool,
    /// No `-z text`: dynamic relocations in read-only sections are allowed.
    pub allow_text_relocations: bool,
    /// `-z nocopyreloc`.
    pub no_copy_relocations: bool,
    /// `--ignore-data-address-equality`: protected variables of libraries may be copied.
    pub copy_protected: bool,
    /// `--ignore-function-address-equality`: protected functions of libraries may have a second
    /// address.
    pub define_protected: bool,
    /// Undefined names are no error.
    pub ignore_undefined: bool,
    /// Undefined names are reported in any case (`--warn-unresolved-symbols`).
    pub report_undefined: bool,
    /// Each dynamic relocation in a read-only section is told of.
    pub warn_text_relocations: bool,
    /// `-z noreloc-overflow`: the loader may be given 32-bit fields.
    pub narrow_dynamic: bool,
}

/// A relocation in an input section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RelocId {
    /// Section.
    pub section: SectionId,
    /// Index among its relocations.
    pub index: u32,
}

/// What one worker found; joined and sorted afterwards.
#[derive(Debug, Default)]
pub struct ScanOutput {
    /// Needs of local symbols: `(object, symbol, bits)`.
    pub local_needs: Vec<(ObjectId, SymbolId, u8)>,
    /// Dynamic relocations against a name, or none where the relocation refers to a symbol of this
    /// output alone.
    pub symbolic: Vec<(RelocId, OptionalId<NameId>)>,
    /// Relocations that cannot be.
    pub problems: Vec<(RelocId, Problem)>,
    /// A module-local TLS index is needed.
    pub needs_tlsld: bool,
    /// Something is computed from the GOT's address.
    pub needs_got_base: bool,
    /// DF_STATIC_TLS.
    pub has_static_tls: bool,
    /// DT_TEXTREL.
    pub has_text_relocations: bool,
    /// `__start_`/`__stop_` names seen in the section being visited.
    pub started: Vec<NameId>,
}

/// Why a relocation cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Problem {
    /// The symbol is not defined.
    Undefined,
    /// The type has no meaning that is known.
    UnknownType,
    /// Position-independent output cannot hold it.
    NeedsPic,
    /// It would need a relocation of read-only memory.
    TextRelocation,
    /// It needs a relocation of read-only memory, which is allowed.
    AllowedTextRelocation,
    /// The symbol is in a section that another file's group replaces, or that is left out.
    Discarded,
    /// The distance to an absolute symbol from code that the loader moves.
    FixedAddress,
    /// A TLS code sequence that must be rewritten is not one that is known.
    BadTlsSequence,
    /// `-z nocopyreloc`.
    NoCopy,
    /// A copy of a variable that its library does not let others replace.
    ProtectedCopy,
    /// An address of its own for a function whose library does not let others replace it.
    ProtectedAddress,
    /// A copy of a variable without a size.
    EmptyCopy,
    /// The distance to a weak symbol that nothing defines, from code that the loader moves.
    DistanceToNothing,
    /// The symbol index lies outside the symbol table.
    BadSymbol,
    /// The place lies outside the section.
    BadPlace,
    /// A TLS relocation against a symbol that is not thread-local, or the reverse.
    TlsMismatch,
    /// A plain reference to a thread-local variable by an object that does not know it is one.
    PlainReferenceToTls,
}

/// A relocation's symbol as scanning sees it.
#[derive(Debug, Clone, Copy)]
pub struct SymbolView {
    /// What it stands for.
    pub target: PackedReferent,
    /// Where that is.
    pub home: Home,
    /// [`attr`] bits; those of a local symbol are just DEFINED.
    pub attributes: u32,
}

impl SymbolView {
    /// What is known of a symbol that stands for `target`.
    #[inline(always)]
    pub fn new(definitions: &Definitions, target: PackedReferent) -> SymbolView {
        if let Some(home) = target.home() {
            return SymbolView { target, home, attributes: attr::DEFINED };
        }
        let name = target.name().expect("what has no home of its own");
        let Definition { home, attributes } = definitions.globals[name];
        SymbolView { target, home, attributes }
    }

    /// Whether the dynamic linker binds it.
    #[inline(always)]
    pub fn is_imported(self) -> bool {
        self.attributes & attr::IMPORTED != 0
    }

    /// Whether the address is chosen by a resolver of this output at run time.
    #[inline(always)]
    pub fn is_local_ifunc(self) -> bool {
        self.attributes & (attr::IFUNC | attr::IMPORTED) == attr::IFUNC
    }

    /// Whether the value does not move with the output: absolute, or undefined and taken as zero.
    #[inline(always)]
    pub fn is_constant(self) -> bool {
        self.home == Home::ABSOLUTE
            || (self.home == Home::NOWHERE && self.attributes & attr::SYNTHETIC == 0)
    }

    /// Whether a word with its address needs a relative relocation where the output may move:
    /// the one place that says so, to those who count and to those who write. `is_data`: it is in
    /// a section that can be written, where an IFUNC's address comes from its resolver; elsewhere
    /// it is that of the PLT entry.
    #[inline(always)]
    pub fn is_relative_word(self, is_data: bool) -> bool {
        // Nearly all: a place in a section of this output.
        if self.attributes & (attr::IMPORTED | attr::IFUNC) == 0 && self.home.section().is_some() {
            return true;
        }
        let is_resolved = self.is_local_ifunc() && is_data;
        !self.is_imported() && !self.is_constant() && !is_resolved
    }

    /// Name id.
    #[inline(always)]
    pub fn name(self) -> Option<NameId> {
        self.target.name()
    }
}

impl ScanInput<'_> {
    /// What a relocation of `object` refers to.
    #[inline(always)]
    pub fn symbol(&self, object: ObjectId, symbol: SymbolId) -> Option<SymbolView> {
        let target = *self.targets(object).get(symbol)?;
        Some(SymbolView::new(self.definitions, target))
    }

    /// Whether the only definitions are in sections that were dropped. Symbols of those that are
    /// merely not copied, such as debug information, have a value.
    #[inline]
    pub fn is_gone(&self, view: SymbolView) -> bool {
        const ELSEWHERE: u32 =
            attr::SHARED | attr::IMPORTED | attr::UNDEF_WEAK | attr::UNDEFINED | attr::SYNTHETIC;
        view.home == Home::NOWHERE && view.attributes & ELSEWHERE == 0 && self.is_dropped(view)
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

    /// Targets of one object's symbols.
    #[inline(always)]
    pub fn targets(&self, object: ObjectId) -> &IdSlice<SymbolId, PackedReferent> {
        self.definitions.targets_of(object)
    }

    /// [`ScanInput::direct`] of one object.
    #[inline(always)]
    pub fn direct(&self, object: ObjectId) -> &IdSlice<SymbolId, PackedReferent> {
        self.definitions.symbols_of(self.direct, object)
    }

    /// Notes needs of a symbol; a plain load when they are known already.
    #[inline(always)]
    pub fn need(
        &self,
        out: &mut ScanOutput,
        object: ObjectId,
        reloc: &Rela,
        view: SymbolView,
        bits: u8,
    ) {
        match view.name() {
            Some(name) => self.need_name(name, bits),
            None => out.local_needs.push((object, reloc.symbol(), bits)),
        }
    }

    /// Notes needs of a name.
    #[inline(always)]
    pub fn need_name(&self, name: NameId, bits: u8) {
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
    /// Adds what another worker found. Order does not matter: the lists are sorted afterwards.
    pub fn absorb(&mut self, mut other: ScanOutput) {
        self.local_needs.append(&mut other.local_needs);
        self.symbolic.append(&mut other.symbolic);
        self.problems.append(&mut other.problems);
        self.needs_tlsld |= other.needs_tlsld;
        self.needs_got_base |= other.needs_got_base;
        self.has_static_tls |= other.has_static_tls;
        self.has_text_relocations |= other.has_text_relocations;
    }
}
