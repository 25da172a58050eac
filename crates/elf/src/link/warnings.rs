//! Warnings about what is allowed and may be a mistake: common symbols that meet, executable
//! stacks.

use super::reports::{Sources, Tables};
use crate::diagnose::place::display_name;
use crate::read::object_file::StackNote;
use crate::resolve::definitions::{Strength, attr};
use crate::resolve::references::ref_flags;
use object::elf::SHN_COMMON;

/// Warnings come before errors of the same stage.
const COMMON_KEY: u64 = 1 << 39;
const STACK_KEY: u64 = COMMON_KEY + 1;
const IFUNC_KEY: u64 = STACK_KEY + 1;

/// `--warn-common`: common symbols that are joined with another one, or replaced by a definition.
pub fn commons(tables: &Tables<'_>) {
    if !tables.options.warn_common {
        return;
    }
    let name_of = |object: usize| {
        tables.objects[object].file.map(|f| tables.candidates.display_name(f)).unwrap_or_default()
    };
    let mut at = 0;
    for (number, object) in tables.objects.iter().enumerate().filter(|(_, o)| o.common_count != 0) {
        let first = object.first_global as usize;
        for (index, &name) in (first..).zip(&object.globals) {
            let rank = tables.definitions.ranks[name as usize];
            let is_own = rank.file() as usize == number && rank.symbol() as usize == index;
            let what = match rank.strength() {
                Strength::Common => "multiple common symbols",
                Strength::Strong => "common symbol is replaced by a definition",
                _ => continue,
            };
            if object.symbols[index].st_shndx.get() != SHN_COMMON || is_own {
                continue;
            }
            let text = format!(
                "{what}: {}\n>>> defined in {}\n>>> defined in {}",
                display_name(object.symbol_name(index), tables.options.demangle),
                name_of(rank.file() as usize),
                name_of(number)
            );
            tables.diag.warn((COMMON_KEY, at), text);
            at += 1;
        }
    }
}

/// `--warn-ifunc-textrel`: with text relocations the loader may call a function that chooses an
/// implementation while its code cannot be executed.
pub fn ifuncs_with_text_relocations(tables: &Tables<'_>) {
    if !tables.options.reports.warn_ifunc_textrel || tables.options.z.text != Some(false) {
        return;
    }
    let referred = ref_flags::UNDEF_STRONG | ref_flags::UNDEF_WEAK;
    for (name, global) in (0..).zip(&tables.definitions.globals) {
        let is_asked_for = || tables.extraction.refs.get(name).flags() & referred != 0;
        if global.has(attr::IFUNC) && global.has(attr::DEFINED) && is_asked_for() {
            let symbol = tables.extraction.pools.name(&tables.extraction.names, name);
            let text = format!(
                "{}: an IFUNC in an output that may have text relocations can crash with glibc \
                 2.28 and older; recompile with -fPIC and leave out '-z notext'",
                display_name(symbol, tables.options.demangle)
            );
            // By the text: ids of names differ from run to run.
            tables.diag.warn((IFUNC_KEY, 0), text);
        }
    }
}

/// Objects that ask for an executable stack; `granted` if the output gets one for their sake.
pub fn executable_stacks(sources: &Sources<'_>, granted: bool) {
    let options = sources.options;
    if options.z.execstack == Some(true) && options.reports.warn_execstack == Some(true) {
        // Who asks for warnings hears of his own option too, as from GNU ld.
        let text = "enabling an executable stack because of '-z execstack'".to_owned();
        match options.reports.error_execstack {
            true => sources.diag.error((STACK_KEY, 0), text),
            false => sources.diag.warn((STACK_KEY, 0), text),
        }
    }
    let wanted = options.reports.warn_execstack.unwrap_or(!granted);
    if options.z.execstack.is_some() || !(wanted || options.reports.error_execstack) {
        return;
    }
    let asking = sources.objects.iter().filter(|o| o.stack_note == StackNote::Exec);
    for (at, object) in (0..).zip(asking) {
        let name = object.file.map(|f| sources.candidates.display_name(f)).unwrap_or_default();
        let mut text = format!(
            "{name}: requires executable stack (because the .note.GNU-stack section is executable)"
        );
        if !granted {
            text += ", which the output does not get; pass '-z execstack-if-needed' to give it one";
        }
        match options.reports.error_execstack {
            true => sources.diag.error((STACK_KEY, at), text),
            false => sources.diag.warn((STACK_KEY, at), text),
        }
    }
}
