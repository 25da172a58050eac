//! What the units of a program name and cover.

use super::{Found, IndexInput, ListedNames};
use crate::cursor::Malformed;
use crate::dwarf::abbreviations::Abbreviations;
use crate::dwarf::entries::{Entry, Sink, UnitView};
use crate::dwarf::language::Language;
use crate::dwarf::names::{Names, QualifiedId, Text, Texts};
use crate::dwarf::sections::string_at;
use crate::dwarf::units::UnitKind;
use crate::dwarf::values::{Encoding, fixed};
use gimli::constants::*;
use skald_core::ids::Column;
use skald_core::par;
use skald_core::par::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a symbol is: bits 28 to 30 of an element of a vector of units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    Type = 1,
    Variable = 2,
    Function = 3,
    Other = 4,
}

/// Bits of an element of a vector that are the number of a unit.
pub(super) const UNIT_BITS: u32 = 24;
pub(super) const KIND_SHIFT: u32 = 28;
const STATIC: u32 = 1 << 31;
/// Of the same uses of a name that have this mark only the first one stays. Not for the file.
pub(super) const ONCE: u32 = 1 << 27;

/// All that was found, of all units.
#[derive(Default)]
pub(super) struct Collected {
    pub names: Names,
    pub texts: Texts,
    /// Names and what they are where: id, and element of its vector of units.
    pub uses: Vec<(QualifiedId, u32)>,
    /// Addresses and the unit that covers them.
    pub areas: Vec<(Range<u64>, u32)>,
    /// Units that say nothing of addresses.
    pub silent: Vec<u32>,
    /// The unit that says that it has the main program, and its name.
    pub main: Option<(u32, QualifiedId)>,
    /// DW_AT_language of each unit.
    pub languages: Vec<(u32, u32)>,
    pub faults: Vec<(usize, Malformed)>,
}

/// What a thread knows of a name so far.
#[derive(Clone, Copy)]
struct Known {
    /// The unit that it was seen in last.
    unit: u32,
    /// What it was there: a bit for each kind, and for the static ones.
    there: u16,
    /// What it was in any unit, of what counts once in a program.
    once: u16,
}

/// What one thread has found.
#[derive(Default)]
struct Collector {
    found: Collected,
    known: Column<QualifiedId, Known>,
    unit: u32,
    language: Language,
}

/// Looks through all units.
pub(super) fn collect(
    input: &IndexInput<'_, '_>,
    units: &[Found],
    compile_units: usize,
) -> Collected {
    let next = AtomicUsize::new(0);
    let threads = par::threads().min(units.len()).max(1);
    let collectors: Vec<Collected> = (0..threads)
        .into_par_iter()
        .with_max_len(1)
        .map(|_| {
            let mut collector = Collector::default();
            let mut reader = Reader { input, bytes: Vec::new(), abbreviations: None };
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(found) = units.get(at) else { break };
                collector.unit = at as u32;
                if let Err(fault) = reader.unit(found, at < compile_units, &mut collector) {
                    collector.found.faults.push((found.contribution, fault));
                }
            }
            collector.found
        })
        .collect();
    let joined = collectors.into_par_iter().reduce_with(join);
    joined.unwrap_or_default()
}

/// What two threads have found.
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
    let other = b.main.map(|(unit, name)| (unit, ids[name]));
    a.main = a.main.into_iter().chain(other).min_by_key(|&(unit, _)| unit);
    a
}

/// Reads units, one after the other.
struct Reader<'r> {
    input: &'r IndexInput<'r, 'r>,
    /// Bytes of the unit.
    bytes: Vec<u8>,
    /// The table of the unit before, which mostly is another one.
    abbreviations: Option<((u64, Encoding), Abbreviations)>,
}

