//! Collects the entries of a program that `.debug_names` lists (DWARF 5, section 6.1.1.1).
//!
//! Threads take units one after the other, and walk over all entries of a unit: functions contain
//! types, static variables and inlined functions. Only the names of skeletons come from tables of
//! inputs ([`super::input_tables`]).

use super::NameInput;
use super::added_strings::AddedTexts;
use super::input_tables;
use super::locations::has_address;
use crate::abbreviations::{Abbreviation, Abbreviations};
use crate::entries::{MAX_ORIGINS, UnitView};
use crate::names::{Names, QualifiedId, Text, Texts};
use crate::program::{FoundUnit, UnitReader, in_turn};
use crate::sections::Sections;
use crate::units::UnitKind;
use crate::values::{Value, fixed, uleb};
use gimli::constants::*;
use skald_core::par::prelude::*;
use skald_core::unordered::UnorderedMap;
use skald_linking::cursor::Malformed;

/// The parent of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parent {
    /// A declaration, for which the table has no DW_IDX_parent.
    Declared,
    /// The unit, or an entry that the table does not have.
    Unlisted,
    /// The entry at this position among those of the unit.
    Listed(u32),
}

/// The ancestors of the entries at one depth.
#[derive(Clone, Copy)]
struct OpenScope {
    parent: Parent,
    /// No ancestor is a function or a type.
    is_outside: bool,
}

/// An entry by one of its names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed {
    /// The name; its texts are all in `.debug_str`.
    pub name: QualifiedId,
    /// Distance of the entry from the header of its unit.
    pub offset: u32,
    pub tag: DwTag,
    pub parent: Parent,
}

/// The entries of one unit.
#[derive(Default)]
pub(super) struct UnitNames {
    /// Position among the units.
    pub unit: usize,
    pub listed: Vec<Listed>,
    /// Entries in type units of a `.dwo` file: positions in `listed`, ascending, and signatures.
    pub foreign: Vec<(u32, u64)>,
}

/// The content of the table, from all units.
#[derive(Default)]
pub(super) struct Collected {
    pub names: Names,
    pub texts: Texts,
    /// The units that the table covers; sorted after all threads' units are joined.
    pub units: Vec<UnitNames>,
    /// Number of names that are not in `.debug_str`.
    pub left_out: u64,
    pub faults: Vec<(usize, Malformed)>,
    /// Faults in tables of inputs, by the input's position among those with tables.
    pub table_faults: Vec<(usize, Malformed)>,
}

/// Collects from all units.
pub(super) fn collect(
    input: &NameInput<'_, '_>,
    units: &[FoundUnit],
    added: &AddedTexts<'_>,
) -> Collected {
    let start = || Collector {
        others: ReferencedUnits { sections: &input.sections, units, read: UnorderedMap::new() },
        added,
        found: Collected::default(),
        listed: Vec::new(),
    };
    let collectors = in_turn(units, start, |collector, reader, at| {
        collector.unit(at, &units[at], reader);
    });
    let found = collectors.into_par_iter().map(|collector| collector.found);
    let of_entries = found.reduce_with(join).unwrap_or_default();
    let tables = input.tables.par_iter().enumerate();
    let taken = tables.fold(Collected::default, |mut taken, (at, &tables)| {
        let order = input.sections.order;
        let fault = input_tables::take(tables, units, input.inputs, order, &mut taken).err();
        taken.table_faults.extend(fault.map(|fault| (at, fault)));
        taken
    });
    let mut joined = match taken.reduce_with(join) {
        Some(of_tables) => join(of_entries, of_tables),
        None => of_entries,
    };
    // A unit belongs to one input, whose tables were read in order.
    joined.units.sort_by_key(|unit| unit.unit);
    joined.units.dedup_by_key(|unit| unit.unit);
    joined
}

/// Joins what two threads have collected.
fn join(mut a: Collected, mut b: Collected) -> Collected {
    if a.names.all().len() < b.names.all().len() {
        std::mem::swap(&mut a, &mut b);
    }
    let ids = a.names.append(&b.names, &mut a.texts, &b.texts);
    b.units.par_iter_mut().for_each(|unit| {
        unit.listed.iter_mut().for_each(|listed| listed.name = ids[listed.name]);
    });
    a.units.append(&mut b.units);
    a.left_out += b.left_out;
    a.faults.append(&mut b.faults);
    a.table_faults.append(&mut b.table_faults);
    a
}

/// The entries that one thread has collected.
struct Collector<'c> {
    others: ReferencedUnits<'c>,
    added: &'c AddedTexts<'c>,
    found: Collected,
    /// The entries of the current unit.
    listed: Vec<Listed>,
}

/// The attributes of an entry that an index needs.
#[derive(Default)]
struct EntryAttributes<'a> {
    name: Option<Text<'a>>,
    linkage_name: Option<Text<'a>>,
    origin: Option<Value<'a>>,
    location: Option<Value<'a>>,
}

