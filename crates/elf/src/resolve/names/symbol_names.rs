//! Interning the global names of one file.
//!
//! Names are found and hashed once, in symbol table order, then interned as one batch with
//! prefetched probes. What the symbols say of their names is noted in [`NameReferences`].

use super::references::{NameReferences, ReferenceColumn, ref_flags};
use crate::format::elf::{Sym, SymbolId};
use crate::read::object_file::VersionedName;
use crate::read::{FileId, ObjectFile};
use object::elf::*;
use skald_core::column::{prefetch, reserved};
use skald_core::names::{HashedName, IdStock, NameId, NameRef, NameTable};
use skald_linking::candidates::ArchiveInput;
use skald_linking::indexed_names::IndexedName;
use skald_linking::name_pools::NamePools;
use std::cell::RefCell;
use std::mem::ManuallyDrop;

/// The tables that interning reads and writes.
pub struct Interning<'a> {
    /// The name table.
    pub names: &'a NameTable,
    /// By name, what files say of it.
    pub refs: &'a ReferenceColumn,
    /// The mapped files that the texts of names are in.
    pub pools: &'a NamePools,
    /// `--wrap`: name referred to, and name that the reference goes to instead, sorted.
    pub wraps: &'a [(NameId, NameId)],
    /// Type of symbols that name nothing (`Machine::register_symbols`).
    pub register_symbols: Option<u8>,
}

/// How many names ahead of the hashed one are prefetched: LLVM sorts string tables by suffixes, so
/// names are not in order.
const NAMES_AHEAD: usize = 8;

/// Names that are hashed before they are interned: few enough to stay in the cache.
const BATCH_LEN: usize = 1 << 12;

// Never dropped: threads end with the process, and a destructor at a thread's end would make the C
// library set up a heap.
thread_local! {
    static BATCH: RefCell<ManuallyDrop<Vec<HashedName>>> =
        const { RefCell::new(ManuallyDrop::new(Vec::new())) };
}

/// Whether the symbol with the name `text`, whose first `@` is at `at`, defines a default version.
/// Such a symbol has the id of the plain name; any other spelling is a name of its own.
fn is_default_definition(text: &[u8], at: usize, symbol: &Sym) -> bool {
    text.get(at + 1) == Some(&b'@') && symbol.st_shndx() != SHN_UNDEF
}

/// Why an object is linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is on the command line, and linked in any case.
    Root,
    /// Extracted because a name was wanted.
    Extracted {
        /// The position of the file or of the file that wanted it, whichever is later on the
        /// command line, as a file id.
        place: FileId,
    },
}

impl Role {
    /// The bits that a definition by such an object adds to its name.
    fn definition(self) -> u32 {
        let by = match self {
            Role::Root => ref_flags::DEFINED_BY_ROOT,
            Role::Extracted { .. } => ref_flags::DEFINED_BY_MEMBER,
        };
        ref_flags::DEFINED | by
    }
}

