//! Rewrites a unit.

use super::expressions::{self, Target, write_fixed, write_padded};
use super::identity::is_expression;
use super::kept_entries::{Kept, Place, State};
use super::owners::OwnedId;
use super::shapes::{Changes, KeptShape, Shapes, is_local, new_form, uleb_len};
use super::tree::{Entry, EntryId, Tree, is_sibling};
use crate::abbreviations::Attribute;
use crate::location_lists;
use crate::units::UnitKind;
use crate::values::{Value, reference_size};
use gimli::constants::*;
use skald_core::ids::{Column, OptionalId};
use skald_linking::cursor::Malformed;
use skald_linking::leb128::push_uleb128;
use std::ops::Range;

/// The value of a field, which is computed once all units have their places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldValue {
    /// The offset of an entry of a type that another unit keeps, by its distance in entries from
    /// the type's first one.
    Owned(OwnedId, u32),
    /// The new offset of the entry that was at this offset.
    Old(u64),
}

/// A field of a rewritten unit that is filled in later.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Place of the field: the distance from the unit's header, or the offset in a section.
    pub at: u64,
    /// Size of the field in bytes.
    pub size: u8,
    /// What the field refers to.
    pub to: FieldValue,
}

/// Bytes that replace those of a section.
pub struct Patch {
    /// Offset in the section.
    pub at: usize,
    /// The new bytes.
    pub bytes: Vec<u8>,
}

/// A rewritten unit. Its header lacks the offset of the abbreviations.
#[derive(Default)]
pub struct NewUnit {
    /// The bytes of the rewritten unit.
    pub bytes: Vec<u8>,
    /// The abbreviation table of the rewritten unit.
    pub table: Vec<u8>,
    /// Fields of its bytes that refer to other units.
    pub fields: Vec<Field>,
    /// DW_AT_stmt_list of the first entry: its place and its old value.
    pub line_table: Option<(Range<usize>, u64)>,
    /// Changed bytes of its location lists.
    pub list_patches: Vec<Patch>,
    /// Fields of its location lists.
    pub list_fields: Vec<Field>,
    /// Types that the unit keeps for others: the distance of each of their entries from the header.
    pub owned: Vec<(OwnedId, Vec<u32>)>,
    /// New places of entries that other units refer to by the offset in the section.
    pub wanted: Vec<(u64, Found)>,
}

/// The new place of an entry that other units refer to.
#[derive(Debug, Clone, Copy)]
pub enum Found {
    /// Distance from the header of the rewritten unit.
    Here(u64),
    /// The entry is part of a type that another unit keeps.
    Owned(OwnedId, u32),
}

/// A step of writing the unit.
enum Step {
    Entry { id: EntryId, code: u64, changes: Changes },
    End,
}

/// The types that a rewritten unit keeps for others or drops.
pub struct Task<'t> {
    /// Types of the unit that it keeps for others, or that another unit keeps, ascending.
    pub shared: &'t [(EntryId, OwnedId)],
    /// Whether this unit is the one that keeps a type of [`Task::shared`].
    pub is_owner: &'t dyn Fn(EntryId, OwnedId) -> bool,
    /// Offsets in the section that other units refer to, ascending.
    pub wanted: &'t [u64],
}

/// Rewrites a unit.
///
/// # Errors
/// If a reference does not fit into its field.
pub fn rewrite(tree: &Tree<'_>, task: &Task<'_>) -> Result<NewUnit, Malformed> {
    let is_owner = |&&(entry, owned): &&(EntryId, OwnedId)| (task.is_owner)(entry, owned);
    let moved: Vec<(EntryId, OwnedId)> =
        task.shared.iter().filter(|shared| !is_owner(shared)).copied().collect();
    let start = tree.unit().start;
    let distances: Vec<u64> = task.wanted.iter().map(|&offset| offset - start).collect();
    let kept = Kept::new(tree, &moved, &distances);
    let mut writer = Writer {
        tree,
        kept,
        starts: Column::filled(0, tree.entries.len()),
        next: Column::new(),
        steps: Vec::new(),
        new: NewUnit::default(),
    };
    let wrong = |_| tree.view.fault("reference does not fit", 0);
    writer.plan().ok_or(()).map_err(wrong)?;
    writer.write().ok_or(()).map_err(wrong)?;
    for shared in task.shared.iter().filter(is_owner) {
        let &(entry, owned) = shared;
        let offsets = tree.within(entry).map(|inside| writer.starts[inside]).collect();
        writer.new.owned.push((owned, offsets));
    }
    for (&offset, &distance) in task.wanted.iter().zip(&distances) {
        if let Some(found) = writer.find(distance) {
            writer.new.wanted.push((offset, found));
        }
    }
    Ok(writer.new)
}

struct Writer<'t, 'a> {
    tree: &'t Tree<'a>,
    kept: Kept<'t>,
    /// The new distance from the header of each kept entry.
    starts: Column<EntryId, u32>,
    /// The next kept sibling of each entry.
    next: Column<EntryId, OptionalId<EntryId>>,
    steps: Vec<Step>,
    new: NewUnit,
}

