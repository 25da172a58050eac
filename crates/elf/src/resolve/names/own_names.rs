//! Names of the command line and of the linker itself, interned before those of any file.

use super::references::{ReferenceColumn, ref_flags};
use skald_core::column::reserved;
use skald_core::names::{HashedName, NameId, NameRef, NameTable};
use skald_linking::name_pools::NamePools;
use std::borrow::Cow;

/// The names that options and scripts ask for.
pub struct AskedNames<'a> {
    /// Names that count as strong references (`-u`, `-e`, ...).
    pub roots: &'a [Cow<'a, [u8]>],
    /// Names that are looked up later, but are not references.
    pub known: &'a [Cow<'a, [u8]>],
    /// Names that `--defsym` and scripts assign, whoever else defines them.
    pub assigned: &'a [&'a [u8]],
    /// Names that expressions of scripts take the values of.
    pub mentioned: &'a [Vec<u8>],
    /// Names given to `--wrap`.
    pub wrapped: &'a [String],
    /// Type of symbols that name nothing (`Machine::register_symbols`).
    pub register_symbols: Option<u8>,
}

/// Names of a `--wrap`: `NAME`, `__wrap_NAME` and `__real_NAME`.
const NAMES_A_WRAP: usize = 3;

impl AskedNames<'_> {
    /// How many names there are.
    pub fn count(&self) -> usize {
        let plain = self.roots.len() + self.known.len() + self.assigned.len();
        let plain = plain + self.mentioned.len();
        plain + NAMES_A_WRAP * self.wrapped.len()
    }

    /// All texts joined, and the end of each.
    fn texts(&self) -> (Vec<u8>, Vec<usize>) {
        let (mut pool, mut ends) = (Vec::new(), Vec::with_capacity(self.count()));
        let mut add = |parts: [&[u8]; 2]| {
            pool.extend_from_slice(parts[0]);
            pool.extend_from_slice(parts[1]);
            ends.push(pool.len());
        };
        let plain = self.roots.iter().chain(self.known).map(|name| &**name);
        let mentioned = self.mentioned.iter().map(Vec::as_slice);
        for name in plain.chain(self.assigned.iter().copied()).chain(mentioned) {
            add([name, b""]);
        }
        for name in self.wrapped {
            for prefix in [&b""[..], b"__wrap_", b"__real_"] {
                add([prefix, name.as_bytes()]);
            }
        }
        (pool, ends)
    }
}

/// The ids of the names that options and scripts ask for.
#[derive(Debug)]
pub struct OwnNames {
    /// Ids in the order of the texts.
    pub ids: Vec<NameId>,
    /// Exactly these names have ids below this.
    end: NameId,
    /// `--wrap`: a reference to `NAME` is redirected to `__wrap_NAME`, one to `__real_NAME` to
    /// `NAME`; sorted by the first id.
    pub wraps: Vec<(NameId, NameId)>,
    /// See [`AskedNames::register_symbols`].
    pub register_symbols: Option<u8>,
}

impl OwnNames {
    /// Whether a name is one of these.
    pub fn has(&self, id: NameId) -> bool {
        id < self.end
    }

    /// Interns the names, whose room in `names` is reserved, and notes the references to them.
    pub fn intern(
        names: &NameTable,
        refs: &ReferenceColumn,
        pools: &NamePools,
        wanted: &AskedNames<'_>,
    ) -> Self {
        let (pool, ends) = wanted.texts();
        let mut start = 0;
        let hash = |&end: &usize| {
            let text = &pool[start..end];
            let (pool, pool_offset) = (pools.own(), start as u32);
            start = end;
            let name = NameRef { pool, pool_offset, len: text.len() as u32 };
            HashedName { hash: names.key().hash(text), name }
        };
        let hashed: Vec<HashedName> = ends.iter().map(hash).collect();
        let mut ids: Vec<NameId> = reserved(hashed.len());
        names.intern_batch(&hashed, &mut names.stock(), &mut ids);
        pools.set(pools.own(), Box::leak(pool.into_boxed_slice()));
        // One thread gave these ids, before any other name had one.
        let end = ids.iter().max().map_or(NameId::default(), |&last| last + 1);
        let register_symbols = wanted.register_symbols;
        let mut own = Self { ids, end, wraps: Vec::new(), register_symbols };
        own.mark(refs, wanted);
        own
    }

    fn mark(&mut self, refs: &ReferenceColumn, wanted: &AskedNames<'_>) {
        let (roots, rest) = self.ids.split_at(wanted.roots.len());
        let (assigned, rest) = rest[wanted.known.len()..].split_at(wanted.assigned.len());
        let (mentioned, wrapped) = rest.split_at(wanted.mentioned.len());
        for &id in roots {
            refs.get(id).add(ref_flags::ROOT);
        }
        for &id in assigned {
            refs.get(id).add(ref_flags::DEFINED_BY_ROOT);
        }
        for &id in mentioned {
            refs.get(id).add(ref_flags::MENTIONED);
        }
        for ids in wrapped.chunks_exact(NAMES_A_WRAP) {
            for (from, to) in [(ids[0], ids[1]), (ids[2], ids[0])] {
                refs.get(from).add(ref_flags::WRAPPED);
                self.wraps.push((from, to));
            }
        }
        // If a name is wrapped more than once, the first holds.
        self.wraps.sort_by_key(|&(from, _)| from);
    }
}