impl Reader<'_> {
    fn unit(
        &mut self,
        found: &Found,
        is_compile_unit: bool,
        collector: &mut Collector,
    ) -> Result<(), Malformed> {
        let Found { unit, is_types, .. } = found;
        let sections = &self.input.sections;
        let listed = listed(self.input, found);
        // Of a unit whose names are listed only the first entry is read.
        let wanted = if listed.is_empty() { unit.len } else { unit.len.min(HEAD) };
        let len = usize::try_from(wanted).unwrap_or(usize::MAX);
        if self.bytes.len() < len {
            self.bytes.resize(len, 0);
        }
        let bytes = &mut self.bytes[..len];
        if !sections.content(*is_types).read(unit.start, bytes) {
            return Err(Malformed::new("cannot be read", unit.start as usize));
        }
        let key = (unit.abbreviations, unit.encoding);
        if self.abbreviations.as_ref().is_none_or(|(other, _)| *other != key) {
            let (offset, encoding) = key;
            let table = Abbreviations::parse(sections.abbreviations, offset, encoding);
            let table = table.map_err(|fault| Malformed::new(fault.what, unit.start as usize))?;
            self.abbreviations = Some((key, table));
        }
        let Some((_, abbreviations)) = &self.abbreviations else { return Ok(()) };
        let view = UnitView::new(unit, bytes, abbreviations, sections)?;
        collector.language = view.root.language;
        collector.found.languages.push((collector.unit, view.root.language_code));
        if is_compile_unit && unit.kind != UnitKind::Partial {
            match view.addresses() {
                Some(ranges) => ranges.into_iter().for_each(|range| collector.covers(range)),
                None => collector.found.silent.push(collector.unit),
            }
        }
        for list in listed {
            collector.listed(list);
        }
        if listed.is_empty() { view.walk(collector) } else { Ok(()) }
    }
}

/// The lists of the names of a unit.
fn listed<'i>(input: &'i IndexInput<'_, '_>, found: &Found) -> &'i [ListedNames<'i>] {
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
    /// Enters that a name is a `kind` in the unit at hand.
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
        let mut element = (kind as u32) << KIND_SHIFT | if is_static { STATIC } else { 0 };
        if is_once {
            known.once |= bit;
            element |= ONCE;
        }
        self.found.uses.push((name, element | self.unit & ((1 << UNIT_BITS) - 1)));
    }

    /// Makes room for a name that is new.
    #[cold]
    fn know(&mut self, name: QualifiedId) {
        while self.known.end() <= name {
            self.known.push(Known { unit: u32::MAX, there: 0, once: 0 });
        }
    }

    /// Enters the names of a list: offset of the entry, a byte of what it is, name.
    fn listed(&mut self, list: &ListedNames<'_>) {
        let mut at = 0;
        while let Some(1..) = fixed(list.entries, &mut at, list.offset_size.into())
            && let Some(flags) = fixed(list.entries, &mut at, 1)
        {
            let text = string_at(list.entries, at as u64);
            at += text.len() + 1;
            let (kind, is_static) = (flags >> 4 & 7, flags & 0x80 != 0);
            let kind = match kind {
                1 => Kind::Type,
                2 => Kind::Variable,
                3 => Kind::Function,
                _ => Kind::Other,
            };
            let component = self.found.texts.component(Text::Inline(text));
            let name = self.found.names.intern(QualifiedId::COLONS, component);
            let is_once = is_once(kind, is_static, self.language);
            self.enter(name, kind, is_static, is_once);
        }
    }
}

/// Whether one unit stands for all that define a name: gdb needs one definition of a type, and of
/// a variable. Things that only their units know may be different ones.
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
        self.language.outside().unwrap_or(QualifiedId::COLONS)
    }

    #[inline(always)]
    fn named(&mut self, scope: QualifiedId, name: Text<'_>, entry: &Entry) -> QualifiedId {
        let scope = if self.language.outside().is_none() { QualifiedId::COLONS } else { scope };
        let component = self.found.texts.component(name);
        let name = self.found.names.intern(scope, component);
        let kind = match entry.tag {
            DW_TAG_subprogram | DW_TAG_inlined_subroutine => Kind::Function,
            DW_TAG_variable | DW_TAG_constant | DW_TAG_enumerator => Kind::Variable,
            DW_TAG_module | DW_TAG_common_block => Kind::Other,
            _ => Kind::Type,
        };
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

    fn imports(&mut self, _offset: u64) {}
}
