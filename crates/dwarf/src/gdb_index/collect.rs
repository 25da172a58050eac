//! Collects the names and addresses of a program's units.

use super::{IndexInput, ListedNames};
use crate::entries::{Entry, Sink, UnitView};
use crate::language::Language;
use crate::names::{Names, QualifiedId, Text, Texts};
use crate::program::{FoundUnit, UnitReader, in_turn};
use crate::sections::{Sections, string_at};
use crate::split_files::SplitFiles;
use crate::units::UnitKind;
use crate::values::{byte, fixed};
use gimli::constants::*;
use skald_core::ids::Column;
use skald_core::par::prelude::*;
use skald_core::perturb::shuffled;
use skald_core::unordered::{UnorderedMap, UnorderedSet};
use skald_linking::byte_order::ByteOrder;
use skald_linking::cursor::Malformed;
use std::ops::Range;

/// The kind of a symbol: bits 28 to 30 of an element of a CU vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Type = 1,
    Variable = 2,
    Function = 3,
    Other = 4,
}

/// Width of the unit number in an element of a CU vector.
pub(super) const UNIT_BITS: u32 = 24;
const UNIT_MASK: u32 = (1 << UNIT_BITS) - 1;
pub(super) const KIND_SHIFT: u32 = 28;
const STATIC: u32 = 1 << 31;
/// Marks a use of a name of which only the first equal one is kept. The mark is not written.
pub(super) const ONCE: u32 = 1 << 27;

/// The content of the index, from all units.
#[derive(Default)]
pub(super) struct Collected {
    pub names: Names,
    pub texts: Texts,
    /// Uses of names: the id of the name, and an element of its CU vector.
    pub uses: Vec<(QualifiedId, u32)>,
    /// Addresses and the unit that covers them.
    pub areas: Vec<(Range<u64>, u32)>,
    /// Units that state no addresses.
    pub silent: Vec<u32>,
    /// The unit that declares the main program, and the program's name.
    pub main: Option<(u32, QualifiedId)>,
    /// DW_AT_language of each unit.
    pub languages: Vec<(u32, u32)>,
    /// Entries that have the name of an entry of another unit (link-time optimisation).
    foreign: Vec<ForeignEntry>,
    /// Units, and the offsets in `.debug_info` of units that they import.
    imports: Vec<(u32, u64)>,
    /// Partial units, which others import.
    partial: Vec<u32>,
    pub faults: Vec<(usize, Malformed)>,
}

/// An entry that has the name of an entry of another unit.
#[derive(Clone, Copy)]
struct ForeignEntry {
    /// Offset of that entry in `.debug_info`.
    target: u64,
    unit: u32,
    kind: Kind,
    is_static: bool,
    language: Language,
}

/// The uses of a name that a thread has found so far.
#[derive(Clone, Copy)]
struct Known {
    /// The unit that used the name last.
    unit: u32,
    /// Its uses in that unit: a bit for each kind, and one for each static kind.
    there: u16,
    /// Its uses in any unit, for kinds that are entered once per program.
    once: u16,
}

/// The names and addresses that one thread has collected.
#[derive(Default)]
struct Collector {
    found: Collected,
    known: Column<QualifiedId, Known>,
    unit: u32,
    language: Language,
}

/// Collects from all units.
pub(super) fn collect(
    input: &IndexInput<'_, '_>,
    units: &[FoundUnit],
    compile_units: usize,
) -> Collected {
    let collectors = in_turn(units, Collector::default, |collector, reader, at| {
        collector.unit = at as u32;
        let found = &units[at];
        if let Err(fault) = unit(input, found, at < compile_units, reader, collector) {
            collector.found.faults.push((found.contribution, fault));
        }
    });
    let found = collectors.into_par_iter().map(|collector| collector.found);
    let mut all = found.reduce_with(join).unwrap_or_default();
    name_foreign(input, units, &mut all);
    own_imports(units, &mut all);
    all
}

/// The position of the unit of `.debug_info` that contains an offset.
fn unit_at(units: &[FoundUnit], offset: u64) -> Option<usize> {
    let is_in = |found: &FoundUnit| {
        let unit = &found.unit;
        !found.is_types && unit.start <= offset && offset - unit.start < unit.len
    };
    // Compilation units come first, ascending; type units are not referred to.
    let behind = units.partition_point(|found| {
        !found.is_type_unit() && !found.is_types && found.unit.start <= offset
    });
    behind.checked_sub(1).filter(|&at| is_in(&units[at]))
}