/// Source name and linkage name of an entry. The inner `None` is for a name that is not in
/// `.debug_str`.
#[derive(Default, Clone, Copy)]
struct EntryNames {
    name: Option<Option<u64>>,
    linkage_name: Option<Option<u64>>,
}

impl Collector<'_> {
    fn unit(&mut self, unit: usize, found: &FoundUnit, reader: &mut UnitReader) {
        let walked = self.walked(found, reader);
        let listed = std::mem::take(&mut self.listed);
        match walked {
            Ok(true) => {
                self.found.units.push(UnitNames { unit, listed, foreign: Vec::new() });
            }
            Ok(false) => {}
            Err(fault) => self.found.faults.push((found.contribution, fault)),
        }
    }

    /// Walks over a unit; returns whether the table covers it.
    fn walked(&mut self, found: &FoundUnit, reader: &mut UnitReader) -> Result<bool, Malformed> {
        // A skeleton does not have the names of its `.dwo` file; the tables of inputs do.
        if let UnitKind::Skeleton { .. } = found.unit.kind {
            return Ok(false);
        }
        let sections = self.others.sections;
        let view = reader.view(sections, found, u64::MAX)?;
        if view.root.dwo_name.is_some() {
            return Ok(false);
        }
        if u32::try_from(found.unit.len).is_err() {
            return Err(Malformed::new("unit has more than 4 GiB", found.unit.start as usize));
        }
        let Some(mut at) = view.children else { return Ok(true) };
        let walked = self.entries(&view, &mut at);
        walked.ok_or(view.fault("broken entry", at))?;
        Ok(true)
    }

    fn entries(&mut self, view: &UnitView<'_>, at: &mut usize) -> Option<()> {
        let (bytes, abbreviations) = (view.bytes, view.abbreviations);
        let mut scopes = vec![OpenScope { parent: Parent::Unlisted, is_outside: true }];
        while *at < bytes.len() {
            let start = *at;
            let code = uleb(bytes, at)?;
            if code == 0 {
                scopes.pop()?;
                if scopes.is_empty() {
                    break;
                }
                continue;
            }
            let abbreviation = abbreviations.get(code)?;
            let around = *scopes.last()?;
            let mut own = Parent::Unlisted;
            if abbreviation.may_be_listed && (around.is_outside || !abbreviation.is_constant) {
                own = self.entry(view, abbreviation, start, around.parent, at)?;
            } else {
                abbreviations.skip(abbreviation, bytes, at)?;
                if abbreviation.is_declared {
                    own = Parent::Declared;
                }
                // The children of a declared function are its parameters.
                let has_parameters = abbreviation.is_declared && abbreviation.has_children;
                if has_parameters
                    && abbreviation.tag == DW_TAG_subprogram
                    && let Some(sibling) = sibling(view, abbreviation, *at)
                {
                    *at = sibling;
                    continue;
                }
            }
            if abbreviation.has_children {
                let is_scope = matches!(abbreviation.tag, DW_TAG_namespace | DW_TAG_module);
                scopes.push(OpenScope { parent: own, is_outside: around.is_outside && is_scope });
            }
        }
        (*at <= bytes.len()).then_some(())
    }

    /// Takes the entry at `start`, whose values begin at `at`; returns it as the parent of its
    /// children.
    fn entry(
        &mut self,
        view: &UnitView<'_>,
        abbreviation: &Abbreviation,
        start: usize,
        parent: Parent,
        at: &mut usize,
    ) -> Option<Parent> {
        let said = said(view, abbreviation, at)?;
        let tag = abbreviation.tag;
        if tag == DW_TAG_variable
            && !abbreviation.is_constant
            && !said.location.is_some_and(|location| has_address(view, location))
        {
            return Some(Parent::Unlisted);
        }
        let names = self.names(view, &said, tag);
        let mut own = Parent::Unlisted;
        let both = [names.name, names.linkage_name.filter(|name| Some(*name) != names.name)];
        for name in both.into_iter().flatten() {
            let Some(place) = name else {
                self.found.left_out += 1;
                continue;
            };
            if own == Parent::Unlisted {
                own = Parent::Listed(self.listed.len() as u32);
            }
            let component = self.found.texts.component(Text::String(place));
            let name = self.found.names.intern(QualifiedId::COLONS, component);
            self.listed.push(Listed { name, offset: start as u32, tag, parent });
        }
        Some(own)
    }

    /// The names of an entry, its own or those of the entry that it completes.
    fn names(&mut self, view: &UnitView<'_>, said: &EntryAttributes<'_>, tag: DwTag) -> EntryNames {
        let mut names = EntryNames::default();
        let has_linkage_name =
            matches!(tag, DW_TAG_subprogram | DW_TAG_inlined_subroutine | DW_TAG_variable);
        names.take(said, self.added);
        if let Some(origin) = said.origin
            && (names.name.is_none() || has_linkage_name && names.linkage_name.is_none())
        {
            self.others.follow(view, origin, &mut names, MAX_ORIGINS, self.added);
        }
        if tag == DW_TAG_namespace && names.name.is_none() {
            names.name = Some(self.added.find(super::added_strings::ANONYMOUS));
        }
        if !has_linkage_name {
            names.linkage_name = None;
        }
        names
    }
}

