//! Looks up symbols by name, local ones included: where they are, or why their sections cannot be
//! ordered.

use super::requested::OrderInput;
use crate::args::Unresolved;
use crate::format::elf::SymbolId;
use crate::read::{FileId, ObjectId};
use crate::resolve::definitions::{SectionId, Strength, attr};
use crate::resolve::names::references::ref_flags;
use crate::resolve::referent::ValueBase;
use object::elf::{SHN_UNDEF, STT_FILE, STT_SECTION};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedMap;

/// A symbol of a name that was asked for, and where it is defined.
#[derive(Debug, Clone, Copy)]
pub struct NamedSymbol {
    /// The file that defines it, or else the first that refers to it.
    file: Option<FileId>,
    /// Where its definition is.
    pub place: Place,
}

/// Where the definition of a symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In a section that reaches the output.
    Section(SectionId),
    /// No file defines it.
    Undefined,
    /// In a shared library.
    Shared,
    /// SHN_ABS: its value is a number.
    Absolute,
    /// The linker defines it.
    Synthetic,
    /// In a section that does not reach the output.
    Discarded,
}

/// For each of `names`, the symbols with that name: a global one first, then local ones in the
/// order of files.
pub fn find(input: &OrderInput<'_>, names: &[&[u8]]) -> Vec<Vec<NamedSymbol>> {
    let finder = Finder { input };
    let mut found: Vec<Vec<NamedSymbol>> = vec![Vec::new(); names.len()];
    let mut undefined = UnorderedMap::new();
    for (at, name) in names.iter().enumerate() {
        let Some(id) = input.extraction.names.find_text(name) else {
            continue;
        };
        let global = finder.global(id);
        if global.is_some_and(|global| global.file.is_none() && global.place == Place::Undefined) {
            undefined.insert(id, at);
        }
        found[at].extend(global);
    }
    finder.name_referrers(undefined, &mut found);
    let wanted: UnorderedMap<&[u8], usize> =
        names.iter().enumerate().map(|(at, &name)| (name, at)).collect();
    let locals: Vec<Vec<(usize, NamedSymbol)>> =
        input.objects.par_ids().map(|at| finder.locals(at, &wanted)).collect();
    for (at, local) in locals.into_iter().flatten() {
        found[at].push(local);
    }
    found
}

struct Finder<'a> {
    input: &'a OrderInput<'a>,
}

impl Finder<'_> {
    /// A global name; `None` if no file mentions it.
    fn global(&self, id: NameId) -> Option<NamedSymbol> {
        let definitions = &self.input.definitions;
        let (global, rank) = (definitions.globals[id], definitions.ranks[id]);
        let references = self.input.extraction.refs.get(id);
        if global.has(attr::SYNTHETIC) {
            return Some(NamedSymbol { file: None, place: Place::Synthetic });
        }
        match rank.strength() {
            Strength::Shared => {
                let file = self.input.candidates.shared[rank.library()].file;
                Some(NamedSymbol { file, place: Place::Shared })
            }
            Strength::Undefined => {
                let referred = ref_flags::UNDEF_STRONG
                    | ref_flags::UNDEF_WEAK
                    | ref_flags::SHARED_REF
                    | ref_flags::ROOT;
                let lazy = references.lazy();
                (lazy.is_some() || references.flags() & referred != 0)
                    .then_some(NamedSymbol { file: lazy, place: Place::Undefined })
            }
            _ => {
                let file = self.input.objects[rank.object()].file;
                Some(NamedSymbol { file, place: self.place(global.value_base) })
            }
        }
    }

    fn place(&self, value_base: ValueBase) -> Place {
        match value_base.section() {
            None if value_base == ValueBase::ABSOLUTE => Place::Absolute,
            Some(id) if self.input.live.is_live(id) => Place::Section(id),
            Some(id) if self.input.live.is_folded(id) => {
                Place::Section(self.input.folds.leader(id))
            }
            _ => Place::Discarded,
        }
    }

    /// Local symbols of object `at` with `wanted` names, each with the position of its name.
    fn locals(
        &self,
        at: ObjectId,
        wanted: &UnorderedMap<&[u8], usize>,
    ) -> Vec<(usize, NamedSymbol)> {
        let object = &self.input.objects[at];
        let targets = self.input.definitions.targets_of(at);
        let mut found = Vec::new();
        let locals = object.mapped.symbols.iter().zip(targets).take(object.first_global.index());
        for (index, (symbol, &target)) in locals.enumerate().skip(1) {
            if matches!(symbol.kind(), STT_SECTION | STT_FILE) {
                continue;
            }
            let Some(&position) = wanted.get(object.symbol_name(SymbolId::from_index(index)))
            else {
                continue;
            };
            let place = self.place(self.input.definitions.value_base_of(target));
            found.push((position, NamedSymbol { file: object.file, place }));
        }
        found
    }

    /// For undefined names, finds the first file that refers to each: `undefined` holds their ids
    /// and positions.
    fn name_referrers(
        &self,
        mut undefined: UnorderedMap<NameId, usize>,
        found: &mut [Vec<NamedSymbol>],
    ) {
        for object in self.input.objects {
            if undefined.is_empty() {
                return;
            }
            let symbols = &object.mapped.symbols[object.global_ids()];
            for (symbol, name) in symbols.iter().zip(&object.globals) {
                if symbol.st_shndx() == SHN_UNDEF
                    && let Some(at) = undefined.remove(name)
                {
                    found[at][0].file = object.file;
                }
            }
        }
    }
}

/// Why a symbol cannot be ordered, as a warning; `None` if it can.
pub fn warning(input: &OrderInput<'_>, name: &[u8], found: &NamedSymbol) -> Option<String> {
    let ignores =
        matches!(input.options.unresolved, Unresolved::IgnoreAll | Unresolved::IgnoreInObjectFiles);
    let kind = match found.place {
        Place::Section(_) => return None,
        Place::Undefined if ignores => return None,
        Place::Undefined => "undefined",
        Place::Shared => "shared",
        Place::Absolute => "absolute",
        Place::Synthetic => "synthetic",
        Place::Discarded => "discarded",
    };
    let file = found.file.map(|file| input.candidates.display_name(file));
    let file = file.as_deref().unwrap_or("<internal>");
    Some(format!("{file}: unable to order {kind} symbol: {}", String::from_utf8_lossy(name)))
}
