//! Names to which one object refers as thread-local, and which another one defines, or refers to,
//! as an ordinary variable; and the reverse. GNU ld refuses such names, and lld does in some orders
//! of the files.
//!
//! In a final link relocation types show whether an offset or an address is meant. With `-r`
//! relocations are only copied, and the symbol's type in the output would be wrong for half of its
//! references. A reference without a type, as compilers make it, may mean either.

use super::duplicates;
use crate::diagnose::order::MessageKind;
use crate::format::elf::SymbolId;
use crate::read::{ObjectFile, ObjectId};
use crate::resolve::definitions::Strength;
use crate::resolve::tables::Tables;
use object::elf::{SHN_UNDEF, STT_NOTYPE, STT_TLS};
use skald_core::names::NameId;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedMap;

/// A reference: object, its symbol, and that symbol's name.
type Reference = (ObjectId, SymbolId, NameId);

/// Reports references as thread-local to symbols that are not, and the reverse, by object.
pub fn check(tables: &Tables<'_>) {
    for (at, (object, symbol, name)) in
        (0..).zip(references(tables, |name, kind| is_other_than_defined(tables, name, kind)))
    {
        let rank = tables.definitions.ranks[name];
        let places = [(rank.object(), rank.symbol())];
        let defined = duplicates::definitions_of(tables, places.into_iter()).remove(0).line();
        report(tables, at, (object, symbol, name), &defined);
    }
    let is_undefined =
        |name: NameId| tables.definitions.ranks[name].strength() == Strength::Undefined;
    let mut first: UnorderedMap<NameId, ObjectId> = UnorderedMap::new();
    for (object, _, name) in references(tables, |name, kind| kind == STT_TLS && is_undefined(name))
    {
        first.entry(name).or_insert(object);
    }
    if first.is_empty() {
        return;
    }
    let is_other =
        |name: NameId, kind: u8| kind != STT_TLS && kind != STT_NOTYPE && first.contains_key(&name);
    for (at, reference) in (1 << 32..).zip(references(tables, is_other)) {
        let other = tables.object_name(first[&reference.2]);
        report(tables, at, reference, &format!("\n>>> referenced by {other}"));
    }
}

/// References whose name and type `is_asked` accepts, by object and symbol.
fn references(tables: &Tables<'_>, is_asked: impl Fn(NameId, u8) -> bool + Sync) -> Vec<Reference> {
    let of_object = |(at, object): (ObjectId, &ObjectFile)| {
        let first = object.first_global;
        let symbols = object.mapped.symbols[object.global_ids()]
            .iter()
            .zip(&object.globals)
            .zip(first.onward());
        let asked = symbols.filter(|((symbol, name), _)| {
            symbol.st_shndx() == SHN_UNDEF && is_asked(**name, symbol.kind())
        });
        asked.map(|((_, &name), index)| (at, index, name)).collect::<Vec<_>>()
    };
    tables.objects.par_with_ids().flat_map_iter(of_object).collect()
}

fn is_other_than_defined(tables: &Tables<'_>, name: NameId, kind: u8) -> bool {
    let rank = tables.definitions.ranks[name];
    if kind == STT_NOTYPE || rank.strength() > Strength::Weak {
        return false;
    }
    let object = &tables.objects[rank.object()];
    (object.mapped.symbols[rank.symbol()].kind() == STT_TLS) != (kind == STT_TLS)
}

fn report(tables: &Tables<'_>, at: u64, (object, symbol, name): Reference, other: &str) {
    let kind = tables.objects[object].mapped.symbols[symbol].kind();
    let kind = if kind == STT_TLS { "thread-local" } else { "not thread-local" };
    let (name, object) = (tables.printed(tables.name(name)), tables.object_name(object));
    let text =
        format!("TLS attribute mismatch: {name}{other}\n>>> referenced by {object} as {kind}");
    tables.diag.error(MessageKind::MixedReference.key(at), text);
}
