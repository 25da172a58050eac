//! The names of shared objects.
//!
//! What a library imports is interned with the names of objects. Of what it exports, most is asked for by
//! nobody: functions are only offered, and looked for in the table once all names that could ask
//! for them are there. Nothing else is left out: variables may be copied, and then all their names
//! matter (`environ`, `__environ`).

use super::references::ref_flags;
use super::symbol_names::Interning;
use crate::format::elf::Sym;
use crate::read::shared_file::VERSYM_HIDDEN;
use crate::read::{FileId, SharedFile};
use object::elf::*;
use rayon::prelude::*;
use skald_core::hash::Hash128;
use skald_core::names::{HashedName, NameRef};
use std::cell::RefCell;

thread_local! {
    static BATCH: RefCell<Vec<HashedName>> = const { RefCell::new(Vec::new()) };
}

/// Functions of one library, whose names somebody may ask for: hashes, and places in the symbol
/// table.
#[derive(Debug, Default)]
struct Offer {
    hashes: Vec<Hash128>,
    symbols: Vec<u32>,
}

/// Those of all libraries.
#[derive(Debug)]
pub struct Offers(Vec<Offer>);

impl Offers {
    /// None yet.
    pub fn new(libraries: usize) -> Self {
        Self((0..libraries).map(|_| Offer::default()).collect())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.iter().map(|offer| offer.symbols.len()).sum()
    }
}

/// How many names libraries bring in any case, at most.
pub fn certain_count(shared: &[SharedFile]) -> usize {
    let count = |library: &SharedFile| library.symbols.iter().filter(|s| !is_offered(s)).count();
    shared.par_iter().map(count).sum()
}

/// Whether a dynamic symbol needs no name unless somebody asks for it.
fn is_offered(symbol: &Sym) -> bool {
    symbol.st_shndx.get() != SHN_UNDEF && matches!(symbol.kind(), STT_FUNC | STT_GNU_IFUNC)
}