impl Writer<'_, '_> {
    fn find(&self, distance: u64) -> Option<Found> {
        if distance == 0 {
            return Some(Found::Here(0));
        }
        let target = self.tree.at(distance)?;
        Some(match self.kept.place(self.tree, target, DW_AT_type)? {
            Place::Here(id) => Found::Here(self.starts[id].into()),
            Place::Owned(owned, at) => Found::Owned(owned, at),
        })
    }

    fn find_siblings(&mut self) {
        let tree = self.tree;
        self.next = Column::filled(OptionalId::default(), tree.entries.len());
        for id in tree.entries.ids().rev() {
            let Entry { end, parent, .. } = tree.entries[id];
            if id != EntryId::ROOT && end < tree.entries[parent].end {
                self.next[id] = match self.kept.states[end] {
                    State::Removed => self.next[end],
                    _ => end.into(),
                };
            }
        }
    }

    /// The size of references to other units.
    fn outward_size(&self) -> usize {
        reference_size(self.tree.unit().encoding)
    }

    /// Gives each entry its abbreviation and its place.
    fn plan(&mut self) -> Option<()> {
        self.find_siblings();
        let tree = self.tree;
        let mut shapes = Shapes::default();
        let mut at = usize::from(tree.unit().header_size);
        let mut open: Vec<EntryId> = Vec::new();
        let mut id = EntryId::ROOT;
        while id < tree.entries.end() {
            let entry = &tree.entries[id];
            let state = self.kept.states[id];
            if state == State::Removed {
                id = entry.end;
            } else {
                let is_declared = state == State::Declared;
                let (changes, size) = self.measure(id, is_declared)?;
                let has_children = self.has_children(id);
                let remains = KeptShape { changes, is_declared, has_children };
                let code = shapes.code(tree, entry, remains);
                self.starts[id] = u32::try_from(at).ok()?;
                self.steps.push(Step::Entry { id, code, changes });
                at += uleb_len(code) + size;
                if has_children {
                    open.push(entry.end);
                }
                id = id.next();
            }
            while open.last().is_some_and(|&end| end <= id) {
                open.pop();
                self.steps.push(Step::End);
                at += 1;
            }
        }
        self.new.table = shapes.finish();
        self.new.bytes.reserve(at);
        Some(())
    }

    /// Whether an entry has a list of children. The list is empty only if it was empty before.
    fn has_children(&self, id: EntryId) -> bool {
        let mut children = self.tree.children(id).peekable();
        let is_list = self.tree.entries[id].shape.has_children;
        is_list
            && (children.peek().is_none()
                || children.any(|child| self.kept.states[child] != State::Removed))
    }

    /// The changes of an entry's abbreviation, and the size of its new values.
    fn measure(&self, id: EntryId, is_declared: bool) -> Option<(Changes, usize)> {
        let tree = self.tree;
        let (mut changes, mut size, mut number) = (0, 0, 0);
        tree.attributes(id, |attribute, value, range| {
            let bit = number;
            number += 1;
            if is_declared {
                size += if attribute.name == DW_AT_name { range.len() } else { 0 };
                return Some(());
            }
            size += match value {
                Value::UnitEntry(_) if is_sibling(attribute) => {
                    let is_last = self.next[id].is_none();
                    changes |= Changes::from(is_last) << bit;
                    if is_last { 0 } else { 4 }
                }
                Value::UnitEntry(distance) if is_local(attribute.form) => {
                    let target = tree.at(distance)?;
                    match self.kept.place(tree, target, attribute.name)? {
                        Place::Here(_) => 4,
                        Place::Owned(..) => {
                            changes |= 1 << bit;
                            self.outward_size()
                        }
                    }
                }
                _ => range.len(),
            };
            Some(())
        })?;
        Some((changes, size))
    }

    fn write(&mut self) -> Option<()> {
        let unit = self.tree.unit();
        let (header, order) = (usize::from(unit.header_size), unit.encoding.order);
        self.new.bytes.extend_from_slice(&self.tree.view.bytes[..header]);
        for step in std::mem::take(&mut self.steps) {
            match step {
                Step::End => self.new.bytes.push(0),
                Step::Entry { id, code, changes } => {
                    push_uleb128(&mut self.new.bytes, code);
                    let declares = self.kept.states[id] == State::Declared;
                    let (tree, mut number) = (self.tree, 0);
                    tree.attributes(id, |attribute, value, range| {
                        let is_changed = changes >> number & 1 != 0;
                        number += 1;
                        if !declares || attribute.name == DW_AT_name {
                            self.value(id, attribute, is_changed, value, range)?;
                        }
                        Some(())
                    })?;
                }
            }
        }
        let offset_size = usize::from(unit.encoding.offset_size);
        let length_at = if offset_size == 8 { 4 } else { 0 };
        let length = self.new.bytes.len() - length_at - offset_size;
        write_fixed(length as u64, &mut self.new.bytes[length_at..][..offset_size], order)?;
        if let UnitKind::Type { type_offset, .. } = unit.kind {
            let target = self.tree.at(type_offset)?;
            let field = &mut self.new.bytes[header - offset_size..header];
            write_fixed(self.starts[target].into(), field, order)?;
        }
        Some(())
    }