/// Finds the names of entries that refer to other units; the other units are read once more for
/// them.
fn name_foreign(input: &IndexInput<'_, '_>, units: &[FoundUnit], all: &mut Collected) {
    let mut foreign = std::mem::take(&mut all.foreign);
    if foreign.is_empty() {
        return;
    }
    shuffled(&mut foreign).sort_unstable_by_key(|one| (one.target, one.unit));
    let mut finder = Finder {
        names: std::mem::take(&mut all.names),
        texts: std::mem::take(&mut all.texts),
        language: Language::default(),
        start: 0,
        found: UnorderedMap::new(),
    };
    let mut reader = UnitReader::default();
    let targets = |one: &ForeignEntry| unit_at(units, one.target);
    for of_unit in foreign.chunk_by(|a, b| targets(a) == targets(b)) {
        let Some(unit) = targets(&of_unit[0]).map(|at| &units[at]) else { continue };
        finder.found = of_unit.iter().map(|one| (one.target, None)).collect();
        finder.start = unit.unit.start;
        // Faults of the unit have been reported already.
        if let Ok(view) = reader.view(&input.sections, unit, u64::MAX) {
            finder.language = view.root.language;
            let _ = view.walk(&mut finder);
        }
        for one in of_unit {
            let Some(&Some((name, is_static))) = finder.found.get(&one.target) else { continue };
            let is_static = one.is_static && is_static;
            let is_once = is_once(one.kind, is_static, one.language);
            all.uses.push((name, element(one.unit, one.kind, is_static, is_once)));
        }
    }
    (all.names, all.texts) = (finder.names, finder.texts);
}

/// Finds the names of entries.
struct Finder {
    names: Names,
    texts: Texts,
    language: Language,
    /// Offset of the unit.
    start: u64,
    /// By offset of the entry: its name, and whether it is static.
    found: UnorderedMap<u64, Option<(QualifiedId, bool)>>,
}

impl Sink for Finder {
    type Scope = QualifiedId;
    const PICKS: bool = true;

    fn wants(&self, offset: u64) -> bool {
        self.found.contains_key(&(self.start + offset))
    }

    fn outside(&self) -> QualifiedId {
        self.language.outside()
    }

    fn named(&mut self, scope: QualifiedId, name: Text<'_>, entry: &Entry) -> QualifiedId {
        let scope = if self.language.has_scopes() { scope } else { self.language.outside() };
        let component = self.texts.component(name);
        let name = self.names.intern(scope, component);
        if let Some(found) = self.found.get_mut(&(self.start + entry.offset)) {
            *found = Some((name, entry.is_static));
        }
        name
    }

    fn covers(&mut self, _addresses: Range<u64>) {}

    fn imports(&mut self, _offset: u64) {}

    fn foreign(&mut self, _target: u64, _entry: &Entry) {}
}

/// Gives the names of partial units to the first unit that imports them: gdb does not read partial
/// units on their own.
fn own_imports(units: &[FoundUnit], all: &mut Collected) {
    if all.imports.is_empty() {
        return;
    }
    let partial: UnorderedSet<u32> = all.partial.iter().copied().collect();
    let mut importer: UnorderedMap<u32, u32> = UnorderedMap::new();
    for &(unit, offset) in &all.imports {
        let Some(imported) = unit_at(units, offset) else { continue };
        if partial.contains(&(imported as u32)) {
            let first = importer.entry(imported as u32).or_insert(unit);
            *first = unit.min(*first);
        }
    }
    for (_, element) in &mut all.uses {
        // A partial unit may be imported by another one.
        for _ in 0..MAX_IMPORTS {
            let Some(&unit) = importer.get(&(*element & UNIT_MASK)) else { break };
            *element = *element & !UNIT_MASK | unit;
        }
    }
}

/// Maximum length of a chain of imports between partial units.
const MAX_IMPORTS: usize = 8;

/// Joins what two threads have collected.
fn join(mut a: Collected, mut b: Collected) -> Collected {
    if a.names.all().len() < b.names.all().len() {
        std::mem::swap(&mut a, &mut b);
    }
    let ids = a.names.append(&b.names, &mut a.texts, &b.texts);
    a.uses.extend(b.uses.iter().map(|&(name, element)| (ids[name], element)));
    a.areas.append(&mut b.areas);
    a.silent.append(&mut b.silent);
    a.faults.append(&mut b.faults);
    a.languages.append(&mut b.languages);
    a.foreign.append(&mut b.foreign);
    a.imports.append(&mut b.imports);
    a.partial.append(&mut b.partial);
    let other = b.main.map(|(unit, name)| (unit, ids[name]));
    a.main = a.main.into_iter().chain(other).min_by_key(|&(unit, _)| unit);
    a
}

