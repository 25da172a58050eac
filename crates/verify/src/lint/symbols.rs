//! Symbol tables: locals come first, section indices are valid, functions and objects are inside
//! their sections (generic ABI, "Symbol Table").

use super::Report;
use crate::output_file::{OutputFile, Symbol};
use object::elf;

pub(super) fn check(file: &OutputFile, report: &mut Report) {
    for (kind, symbols) in
        [(elf::SHT_SYMTAB, &file.symbols), (elf::SHT_DYNSYM, &file.dynamic_symbols)]
    {
        let Some(section) = file.sections.iter().find(|s| s.kind == kind) else { continue };
        let first_global = symbols.iter().skip(1).position(|s| !s.is_local());
        let first_global = first_global.map_or(symbols.len(), |index| index + 1);
        report.expect("symbol-first-global", section.info as usize == first_global, || {
            format!("{}: sh_info is {}, is at {first_global}", section.name, section.info)
        });
        let late = symbols.iter().skip(first_global).find(|s| s.is_local());
        report.expect("symbol-local-after-global", late.is_none(), || {
            late.map_or_else(String::new, |s| s.name.clone())
        });
        for symbol in symbols.iter().skip(1) {
            section_index(file, symbol, report);
        }
    }
}

fn section_index(file: &OutputFile, symbol: &Symbol, report: &mut Report) {
    let index = symbol.section_index;
    let reserved = (u32::from(elf::SHN_LORESERVE)..=u32::from(elf::SHN_HIRESERVE)).contains(&index);
    let exists = (index as usize) < file.sections.len() || reserved;
    report.expect("symbol-section", exists, || format!("{}: section {index}", symbol.name));
    let (false, Some(section)) = (reserved, file.sections.get(index as usize)) else { return };
    let is_sized = matches!(symbol.kind, elf::STT_FUNC | elf::STT_OBJECT) && symbol.size > 0;
    // The size is that of the code.
    let is_descriptor = symbol.kind == elf::STT_FUNC && file.is_descriptor(symbol.value);
    if index == 0 || !is_sized || !section.is_alloc() || is_descriptor {
        return;
    }
    let start = if file.file_type == elf::ET_REL { 0 } else { section.address };
    // The lowest bit of a function of ARM says which kind of instructions it has.
    let is_marked = file.machine == elf::EM_ARM && symbol.kind == elf::STT_FUNC;
    let value = if is_marked { symbol.value & !1 } else { symbol.value };
    let end = value.checked_sub(start).and_then(|at| at.checked_add(symbol.size));
    let inside = end.is_some_and(|end| end <= section.size);
    report.expect("symbol-outside-section", inside, || {
        format!("{} at {:#x}, size {:#x}, {}", symbol.name, symbol.value, symbol.size, section.name)
    });
}
