//! All entries of a unit, each with its parent and the end of its descendants.

use crate::abbreviations::{Abbreviation, Abbreviations, Attribute};
use crate::entries::UnitView;
use crate::units::Unit;
use crate::values::{self, Value, uleb};
use gimli::constants::*;
use skald_core::id;
use skald_core::ids::{Column, OptionalId};
use skald_linking::cursor::Malformed;

id! {
    /// An entry of a unit, in the order of the unit: parents before their children.
    EntryId
}

impl EntryId {
    /// The first entry of a unit, the ancestor of all others.
    pub const ROOT: EntryId = EntryId::new(0);

    /// The entry behind this one.
    pub fn next(self) -> EntryId {
        EntryId::new(self.number() + 1)
    }
}

/// An entry of a unit.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// The entry's abbreviation: its tag and attributes.
    pub shape: &'a Abbreviation,
    /// Its distance from the unit's header.
    pub start: u32,
    /// The distance of its first value.
    pub values: u32,
    /// The parent; the first entry is its own parent.
    pub parent: EntryId,
    /// The entry behind this one and all its descendants.
    pub end: EntryId,
}

/// A unit, decoded.
pub struct Tree<'a> {
    /// The unit, and what its first entry says.
    pub view: UnitView<'a>,
    /// The entries of the unit.
    pub entries: Column<EntryId, Entry<'a>>,
    /// By the distance from the header: the entry that begins there.
    starts: Vec<OptionalId<EntryId>>,
}

/// The fault of a unit that is too large.
pub const TOO_LARGE: &str = "unit is too large to be rewritten";

/// Units with more bytes are left as they are.
const MAX_UNIT: usize = 1 << 30;

impl<'a> Tree<'a> {
    /// Reads all entries of `unit`, which has these bytes.
    ///
    /// # Errors
    /// With the offset in the section.
    pub fn new(view: UnitView<'a>) -> Result<Tree<'a>, Malformed> {
        let len = view.bytes.len();
        if len > MAX_UNIT {
            return Err(view.fault(TOO_LARGE, 0));
        }
        let starts = vec![OptionalId::default(); len];
        let mut tree = Tree { view, entries: Column::new(), starts };
        let mut at = usize::from(view.unit.header_size);
        match tree.read(&mut at) {
            Ok(()) => Ok(tree),
            Err(what) => Err(view.fault(what, at)),
        }
    }

    fn read(&mut self, at: &mut usize) -> Result<(), &'static str> {
        const BROKEN: &str = "broken entry";
        let UnitView { bytes, abbreviations, .. } = self.view;
        let mut open: Vec<EntryId> = Vec::new();
        loop {
            let start = *at;
            let code = uleb(bytes, at).ok_or(BROKEN)?;
            if code == 0 {
                let closed = open.pop().ok_or("no first entry")?;
                self.entries[closed].end = self.entries.end();
            } else {
                let shape = abbreviations.get(code).ok_or("unknown abbreviation")?;
                let id = self.entries.end();
                let parent = open.last().copied().unwrap_or(EntryId::ROOT);
                let values = *at as u32;
                let entry = Entry { shape, start: start as u32, values, parent, end: id.next() };
                self.entries.push(entry);
                self.starts[start] = id.into();
                abbreviations.skip(shape, bytes, at).ok_or(BROKEN)?;
                if shape.has_children {
                    open.push(id);
                }
            }
            if open.is_empty() {
                break;
            }
        }
        // Units are padded with zeros.
        let rest = bytes.get(*at..).ok_or(BROKEN)?;
        if rest.iter().all(|&byte| byte == 0) { Ok(()) } else { Err("more than one first entry") }
    }

    /// The header of the unit.
    pub fn unit(&self) -> &'a Unit {
        self.view.unit
    }

    /// The abbreviations of the unit.
    pub fn abbreviations(&self) -> &'a Abbreviations {
        self.view.abbreviations
    }

    /// The entry that begins at a distance from the header.
    pub fn at(&self, distance: u64) -> Option<EntryId> {
        self.starts.get(usize::try_from(distance).ok()?)?.get()
    }

    /// Calls `take` with each attribute of an entry, its value, and the place of the value.
    ///
    /// # Errors
    /// If a value cannot be read, or `take` returns `None`.
    pub fn attributes(
        &self,
        id: EntryId,
        mut take: impl FnMut(&'a Attribute, Value<'a>, std::ops::Range<usize>) -> Option<()>,
    ) -> Option<()> {
        let Entry { shape, values, .. } = self.entries[id];
        let UnitView { bytes, abbreviations, unit, .. } = self.view;
        let mut at = values as usize;
        for attribute in abbreviations.attributes(shape) {
            let start = at;
            let constant = attribute.constant as u64;
            let value = values::read(bytes, &mut at, attribute.form, constant, unit.encoding)?;
            take(attribute, value, start..at)?;
        }
        Some(())
    }

    /// The value of an attribute of an entry.
    pub fn value(&self, id: EntryId, name: DwAt) -> Option<Value<'a>> {
        let mut found = None;
        self.attributes(id, |attribute, value, _| {
            if attribute.name == name {
                found = found.or(Some(value));
            }
            Some(())
        })?;
        found
    }

    /// Whether an entry has an attribute, of whatever value.
    pub fn has(&self, id: EntryId, name: DwAt) -> bool {
        let shape = self.entries[id].shape;
        self.view.abbreviations.attributes(shape).iter().any(|attribute| attribute.name == name)
    }

    /// The children of an entry, without further descendants.
    pub fn children(&self, id: EntryId) -> impl Iterator<Item = EntryId> + '_ {
        let end = self.entries[id].end;
        let first = Some(id.next()).filter(|&first| first < end);
        std::iter::successors(first, move |&child| {
            Some(self.entries[child].end).filter(|&next| next < end)
        })
    }

    /// An entry and all its descendants.
    pub fn within(&self, id: EntryId) -> impl Iterator<Item = EntryId> + use<> {
        (id.number()..self.entries[id].end.number()).map(EntryId::new)
    }
}

/// Whether an attribute is a DW_AT_sibling.
pub fn is_sibling(attribute: &Attribute) -> bool {
    attribute.name == DW_AT_sibling
}