impl EntryNames {
    /// Takes the names that are not known yet.
    fn take(&mut self, said: &EntryAttributes<'_>, added: &AddedTexts<'_>) {
        let place = |text: Option<Text<'_>>| text.map(|text| added.place(text));
        self.name = self.name.or_else(|| place(said.name));
        self.linkage_name = self.linkage_name.or_else(|| place(said.linkage_name));
    }
}

/// DW_AT_sibling of an entry whose values end at `end`, if the sibling is ahead.
fn sibling(view: &UnitView<'_>, abbreviation: &Abbreviation, end: usize) -> Option<usize> {
    let back = usize::from(abbreviation.sibling_from_end);
    let mut at = end.checked_sub(back).filter(|_| back != 0)?;
    let sibling = fixed(view.bytes, &mut at, 4, view.unit.encoding.order)? as usize;
    (sibling > end && sibling <= view.bytes.len()).then_some(sibling)
}

/// Reads the values of an entry, which begin at `at`.
fn said<'a>(
    view: &UnitView<'a>,
    abbreviation: &Abbreviation,
    at: &mut usize,
) -> Option<EntryAttributes<'a>> {
    let mut said = EntryAttributes::default();
    for attribute in view.abbreviations.attributes(abbreviation) {
        match attribute.name {
            DW_AT_name => said.name = view.text(view.value(attribute, at)?),
            DW_AT_linkage_name | DW_AT_MIPS_linkage_name => {
                said.linkage_name = view.text(view.value(attribute, at)?);
            }
            DW_AT_abstract_origin | DW_AT_specification => {
                said.origin = Some(view.value(attribute, at)?);
            }
            DW_AT_location => said.location = Some(view.value(attribute, at)?),
            _ => view.abbreviations.skip_one(attribute, view.bytes, at)?,
        }
    }
    Some(said)
}

/// Units that entries of another unit refer to (link-time optimisation), read as they are needed.
struct ReferencedUnits<'c> {
    sections: &'c Sections<'c>,
    units: &'c [FoundUnit],
    read: UnorderedMap<u64, (Vec<u8>, Abbreviations)>,
}

/// Maximum number of units that a thread keeps for references from other units.
const MOST_KEPT: usize = 64;

impl ReferencedUnits<'_> {
    /// Takes names from the entry that `origin` refers to.
    fn follow(
        &mut self,
        view: &UnitView<'_>,
        origin: Value<'_>,
        names: &mut EntryNames,
        steps: usize,
        added: &AddedTexts<'_>,
    ) -> Option<()> {
        let steps = steps.checked_sub(1)?;
        let start = view.unit.start;
        let offset = match origin {
            Value::UnitEntry(offset) => offset,
            Value::Entry(offset) if offset.wrapping_sub(start) < view.unit.len => offset - start,
            Value::Entry(offset) => return self.elsewhere(offset, names, steps, added),
            _ => return None,
        };
        let mut at = usize::try_from(offset).ok()?;
        if at < usize::from(view.unit.header_size) {
            return None;
        }
        let code = uleb(view.bytes, &mut at)?;
        let said = said(view, view.abbreviations.get(code)?, &mut at)?;
        names.take(&said, added);
        let origin = said.origin.filter(|_| names.name.is_none() || names.linkage_name.is_none());
        self.follow(view, origin?, names, steps, added)
    }

    /// [`ReferencedUnits::follow`] to an offset in `.debug_info`.
    #[cold]
    fn elsewhere(
        &mut self,
        offset: u64,
        names: &mut EntryNames,
        steps: usize,
        added: &AddedTexts<'_>,
    ) -> Option<()> {
        let compile_units = self.units.partition_point(|unit| !unit.is_type_unit());
        let units = &self.units[..compile_units];
        let behind = units.partition_point(|unit| unit.unit.start <= offset);
        let found = &units[behind.checked_sub(1)?];
        let unit = &found.unit;
        if found.is_types || offset - unit.start >= unit.len {
            return None;
        }
        let (bytes, abbreviations) = match self.read.remove(&unit.start) {
            Some(known) => known,
            None => {
                let mut bytes = vec![0; usize::try_from(unit.len).ok()?];
                let (table, at, encoding) =
                    (self.sections.abbreviations, unit.abbreviations, unit.encoding);
                let is_read = self.sections.info.read(unit.start, &mut bytes);
                (bytes, Abbreviations::parse(table, at, encoding).ok().filter(|_| is_read)?)
            }
        };
        let view = UnitView::new(unit, &bytes, &abbreviations, self.sections).ok()?;
        let inside = Value::UnitEntry(offset - unit.start);
        let followed = self.follow(&view, inside, names, steps, added);
        if self.read.len() >= MOST_KEPT {
            self.read = UnorderedMap::new();
        }
        self.read.insert(unit.start, (bytes, abbreviations));
        followed
    }
}