/// Reads a unit; gives its names and addresses to `collector`.
fn unit(
    input: &IndexInput<'_, '_>,
    found: &FoundUnit,
    is_compile_unit: bool,
    reader: &mut UnitReader,
    collector: &mut Collector,
) -> Result<(), Malformed> {
    let listed = listed(input, found);
    // If the names of a unit are listed, only its first entry is read.
    let most = if listed.is_empty() { u64::MAX } else { HEAD };
    let view = reader.view(&input.sections, found, most)?;
    collector.take(&view, listed, is_compile_unit && found.unit.kind != UnitKind::Partial)?;
    if is_split_off(&view, listed) { collector.split_off(&view, input.split_files) } else { Ok(()) }
}

/// Whether the names of a unit have to be looked for in its `.dwo` file.
fn is_split_off(view: &UnitView<'_>, listed: &[ListedNames<'_>]) -> bool {
    view.root.dwo_name.is_some() && listed.is_empty()
}

/// The lists of the names of a unit.
fn listed<'i>(input: &'i IndexInput<'_, '_>, found: &FoundUnit) -> &'i [ListedNames<'i>] {
    if found.is_types {
        return &[];
    }
    let start = input.listed.partition_point(|list| list.unit < found.unit.start);
    let rest = &input.listed[start..];
    &rest[..rest.partition_point(|list| list.unit == found.unit.start)]
}

/// The most bytes of a unit that are read for its first entry.
const HEAD: u64 = 16 << 10;

impl Collector {
    /// Takes names and addresses of a unit; `covers_code` is false for type units and partial
    /// units.
    fn take(
        &mut self,
        view: &UnitView<'_>,
        listed: &[ListedNames<'_>],
        covers_code: bool,
    ) -> Result<(), Malformed> {
        self.language = view.root.language;
        if view.root.is_partial {
            self.found.partial.push(self.unit);
        }
        if !is_split_off(view, listed) {
            self.found.languages.push((self.unit, view.root.language_code));
        }
        if covers_code {
            match view.addresses() {
                Some(ranges) => ranges.into_iter().for_each(|range| self.covers(range)),
                None => self.found.silent.push(self.unit),
            }
        }
        for list in listed {
            self.listed(list, view.unit.encoding.order);
        }
        if listed.is_empty() { view.walk(self) } else { Ok(()) }
    }

    /// Takes the names in the `.dwo` file of a skeleton.
    fn split_off(&mut self, view: &UnitView<'_>, files: &dyn SplitFiles) -> Result<(), Malformed> {
        let text = |text: Option<_>| text.map_or(&[][..], |text| bytes_of(text, view.sections));
        let (directory, name) = (text(view.root.directory), text(view.root.dwo_name));
        let Some(file) = files.open(directory, name) else { return Ok(()) };
        let mut reader = UnitReader::default();
        let taken = file.units(view.unit, |sections, unit, is_types| {
            let found = FoundUnit { unit, contribution: 0, is_types };
            let own = reader.view(sections, &found, u64::MAX)?;
            self.language = own.root.language;
            if !found.is_type_unit() {
                self.found.languages.push((self.unit, own.root.language_code));
            }
            own.walk(&mut SplitOff { collector: self, sections })
        });
        let start = view.unit.start as usize;
        taken.map_err(|_| Malformed::new("its .dwo file has a broken unit", start))
    }

    /// Enters the use of a name as a `kind` in the current unit.
    #[inline(always)]
    fn enter(&mut self, name: QualifiedId, kind: Kind, is_static: bool, is_once: bool) {
        if self.known.end() <= name {
            self.know(name);
        }
        let known = &mut self.known[name];
        let bit = 1u16 << (2 * kind as u32 + u32::from(is_static));
        if known.unit != self.unit {
            (known.unit, known.there) = (self.unit, 0);
        }
        if known.there & bit != 0 || is_once && known.once & bit != 0 {
            return;
        }
        known.there |= bit;
        if is_once {
            known.once |= bit;
        }
        self.found.uses.push((name, element(self.unit, kind, is_static, is_once)));
    }

    /// Makes room for a name that is new.
    #[cold]
    fn know(&mut self, name: QualifiedId) {
        while self.known.end() <= name {
            self.known.push(Known { unit: u32::MAX, there: 0, once: 0 });
        }
    }

    /// Enters the names of a list, whose elements are offset of the entry, a byte with kind and
    /// linkage, name.
    fn listed(&mut self, list: &ListedNames<'_>, order: ByteOrder) {
        // A skeleton does not state its language; compilers of C and C++ make such lists.
        let outside = match self.language {
            Language::Other => QualifiedId::C,
            language => language.outside(),
        };
        let mut at = 0;
        while let Some(1..) = fixed(list.entries, &mut at, list.offset_size.into(), order)
            && let Some(flags) = byte(list.entries, &mut at)
        {
            let rest = list.entries.get(at..).unwrap_or_default();
            let (component, len) = self.found.texts.first_component(rest);
            at += len + 1;
            let (kind, is_static) = (flags >> 4 & 7, flags & 0x80 != 0);
            let kind = match kind {
                1 => Kind::Type,
                2 => Kind::Variable,
                3 => Kind::Function,
                _ => Kind::Other,
            };
            let name = self.found.names.intern(outside, component);
            let is_once = is_once(kind, is_static, self.language);
            self.enter(name, kind, is_static, is_once);
        }
    }
}

/// The bytes of a text.
fn bytes_of<'a>(text: Text<'a>, sections: &Sections<'a>) -> &'a [u8] {
    match text {
        Text::String(offset) => string_at(sections.strings, offset),
        Text::LineString(offset) => string_at(sections.line_strings, offset),
        Text::Inline(text) => text,
    }
}

/// Takes the entries of a `.dwo` file for the current skeleton. The file has strings of its own.
/// Its addresses are ignored: they are indices relative to the skeleton, and the skeleton states
/// the ranges.
struct SplitOff<'c, 's> {
    collector: &'c mut Collector,
    sections: &'s Sections<'s>,
}

impl Sink for SplitOff<'_, '_> {
    type Scope = QualifiedId;

