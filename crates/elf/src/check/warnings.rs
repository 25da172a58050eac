//! Warnings about things that are allowed and may be mistakes: several common symbols of a name,
//! executable stacks.

use crate::args::OutputKind;
use crate::diagnose::location::display_name;
use crate::diagnose::order::MessageKind;
use crate::format::elf::SymbolId;
use crate::read::object_file::StackNote;
use crate::read::{ObjectFile, ObjectId};
use crate::resolve::definitions::{Rank, Strength, attr};
use crate::resolve::names::references::ref_flags;
use crate::resolve::tables::Tables;
use object::elf::{SHN_COMMON, STT_TLS};

/// Warns of common symbols whose definition is less aligned than they ask for, as GNU ld does; with
/// `--warn-common` also of those that are joined with another one, or replaced by a definition.
pub fn commons(tables: &Tables<'_>) {
    let mut at = 0;
    for (number, object) in tables.objects.with_ids().filter(|(_, o)| o.common_count != 0) {
        let first = object.first_global;
        for (index, &name) in first.onward().zip(&object.globals) {
            let symbol = &object.mapped.symbols[index];
            if !object.is_common(symbol) {
                continue;
            }
            let rank = tables.definitions.ranks[name];
            let is_own = rank.object() == number && rank.symbol() == index;
            for text in shortfalls(tables, number, index, rank) {
                tables.diag.warn(MessageKind::CommonSymbol.key(at), text);
                at += 1;
            }
            if !tables.options.warn_common {
                continue;
            }
            let what = match rank.strength() {
                Strength::Common => "multiple common symbols",
                Strength::Strong => "common symbol is replaced by a definition",
                _ => continue,
            };
            if symbol.st_shndx() != SHN_COMMON || is_own {
                continue;
            }
            let text = format!(
                "{what}: {}\n>>> defined in {}\n>>> defined in {}",
                tables.printed(object.symbol_name(index)),
                file_name(tables, rank.object()),
                file_name(tables, number)
            );
            tables.diag.warn(MessageKind::CommonSymbol.key(at), text);
            at += 1;
        }
    }
}

/// The name of an object's file; empty if it is in no file.
fn file_name(tables: &Tables<'_>, object: ObjectId) -> String {
    tables.objects[object].file.map(|f| tables.candidates.display_name(f)).unwrap_or_default()
}

/// The properties of a common symbol that the definition `rank` does not provide, in GNU ld's
/// words. A copy of a library's variable provides them.
fn shortfalls(tables: &Tables<'_>, number: ObjectId, index: SymbolId, rank: Rank) -> Vec<String> {
    let common = &tables.objects[number];
    let symbol = &common.mapped.symbols[index];
    let can_copy = !tables.options.z.no_copy_reloc && tables.options.kind != OutputKind::Shared;
    let libraries = &tables.candidates.shared;
    let (align, size, by) = match rank.strength() {
        Strength::Strong | Strength::Weak => {
            let Some(align) = object_alignment(tables, rank) else { return Vec::new() };
            let object = &tables.objects[rank.object()];
            // As in GNU ld, which does not consider common symbols behind the definition.
            let size = if number < rank.object() {
                object.mapped.symbols[rank.symbol()].st_size()
            } else {
                u64::MAX
            };
            (align, size, file_name(tables, rank.object()))
        }
        Strength::Shared
            if !(can_copy && libraries[rank.library()].uses_copy(rank.symbol()))
                && libraries[rank.library()]
                    .initialises(rank.symbol(), symbol.kind() == STT_TLS) =>
        {
            let library = &libraries[rank.library()];
            let file = library.file.expect("numbered when it is read");
            let has = &library.symbols[rank.symbol()];
            let (align, size) = (1 << has.st_value().trailing_zeros().min(63), has.st_size());
            (align, size, tables.candidates.display_name(file))
        }
        _ => return Vec::new(),
    };
    let (asked, from) = (symbol.st_value(), file_name(tables, number));
    let mut texts = Vec::new();
    if align < asked {
        let name = tables.printed(common.symbol_name(index));
        texts.push(format!(
            "alignment {align} of symbol `{name}' in {by} is smaller than {asked} in {from}"
        ));
    }
    if size != 0 && size < symbol.st_size() {
        let (name, was) = (tables.printed(common.symbol_name(index)), symbol.st_size());
        texts.push(format!(
            "size of symbol `{name}' changed from {was} in {from} to {size} in {by}"
        ));
    }
    texts
}

