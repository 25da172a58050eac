//! Which entries of a unit are left when types are taken away that another unit keeps.
//!
//! A function that is defined outside of its class refers to its declaration there, and debuggers
//! look for the function's scope around that. So of such a class a declaration is left, with the
//! declarations of these functions, as units have it whose types are in type units (DWARF 5,
//! appendix E.2.3). All else that refers to the class refers to the whole one.
//!
//! What only the types needed that are gone goes too, as far as it has no name: pointers,
//! functions' types and the like.

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
    /// Its name stays, and some of what is in it.
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
    /// To an entry of this unit.
    Here(EntryId),
    /// To the entry so far behind the first one of a type of another unit.
    Owned(OwnedId, u32),
}

/// Whether an attribute names what an entry completes.
fn is_completion(name: DwAt) -> bool {
    matches!(name, DW_AT_specification | DW_AT_abstract_origin | DW_AT_extension)
}

impl<'t> Kept<'t> {
    /// Of a unit of which the types `moved`, ascending, are kept by another. What entries of
    /// other units refer to, at `wanted`, distances from the header, is not taken away.
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

    /// Brings back what entries that stay complete.
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

    /// Takes away what nothing that stays refers to.
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

    /// Brings back what was collected around `target`.
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

    /// The type of another unit that an entry is part of, and how far behind its first entry.
    fn moved(&self, tree: &Tree<'_>, id: EntryId) -> Option<(OwnedId, u32)> {
        let behind = self.moved.partition_point(|&(entry, _)| entry <= id);
        let &(entry, owned) = self.moved.get(behind.checked_sub(1)?)?;
        (id < tree.entries[entry].end).then(|| (owned, id.number() - entry.number()))
    }

    /// Where references to `target` lead that an attribute called `name` makes.
    pub fn place(&self, tree: &Tree<'_>, target: EntryId, name: DwAt) -> Option<Place> {
        match self.states[target] {
            State::Kept => Some(Place::Here(target)),
            State::Declared if is_completion(name) => Some(Place::Here(target)),
            _ => self.moved(tree, target).map(|(owned, at)| Place::Owned(owned, at)),
        }
    }
}

/// Whether an entry serves only those that refer to it.
fn is_collectable(tree: &Tree<'_>, id: EntryId) -> bool {
    let entry = &tree.entries[id];
    is_derived(entry.shape.tag)
        && !tree.has(id, DW_AT_name)
        && (entry.parent == EntryId::ROOT
            || tree.entries[entry.parent].shape.tag == DW_TAG_namespace)
}
