//! What the letters of relocation formulas stand for, when they are applied: P place, L the PLT
//! entry, G the word of the GOT, Z a size, TP and the TLS block. The formulas are the machine's.

use crate::format::elf::Rela;
use crate::read::object_file::{InputSection, SectionFlags};
use crate::resolve::definitions::attr;
use crate::script::section_names::known;
use crate::select::scan::SymbolView;
use crate::synth::image::Image;
use crate::synth::patch::Patch;
use crate::synth::slots::SlotSet;
use crate::synth::values;

/// A section that is relocated, and where its symbols are.
#[derive(Clone, Copy)]
pub struct Operands<'a> {
    /// The frozen tables.
    pub image: &'a Image<'a>,
    /// The section and its relocations.
    pub patch: &'a Patch<'a>,
}

impl<'a> Operands<'a> {
    /// Offset of the field in the output's copy of the part.
    #[inline(always)]
    pub fn out_offset(self, reloc: &Rela) -> usize {
        reloc.r_offset().wrapping_sub(self.patch.section_offset) as usize
    }

    /// P: address of the field.
    #[inline(always)]
    pub fn place(self, reloc: &Rela) -> u64 {
        self.patch.address.wrapping_add(reloc.r_offset().wrapping_sub(self.patch.section_offset))
    }

    /// The symbol.
    pub fn view(self, reloc: &Rela) -> SymbolView {
        self.image.view(self.patch.section.object, reloc.symbol())
    }

    /// GOT words and PLT entries of the symbol.
    pub fn slots(self, reloc: &Rela) -> Option<&'a SlotSet> {
        self.image.slots_of(self.patch.section.object, reloc.symbol())
    }

    /// Z, the symbol's size; zero where the loader writes it, because another module may define the
    /// symbol. A copied variable is the program's own.
    pub fn size(self, reloc: &Rela) -> u64 {
        let view = self.view(reloc);
        match view.name().filter(|_| view.is_imported()) {
            Some(name) if self.image.is_copy(name) => self.image.shared_size(name),
            Some(_) => 0,
            None => self.image.symbol_size(self.patch.section.object, reloc.symbol()),
        }
    }

    /// L, address of the PLT entry, or of the function if it has none; zero if it is undefined.
    pub fn function_address(self, reloc: &Rela) -> u64 {
        let name = self.view(reloc).name();
        match name.and_then(|name| self.image.slots.set_of_name(name)) {
            Some(position) => self.image.plt_entry(position).unwrap_or(0),
            None => 0,
        }
    }

    /// The address of the function that relocations call without naming it: that of its PLT entry,
    /// if it is bound at run time.
    pub fn implied_call(self) -> u64 {
        let Some(name) = self.image.definitions.implied_call.get() else { return 0 };
        let own = values::plain(self.image.values.of_name[name]);
        let entry = |name| self.image.plt_entry(self.image.slots.set_of_name(name)?);
        own.filter(|&own| own != 0).or_else(|| entry(name)).unwrap_or(0)
    }

    /// The address of a symbol in this output, even if another module's definition may be used at
    /// run time. For sections that are not loaded: debug information describes the definitions in
    /// this output.
    pub fn own_address(self, reloc: &Rela) -> Option<u64> {
        if self.patch.section.flags.has(SectionFlags::ALLOC) {
            return None;
        }
        self.defined_address(reloc)
    }

    /// The same in any section, for code that is in the same output as the definition.
    pub fn defined_address(self, reloc: &Rela) -> Option<u64> {
        let name = self.view(reloc).name()?;
        let global = self.image.definitions.globals[name];
        let is_here = global.has(attr::DEFINED) && !global.has(attr::SHARED);
        is_here.then(|| self.image.values.of_name[name]).and_then(values::plain)
    }

    /// The address that code uses for a symbol bound at run time: that of the PLT entry. It is zero
    /// for an undefined weak reference, even if calls of the name have an entry.
    pub fn fixed_address(self, reloc: &Rela) -> u64 {
        match self.view(reloc).attributes & attr::UNDEF_WEAK {
            0 => self.function_address(reloc),
            _ => 0,
        }
    }

    /// Address of the GOT word with the symbol's address.
    pub fn got_address(self, reloc: &Rela) -> u64 {
        self.slots(reloc).map_or(0, |set| self.image.got_word(set.got))
    }

    /// The offset from the thread pointer; 0 for a variable that nothing defines, as in lld.
    pub fn tpoff(self, view: SymbolView, s: u64) -> u64 {
        match view.attributes & attr::NO_DEFINITION {
            0 => s.wrapping_sub(self.image.thread_pointer),
            _ => 0,
        }
    }

    /// The offset in the module's TLS block; 0 for a variable that nothing in it defines.
    pub fn dtpoff(self, view: SymbolView, s: u64) -> u64 {
        match view.attributes & (attr::NO_DEFINITION | attr::SHARED) {
            0 => s.wrapping_sub(self.image.tls_start),
            _ => 0,
        }
    }

    /// Address of the GOT word with the offset from the thread pointer.
    pub fn gottp(self, reloc: &Rela) -> u64 {
        self.slots(reloc).map_or(0, |set| self.image.got_word(set.gottp))
    }

    /// Address of the GOT word with the offset in the module's TLS block.
    pub fn gotdtp(self, reloc: &Rela) -> u64 {
        self.slots(reloc).map_or(0, |set| self.image.got_word(set.gotdtp))
    }

    /// Address of the GOT word with the negative of that offset.
    pub fn negative_gottp(self, reloc: &Rela) -> u64 {
        self.slots(reloc).map_or(0, |set| self.image.got_word(set.negative_gottp))
    }

    /// Address of the first of the two GOT words that `__tls_get_addr` is given.
    pub fn tlsgd(self, reloc: &Rela) -> u64 {
        self.slots(reloc).map_or(0, |set| self.image.got_word(set.tlsgd))
    }

    /// Address of the TLS descriptor.
    pub fn tlsdesc(self, reloc: &Rela) -> u64 {
        self.slots(reloc).map_or(0, |set| self.image.got_word(set.tlsdesc))
    }

    /// Address of the GOT word with the symbol's signed address.
    pub fn signed_got(self, reloc: &Rela) -> u64 {
        self.slots(reloc).map_or(0, |set| self.image.got_word(set.signed_got))
    }

    /// Address of the TLS descriptor of signed pointers.
    pub fn signed_tlsdesc(self, reloc: &Rela) -> u64 {
        self.slots(reloc).map_or(0, |set| self.image.got_word(set.signed_tlsdesc))
    }

    /// Whether TLS sequences are rewritten, as scanning had it.
    pub fn relaxes_tls(self) -> bool {
        self.image.relax || !self.image.shape.is_dynamic
    }
}

