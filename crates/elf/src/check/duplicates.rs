//! Names that several objects define.

use crate::args::OutputKind;
use crate::diagnose::duplicates;
use crate::diagnose::location::{Site, locate};
use crate::diagnose::messages::{Definition, DuplicateReport};
use crate::diagnose::order::MessageKind;
use crate::format::elf::SymbolId;
use crate::read::{FileId, ObjectId};
use crate::resolve::definitions::Duplicate;
use crate::resolve::tables::Tables;
use skald_core::perturb::shuffled;

/// Reports names that several objects define.
pub fn check(tables: &Tables<'_>) {
    if tables.options.allow_multiple_definition {
        return;
    }
    let mut all = tables.definitions.duplicates.clone();
    shuffled(&mut all).sort_unstable_by_key(|d| (d.object, d.symbol));
    all.retain(|duplicate| {
        !(same_absolute(tables, duplicate)
            || same_place(tables, duplicate)
            || just_symbol(tables, duplicate)
            || is_compiled_again(tables, duplicate))
    });
    for (at, (duplicate, [first, second])) in (0..).zip(all.iter().zip(both(tables, &all))) {
        let report = report(tables, duplicate, first, second);
        if tables.options.noinhibit_exec {
            tables.diag.warn(MessageKind::Duplicate.key(at), report.render())
        } else {
            tables.diag.error(MessageKind::Duplicate.key(at), report.render())
        }
    }
}

/// Whether an archive member was taken for a name that a compiled file turns out to define, in
/// assembly that plugins do not see.
fn is_compiled_again(tables: &Tables<'_>, duplicate: &Duplicate) -> bool {
    let objects = [tables.definitions.ranks[duplicate.name].object(), duplicate.object];
    let files = objects.map(|object| tables.objects[object].file);
    let is_compiled = |file: FileId| tables.candidates.is_compiled(file);
    let is_member = |file: FileId| tables.candidates.is_lazy_member(file);
    let [Some(one), Some(other)] = files else { return false };
    is_compiled(one) && is_member(other) || is_compiled(other) && is_member(one)
}

/// The definition that won, and the one that lost.
pub fn both(tables: &Tables<'_>, all: &[Duplicate]) -> Vec<[Definition; 2]> {
    let symbols = all.iter().flat_map(|duplicate| {
        let rank = tables.definitions.ranks[duplicate.name];
        [(rank.object(), rank.symbol()), (duplicate.object, duplicate.symbol)]
    });
    let mut definitions = definitions_of(tables, symbols).into_iter();
    let mut next = || definitions.next().expect("two for each");
    all.iter().map(|_| [next(), next()]).collect()
}

fn report(
    tables: &Tables<'_>,
    duplicate: &Duplicate,
    first: Definition,
    second: Definition,
) -> DuplicateReport {
    let rank = tables.definitions.ranks[duplicate.name];
    let symbol = &tables.objects[duplicate.object].mapped.symbols[duplicate.symbol];
    let is_function = symbol.kind() == object::elf::STT_FUNC;
    // `foo@V` and `foo@@V` are one name: the message shows the spelling with the version, which
    // explains the conflict.
    let of_symbol = |object: ObjectId, symbol: SymbolId| tables.objects[object].symbol_name(symbol);
    let spelled =
        [of_symbol(duplicate.object, duplicate.symbol), of_symbol(rank.object(), rank.symbol())];
    let versioned = spelled.into_iter().find(|name| name.contains(&b'@'));
    DuplicateReport {
        name: tables.printed(versioned.unwrap_or_else(|| tables.name(duplicate.name))),
        hint: if rank.object() == duplicate.object {
            None
        } else {
            duplicates::hint(&first, &second, is_function)
        },
        first,
        second,
    }
}

/// Whether both are absolute with the same value, which does no harm.
fn same_absolute(tables: &Tables<'_>, duplicate: &Duplicate) -> bool {
    let rank = tables.definitions.ranks[duplicate.name];
    let first = &tables.objects[rank.object()].mapped.symbols[rank.symbol()];
    let second = &tables.objects[duplicate.object].mapped.symbols[duplicate.symbol];
    let absolute = object::elf::SHN_ABS;
    first.st_shndx() == absolute
        && second.st_shndx() == absolute
        && first.st_value() == second.st_value()
}

/// Whether one of the definitions only has the address of a symbol in another link
/// (`--just-symbols`). As in GNU ld, the first definition holds then.
fn just_symbol(tables: &Tables<'_>, duplicate: &Duplicate) -> bool {
    let rank = tables.definitions.ranks[duplicate.name];
    let is_told = |object: ObjectId| {
        tables.objects[object].file.is_some_and(|f| tables.candidates.is_just_symbols(f))
    };
    !tables.options.strict_just_symbols && (is_told(rank.object()) || is_told(duplicate.object))
}

/// `foo` and its default version `foo@@V`, which `.symver` makes of it, are one definition. `foo@V`
/// and `foo@@V` count as one only in programs, whose versions hardly matter; libraries have the one
/// or the other.
fn same_place(tables: &Tables<'_>, duplicate: &Duplicate) -> bool {
    let rank = tables.definitions.ranks[duplicate.name];
    if rank.object() != duplicate.object {
        return false;
    }
    let object = &tables.objects[duplicate.object];
    let has_version = |symbol: SymbolId| object.symbol_name(symbol).contains(&b'@');
    let is_program =
        matches!(tables.options.kind, OutputKind::Executable | OutputKind::PieExecutable);
    if !is_program
        && rank.symbol() != duplicate.symbol
        && has_version(rank.symbol())
        && has_version(duplicate.symbol)
    {
        return false;
    }
    let first = &object.mapped.symbols[rank.symbol()];
    let second = &object.mapped.symbols[duplicate.symbol];
    object.has_versioned_names
        && first.st_shndx() == second.st_shndx()
        && first.st_value() == second.st_value()
}

/// The places where symbols, each of an object, are defined.
pub fn definitions_of(
    tables: &Tables<'_>,
    symbols: impl Iterator<Item = (ObjectId, SymbolId)> + Clone,
) -> Vec<Definition> {
    let site = |(object, symbol): (ObjectId, SymbolId)| {
        let file = &tables.objects[object];
        let value = file.mapped.symbols[symbol].st_value();
        let section = file.symbol_section(symbol)?;
        let (section_index, section_offset) = file.mapped.place_of_symbol(section, value);
        Some(Site {
            file_name: tables.object_name(object),
            object: file.mapped.data,
            section_index,
            section_offset,
        })
    };
    let sites: Vec<Option<Site<'_>>> = symbols.clone().map(site).collect();
    let with_section: Vec<Site<'_>> = sites.iter().flatten().cloned().collect();
    let mut places = locate(&with_section, tables.options.demangle).into_iter();
    let definition = |((object, _), site): ((ObjectId, SymbolId), &Option<Site<'_>>)| match site {
        Some(_) => Definition::At(places.next().expect("each site has a place")),
        None => Definition::In(tables.object_name(object)),
    };
    symbols.zip(&sites).map(definition).collect()
}
