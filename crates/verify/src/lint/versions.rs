//! .gnu.version: every index is that of a version of the right kind, defined or needed (Linux
//! Standard Base, "Symbol Versioning").

use super::Report;
use crate::output_file::OutputFile;
use object::elf;
use std::collections::BTreeMap;

pub(super) fn check(file: &OutputFile, report: &mut Report) {
    let mut kinds = BTreeMap::new();
    for version in &file.versions {
        let index = version.index & elf::VERSYM_VERSION;
        let other = kinds.insert(index, version.kind);
        report.expect("version-index", other.is_none(), || format!("{index} is two versions"));
    }
    let table = file.sections.iter().find(|s| s.kind == elf::SHT_GNU_VERSYM && s.is_alloc());
    let Some(table) = table else {
        let none = kinds.is_empty();
        return report.expect("version-index", none, || "versions, and no .gnu.version".to_owned());
    };
    let words = file.section_bytes(table).chunks_exact(2);
    for (symbol, word) in file.dynamic_symbols.iter().zip(words) {
        let index = file.encoding.number(word) as u16 & elf::VERSYM_VERSION;
        let kind = kinds.get(&index).copied();
        let is_right = match (index <= elf::VER_NDX_GLOBAL, symbol.is_defined()) {
            (true, _) => true,
            // A variable with a copy relocation has the version of the library's definition.
            (false, true) => kind.is_some(),
            (false, false) => kind == Some("need"),
        };
        report.expect("version-index", is_right, || {
            format!("{}: {index} is {}", symbol.name, kind.unwrap_or("no version"))
        });
    }
}
