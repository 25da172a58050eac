//! Source file and line of a place in a relocatable object, from its DWARF.
//!
//! DWARF 2 to 5 through `gimli`. Two questions are answered: which line made the code at an offset
//! of a section (the line number program, DWARF 5 section 6.2), and where a variable is declared
//! (`DW_AT_decl_file` and `DW_AT_decl_line`, section 2.14), because data has no line numbers.
//!
//! The debug sections are relocated against made-up base addresses that keep the object's sections
//! apart ([`SectionRange`]); an address then stands for one section and offset.
//! Address ranges of units (`.debug_aranges`, `.debug_rnglists`) are not consulted: a relocatable
//! object has few units, and with `-ffunction-sections` their ranges name every section anyway.
//! With `-gsplit-dwarf` the line numbers are still in the object; the variables are not.
//!
//! Untrusted: units may share, and so multiply, abbreviation tables and line programs. Every byte
//! that is decoded is paid from one allowance per question, and a question that exhausts it has no
//! answer.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use gimli::{
    Abbreviations, AttributeValue, DebugAbbrevOffset, DebugLineOffset, Dwarf, DwarfSections,
    EndianSlice, LineProgramHeader, Reader, RunTimeEndian, Section, Unit, UnitHeader, UnitOffset,
};
use skald_core::demangle::escape;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_linking::byte_order::ByteOrder;

/// Bytes of DWARF decoded for one question: some seconds. The debug information of one object of
/// clang has 5 MB.
const ALLOWANCE: u64 = 1 << 28;

/// Most `DW_AT_specification` steps from a variable to its name.
const MAX_SPECIFICATIONS: usize = 4;

type Slice<'s> = EndianSlice<'s, RunTimeEndian>;

/// A line of a source file, for messages.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLine {
    /// The path that the compiler was run with, absolute if the compilation directory is known.
    pub path: String,
    /// Line number, from 1.
    pub line: u64,
}

/// The addresses given to a section when debug sections are relocated.
#[derive(Debug, Clone, Copy, Default)]
pub struct SectionRange {
    /// Address of the first byte; 0 if the section has no addresses.
    pub base_address: u64,
    /// Size in bytes.
    pub size: u64,
}

/// The debug information of one object, relocated.
#[derive(Debug)]
pub struct ObjectDwarf<'a> {
    sections: DwarfSections<Cow<'a, [u8]>>,
    bases: Vec<SectionRange>,
    endian: RunTimeEndian,
    /// Size of an address in bytes; only used where no unit says it.
    address_size: u8,
}

impl<'a> ObjectDwarf<'a> {
    /// The debug information in the sections that `section` returns for DWARF's names
    /// (`.debug_line`), relocated to the section addresses `bases`; `None` without any.
    pub fn load(
        section: impl Fn(&'static str) -> Option<Cow<'a, [u8]>>,
        bases: Vec<SectionRange>,
        order: ByteOrder,
        address_size: u8,
    ) -> Option<ObjectDwarf<'a>> {
        use gimli::SectionId as Id;
        let load = |id: Id| {
            let wanted = matches!(
                id,
                Id::DebugAbbrev
                    | Id::DebugAddr
                    | Id::DebugInfo
                    | Id::DebugLine
                    | Id::DebugLineStr
                    | Id::DebugStr
                    | Id::DebugStrOffsets
            );
            let content = wanted.then(|| section(id.name())).flatten();
            Ok::<_, gimli::Error>(content.unwrap_or_default())
        };
        let sections = DwarfSections::load(load).ok()?;
        let endian = match order {
            ByteOrder::Little => RunTimeEndian::Little,
            ByteOrder::Big => RunTimeEndian::Big,
        };
        let dwarf = ObjectDwarf { sections, bases, endian, address_size };
        (!dwarf.borrow().debug_line.reader().is_empty()).then_some(dwarf)
    }

