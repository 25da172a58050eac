//! Variables in tagged memory ("Memtag ABI Extension to ELF for the Arm 64-bit Architecture",
//! SHT_AARCH64_MEMTAG_GLOBALS_STATIC).
//!
//! An object lists its tagged variables as relocations of a section of that type. A global one is
//! tagged if all objects that have the symbol list it: others would use it without its tag. As in
//! lld there are none without a loader, which writes the tags.

use crate::format::elf::{Rela, SymbolId, range};
use crate::read::{ObjectFile, ObjectId, Objects};
use crate::resolve::definitions::{Definitions, attr};
use crate::resolve::dynamic::OutputShape;
use crate::resolve::referent::PackedReferent;
use object::elf::{SHT_RELA, STT_OBJECT};
use skald_core::names::NameId;
use skald_core::perturb::shuffled;
use skald_core::unordered::UnorderedMap;

/// The tagged variables of the output.
#[derive(Debug, Default)]
pub struct TaggedGlobals {
    /// Those with a name, ascending.
    names: Vec<NameId>,
    /// Local ones, ascending.
    locals: Vec<Symbol>,
    /// A symbol of each.
    pub symbols: Vec<Symbol>,
    /// Objects whose list cannot be read.
    pub faults: Vec<ObjectId>,
}

/// A symbol of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol {
    /// The object.
    pub object: ObjectId,
    /// Its symbol.
    pub symbol: SymbolId,
}

/// How often a symbol is listed, and how many objects have it.
#[derive(Debug, Clone, Copy)]
struct Uses {
    listed: u32,
    all: u32,
    symbol: Symbol,
}

impl TaggedGlobals {
    /// Finds those of an output of a kind.
    pub fn find(objects: &Objects, definitions: &Definitions, shape: OutputShape) -> TaggedGlobals {
        let mut found = TaggedGlobals::default();
        let has_lists = objects.iter().any(|object| !object.memtag_globals.is_empty());
        if !has_lists || !shape.is_dynamic || !(shape.is_shared || shape.has_loader) {
            return found;
        }
        let mut named = UnorderedMap::<NameId, Uses>::new();
        for (at, object) in objects.with_ids() {
            for &shndx in &object.memtag_globals {
                match listed(object, shndx) {
                    Some(relocs) => found.note(at, object, &relocs, &mut named),
                    None => found.faults.push(at),
                }
            }
        }
        for (_, object) in objects.with_ids() {
            for index in object.first_global.index()..object.mapped.symbols.len() {
                let name = object.name_of(SymbolId::new(index as u32));
                if let Some(uses) = name.and_then(|name| named.get_mut(&name)) {
                    uses.all += 1;
                }
            }
        }
        for (name, uses) in named.into_sorted() {
            if uses.all <= uses.listed && is_variable(definitions, name) {
                found.names.push(name);
                found.symbols.push(uses.symbol);
            }
        }
        shuffled(&mut found.locals).sort_unstable();
        found.locals.dedup();
        found.symbols.extend(&found.locals);
        found
    }

    /// Notes what an object lists.
    fn note(
        &mut self,
        at: ObjectId,
        object: &ObjectFile,
        relocs: &[Rela],
        named: &mut UnorderedMap<NameId, Uses>,
    ) {
        for reloc in relocs {
            let symbol = Symbol { object: at, symbol: reloc.symbol() };
            let Some(entry) = object.mapped.symbols.get(symbol.symbol) else { continue };
            match object.name_of(symbol.symbol) {
                Some(name) => {
                    let uses = named.entry(name).or_insert(Uses { listed: 0, all: 0, symbol });
                    uses.listed += 1;
                }
                None if entry.kind() == STT_OBJECT => self.locals.push(symbol),
                None => {}
            }
        }
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.symbols.is_empty()
    }

    /// Whether a symbol of an object, which refers to `target`, is one of them.
    pub fn has(&self, object: ObjectId, symbol: SymbolId, target: PackedReferent) -> bool {
        match target.name() {
            Some(name) => self.names.binary_search(&name).is_ok(),
            None => self.locals.binary_search(&Symbol { object, symbol }).is_ok(),
        }
    }
}

/// Whether a name is a variable of this output.
fn is_variable(definitions: &Definitions, name: NameId) -> bool {
    let global = definitions.globals[name];
    let others = attr::FUNC | attr::IFUNC | attr::TLS | attr::SHARED | attr::SYNTHETIC;
    global.has(attr::DEFINED) && !global.has(others) && global.value_base.section().is_some()
}

/// The relocations of section `shndx`; `None` if they are not of the kind with addends.
fn listed(object: &ObjectFile, shndx: u32) -> Option<Vec<Rela>> {
    let mut all = Vec::new();
    for header in object.mapped.shdrs.iter().filter(|header| header.sh_info() == shndx) {
        match header.sh_type() {
            SHT_RELA => {
                let bytes = range(object.mapped.data, header.sh_offset(), header.sh_size())?;
                all.extend_from_slice(&object.mapped.encoding.records::<Rela>(bytes)?);
            }
            object::elf::SHT_REL | object::elf::SHT_CREL => return None,
            _ => {}
        }
    }
    Some(all)
}