impl<'a> Interning<'a> {
    /// Enters the dynamic symbols of shared objects, each in a task of `scope`, filling imports, and
    /// exports but for what is offered.
    pub fn libraries<'scope>(
        &'scope self,
        scope: &rayon::Scope<'scope>,
        shared: &'scope mut [SharedFile],
        offers: &'scope mut Offers,
    ) {
        for (library, offer) in shared.iter_mut().zip(&mut offers.0) {
            let file = library.file.expect("numbered when opened");
            scope.spawn(move |_| self.library(library, file, offer));
        }
    }

    fn library(&self, library: &mut SharedFile, file: FileId, offer: &mut Offer) {
        let pool = self.pools.of_file(file.0);
        self.pools.set(pool, library.strtab);
        let mut entered = Vec::new();
        let mut ids = Vec::new();
        BATCH.with_borrow_mut(|batch| {
            batch.clear();
            self.hash_dynamic_symbols(library, pool, batch, &mut entered, offer);
            ids.resize(entered.len(), 0);
            self.names.intern_batch(batch, &mut self.names.stock(), &mut ids);
        });
        for (at, (&index, &id)) in entered.iter().zip(&ids).enumerate() {
            if let Some(&ahead) = ids.get(at + 12) {
                self.refs.prefetch(ahead);
            }
            let symbol = &library.symbols[index as usize];
            if symbol.st_shndx.get() != SHN_UNDEF {
                self.export(library, file, index, id);
                continue;
            }
            let mut bits = ref_flags::SHARED_REF;
            if symbol.bind() != STB_WEAK {
                bits |= ref_flags::SHARED_REF_STRONG;
            }
            bits |= match library.version(index) <= VER_NDX_GLOBAL {
                true => ref_flags::SHARED_REF_PLAIN,
                false => shared_kind(symbol),
            };
            self.refs.get(id).add(bits);
            library.imports.push((index, id));
        }
    }

    fn export(&self, library: &mut SharedFile, file: FileId, index: u32, id: u32) {
        let refs = self.refs.get(id);
        refs.add(ref_flags::SHARED_DEF | shared_kind(&library.symbols[index as usize]));
        refs.offer_shared(file.0);
        library.exports.push((index, id));
    }

    /// Takes those of the offers that have a name by now.
    pub fn asked_for(&self, shared: &mut [SharedFile], offers: &Offers) {
        shared.par_iter_mut().zip(&offers.0).for_each(|(library, offer)| {
            let found = self.names.find_batch(&offer.hashes);
            self.take(library, offer, &found);
        });
    }

    /// Takes all offers, for whose names there must be room.
    pub fn all(&self, shared: &mut [SharedFile], offers: &Offers) {
        shared.par_iter_mut().zip(&offers.0).for_each(|(library, offer)| {
            let pool = self.pools.of_file(library.file.expect("numbered when opened").0);
            let named = |(&hash, &symbol): (&Hash128, &u32)| {
                let pool_offset = library.symbols[symbol as usize].st_name.get();
                let len = library.symbol_name(symbol).len() as u32;
                HashedName { hash, name: NameRef { pool, pool_offset, len } }
            };
            let batch: Vec<_> = offer.hashes.iter().zip(&offer.symbols).map(named).collect();
            let mut ids = vec![0; batch.len()];
            self.names.intern_batch(&batch, &mut self.names.stock(), &mut ids);
            let ids: Vec<Option<u32>> = ids.into_iter().map(Some).collect();
            self.take(library, offer, &ids);
        });
    }

    /// Takes those that have an id and were not taken before.
    fn take(&self, library: &mut SharedFile, offer: &Offer, ids: &[Option<u32>]) {
        let file = library.file.expect("numbered when opened");
        // In the order of the symbol table, whatever was asked for when.
        let before = std::mem::take(&mut library.exports);
        library.exports.reserve(before.len() + ids.iter().flatten().count());
        let mut before = before.into_iter().peekable();
        for (&symbol, id) in offer.symbols.iter().zip(ids) {
            let Some(id) = *id else { continue };
            while let Some(earlier) = before.next_if(|&(at, _)| at < symbol) {
                library.exports.push(earlier);
            }
            if before.peek().is_none_or(|&(at, _)| at != symbol) {
                self.export(library, file, symbol, id);
            }
        }
        library.exports.extend(before);
    }

    /// The names that a shared object imports and exports in any case, and their places in its symbol
    /// table; the others go to `offer`.
    fn hash_dynamic_symbols(
        &self,
        library: &mut SharedFile,
        pool: u32,
        batch: &mut Vec<HashedName>,
        entered: &mut Vec<u32>,
        offer: &mut Offer,
    ) {
        offer.hashes.reserve(library.symbols.len());
        offer.symbols.reserve(library.symbols.len());
        for index in 1..library.symbols.len() as u32 {
            let symbol = &library.symbols[index as usize];
            let is_undefined = symbol.st_shndx.get() == SHN_UNDEF;
            if symbol.bind() == STB_LOCAL || (!is_undefined && !library.is_export(index)) {
                if library.local_export.is_none() && library.is_visible_definition(index) {
                    library.local_export = Some(index);
                }
                continue;
            }
            if library.version(index) & VERSYM_HIDDEN != 0 && !is_undefined {
                continue;
            }
            let pool_offset = symbol.st_name.get();
            let rest = library.strtab.get(pool_offset as usize..).unwrap_or_default();
            let (len, hash) = match self.names.key().hash_until::<0, 0>(rest) {
                (len, _) if len == rest.len() => (0, self.names.key().hash(b"")),
                found => found,
            };
            if is_offered(symbol) {
                offer.hashes.push(hash);
                offer.symbols.push(index);
                continue;
            }
            batch.push(HashedName { hash, name: NameRef { pool, pool_offset, len: len as u32 } });
            entered.push(index);
        }
    }
}

/// What a shared object's definition is, or one that it was linked with.
fn shared_kind(symbol: &Sym) -> u32 {
    match symbol.kind() {
        STT_FUNC | STT_GNU_IFUNC => ref_flags::SHARED_FUNC,
        STT_OBJECT | STT_COMMON | STT_TLS => ref_flags::SHARED_DATA,
        _ => 0,
    }
}