    fn value(
        &mut self,
        id: EntryId,
        attribute: &Attribute,
        is_changed: bool,
        value: Value<'_>,
        range: Range<usize>,
    ) -> Option<()> {
        let tree = self.tree;
        if let Value::UnitEntry(distance) = value
            && is_local(attribute.form)
        {
            if new_form(attribute, is_changed).is_none() {
                return Some(());
            }
            return self.reference(id, attribute, distance);
        }
        let start = self.new.bytes.len();
        let old_start = range.start;
        self.new.bytes.extend_from_slice(&tree.view.bytes[range.clone()]);
        match value {
            Value::Entry(offset) => {
                let size = range.len() as u8;
                let field = Field { at: start as u64, size, to: FieldValue::Old(offset) };
                self.new.fields.push(field);
            }
            Value::SectionOffset(offset) | Value::Number(offset)
                if id == EntryId::ROOT && attribute.name == DW_AT_stmt_list =>
            {
                self.new.line_table = Some((start..self.new.bytes.len(), offset));
            }
            Value::Block(block) if is_expression(attribute, tree.unit().encoding) => {
                let expression = range.end - block.len()..range.end;
                let bytes = tree.view.bytes;
                self.expression(bytes, expression, |writer, at| match at {
                    Change::Bytes(at, bytes) => {
                        let at = start + (at - old_start);
                        writer.new.bytes[at..at + bytes.len()].copy_from_slice(&bytes);
                    }
                    Change::Field(at, size, to) => {
                        let at = (start + (at - old_start)) as u64;
                        writer.new.fields.push(Field { at, size, to });
                    }
                })?;
            }
            _ => {}
        }
        self.list(attribute, value)
    }

    /// A reference within the unit as it was.
    fn reference(&mut self, id: EntryId, attribute: &Attribute, distance: u64) -> Option<()> {
        let place = if is_sibling(attribute) {
            Place::Here(self.next[id].get()?)
        } else {
            self.kept.place(self.tree, self.tree.at(distance)?, attribute.name)?
        };
        match place {
            Place::Here(target) => {
                let order = self.tree.unit().encoding.order;
                self.new.bytes.extend_from_slice(&order.bytes(self.starts[target]));
            }
            Place::Owned(owned, entry) => {
                let at = self.new.bytes.len() as u64;
                let size = self.outward_size();
                self.new.bytes.resize(self.new.bytes.len() + size, 0);
                let to = FieldValue::Owned(owned, entry);
                self.new.fields.push(Field { at, size: size as u8, to });
            }
        }
        Some(())
    }

    /// Finds the changes in the location list that a value refers to.
    fn list(&mut self, attribute: &Attribute, value: Value<'_>) -> Option<()> {
        let view = &self.tree.view;
        let Some(list) = location_lists::list(view, attribute, value) else { return Some(()) };
        let bytes = location_lists::section(view);
        let mut expressions = Vec::new();
        location_lists::expressions(view, list, &mut |range| {
            expressions.push(range);
            Some(())
        })?;
        for range in expressions {
            self.expression(bytes, range, |writer, change| match change {
                Change::Bytes(at, new) if bytes[at..at + new.len()] != new[..] => {
                    writer.new.list_patches.push(Patch { at, bytes: new });
                }
                Change::Bytes(..) => {}
                Change::Field(at, size, to) => {
                    writer.new.list_fields.push(Field { at: at as u64, size, to });
                }
            })?;
        }
        Some(())
    }

    /// Calls `change` with each change in an expression.
    fn expression(
        &mut self,
        bytes: &[u8],
        range: Range<usize>,
        mut change: impl FnMut(&mut Self, Change),
    ) -> Option<()> {
        let encoding = self.tree.unit().encoding;
        let mut found = Vec::new();
        expressions::references(bytes, range, encoding, &mut |target, at| {
            found.push((target, at));
            Some(())
        })?;
        for (target, at) in found {
            let mut new = vec![0; at.len()];
            match target {
                Target::Index => continue,
                Target::Section(offset) => {
                    change(self, Change::Field(at.start, at.len() as u8, FieldValue::Old(offset)));
                    continue;
                }
                Target::UnitLeb(distance) => write_padded(self.new_start(distance)?, &mut new)?,
                Target::Unit(distance) => {
                    write_fixed(self.new_start(distance)?, &mut new, encoding.order)?
                }
            }
            change(self, Change::Bytes(at.start, new));
        }
        Some(())
    }

    fn new_start(&self, distance: u64) -> Option<u64> {
        let target = self.tree.at(distance)?;
        let is_kept = self.kept.states[target] == State::Kept;
        is_kept.then(|| self.starts[target].into())
    }
}

/// A change in an expression.
enum Change {
    /// New bytes at a place of the unit or section that has the expression.
    Bytes(usize, Vec<u8>),
    /// A field: its place, its size, and its value.
    Field(usize, u8, FieldValue),
}