impl Interning<'_> {
    /// Interns the globals of `object`, filling `object.globals` and the groups' names. Calls
    /// `wanted` with each name that has a strong reference, and the lazy file that is taken for it
    /// unless an object defines it.
    pub fn object(
        &self,
        object: &mut ObjectFile,
        file: FileId,
        role: Role,
        mut wanted: impl FnMut(NameId, FileId),
    ) {
        object.at_work();
        self.pools.set(self.pools.of_file(file), object.mapped.strtab);
        let mut stock = self.names.stock();
        let mut ids = self.intern_globals(object, file, &mut stock);
        if object.drops_excluded {
            self.note_globals::<true>(object, &mut ids, role, &mut wanted)
        } else {
            self.note_globals::<false>(object, &mut ids, role, &mut wanted)
        }
        self.intern_groups(object, file, &ids, &mut stock);
        object.globals = ids;
    }

    /// Notes what the globals of `object` say of their names `ids`. `DROPS_EXCLUDED`: the object
    /// has sections with SHF_EXCLUDE, whose symbols are not definitions. Only that variant of the
    /// loop checks for them.
    fn note_globals<const DROPS_EXCLUDED: bool>(
        &self,
        object: &mut ObjectFile,
        ids: &mut [NameId],
        role: Role,
        wanted: &mut impl FnMut(NameId, FileId),
    ) {
        let first = object.first_global;
        let globals = object.mapped.symbols.items().get(first.index()..).unwrap_or_default();
        let defined = role.definition();
        for (i, symbol) in globals.iter().enumerate() {
            if let Some(&ahead) = ids.get(i + 12) {
                self.refs.prefetch(ahead);
            }
            let refs = self.refs.get(ids[i]);
            if symbol.st_shndx() == SHN_UNDEF {
                if refs.flags() & ref_flags::WRAPPED != 0 {
                    ids[i] = self.redirect(ids[i]);
                }
                let name = ids[i];
                let refs = self.refs.get(name);
                self.note_reference(refs, symbol, role, &mut |file| wanted(name, file));
            } else if DROPS_EXCLUDED && object.is_excluded(first + i as u32) {
                refs.add(visibility_flags(symbol));
            } else {
                note_definition(refs, symbol, defined);
                if object.is_common(symbol) {
                    object.common_count += 1;
                }
            }
        }
    }

    /// Interns the names of an object's globals, and notes which have versions.
    fn intern_globals(
        &self,
        object: &mut ObjectFile,
        file: FileId,
        stock: &mut IdStock,
    ) -> Vec<NameId> {
        let first = object.first_global;
        let globals = object.mapped.symbols.items().get(first.index()..).unwrap_or_default();
        let mut ids: Vec<NameId> = reserved(globals.len());
        let mut versioned = Vec::new();
        BATCH.with_borrow_mut(|batch| {
            let slices = globals.chunks(BATCH_LEN).zip(ids.chunks_mut(BATCH_LEN));
            for ((globals, ids), at) in slices.zip((first.index()..).step_by(BATCH_LEN)) {
                batch.clear();
                self.hash_symbols(object.mapped.strtab, file, at, globals, batch, &mut versioned);
                self.names.intern_batch(batch, stock, ids);
            }
        });
        object.has_versioned_names = !versioned.is_empty();
        object.versioned = versioned;
        ids
    }

    /// Hashes the names of `globals`; the first is the object's symbol `first`.
    fn hash_symbols(
        &self,
        strtab: &'static [u8],
        file: FileId,
        first: usize,
        globals: &[Sym],
        batch: &mut Vec<HashedName>,
        versioned: &mut Vec<VersionedName>,
    ) {
        let (key, pool) = (self.names.key(), self.pools.of_file(file));
        let mut ahead = globals.get(NAMES_AHEAD..).unwrap_or_default().iter();
        batch.extend(globals.iter().enumerate().map(|(at, symbol)| {
            if let Some(ahead) = ahead.next() {
                prefetch(strtab, ahead.st_name() as usize);
            }
            let start = symbol.st_name();
            // A name outside the string table is reported when definitions are entered.
            let start = start.min(strtab.len() as u32);
            let rest = &strtab[start as usize..];
            let (mut len, mut hash) = key.hash_until::<0, b'@'>(rest);
            if rest.get(len) == Some(&b'@') {
                let text = &rest[..memchr::memchr(0, rest).unwrap_or(rest.len())];
                versioned.push(VersionedName::new(SymbolId::from_index(first + at), text, len));
                if !is_default_definition(text, len, symbol) {
                    len = text.len();
                    hash = key.hash(text);
                }
            }
            HashedName { hash, name: NameRef { pool, pool_offset: start, len: len as u32 } }
        }));
    }

    fn redirect(&self, id: NameId) -> NameId {
        let at = self.wraps.partition_point(|&(from, _)| from < id);
        self.wraps.get(at).filter(|&&(from, _)| from == id).map_or(id, |&(_, to)| to)
    }

    #[inline]
    fn note_reference(
        &self,
        refs: &NameReferences,
        symbol: &Sym,
        role: Role,
        wanted: &mut impl FnMut(FileId),
    ) {
        if symbol.kind() != STT_NOTYPE && Some(symbol.kind()) == self.register_symbols {
            return;
        }
        let strength = strength_of_reference(symbol);
        refs.add(strength | flags_of_undefined(symbol));
        // References of command-line objects are looked at when all of these are interned.
        if let Role::Extracted { place } = role
            && strength == ref_flags::UNDEF_STRONG
            && let Some(file) = refs.first_lazy(place)
        {
            wanted(file);
        }
    }

    /// Interns the signatures of groups, and offers the file as the owner of each group
    /// ([`crate::resolve::comdat`]).
    fn intern_groups(
        &self,
        object: &mut ObjectFile,
        file: FileId,
        ids: &[NameId],
        stock: &mut IdStock,
    ) {
        let first = object.first_global;
        for at in 0..object.groups.len() {
            let signature = object.groups[at].signature;
            let id = if signature >= first {
                ids[(signature - first) as usize]
            } else {
                self.intern_local_signature(object, file, signature, stock)
            };
            object.groups[at].name = id;
            self.refs.get(id).offer_comdat(file);
        }
        for at in 0..object.linkonce.len() {
            let name = object.section_name(object.linkonce[at].0);
            let id = self.intern_section_name(name, stock);
            object.linkonce[at].1 = id;
            self.refs.get(id).offer_comdat(file);
        }
    }

    /// The id of a section name that is a group's signature.
    fn intern_section_name(&self, text: &[u8], stock: &mut IdStock) -> NameId {
        let name = NameRef { pool: self.pools.own(), pool_offset: 0, len: 0 };
        self.names.intern(HashedName { hash: self.names.key().hash(text), name }, stock)
    }

    fn intern_local_signature(
        &self,
        object: &ObjectFile,
        file: FileId,
        signature: SymbolId,
        stock: &mut IdStock,
    ) -> NameId {
        let symbol = &object.mapped.symbols[signature];
        let text = object.symbol_name(signature);
        if !text.is_empty() {
            let name = NameRef {
                pool: self.pools.of_file(file),
                pool_offset: symbol.st_name(),
                len: text.len() as u32,
            };
            return self
                .names
                .intern(HashedName { hash: self.names.key().hash(text), name }, stock);
        }
        // The signature is a section symbol: the name of its section is used.
        let text = object
            .symbol_section(signature)
            .filter(|&shndx| (shndx as usize) < object.mapped.shdrs.len())
            .map_or(&b""[..], |shndx| object.section_name(shndx));
        self.intern_section_name(text, stock)
    }

    /// Interns the names that a lazy object defines, as offers of `file`.
    pub fn lazy_object(&self, object: &mut ObjectFile, file: FileId) {
        self.pools.set(self.pools.of_file(file), object.mapped.strtab);
        let first = object.first_global;
        let globals = object.mapped.symbols.items().get(first.index()..).unwrap_or_default();
        let ids = self.intern_globals(object, file, &mut self.names.stock());
        for (symbol, &id) in globals.iter().zip(&ids) {
            if symbol.st_shndx() != SHN_UNDEF {
                self.refs.get(id).offer_lazy(file);
            }
        }
    }

    /// Interns the names of an archive's index that are in `entries`.
    pub fn archive_index(&self, pool: u32, archive: &ArchiveInput, entries: &[IndexedName]) {
        let mut ids: Vec<NameId> = reserved(entries.len());
        BATCH.with_borrow_mut(|batch| {
            batch.clear();
            batch.extend(entries.iter().map(|entry| {
                let name = NameRef { pool, pool_offset: entry.offset, len: entry.len };
                HashedName { hash: entry.hash, name }
            }));
            self.names.intern_batch(batch, &mut self.names.stock(), &mut ids);
        });
        for (i, (&id, entry)) in ids.iter().zip(entries).enumerate() {
            if let Some(&ahead) = ids.get(i + 12) {
                self.refs.prefetch(ahead);
            }
            self.refs.get(id).offer_lazy(archive.first_file + entry.member);
        }
    }
}

