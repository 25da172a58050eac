//! Sections of inputs whose content cannot be used, or only in part.

use crate::diagnose::order::MessageKind;
use crate::resolve::tables::Tables;
use crate::select::fault::SectionFault;
use std::fmt::Arguments;

/// Reports sections whose content cannot be used.
pub fn report(tables: &Tables<'_>, faults: &[SectionFault]) {
    for fault in faults {
        let section = tables.objects[fault.object].section_name(fault.shndx);
        let text = format!(
            "{}:({}+{:#x}): {}",
            tables.object_name(fault.object),
            String::from_utf8_lossy(section),
            fault.section_offset,
            fault.what
        );
        tables.diag.error((u64::from(fault.object), u64::from(fault.shndx)), text);
    }
}

/// Warns of an `.sframe` that cannot be merged with the others.
pub fn unmerged_stack_traces(tables: &Tables<'_>, fault: &SectionFault) {
    let object = &tables.objects[fault.object];
    let section = String::from_utf8_lossy(object.section_name(fault.shndx));
    let file = object.file.map(|file| tables.candidates.display_name(file)).unwrap_or_default();
    let text = format!(
        "{file}:({section}+{:#x}): {}; no .sframe is made",
        fault.section_offset, fault.what
    );
    tables.diag.warn(MessageKind::StackTrace.key(fault.object.into()), text);
}

/// Warns of units of debug information that cannot be read and are therefore missing in the section
/// `index`.
pub fn unread_units(tables: &Tables<'_>, index: &str, faults: &[SectionFault]) {
    debug_faults(tables, faults, format_args!("{index} is made without this unit"));
}

/// Warns of tables of inputs that cannot be read, so that the section `index` lacks their names.
pub fn unread_tables(tables: &Tables<'_>, index: &str, faults: &[SectionFault]) {
    debug_faults(tables, faults, format_args!("{index} is made without this table"));
}

/// Warns of units of debug information that cannot be rewritten. `is_given_up`: because of them no
/// unit is rewritten.
pub fn left_units(tables: &Tables<'_>, faults: &[SectionFault], is_given_up: bool) {
    let units = if is_given_up { "all units as they are" } else { "this unit as it is" };
    debug_faults(tables, faults, format_args!("--dedup-debug-types leaves {units}"));
}

fn debug_faults(tables: &Tables<'_>, faults: &[SectionFault], follows: Arguments<'_>) {
    for fault in faults {
        let object = &tables.objects[fault.object];
        let section = String::from_utf8_lossy(object.section_name(fault.shndx));
        let text = format!(
            "{}:({section}+{:#x}): {}; {follows}",
            tables.object_name(fault.object),
            fault.section_offset,
            fault.what
        );
        tables.diag.warn(MessageKind::DebugUnit.key(fault.object.into()), text);
    }
}

/// Warns of `.dwo` files whose names the section `index` lacks. Only the first is named, since a
/// missing directory affects all of its files.
pub fn unread_dwo_files(tables: &Tables<'_>, index: &str, faults: Vec<String>) {
    let Some(first) = faults.first() else { return };
    let others = match faults.len() - 1 {
        0 => String::new(),
        1 => " and one more file".to_owned(),
        count => format!(" and {count} more files"),
    };
    let text = format!("{first}; {index} is made without the names of this file{others}");
    tables.diag.warn(MessageKind::DebugUnit.key(u64::MAX), text);
}

/// Warns of names that `.debug_names` lacks.
pub fn unlisted_names(tables: &Tables<'_>, count: u64) {
    let text =
        format!(".debug_names is made without {count} uses of names that stand in no .debug_str");
    tables.diag.warn(MessageKind::DebugUnit.key(u64::MAX), text);
}

/// Warns that debuggers which have `.debug_names` do not look into `.debug_types`.
pub fn unlisted_types(tables: &Tables<'_>) {
    let text = ".debug_names cannot list the types of .debug_types; debuggers may not find them \
                (compile with -gdwarf-5, or use --gdb-index)";
    tables.diag.warn(MessageKind::DebugUnit.key(u64::MAX), text.to_owned());
}