    /// The source line of the code at `section_offset` of a section.
    pub fn source_line(&self, section_index: u32, section_offset: u64) -> Option<SourceLine> {
        let range =
            self.bases.get(section_index as usize).filter(|range| range.base_address != 0)?;
        if section_offset >= range.size {
            return None;
        }
        let address = range.base_address.checked_add(section_offset)?;
        let dwarf = self.borrow();
        let mut query = Query { dwarf: &dwarf, allowance: ALLOWANCE };
        let mut seen = BTreeSet::new();
        let found = query.line_in_units(address, &mut seen);
        found.or_else(|| query.line_without_units(address, &seen, self.address_size))
    }

    /// For each section and offset, where a function starts, the line of its head: the first row at
    /// that very address. Further rows there are of calls that were inlined at its start. One pass
    /// answers all.
    pub fn head_lines(&self, starts: &[(u32, u64)]) -> Vec<Option<SourceLine>> {
        let address = |&(section, offset): &(u32, u64)| {
            let range = self.bases.get(section as usize).filter(|range| range.base_address != 0)?;
            (offset < range.size).then(|| range.base_address.checked_add(offset)).flatten()
        };
        let addresses: Vec<Option<u64>> = starts.iter().map(address).collect();
        let wanted: UnorderedSet<u64> = addresses.iter().copied().flatten().collect();
        let dwarf = self.borrow();
        let mut found = UnorderedMap::default();
        let _ = Query { dwarf: &dwarf, allowance: ALLOWANCE }.heads(&wanted, &mut found);
        addresses.iter().map(|address| found.get(&(*address)?).cloned()).collect()
    }

    /// Where the variable with the symbol name `name` is declared. A definition is preferred to a
    /// declaration.
    pub fn variable_line(&self, name: &[u8]) -> Option<SourceLine> {
        let dwarf = self.borrow();
        Query { dwarf: &dwarf, allowance: ALLOWANCE }.variable(name)
    }

    fn borrow(&self) -> Dwarf<Slice<'_>> {
        self.sections.borrow(|section| EndianSlice::new(section, self.endian))
    }
}

/// One look-up, and how many bytes it may still decode.
struct Query<'d, 's> {
    dwarf: &'d Dwarf<Slice<'s>>,
    allowance: u64,
}