/// Notes again what a symbol of an object says of its name.
pub fn note(refs: &NameReferences, object: &ObjectFile, index: SymbolId, role: Role) {
    let symbol = &object.mapped.symbols[index];
    if object.drops_excluded && object.is_excluded(index) {
        return refs.add(visibility_flags(symbol));
    }
    if symbol.st_shndx() != SHN_UNDEF {
        return note_definition(refs, symbol, role.definition());
    }
    refs.add(strength_of_reference(symbol) | flags_of_undefined(symbol));
}

/// The bits that an undefined symbol adds to its name, besides that of being a reference.
#[inline(always)]
fn flags_of_undefined(symbol: &Sym) -> u32 {
    let mut flags = visibility_flags(symbol);
    if symbol.kind() != STT_NOTYPE {
        flags |= ref_flags::of_undefined(symbol.kind());
    }
    flags
}

fn strength_of_reference(symbol: &Sym) -> u32 {
    if symbol.bind() == STB_WEAK { ref_flags::UNDEF_WEAK } else { ref_flags::UNDEF_STRONG }
}

/// Notes a definition of a name; `defined` are the bits of [`Role::definition`].
#[inline]
fn note_definition(refs: &NameReferences, symbol: &Sym, defined: u32) {
    let mut bits = visibility_flags(symbol) | defined;
    if symbol.st_shndx() == SHN_COMMON {
        bits |= ref_flags::COMMON;
    }
    refs.add(bits);
}

#[inline(always)]
fn visibility_flags(symbol: &Sym) -> u32 {
    match symbol.visibility() {
        STV_HIDDEN => ref_flags::HIDDEN,
        STV_INTERNAL => ref_flags::INTERNAL,
        STV_PROTECTED => ref_flags::PROTECTED,
        _ => 0,
    }
}