/// The value that replaces the address of a discarded section in a debug section: that of `-z
/// dead-reloc-in-nonalloc`, or else 0, or 1 where 0 would end a list.
pub fn tombstone(image: &Image<'_>, section: &InputSection) -> u64 {
    if !image.dead_values.is_empty() {
        let name = image.objects[section.object].section_name(section.shndx);
        let mut rules = image.dead_values.iter().rev();
        if let Some((_, value)) = rules.find(|(glob, _)| glob.matches(name)) {
            return *value;
        }
    }
    let ends_list =
        section.class.is(known::DEBUG_FIRST + 5) || section.class.is(known::DEBUG_FIRST + 7);
    u64::from(ends_list)
}

/// Whether a section of debug information treats folded sections as dropped. All do but the line
/// table, by which breakpoints in folded functions are found.
#[cold]
pub fn hides_folded(image: &Image<'_>, section: &InputSection) -> bool {
    let name = image.objects[section.object].section_name(section.shndx);
    (name.starts_with(b".debug_") && name != b".debug_line")
        || (name.starts_with(b".zdebug_") && name != b".zdebug_line")
}

/// Debug information of a program with folded sections: it describes them as if they were gone,
/// since of two functions at one address debuggers would find any. Calls `each` with the indices of
/// relocations that follow each other, and whether all of them are to folded sections.
#[cold]
pub fn without_folded(
    image: &Image<'_>,
    patch: &Patch<'_>,
    mut each: impl FnMut(std::ops::Range<usize>, bool),
) {
    let targets = image.definitions.targets_of(patch.section.object);
    let is_folded = |reloc: &Rela| {
        let Some(&target) = targets.get(reloc.symbol()) else { return false };
        let section = image.definitions.section_of(target);
        section.is_some_and(|section| image.liveness.is_folded(section))
    };
    let mut start = 0;
    for run in patch.relocs.chunk_by(|a, b| is_folded(a) == is_folded(b)) {
        let end = start + run.len();
        each(start..end, is_folded(&run[0]));
        start = end;
    }
}