impl<'s> Query<'_, 's> {
    fn pay(&mut self, bytes: usize) -> Option<()> {
        self.allowance = self.allowance.checked_sub(bytes as u64 + 1)?;
        Some(())
    }

    /// Looks for `address` in the line programs of all units and notes their offsets in `seen`.
    fn line_in_units(&mut self, address: u64, seen: &mut BTreeSet<usize>) -> Option<SourceLine> {
        let mut headers = self.dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            let (abbreviations, program) = self.outline(&header)?;
            // Type units share the line program of their compilation unit.
            let Some(program) = program.filter(|offset| seen.insert(offset.0)) else { continue };
            self.pay(self.line_program_bytes(program))?;
            let unit = Unit::new_with_abbreviations(self.dwarf, header, abbreviations);
            let Ok(unit) = unit else { continue };
            if let Some(found) = self.line_in_unit(&unit, address) {
                return Some(found);
            }
        }
        None
    }

    /// Walks `.debug_line` itself, for objects whose `.debug_info` is missing or broken.
    fn line_without_units(
        &mut self,
        address: u64,
        seen: &BTreeSet<usize>,
        address_size: u8,
    ) -> Option<SourceLine> {
        let mut offset = 0;
        while offset < self.dwarf.debug_line.reader().len() {
            let at = DebugLineOffset(offset);
            let bytes = self.line_program_bytes(at);
            self.pay(bytes)?;
            if !seen.contains(&offset)
                && let Ok(program) = self.dwarf.debug_line.program(at, address_size, None, None)
                && let (header, Some((file, line))) = self.row_at(program, address)
                && let Some(path) = self.path(&header, file, None)
            {
                return Some(SourceLine { path, line });
            }
            offset = offset.checked_add(bytes)?;
        }
        None
    }

    /// Puts the first line of each address in `wanted` into `found`; `None` if the allowance is
    /// used up.
    fn heads(
        &mut self,
        wanted: &UnorderedSet<u64>,
        found: &mut UnorderedMap<u64, SourceLine>,
    ) -> Option<()> {
        let mut seen = BTreeSet::new();
        let mut headers = self.dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            let (abbreviations, program) = self.outline(&header)?;
            let Some(program) = program.filter(|offset| seen.insert(offset.0)) else { continue };
            self.pay(self.line_program_bytes(program))?;
            let unit = Unit::new_with_abbreviations(self.dwarf, header, abbreviations);
            let Ok(unit) = unit else { continue };
            let Some(program) = unit.line_program.clone() else { continue };
            let header = program.header().clone();
            let mut paths: UnorderedMap<u64, Option<String>> = UnorderedMap::default();
            let mut rows = program.rows();
            while let Ok(Some((_, row))) = rows.next_row() {
                let address = row.address();
                if row.end_sequence() || !wanted.contains(&address) || found.contains_key(&address)
                {
                    continue;
                }
                let (file, Some(line)) = (row.file_index(), row.line()) else { continue };
                if !paths.contains_key(&file) {
                    paths.insert(file, self.path(&header, file, Some(&unit)));
                }
                if let Some(path) = &paths[&file] {
                    found.insert(address, SourceLine { path: path.clone(), line: line.get() });
                }
            }
        }
        Some(())
    }

    fn line_in_unit(&mut self, unit: &Unit<Slice<'s>>, address: u64) -> Option<SourceLine> {
        let (header, row) = self.row_at(unit.line_program.clone()?, address);
        let (file, line) = row?;
        Some(SourceLine { path: self.path(&header, file, Some(unit))?, line })
    }

    /// File index and line of the row that covers `address`: the last one at or below it in a
    /// sequence that goes on above it. Rows of line 0 belong to no line; the one before speaks for
    /// them.
    fn row_at(
        &mut self,
        program: gimli::IncompleteLineProgram<Slice<'s>>,
        address: u64,
    ) -> (LineProgramHeader<Slice<'s>>, Option<(u64, u64)>) {
        let header = program.header().clone();
        let mut rows = program.rows();
        let mut before: Option<(u64, u64)> = None;
        while let Ok(Some((_, row))) = rows.next_row() {
            if row.address() > address && before.is_some() {
                return (header, before);
            }
            if row.end_sequence() || row.address() > address {
                before = None;
            } else if let Some(line) = row.line() {
                before = Some((row.file_index(), line.get()));
            }
        }
        (header, None)
    }

    /// The path of a file of a line program (DWARF 5 section 6.2.4).
    fn path(
        &mut self,
        header: &LineProgramHeader<Slice<'s>>,
        file_index: u64,
        unit: Option<&Unit<Slice<'s>>>,
    ) -> Option<String> {
        let file = header.file(file_index)?;
        let mut path = self.text(unit, file.path_name())?;
        // Directory 0 is the compilation directory, up to DWARF 4 an implicit one.
        let mut directory = file.directory_index();
        for _ in 0..2 {
            if path.starts_with(b"/") {
                break;
            }
            let parent = match header.directory(directory) {
                Some(parent) => self.text(unit, parent),
                None => unit.and_then(|unit| unit.comp_dir).map(|dir| dir.slice().to_vec()),
            };
            if let Some(parent) = parent.filter(|parent| !parent.is_empty()) {
                path = [parent.as_slice(), b"/", path.as_slice()].concat();
            }
            if directory == 0 {
                break;
            }
            directory = 0;
        }
        Some(escape(&path))
    }

    /// A string attribute; `unit` is needed for those that go through `.debug_str_offsets`.
    fn text(
        &mut self,
        unit: Option<&Unit<Slice<'s>>>,
        value: AttributeValue<Slice<'s>>,
    ) -> Option<Vec<u8>> {
        let text = match (value, unit) {
            (value, Some(unit)) => self.dwarf.attr_string(unit, value),
            (AttributeValue::String(text), _) => Ok(text),
            (AttributeValue::DebugStrRef(at), _) => self.dwarf.string(at),
            (AttributeValue::DebugLineStrRef(at), _) => self.dwarf.line_string(at),
            _ => return None,
        };
        // An unterminated string was searched to the end of its section.
        let searched = text.map_or(self.dwarf.debug_str.reader().len(), |text| text.len());
        self.pay(searched)?;
        text.ok().map(|text| text.slice().to_vec())
    }

    /// Reads the abbreviations of a unit and the offset of its line program; the allowance is
    /// charged for both.
    fn outline(&mut self, header: &UnitHeader<Slice<'s>>) -> Option<Outline> {
        let table = self.abbreviation_bytes(header.debug_abbrev_offset())?;
        self.pay(table)?;
        // A unit that cannot be read is passed over; its line program is found without it.
        let Ok(abbreviations) = self.dwarf.abbreviations(header) else {
            return Some(Default::default());
        };
        let mut entries = header.entries(&abbreviations);
        let program = match entries.next_dfs() {
            Ok(Some((_, root))) => match root.attr_value(gimli::DW_AT_stmt_list) {
                Ok(Some(AttributeValue::DebugLineRef(at))) => Some(at),
                _ => None,
            },
            _ => None,
        };
        Some((abbreviations, program))
    }

    /// Size in bytes of the abbreviation table at an offset (DWARF 5 section 7.5.3).
    fn abbreviation_bytes(&mut self, at: DebugAbbrevOffset<usize>) -> Option<usize> {
        let whole = *self.dwarf.debug_abbrev.reader();
        let mut rest = whole;
        let scan = |rest: &mut Slice<'s>| -> gimli::Result<()> {
            rest.skip(at.0)?;
            while rest.read_uleb128()? != 0 {
                rest.read_uleb128()?; // tag
                rest.read_u8()?; // has children
                loop {
                    let (name, form) = (rest.read_uleb128()?, rest.read_uleb128_u16()?);
                    if form == gimli::DW_FORM_implicit_const.0 {
                        rest.read_sleb128()?;
                    }
                    if name == 0 && form == 0 {
                        break;
                    }
                }
            }
            Ok(())
        };
        // A broken table is as long as what was read of it.
        let _ = scan(&mut rest);
        Some(whole.len().saturating_sub(rest.len()).saturating_sub(at.0))
    }

    /// Size in bytes of the line program at an offset with its header, at most to the end of the
    /// section.
    fn line_program_bytes(&self, at: DebugLineOffset<usize>) -> usize {
        let mut rest = *self.dwarf.debug_line.reader();
        if rest.skip(at.0).is_err() {
            return 0;
        }
        let available = rest.len();
        match rest.read_initial_length() {
            Ok((length, _)) => (available - rest.len()).saturating_add(length).min(available),
            Err(_) => available,
        }
    }

    fn variable(&mut self, name: &[u8]) -> Option<SourceLine> {
        let mut declared = None;
        let mut headers = self.dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            let (abbreviations, program) = self.outline(&header)?;
            let Some(program) = program else { continue };
            self.pay(self.line_program_bytes(program))?;
            let unit = Unit::new_with_abbreviations(self.dwarf, header, abbreviations);
            let Ok(unit) = unit else { continue };
            for variable in self.variables(&unit, name)? {
                let Some(line) = self.declared_at(&unit, &variable) else { continue };
                if !variable.is_declaration {
                    return Some(line);
                }
                declared.get_or_insert(line);
            }
        }
        declared
    }

    /// The variables called `name` in a unit.
    fn variables(&mut self, unit: &Unit<Slice<'s>>, name: &[u8]) -> Option<Vec<Variable<'s>>> {
        let mut found = Vec::new();
        let Ok(mut entries) = unit.entries_raw(None) else { return Some(found) };
        while !entries.is_empty() {
            let depth = entries.next_depth();
            let Ok(abbreviation) = entries.read_abbreviation() else { break };
            let Some(abbreviation) = abbreviation else {
                self.pay(1)?;
                continue;
            };
            // Attributes may take no bytes (`DW_FORM_implicit_const`).
            self.pay(abbreviation.attributes().len())?;
            if abbreviation.tag() != gimli::DW_TAG_variable {
                if entries.skip_attributes(abbreviation.attributes()).is_err() {
                    break;
                }
                continue;
            }
            let mut variable = Variable::default();
            let read = abbreviation.attributes().iter().try_for_each(|&specification| {
                entries.read_attribute(specification).map(|attribute| variable.add(attribute))
            });
            if read.is_err() {
                break;
            }
            self.follow_specification(unit, &mut variable)?;
            if self.is_called(unit, &variable, depth, name) {
                found.push(variable);
            }
        }
        Some(found)
    }

    /// Whether a variable has the symbol name `name`. A plain name counts only directly below the
    /// unit (depth 1): anything deeper has a linkage name, or is local and has no symbol of that
    /// name.
    fn is_called(
        &mut self,
        unit: &Unit<Slice<'s>>,
        variable: &Variable<'s>,
        depth: isize,
        name: &[u8],
    ) -> bool {
        match (variable.linkage_name, variable.name) {
            (Some(linkage_name), _) => self.text(Some(unit), linkage_name).as_deref() == Some(name),
            (None, Some(plain)) if depth == 1 => {
                self.text(Some(unit), plain).as_deref() == Some(name)
            }
            _ => false,
        }
    }

    /// Completes a definition from the declaration that it refers to: a static member or a
    /// variable of a namespace.
    fn follow_specification(
        &mut self,
        unit: &Unit<Slice<'s>>,
        variable: &mut Variable<'s>,
    ) -> Option<()> {
        for _ in 0..MAX_SPECIFICATIONS {
            let Some(at) = variable.specification.take() else { break };
            let Ok(mut entries) = unit.entries_raw(Some(at)) else { break };
            let Ok(Some(abbreviation)) = entries.read_abbreviation() else { break };
            self.pay(abbreviation.attributes().len())?;
            let is_declaration = variable.is_declaration;
            for &specification in abbreviation.attributes() {
                let Ok(attribute) = entries.read_attribute(specification) else { break };
                variable.add(attribute);
            }
            variable.is_declaration = is_declaration;
        }
        Some(())
    }

    fn declared_at(
        &mut self,
        unit: &Unit<Slice<'s>>,
        variable: &Variable<'s>,
    ) -> Option<SourceLine> {
        let header = unit.line_program.as_ref()?.header().clone();
        let line = variable.line.filter(|&line| line != 0)?;
        Some(SourceLine { path: self.path(&header, variable.file?, Some(unit))?, line })
    }
}

