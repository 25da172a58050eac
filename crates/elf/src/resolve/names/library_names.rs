//! Interns the names of shared objects.
//!
//! Names that a library imports are interned like names of objects. Most names that a library
//! exports are never referred to. So exported functions are only offered: they are looked up in the
//! table once all names that could refer to them are there. Exported variables are always interned,
//! because they may be copied, and then all their names matter (`environ`, `__environ`).

use super::name_filter::NameFilter;
use super::references::ref_flags;
use super::symbol_names::Interning;
use crate::format::elf::{Sym, SymbolId};
use crate::format::gnu_hash::gnu_hash;
use crate::read::shared_file::{VERSYM_HIDDEN, is_function};
use crate::read::{FileId, Libraries, SharedFile};
use object::elf::*;
use skald_core::column::reserved;
use skald_core::hash::Hash128;
use skald_core::ids::IdRange;
use skald_core::names::{HashedName, NameId, NameRef};
use skald_core::par::prelude::*;
use std::cell::RefCell;
use std::mem::ManuallyDrop;

thread_local! {
    static BATCH: RefCell<ManuallyDrop<Vec<HashedName>>> =
        const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

/// Functions of one library that references may bind to: hashes of names, and symbol indices.
#[derive(Debug, Default)]
struct Offer {
    hashes: Vec<Hash128>,
    symbols: Vec<SymbolId>,
    /// The last `in_table` symbols are not listed here: their hashes are in the library's
    /// DT_GNU_HASH table.
    in_table: usize,
}

/// The offered functions of all libraries.
#[derive(Debug, Default)]
pub struct Offers(Vec<Offer>);

/// Hash tables are used if libraries offer at least this many times as many names as the name table
/// has: filling a filter costs half as much as looking up a name.
const BY_TABLE_FROM: usize = 2;

/// Names that one task hashes or looks up.
const TASK: usize = 1 << 13;

impl Offers {
    /// How many names are offered, at most.
    pub fn count(&self) -> usize {
        self.0.iter().map(|offer| offer.symbols.len() + offer.in_table).sum()
    }
}

/// How many names libraries always intern, at most.
pub fn certain_count(shared: &Libraries) -> usize {
    shared.iter().map(|library| library.symbols.len() - library.function_count).sum()
}

/// Whether plain references can bind to a dynamic symbol's definition.
fn is_plain_export(library: &SharedFile, index: SymbolId) -> bool {
    library.is_export(index) && library.version(index) & VERSYM_HIDDEN == 0
}

/// Whether a library's DT_GNU_HASH table has the right hashes, judged by some names. The dynamic
/// linker finds only names that are in the table.
fn has_true_hashes(library: &SharedFile) -> bool {
    let first = library.symbols.len() - library.hashes.len();
    let is_true = |at: usize| {
        library.hashes.get(at).is_none_or(|hash| {
            let name = library.symbol_name(SymbolId::from_index(first + at));
            hash.get() | 1 == gnu_hash(name) | 1
        })
    };
    [0, library.hashes.len() / 2, library.hashes.len().saturating_sub(1)].into_iter().all(is_true)
}

impl<'a> Interning<'a> {
    /// Interns the dynamic symbols of shared objects that are not in `offers` yet, each in a task
    /// of `scope`: imports, and exports except for offered functions.
    pub fn libraries<'scope>(
        &'scope self,
        scope: &skald_core::par::Scope<'_, 'scope>,
        shared: &'scope mut Libraries,
        offers: &'scope mut Offers,
    ) {
        let known = offers.0.len();
        offers.0.resize_with(shared.len(), Offer::default);
        for (library, offer) in shared.iter_mut().zip(&mut offers.0).skip(known) {
            let file = library.file.expect("numbered when opened");
            scope.spawn(move |_| {
                if has_true_hashes(library) {
                    offer.in_table = library.hashes.len();
                }
                self.library(library, file, offer);
            });
        }
    }

    fn library(&self, library: &mut SharedFile, file: FileId, offer: &mut Offer) {
        let pool = self.pools.of_file(file);
        self.pools.set(pool, library.strtab);
        let mut entered = Vec::new();
        let mut ids = Vec::new();
        BATCH.with_borrow_mut(|batch| {
            batch.clear();
            self.hash_dynamic_symbols(library, pool, batch, &mut entered, offer);
            ids.resize(entered.len(), NameId::default());
            self.names.intern_batch(batch, &mut self.names.stock(), &mut ids);
        });
        for (at, (&index, &id)) in entered.iter().zip(&ids).enumerate() {
            if let Some(&ahead) = ids.get(at + 12) {
                self.refs.prefetch(ahead);
            }
            let symbol = &library.symbols[index];
            if symbol.st_shndx() != SHN_UNDEF {
                self.export(library, file, index, id);
                continue;
            }
            let mut bits = ref_flags::SHARED_REF;
            if symbol.bind() != STB_WEAK {
                bits |= ref_flags::SHARED_REF_STRONG;
            }
            bits |= if library.version(index) <= VER_NDX_GLOBAL {
                ref_flags::SHARED_REF_PLAIN
            } else {
                shared_kind(symbol)
            };
            self.refs.get(id).add(bits);
            library.imports.push((index, id));
        }
    }

    fn export(&self, library: &mut SharedFile, file: FileId, index: SymbolId, id: NameId) {
        let refs = self.refs.get(id);
        refs.add(ref_flags::SHARED_DEF | shared_kind(&library.symbols[index]));
        refs.offer_shared(file);
        library.exports.push((index, id));
    }

    /// Enters the offered functions whose names are in the table by now.
    pub fn asked_for(&self, shared: &mut Libraries, offers: &mut Offers) {
        let in_tables: usize = offers.0.iter().map(|offer| offer.in_table).sum();
        if in_tables <= self.names.id_limit() * BY_TABLE_FROM {
            self.hash_tables(shared, offers);
            let pairs = shared.par_iter_mut().zip(&offers.0);
            return pairs.for_each(|(library, offer)| self.take_found(library, offer));
        }
        let filter = NameFilter::new(self.names, self.pools);
        shared.par_iter_mut().zip(&offers.0).for_each(|(library, offer)| {
            self.take_found(library, offer);
            self.take_found(library, &self.offered_by_table(library, offer, &filter));
        });
    }

    /// Hashes names whose only hashes so far are those of the libraries' DT_GNU_HASH tables.
    fn hash_tables(&self, shared: &Libraries, offers: &mut Offers) {
        shared.par_iter().zip(&mut offers.0).for_each(|(library, offer)| {
            let count = library.symbols.len() as u32;
            let first = count - std::mem::take(&mut offer.in_table) as u32;
            let starts = (first..count).into_par_iter().step_by(TASK);
            let parts: Vec<Offer> = starts
                .map(|start| {
                    self.offered(
                        library,
                        (SymbolId::new(start)..SymbolId::new(count.min(start + TASK as u32))).ids(),
                    )
                })
                .collect();
            for part in parts {
                offer.hashes.extend(part.hashes);
                offer.symbols.extend(part.symbols);
            }
        });
    }

    fn take_found(&self, library: &mut SharedFile, offer: &Offer) {
        if !offer.symbols.is_empty() {
            let batches = offer.hashes.par_chunks(TASK);
            let found = batches.flat_map_iter(|hashes| self.names.find_batch(hashes)).collect();
            self.take(library, offer, found);
        }
    }

    /// The symbols in a library's DT_GNU_HASH table whose names may be in `filter`.
    fn offered_by_table(&self, library: &SharedFile, offer: &Offer, filter: &NameFilter) -> Offer {
        let hashes = &library.hashes[library.hashes.len() - offer.in_table..];
        let first = library.symbols.len() - hashes.len();
        let passing = hashes.iter().enumerate().filter(|(_, hash)| filter.may_have(hash.get()));
        self.offered(library, passing.map(|(at, _)| SymbolId::from_index(first + at)))
    }

    /// Of the symbols `indices`, those that are offered, with hashes of their names.
    fn offered(&self, library: &SharedFile, indices: impl Iterator<Item = SymbolId>) -> Offer {
        let mut offer = Offer::default();
        let (expected, _) = indices.size_hint();
        offer.hashes.reserve(expected);
        offer.symbols.reserve(expected);
        for index in indices {
            let symbol = &library.symbols[index];
            if is_function(symbol) && is_plain_export(library, index) {
                offer.hashes.push(self.hash_name(library, symbol).1);
                offer.symbols.push(index);
            }
        }
        offer
    }

    /// Interns all offered functions; the name table must have room for them.
    pub fn all(&self, shared: &mut Libraries, offers: &mut Offers) {
        self.hash_tables(shared, offers);
        let pairs = shared.par_iter_mut().zip(&offers.0);
        pairs.for_each(|(library, offer)| self.take_all(library, offer));
    }

    fn take_all(&self, library: &mut SharedFile, offer: &Offer) {
        let pool = self.pools.of_file(library.file.expect("numbered when opened"));
        let named = |(&hash, &symbol): (&Hash128, &SymbolId)| {
            let pool_offset = library.symbols[symbol].st_name();
            let len = library.symbol_name(symbol).len() as u32;
            HashedName { hash, name: NameRef { pool, pool_offset, len } }
        };
        let batch: Vec<_> = offer.hashes.iter().zip(&offer.symbols).map(named).collect();
        let mut ids: Vec<NameId> = reserved(batch.len());
        self.names.intern_batch(&batch, &mut self.names.stock(), &mut ids);
        self.take(library, offer, ids.into_iter().map(Some).collect());
    }

    /// Adds to the exports the offered symbols whose names have ids and that were not added before.
    fn take(&self, library: &mut SharedFile, offer: &Offer, ids: Vec<Option<NameId>>) {
        let file = library.file.expect("numbered when opened");
        // Exports are in symbol table order, not in the order in which they were added.
        let before = std::mem::take(&mut library.exports);
        library.exports.reserve(before.len() + ids.iter().flatten().count());
        let mut before = before.into_iter().peekable();
        for (&symbol, id) in offer.symbols.iter().zip(ids) {
            let Some(id) = id else { continue };
            while let Some(earlier) = before.next_if(|&(at, _)| at < symbol) {
                library.exports.push(earlier);
            }
            if before.peek().is_none_or(|&(at, _)| at != symbol) {
                self.export(library, file, symbol, id);
            }
        }
        library.exports.extend(before);
    }

    /// The names that a shared object always interns, and their symbol indices; offered functions
    /// go to `offer`.
    fn hash_dynamic_symbols(
        &self,
        library: &mut SharedFile,
        pool: u32,
        batch: &mut Vec<HashedName>,
        entered: &mut Vec<SymbolId>,
        offer: &mut Offer,
    ) {
        let in_table = library.symbols.len() - offer.in_table;
        offer.hashes.reserve(in_table);
        offer.symbols.reserve(in_table);
        for index in library.symbols.ids().skip(1) {
            let symbol = &library.symbols[index];
            let is_undefined = symbol.st_shndx() == SHN_UNDEF;
            if Some(symbol.kind()) == library.register_symbols {
                continue;
            }
            if symbol.bind() == STB_LOCAL || (!is_undefined && !library.is_export(index)) {
                if library.local_export.is_none() && library.is_visible_definition(index) {
                    library.local_export = Some(index);
                }
                continue;
            }
            if !is_undefined && !is_plain_export(library, index) {
                continue;
            }
            let is_offered = is_function(symbol);
            if is_offered && index.index() >= in_table {
                continue;
            }
            let (len, hash) = self.hash_name(library, symbol);
            if is_offered {
                offer.hashes.push(hash);
                offer.symbols.push(index);
                continue;
            }
            let pool_offset = symbol.st_name();
            batch.push(HashedName { hash, name: NameRef { pool, pool_offset, len: len as u32 } });
            entered.push(index);
        }
    }

    /// Length and hash of a dynamic symbol's name.
    #[inline]
    fn hash_name(&self, library: &SharedFile, symbol: &Sym) -> (usize, Hash128) {
        let rest = library.strtab.get(symbol.st_name() as usize..).unwrap_or_default();
        match self.names.key().hash_until::<0, 0>(rest) {
            (len, _) if len == rest.len() => (0, self.names.key().hash(b"")),
            found => found,
        }
    }
}

/// Reference bits for the kind of a shared object's symbol, whether defined or imported.
fn shared_kind(symbol: &Sym) -> u32 {
    match symbol.kind() {
        STT_FUNC | STT_GNU_IFUNC => ref_flags::SHARED_FUNC,
        STT_OBJECT | STT_COMMON | STT_TLS => ref_flags::SHARED_DATA,
        _ => 0,
    }
}