/// Alignment in bytes of an object's definition: that of its section, if the symbol's offset is a
/// multiple of it.
fn object_alignment(tables: &Tables<'_>, rank: Rank) -> Option<u64> {
    let object = &tables.objects[rank.object()];
    let shndx = object.symbol_section(rank.symbol())?;
    let section = object.header(shndx).sh_addralign().max(1);
    let offset = object.mapped.symbols[rank.symbol()].st_value();
    let of_offset = 1u64.checked_shl(offset.trailing_zeros()).unwrap_or(u64::MAX);
    Some(section.min(of_offset))
}

/// `--warn-ifunc-textrel`: with text relocations the loader may call an IFUNC resolver while its
/// code is mapped writable and not executable.
pub fn ifuncs_with_text_relocations(tables: &Tables<'_>) {
    if !tables.options.reports.warn_ifunc_textrel || tables.options.z.text != Some(false) {
        return;
    }
    let referred = ref_flags::UNDEF_STRONG | ref_flags::UNDEF_WEAK;
    for (name, global) in tables.definitions.globals.with_ids() {
        let is_asked_for = || tables.extraction.refs.get(name).flags() & referred != 0;
        if global.has(attr::IFUNC) && global.has(attr::DEFINED) && is_asked_for() {
            let symbol = tables.extraction.pools.name(&tables.extraction.names, name);
            let text = format!(
                "{}: an IFUNC in an output that may have text relocations can crash with glibc \
                 2.28 and older; recompile with -fPIC and leave out '-z notext'",
                display_name(symbol, tables.options.demangle)
            );
            // Sorted by the text: ids of names differ from run to run.
            tables.diag.warn(MessageKind::IfuncWithTextRelocations.key(0), text);
        }
    }
}

/// Warns of objects that make the stack executable and, with `--warn-execstack`, of those for which
/// GNU ld would.
pub fn executable_stacks(tables: &Tables<'_>) {
    let (options, reports) = (tables.options, &tables.options.reports);
    let tell = |at: u64, is_error: bool, text: String| {
        if is_error {
            tables.diag.error(MessageKind::ExecutableStack.key(at), text)
        } else {
            tables.diag.warn(MessageKind::ExecutableStack.key(at), text)
        }
    };
    if options.z.execstack == Some(true) && reports.warn_execstack == Some(true) {
        // With `--warn-execstack` the user's own `-z execstack` is warned of too, as by GNU ld.
        let text = "enabling an executable stack because of '-z execstack'";
        tell(0, reports.error_execstack, text.to_owned());
    }
    let is_news = !options.machine.usual_executable_stacks;
    let wanted = reports.warn_execstack.unwrap_or(is_news) || reports.error_execstack;
    if options.z.execstack.is_some() || !wanted {
        return;
    }
    let name_of = |object: &ObjectFile| {
        object.file.map(|f| tables.candidates.display_name(f)).unwrap_or_default()
    };
    let with = |note: StackNote| tables.objects.iter().filter(move |o| o.stack_note == note);
    for (at, object) in (0..).zip(with(StackNote::Exec)) {
        let name = name_of(object);
        let reason = "because the .note.GNU-stack section is executable";
        let text = format!("{name}: requires executable stack ({reason})");
        tell(at, reports.error_execstack, text);
    }
    let is_given = |object: &&ObjectFile| object.file != tables.candidates.own;
    let mut missing = with(StackNote::Missing).filter(is_given);
    if reports.warn_execstack == Some(true)
        && let Some(first) = missing.next()
    {
        let mut text = format!(
            "{}: missing .note.GNU-stack section, which implies an executable stack to GNU ld; the \
             output does not get one for it",
            name_of(first)
        );
        let more = missing.count();
        if more != 0 {
            text += &format!("\n>>> the same for {more} more objects");
        }
        tell(u64::MAX, false, text);
    }
}