    fn outside(&self) -> QualifiedId {
        self.collector.outside()
    }

    fn named(&mut self, scope: QualifiedId, name: Text<'_>, entry: &Entry) -> QualifiedId {
        let name = Text::Inline(bytes_of(name, self.sections));
        self.collector.named(scope, name, entry)
    }

    fn covers(&mut self, _addresses: Range<u64>) {}

    fn imports(&mut self, _offset: u64) {}

    fn foreign(&mut self, _target: u64, _entry: &Entry) {}
}

/// The element of a CU vector for the use of a name as a `kind` in a unit.
#[inline(always)]
fn element(unit: u32, kind: Kind, is_static: bool, is_once: bool) -> u32 {
    let marks = if is_static { STATIC } else { 0 } | if is_once { ONCE } else { 0 };
    (kind as u32) << KIND_SHIFT | marks | unit & UNIT_MASK
}

/// The kind of symbol that an entry with this tag is.
#[inline(always)]
fn kind_of(tag: DwTag) -> Kind {
    match tag {
        DW_TAG_subprogram | DW_TAG_inlined_subroutine => Kind::Function,
        DW_TAG_variable | DW_TAG_constant | DW_TAG_enumerator => Kind::Variable,
        DW_TAG_module | DW_TAG_common_block => Kind::Other,
        _ => Kind::Type,
    }
}

/// Whether a name is entered for the first unit only: gdb needs one definition of a type, and of a
/// variable. Static entries of different units may differ.
fn is_once(kind: Kind, is_static: bool, language: Language) -> bool {
    match kind {
        Kind::Type => !is_static || language != Language::C,
        Kind::Variable => !is_static,
        Kind::Function | Kind::Other => false,
    }
}

impl Sink for Collector {
    type Scope = QualifiedId;

    fn outside(&self) -> QualifiedId {
        self.language.outside()
    }

    #[inline(always)]
    fn named(&mut self, scope: QualifiedId, name: Text<'_>, entry: &Entry) -> QualifiedId {
        let scope = if self.language.has_scopes() { scope } else { self.language.outside() };
        let component = self.found.texts.component(name);
        let name = self.found.names.intern(scope, component);
        let kind = kind_of(entry.tag);
        if !entry.is_declaration {
            let is_once = is_once(kind, entry.is_static, self.language);
            self.enter(name, kind, entry.is_static, is_once);
        }
        if entry.is_main && self.found.main.is_none() {
            self.found.main = Some((self.unit, name));
        }
        name
    }

    fn covers(&mut self, addresses: Range<u64>) {
        self.found.areas.push((addresses, self.unit));
    }

    fn imports(&mut self, offset: u64) {
        self.found.imports.push((self.unit, offset));
    }

    fn foreign(&mut self, target: u64, entry: &Entry) {
        self.found.foreign.push(ForeignEntry {
            target,
            unit: self.unit,
            kind: kind_of(entry.tag),
            is_static: entry.is_static,
            language: self.language,
        });
    }
}
