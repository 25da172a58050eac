//! `--print-symbol-order`: the symbols of sections that calls or profiles put in order.

use super::listing;
use crate::layout::order::requested::OrderInput;
use crate::resolve::definitions::SectionId;
use std::io::Write;

/// Writes the symbols of `sections`, if the option is given.
pub fn print(input: &OrderInput<'_>, sections: &[SectionId]) {
    let Some(path) = &input.options.reports.symbol_order else { return };
    let mut text = Vec::new();
    for &section in sections {
        let at = input.definitions.sections[section].object;
        let object = &input.objects[at];
        for symbol in object.mapped.symbols.ids().skip(1) {
            let is_named = object.mapped.symbols[symbol].kind() != object::elf::STT_SECTION;
            if is_named && input.section_of(at, symbol) == Some(section) {
                text.extend_from_slice(object.symbol_name(symbol));
                text.push(b'\n');
            }
        }
    }
    listing::write_file("", path, input.diag, |file| file.write_all(&text));
}
