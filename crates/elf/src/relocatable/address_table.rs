//! `.llvm_addrsig` of the output: which symbols' addresses are significant, for `--icf=safe` of a
//! later link.
//!
//! The tables of objects hold symbol numbers, which change. GNU ld and lld join the bytes of
//! tables, which then refer to wrong symbols. All symbols of an object without a table are
//! significant, and the output has a table only if some object has one. If a symbol is not in the
//! output, the symbol of its section is listed.

use super::sections::JoinedSections;
use super::symbols::SymbolTable;
use crate::format::elf::SymbolId;
use crate::read::ObjectId;
use crate::read::object_file::SectionFlags;
use crate::resolve::tables::Tables;
use crate::select::fold::address_table;
use object::elf::STT_FILE;
use skald_linking::cursor::Cursor;
use skald_linking::leb128::push_uleb128;

/// Bytes of the section; `None` without one.
pub fn make(
    tables: &Tables<'_>,
    count: u32,
    symbols: &SymbolTable,
    joined: &JoinedSections,
) -> Option<Vec<u8>> {
    let objects = tables.objects;
    if !objects.iter().any(|object| address_table(object).is_some()) {
        return None;
    }
    let list = List { tables, symbols, joined };
    let mut is_listed: Vec<bool> = (0..count).map(|_| false).collect();
    for at in objects.ids() {
        match address_table(&objects[at]) {
            Some(table) => {
                let mut cursor = Cursor::new(table);
                while let Ok(symbol) = cursor.uleb128("") {
                    is_listed[list.index(at, SymbolId::new(symbol as u32))] = true;
                }
            }
            None => {
                for symbol in objects[at].mapped.symbols.ids() {
                    is_listed[list.index(at, symbol)] = true;
                }
            }
        }
    }
    let mut bytes = Vec::new();
    // The null symbol is listed for symbols that are not in the output.
    for (index, _) in (0..).zip(is_listed).skip(1).filter(|(_, is_listed)| *is_listed) {
        push_uleb128(&mut bytes, index);
    }
    Some(bytes)
}

struct List<'a> {
    tables: &'a Tables<'a>,
    symbols: &'a SymbolTable,
    joined: &'a JoinedSections,
}

impl List<'_> {
    /// The symbol of the output that stands for one of an object; 0 if none has its address.
    fn index(&self, object: ObjectId, symbol: SymbolId) -> usize {
        let entry = &self.tables.objects[object].mapped.symbols[symbol];
        if symbol.index() == 0 || entry.kind() == STT_FILE {
            return 0;
        }
        if let index @ 1.. = self.symbols.index(object, symbol) {
            return index as usize;
        }
        let definitions = self.tables.definitions;
        let section = definitions.section_of(definitions.target_of(object, symbol));
        let loaded = section.filter(|&id| definitions.sections[id].flags.has(SectionFlags::ALLOC));
        let out = loaded.and_then(|id| self.joined.output_of[id].get());
        out.map_or(0, |out| self.symbols.section_symbol(out) as usize)
    }
}