type Outline = (std::sync::Arc<Abbreviations>, Option<DebugLineOffset<usize>>);

/// The attributes of a `DW_TAG_variable`.
#[derive(Default)]
struct Variable<'s> {
    name: Option<AttributeValue<Slice<'s>>>,
    linkage_name: Option<AttributeValue<Slice<'s>>>,
    file: Option<u64>,
    line: Option<u64>,
    specification: Option<UnitOffset<usize>>,
    is_declaration: bool,
}

impl<'s> Variable<'s> {
    /// Takes over an attribute that no earlier entry had.
    fn add(&mut self, attribute: gimli::Attribute<Slice<'s>>) {
        match attribute.name() {
            gimli::DW_AT_name => self.name = self.name.or(Some(attribute.value())),
            gimli::DW_AT_linkage_name | gimli::DW_AT_MIPS_linkage_name => {
                self.linkage_name = self.linkage_name.or(Some(attribute.value()));
            }
            gimli::DW_AT_decl_file => {
                let file = match attribute.value() {
                    AttributeValue::FileIndex(index) => Some(index),
                    value => value.udata_value(),
                };
                self.file = self.file.or(file);
            }
            gimli::DW_AT_decl_line => self.line = self.line.or(attribute.udata_value()),
            gimli::DW_AT_specification => {
                if let AttributeValue::UnitRef(at) = attribute.value() {
                    self.specification = Some(at);
                }
            }
            gimli::DW_AT_declaration => {
                self.is_declaration = attribute.value() == AttributeValue::Flag(true);
            }
            _ => {}
        }
    }
}

impl std::fmt::Display for SourceLine {
    /// Formats it as lld does, for tools that parse messages: `a.c:3 (/src/a.c:3)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (path, line) = (&self.path, self.line);
        let name = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path);
        write!(f, "{name}:{line}")?;
        if name != path { write!(f, " ({path}:{line})") } else { Ok(()) }
    }
}
