//! Decides which entries of a unit remain when types that another unit keeps are removed.
//!
//! A function that is defined outside of its class refers to its declaration there, and debuggers
//! look for the function's scope around that. So a declaration of such a class remains, with the
//! declarations of these functions, as in units whose types are in type units (DWARF 5, appendix
//! E.2.3). All other references to the class refer to the complete definition in the other unit.
//!
//! Unnamed entries that only removed types refer to are removed as well: pointers, function types
//! and the like.

use super::identity::is_derived;
use super::owners::OwnedId;
use super::tree::{EntryId, Tree, is_sibling};
use crate::values::Value;
use gimli::constants::*;
use skald_core::ids::Column;

/// What becomes of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The whole entry is kept.
    Kept,
    /// The entry's name stays, and some of its children.
    Declared,
    /// The entry is removed.
    Removed,
}

/// What becomes of a unit's entries.
pub struct Kept<'t> {
    /// The state of each entry.
    pub states: Column<EntryId, State>,
    /// Types that another unit keeps, ascending.
    moved: &'t [(EntryId, OwnedId)],
}

/// What a reference refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// An entry of this unit.
    Here(EntryId),
    /// An entry of a type that another unit keeps, by its distance in entries from the type's first
    /// entry.
    Owned(OwnedId, u32),
}

/// Whether an attribute refers to the declaration that an entry completes.
fn is_completion(name: DwAt) -> bool {
    matches!(name, DW_AT_specification | DW_AT_abstract_origin | DW_AT_extension)
}

impl<'t> Kept<'t> {
    /// Decides for a unit whose types `moved`, ascending, are kept by other units. Entries that
    /// other units refer to are not removed; `wanted` has their distances from the header.
    pub fn new(tree: &Tree<'_>, moved: &'t [(EntryId, OwnedId)], wanted: &[u64]) -> Kept<'t> {
        let mut kept = Kept { states: Column::filled(State::Kept, tree.entries.len()), moved };
        if moved.is_empty() {
            return kept;
        }
        for &(entry, _) in moved {
            tree.within(entry).for_each(|inside| kept.states[inside] = State::Removed);
        }
        kept.declare(tree);
        kept.collect(tree, wanted);
        kept
    }

    /// Restores the declarations that kept entries complete, and declares the scopes around them.
    fn declare(&mut self, tree: &Tree<'_>) {
        let mut waiting: Vec<EntryId> =
            tree.entries.ids().filter(|&id| self.states[id] == State::Kept).collect();
        while let Some(id) = waiting.pop() {
            let _ = tree.attributes(id, |attribute, value, _| {
                let Value::UnitEntry(distance) = value else { return Some(()) };
                if !is_completion(attribute.name) {
                    return Some(());
                }
                let target = tree.at(distance)?;
                if self.states[target] == State::Kept {
                    return Some(());
                }
                for inside in tree.within(target) {
                    if self.states[inside] != State::Kept {
                        self.states[inside] = State::Kept;
                        waiting.push(inside);
                    }
                }
                let mut around = tree.entries[target].parent;
                while self.states[around] == State::Removed {
                    self.states[around] = State::Declared;
                    around = tree.entries[around].parent;
                }
                Some(())
            });
        }
    }

    /// Removes unnamed entries that no kept entry refers to.
    fn collect(&mut self, tree: &Tree<'_>, wanted: &[u64]) {
        let mut waiting: Vec<EntryId> = Vec::new();
        for id in tree.entries.ids() {
            if self.states[id] != State::Kept {
                continue;
            }
            if is_collectable(tree, id) {
                tree.within(id).for_each(|inside| self.states[inside] = State::Removed)
            } else {
                waiting.push(id)
            }
        }
        for &distance in wanted {
            if let Some(target) = tree.at(distance) {
                self.revive(tree, target, &mut waiting);
            }
        }
        while let Some(id) = waiting.pop() {
            let _ = tree.attributes(id, |attribute, value, _| {
                if let Value::UnitEntry(distance) = value
                    && !is_sibling(attribute)
                    && let Some(target) = tree.at(distance)
                {
                    self.revive(tree, target, &mut waiting);
                }
                Some(())
            });
        }
    }

    /// Restores `target` and the removed entries around it.
    fn revive(&mut self, tree: &Tree<'_>, target: EntryId, waiting: &mut Vec<EntryId>) {
        if self.states[target] != State::Removed || self.moved(tree, target).is_some() {
            return;
        }
        let mut whole = target;
        while self.states[tree.entries[whole].parent] == State::Removed {
            whole = tree.entries[whole].parent;
        }
        for inside in tree.within(whole) {
            self.states[inside] = State::Kept;
            waiting.push(inside);
        }
    }

    /// The type kept by another unit that an entry is part of, and the entry's distance from the
    /// type's first entry.
    fn moved(&self, tree: &Tree<'_>, id: EntryId) -> Option<(OwnedId, u32)> {
        let behind = self.moved.partition_point(|&(entry, _)| entry <= id);
        let &(entry, owned) = self.moved.get(behind.checked_sub(1)?)?;
        (id < tree.entries[entry].end).then(|| (owned, id.number() - entry.number()))
    }

    /// The new place that a reference to `target` by the attribute `name` leads to.
    pub fn place(&self, tree: &Tree<'_>, target: EntryId, name: DwAt) -> Option<Place> {
        match self.states[target] {
            State::Kept => Some(Place::Here(target)),
            State::Declared if is_completion(name) => Some(Place::Here(target)),
            _ => self.moved(tree, target).map(|(owned, at)| Place::Owned(owned, at)),
        }
    }
}

/// Whether an entry serves only entries that refer to it, so that it may be removed without them.
fn is_collectable(tree: &Tree<'_>, id: EntryId) -> bool {
    let entry = &tree.entries[id];
    is_derived(entry.shape.tag)
        && !tree.has(id, DW_AT_name)
        && (entry.parent == EntryId::ROOT
            || tree.entries[entry.parent].shape.tag == DW_TAG_namespace)
}
